import Importing
import Testing

/// Lines outside the table that read like rows are no preamble and no footer.
struct UnplacedRowTests {
    private static let yaml = definition(
        """
        tables:
          - name: history
            columns: {date: Day, amount: Sum, description: Name}
            require: [date, amount, description]
            kind: deposit
        """, head: "currency: USD\ndates: [YYYYMMDD]")

    @Test(arguments: [
        // Days without marks between their parts are days.
        ("20260105,5,x\nDay,Sum,Name\n20260106,6,y\n", ["row.unplaced", "header", "accept"]),
        ("99999999,5,x\nDay,Sum,Name\n20260106,6,y\n", ["preamble", "header", "accept"]),
        // A header that is not known has rows of as many cells.
        (
            "When,What,Worth,Where\n2026-01-07,a,7,b\n\nDay,Sum,Name\n20260106,6,y\n",
            ["preamble", "row.unplaced", "blank", "header", "accept"]
        ),
    ])
    func areTold(text: String, outcomes: [String]) throws {
        #expect(try run(Self.yaml, text).outcomes == outcomes)
    }

    /// No text has bytes of zero.
    @Test func zeroBytes() throws {
        let sink = try run(Self.yaml, "Day,Sum,Name\n20260106,6,y\u{0}z\n20260107,6,y\n")
        #expect(sink.outcomes == ["header", "encoding.invalid", "accept"])
    }
}
