import Importing
import Testing

/// Rows that end before their header, in columns that no variable has.
struct RaggedRowsTests {
    private static func yaml(_ more: String = "") -> String {
        definition(
            """
            tables:
              - name: orders
                columns: {date: Date, symbol: Symbol, units: Units, amount: Amount}
                require: [date, symbol, units, amount]
                known: [Note, Venue]
            \(more)
                security: [symbol]
                kind: trade
            """)
    }

    private static let whole = "2024-01-02,ABCD,9,-18,,X\n"
    private static let short = "2024-01-03,ABCD,8,-16,X\n"

    private static let (more, many) = (whole + short + whole, whole + short + whole + short + short)
    private static let anew = "\n\(header)\(whole)\(short)"
    private static let cases: [(String, String?)] = [
        (whole + whole, nil), (more, "the line has 5 cells, its header 6: the last were taken for blank"),
        (more + short, "the line has 5 cells, its header 6, and 1 more line ends early: the last were taken for blank"),
        (many, "and 2 more lines end early"),
        // All rows of a file may be so; a second header is followed by others.
        (short + short, nil), (short + anew, "the line has 5 cells, its header 6:"),
        (short + "2024-01-03,ABCD,8,-16\n", "the line has 4 cells, its header 6:"),
        // Cells beyond the header that are blank are none.
        (whole + "2024-01-03,ABCD,8,-16,,X,,\n", nil),
    ]

    @Test(arguments: cases) func areSaidOnce(_ rows: String, _ reason: String?) throws {
        let sink = try run(Self.yaml(), Self.header + rows)
        let reasons = sink.warnings.filter { $0.code == .rowRagged }.map(\.reason)
        #expect(reasons.count == (reason == nil ? 0 : 1))
        #expect(reasons.first?.contains(reason ?? "") ?? true, "\(reasons)")
        #expect(!sink.outcomes.contains("row.short"))
    }

    private static let header = "Date,Symbol,Units,Amount,Note,Venue\n"

    @Test func aTableMayHaveThem() throws {
        let sink = try run(Self.yaml("    short: true"), Self.header + Self.whole + Self.short)
        #expect(sink.warnings.isEmpty && sink.records.count == 2)
    }

    /// What is no record is nobody's loss.
    @Test func othersThanRecordsAreNot() throws {
        let sink = try run(
            Self.yaml("    rows: [{when: {date: Total}, is: total}]"), Self.header + Self.whole + "Total,,9,-18\n")
        #expect(sink.warnings.isEmpty && sink.outcomes == ["header", "accept", "total"])
    }
}
