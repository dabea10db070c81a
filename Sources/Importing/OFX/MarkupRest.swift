import Delimited
import Markup

/// Markup that was not read to its end.
enum MarkupRest {
    /// How much of it a reject shows.
    private static let shown = 4096

    /// Rejects what stands where reading stopped and behind it, as one unit: rows may be among it, so it must not pass for
    /// an end.
    ///
    /// - Parameter isTold: an element was rejected because of it; then the reason is a warning.
    /// - Returns: how many units that made.
    static func report(
        _ error: MarkupError, isTold: Bool, of input: MarkupInput, _ encoding: MarkupEncoding, _ sink: any RecordSink
    ) -> Int {
        let issue = error.asIssue
        let finding = Finding(
            .markupMalformed, reason: "reading stopped here (\(issue.detail)); what follows was not read",
            suggestion: "Download the file again.")
        if isTold {
            sink.warn(finding, line: issue.position.line)
            return 0
        }
        let start = min(issue.position.offset, input.input.byteCount)
        let end = min(start + shown, input.input.byteCount)
        return input.withRaw(start..<end, encoding) { raw -> Int in
            // What is no markup may be no text of that encoding either, and a character must not be cut in two.
            let text = TextDecoder.decode(
                end < input.input.byteCount ? wholeCharacters(raw.array) : raw.array, as: .utf8)
            return ByteView.with(text) { text -> Int in
                let text = text.trimmed()
                // A blank input has nothing to lose.
                if start == 0, text.isEmpty { return 0 }
                let mark = TextEncoding.utf8.byteOrderMark
                let skipped = start == 0 && raw.array.starts(with: mark) ? mark.count : 0
                let unit = SourceUnit(
                    line: issue.position.line, column: issue.position.column, byteOffset: start + skipped, raw: text)
                sink.reject(finding, from: [unit])
                return 1
            }
        }
    }

    /// The text without a beginning of a character at its end.
    private static func wholeCharacters(_ text: [UInt8]) -> [UInt8] {
        guard let last = text.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return text }
        let length = text[last] < 0xC0 ? 1 : text[last] < 0xE0 ? 2 : text[last] < 0xF0 ? 3 : 4
        return last + length > text.count ? Array(text[..<last]) : text
    }
}
