import Delimited
import Importing
import Testing

/// Columns of any header of a file that the definition does not know are told, when found and when read.
struct HeaderDriftTests {
    private static let tables = """
        tables:
          - name: trades
            columns: {date: Day, symbol: Ticker, units: Units, amount: Total}
            require: [date, symbol, units]
            kind: trade
          - name: cash
            columns: {date: Day, amount: Paid}
            require: [date, amount]
            kind: deposit
          - name: notes
            columns: {text: Remark}
            require: [text]
            emit: none
        """
    private static let head = "currency: USD\ndates: [YYYY-MM-DD]"

    private static func drift(_ yaml: String, _ text: String) throws -> [String] {
        let read = try run(yaml, text).warnings.filter { $0.code == .headerDrift }.map(\.reason)
        let sample = try InputSample(MemoryInput(name: "test.csv", bytes: Array(text.utf8)))
        let found = try #require(try importer(yaml).examine(sample)).drift
        #expect(read == found)
        return read
    }

    @Test(arguments: [
        ("Day,Ticker,Units,Total\n2026-01-15,A,1,-5\n", []),
        ("Day,Ticker,Units,Total,New\n2026-01-15,A,1,-5,x\n", ["the column ‘New’ is"]),
        (
            "Day,Ticker,Units,Total\n2026-01-15,A,1,-5\n\nDay,Paid,Charge\n2026-01-16,5,1\n",
            ["the column ‘Charge’ of the header in line 4 is"]
        ),
        // The same header once more says nothing new; one with another new column does.
        (
            "Day,Paid,Charge\n2026-01-16,5,1\nDay,Paid,Charge\n2026-01-16,5,1\nDay,Paid,Charge,Levy\n2026-01-16,5,1,2\n",
            ["the column ‘Charge’ is", "the column ‘Levy’ of the header in line 5 is"]
        ),
        // Of what is not read nothing can be lost.
        ("Day,Paid\n2026-01-16,5\n\nRemark,By\nhello,me\n", []),
    ])
    func ofEveryHeader(text: String, wanted: [String]) throws {
        let ending = " new to the definition and was not used"
        #expect(try Self.drift(definition(Self.tables, head: Self.head), text) == wanted.map { $0 + ending })
    }

    @Test func ofSections() throws {
        let yaml = definition(
            """
            layout: {section: 1, kind: 2, kinds: {Header: header, Data: data}}
            known: [Note]
            tables:
              - name: cash
                section: [Cash]
                columns: {date: Day, amount: Paid}
                require: [date, amount]
                kind: deposit
            """, head: Self.head)
        let found = try Self.drift(
            yaml,
            "Cash,Header,Day,Paid,Note\nCash,Data,2026-01-16,5,x\nCash,Header,Day,Paid,Fee\nCash,Data,2026-01-17,5,1\n")
        #expect(found == ["the column ‘Fee’ of the header in line 3 is new to the definition and was not used"])
    }

    /// Names that the definition knows in any table say nothing new in another.
    @Test func knownEverywhere() throws {
        let yaml = definition("known: [Charge, \"Note {_}\"]\n" + Self.tables, head: Self.head)
        let found = try Self.drift(
            yaml, "Day,Ticker,Units,Total,Note 1\n2026-01-15,A,1,-5,\n\nDay,Paid,charge\n2026-01-16,5,1\n")
        #expect(found == [])
    }

    /// The column behind another's is that one's unless it has a new name of its own.
    @Test(arguments: [
        ("Day,Paid,\n2026-01-16,5,EUR\n", "EUR", 0), ("Day,Paid,Unit,Fee,Unit\n2026-01-16,5,EUR,1,EUR\n", "EUR", 2),
        ("Day,Paid,Currency\n2026-01-16,5,EUR\n", "EUR", 0), ("Day,Paid,Charge\n2026-01-16,5,7\n", "USD", 1),
    ])
    func behindAnother(text: String, currency: String, drift: Int) throws {
        let yaml = definition(
            """
            tables:
              - name: cash
                columns: {date: Day, amount: Paid, currency: {after: amount}}
                require: [date, amount]
                known: [Currency]
                kind: deposit
            """, head: Self.head)
        #expect(try run(yaml, text).records.map { $0.contains("currency=\(currency)") } == [true])
        #expect(try Self.drift(yaml, text).count == drift)
    }

    /// A file of ever new headers keeps no list that grows with it.
    @Test func manyHeaders() throws {
        let text = (1...500).map { "Day,Paid,New \($0)\n2026-01-16,5,1\n" }.joined()
        #expect(
            try run(definition(Self.tables, head: Self.head), text).warnings.count { $0.code == .headerDrift } == 64)
    }
}
