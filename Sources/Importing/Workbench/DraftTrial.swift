import Delimited
import OpenAlloc

/// What a definition makes of a file, in numbers: the proof of a draft.
public final class DraftTrial: RecordSink {
    /// Records that were made.
    public private(set) var records = 0
    /// Lines by outcome.
    public private(set) var outcomes: [String: Int] = [:]
    /// Rejected lines by code.
    public private(set) var rejects: [String: Int] = [:]
    /// Action words that no rule knows, with the number of their lines.
    public private(set) var unknownActions: [String: Int] = [:]

    private init() {}

    /// Reads a file by an importer.
    ///
    /// - Throws: what reading throws.
    public static func run(_ importer: any Importer, _ input: any InputSource) throws(InputError) -> DraftTrial {
        let trial = DraftTrial()
        let sample = try InputSample(input, for: importer)
        let options = ImportOptions()
        let context = try importer.context(of: input, sample: sample, options: options)
        try importer.read(input, sample: sample, context: context, options: options, into: trial)
        return trial
    }

    /// Counts records and their lines.
    public func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        self.records += records.count
        outcomes["accepted", default: 0] += units.count
    }

    /// Counts rows and their line.
    public func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {
        records += rows.count
        outcomes["accepted", default: 0] += 1
    }

    /// Counts rejected lines by code, and notes unknown actions.
    public func reject(_ finding: Finding, from units: [SourceUnit]) {
        outcomes["rejected", default: 0] += units.count
        rejects[finding.code.rawValue, default: 0] += units.count
        if finding.code == .actionUnknown { unknownActions[finding.value, default: 0] += units.count }
    }

    /// Counts a line without data.
    public func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        outcomes[outcome.rawValue, default: 0] += 1
    }

    /// Warnings are not counted.
    public func warn(_ finding: Finding, line: Int?) {}
}
