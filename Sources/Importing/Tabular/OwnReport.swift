/// The files of an earlier run that hold no rows of openalloc, though some of their columns have the model's names.
public enum OwnReport: Sendable {
    /// The list of rejected lines, for people.
    case rejects
    /// `report.json`, or the verdict on each line.
    case report

    private static let rejectsHeader = Array("sourceMetaID,file,line,column,code,reason,suggestion,value,raw".utf8)
    private static let reportOpening = Array(#""allocport":"#.utf8)
    private static let verdictOpening = Array(#"{"file":""#.utf8)
    private static let verdictMember = Array(#","sourceMetaID":""#.utf8)

    /// What a file is by its first bytes; nil when it is none of these.
    public init?(head: [UInt8]) {
        if head.starts(with: OwnReport.rejectsHeader) {
            self = .rejects
        } else if head.first == UInt8(ascii: "{"),
            head.dropFirst().drop(while: { $0 <= 0x20 }).starts(with: OwnReport.reportOpening)
                || head.starts(with: OwnReport.verdictOpening) && head.prefix(600).contains(OwnReport.verdictMember)
        {
            self = .report
        } else {
            return nil
        }
    }

    /// The names that a run gives to them.
    public static let names: Set<String> = ["rejects.csv", "report.json", "rows.ndjson"]

    /// Why it is not read, for a person.
    var refusal: String {
        switch self {
        case .rejects:
            "this is the list of what an earlier run rejected; correct and convert the files in the folder ‘rejects’ "
                + "beside it instead"
        case .report: "this is the report of an earlier run, which holds no rows"
        }
    }
}
