import Allocport

/// A line on standard error that says how far the work is: only on a terminal, and only for work over a second.
struct ProgressLine {
    private let isWanted: Bool
    private let start = ContinuousClock.now
    private var next: ContinuousClock.Instant
    private var isShown = false

    /// A line; `isWanted` false never shows anything.
    init(isWanted: Bool) {
        self.isWanted = isWanted && Terminal.isInteractive
        next = start.advanced(by: .seconds(1))
    }

    /// Draws the line when it is time to.
    mutating func show(_ progress: RunProgress) {
        guard isWanted else { return }
        let now = ContinuousClock.now
        guard now >= next else { return }
        next = now.advanced(by: .milliseconds(100))
        isShown = true
        Terminal.sayPart(
            "\r\u{1B}[K"
                + ProgressLine.text(
                    progress.bytesRead, of: progress.byteCount, input: progress.input, of: progress.inputCount))
    }

    /// Takes the line away.
    mutating func clear() {
        if isShown { Terminal.sayPart("\r\u{1B}[K") }
        isShown = false
    }

    /// `[#####---------------]  25 %  file 2 of 8, 12 of 48 MB`.
    static func text(_ bytesRead: Int, of byteCount: Int, input: Int, of inputCount: Int) -> String {
        let total = max(byteCount, 1)
        let done = min(max(bytesRead, 0), total)
        let filled = done * 20 / total
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
        let percent = String(done * 100 / total)
        let blanks = String(repeating: " ", count: max(0, 3 - percent.count))
        let file = "file \(min(input + 1, inputCount)) of \(inputCount)"
        return "[\(bar)] \(blanks)\(percent) %  \(file), \(done / 1_000_000) of \(total / 1_000_000) MB"
    }
}
