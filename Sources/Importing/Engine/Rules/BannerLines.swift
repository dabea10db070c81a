import Delimited

/// The first lines of a file that are no rows. They stand again, byte for byte, where a file was appended to itself or to
/// another download of the account; what cannot be a row is then as little one as it was above.
struct BannerLines {
    private static let most = 64, longest = 4096
    private var lines: [[UInt8]: (outcome: Outcome, code: String)] = [:]

    mutating func keep(_ line: ByteView, _ mark: (outcome: Outcome, code: String)) {
        if line.count <= BannerLines.longest, lines.count < BannerLines.most { lines[line.array] = mark }
    }

    /// What such a line was above the header; nil when none was there.
    func mark(of line: ByteView) -> (outcome: Outcome, code: String)? {
        lines.isEmpty || line.count > BannerLines.longest ? nil : lines[line.array]
    }
}
