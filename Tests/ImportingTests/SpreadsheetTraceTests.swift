import Delimited
import Testing

@testable import Importing

/// What only a spreadsheet makes of a cell is told as that.
@Suite struct SpreadsheetTraceTests {
    @Test(arguments: [
        ("#NAME?", true), ("#REF!", true), ("#BEZUG!", true), ("#DIV/0!", true), ("#N/A", true), ("#NV", true),
        ("########", true), ("##", true), ("Err:508", true), ("#", false), ("", false), ("#1", false), ("#ACME", false),
        ("NAME?", false), ("Err:5O8", false), ("Erratic", false), ("A##", false),
    ])
    func lost(text: String, isLost: Bool) { #expect(LostValue.isOne(text.utf8) == isLost) }

    @Test(arguments: [
        ("01. Jun", "date"), ("6-Jan", "date"), ("Mai 25", "date"), ("10. Dez", "date"), ("#######", "lost"),
        (" #WERT!", "lost"), ("41,2x", "wholly"), ("12 shares", "wholly"), ("1 Jun 2 Jul", "wholly"),
        ("125 Mai", "wholly"), ("Jun", "wholly"),
    ])
    func ofNumbers(text: String, word: String) {
        let finding = NumberFinding.make(.invalid, column: "Price", value: text)
        #expect(finding.code == .numberInvalid && finding.reason.contains(word))
        #expect(finding.suggestion.contains("as it was downloaded") == (word != "wholly"))
    }

    @Test(arguments: ["########", "#N/A"]) func ofDates(text: String) throws {
        let patterns = [try DatePattern("MM/DD/YYYY"), try DatePattern("DD/MM/YYYY")]
        let advice = withView(text) { DateOrder.advice(on: $0, patterns: patterns, undecided: patterns) }
        #expect(advice.reason == LostValue.reason && advice.suggestion == LostValue.suggestion)
    }
}
