import Delimited
import Testing

@testable import Importing

/// A date that only fits with day and month changed says so.
@Suite struct DateOrderTests {
    @Test(arguments: [
        ("25/01/2026", "MM/DD/YYYY", true), ("05/25/2026", "MM/DD/YYYY", false), ("13-01-24", "M-D-YY", true),
        ("01/25/2026", "DD/MM/YYYY", true), ("32/01/2026", "MM/DD/YYYY", false), ("25/13/2026", "MM/DD/YYYY", false),
        ("2026-01-25", "MM/DD/YYYY", false), ("25/01", "MM/DD/YYYY", false), ("", "MM/DD/YYYY", false),
        // The twelfth may be a month.
        ("12/05/2026", "MM/DD/YYYY", false), ("05/12/2026", "DD/MM/YYYY", false), ("31/12/2026", "MM/DD/YYYY", true),
        ("25 Jan 2026", "MM/DD/YYYY", false), ("01.25.2026 10:00", "DD.MM.YYYY", true),
    ])
    func swapped(text: String, pattern: String, isSwapped: Bool) throws {
        let patterns = [try DatePattern(pattern)]
        #expect(ByteView.with(Array(text.utf8)) { DateOrder.isSwapped($0, patterns: patterns) } == isSwapped)
    }

    @Test(arguments: [
        ("1/5/2026", "YYYY-MM-DD", true), ("01/05/2026 9:30", "YYYY-MM-DD hh:mm:ss", true),
        ("05.01.26", "MM/DD/YYYY", true),
        ("2026-1-5", "YYYY-MM-DD", false), ("1/5/2026", "MM/DD/YYYY", false), ("1/5", "YYYY-MM-DD", false),
        ("1/5-2026", "YYYY-MM-DD", false), ("1/5/2026x", "YYYY-MM-DD", false), ("", "YYYY-MM-DD", false),
        ("5 Jan 2026", "YYYY-MM-DD", false), ("1.5.2026", "DD MMM YYYY", true),
    ])
    func anotherStyle(text: String, pattern: String, isOther: Bool) throws {
        let patterns = [try DatePattern(pattern)]
        let advice = ByteView.with(Array(text.utf8)) { DateOrder.advice(on: $0, patterns: patterns) }
        #expect(advice.reason.contains("spreadsheet") == isOther)
        #expect(advice.suggestion.contains("as it was downloaded") == isOther)
        #expect(advice.suggestion.contains(pattern))
    }

    /// Where a format knows both orders, neither is the other one's mistake.
    @Test func bothOrders() throws {
        let patterns = [try DatePattern("MM/DD/YYYY"), try DatePattern("DD/MM/YYYY")]
        #expect(ByteView.with(Array("25/13/2026".utf8)) { !DateOrder.isSwapped($0, patterns: patterns) })
    }
}
