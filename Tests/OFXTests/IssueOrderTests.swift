import Markup
import Testing

@testable import Importing

/// What was read around is told in the order of the source, and at one place in the order in which it was met: never in
/// that of a table.
@Suite struct IssueOrderTests {
    @Test func tellsIssuesOfOnePlaceInOrder() {
        let here = MarkupPosition(line: 2, column: 1, offset: 10)
        let before = MarkupPosition(line: 1, column: 6, offset: 5)
        for _ in 0..<64 {
            var log = MarkupIssueLog()
            log.take(MarkupIssue(.notWellFormed, at: here, detail: "a"))
            log.take(MarkupIssue(.strayClose, at: here, detail: "b"))
            log.take(MarkupIssue(.impliedClose, at: here, detail: "c"))
            log.take(MarkupIssue(.strayClose, at: here, detail: "d"))
            log.take(MarkupIssue(.strayText, at: before, detail: "e"))
            let sink = Collector()
            log.report(to: sink)
            let words = sink.warnings.map { $0.reason.split(separator: " ").prefix(4).joined(separator: " ") }
            #expect(
                words == ["text stands between elements", "the XML is not", "a close tag closes", "a close tag is"])
        }
    }
}
