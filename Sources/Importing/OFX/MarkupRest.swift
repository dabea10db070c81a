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
    static func report(
        _ error: MarkupError, isTold: Bool, of input: MarkupInput, _ encoding: MarkupEncoding, _ sink: any RecordSink
    ) {
        let issue = error.asIssue
        let finding = Finding(
            .markupMalformed, reason: "reading stopped here (\(issue.detail)); what follows was not read",
            suggestion: "Download the file again.")
        if isTold { return sink.warn(finding, line: issue.position.line) }
        let start = min(issue.position.offset, input.input.byteCount)
        let end = min(start + shown, input.input.byteCount)
        input.withRaw(start..<end, encoding) { raw in
            let unit = SourceUnit(
                line: issue.position.line, column: issue.position.column, byteOffset: start, raw: raw.trimmed())
            sink.reject(finding, from: [unit])
        }
    }
}
