import Delimited
import Importing

/// The last line of an input that ends without a line end: where it stops short, half a download is likelier than a
/// slip in one line.
struct CutLine {
    /// Longer lines are not looked at.
    private static let limit = 4096

    private let line: [UInt8]

    /// Nil when the input ends as lines do, or cannot be asked.
    init?(of source: any InputSource) {
        let count = min(source.byteCount, CutLine.limit)
        guard count > 0, let tail = try? source.bytes(at: source.byteCount - count, count: count),
            let last = tail.last, !CutLine.isLineEnd(last),
            let end = tail.lastIndex(where: CutLine.isLineEnd)
        else { return nil }
        line = Array(tail[(end + 1)...])
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// What is to be said of a unit for which an importer has found something: with what to do, where it is this line.
    func advice(on finding: Finding, _ unit: SourceUnit) -> Finding {
        guard finding.code == .rowShort || finding.code == .quoteMalformed, unit.raw == line else { return finding }
        var finding = finding
        finding.reason = "the file ends within this line, as after half a download: " + finding.reason
        finding.suggestion = "Download the file again; if it is whole, complete the line."
        return finding
    }
}
