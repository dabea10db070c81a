import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// The short road for rows of a class that was met before gives what the rules give.
@Suite struct RecipeTests {
    /// Reads a text with the rules alone.
    static func byRules(_ importer: DefinitionImporter, _ text: String) throws -> RecordingSink {
        let sample = try InputSample(MemoryInput(name: "test.csv", bytes: Array(text.utf8)))
        let sink = RecordingSink()
        var options = ImportOptions()
        options.readsByRules = true
        let input = MemoryInput(name: "test.csv", bytes: Array(text.utf8))
        try importer.read(input, sample: sample, context: InputContext(), options: options, into: sink)
        return sink
    }

    /// Many rows of few classes, some with values that only a rule tells apart.
    @Test(arguments: Catalogue.files)
    func agreeOverTheCatalogue(_ file: String) throws {
        let importer = try Catalogue.importer(file)
        guard importer.definition.numbers.decimal != nil,
            !importer.definition.tables.contains(where: { $0.provides != nil })
        else { return }
        var random = SplitMix64(seed: 79)
        for _ in 0..<iterations(2) {
            for table in Catalogue.tables(of: importer.definition, random: &random) {
                let delimiter = importer.definition.numbers.decimal == UInt8(ascii: ",") ? ";" : ","
                var rows = table
                for _ in 0..<60 {
                    // A new row of cells of the rows above, now and then with one that is odd.
                    var row = table[0].indices.map { column in table[1 + random.below(table.count - 1)][column] }
                    if random.oneIn(3) {
                        row[random.below(row.count)] =
                            [
                                "", "0", "-1", "junk", "--", "7", "1%", "$5", "12", "2024", "(3)", "5 USD", "EUR 1.5",
                                "2-",
                                "\u{2212}4", "1'000", "2024-01-02 10:15:00", "01/03/2024 as of 01/02/2024",
                            ].randomElement(using: &random) ?? ""
                    }
                    // Now and then a cell too few or too many.
                    if random.oneIn(8) { row.removeLast() }
                    if random.oneIn(12) { row.append(["", "x", " "][random.below(3)]) }
                    rows.append(row)
                }
                let text = rows.map { $0.map(Catalogue.quoted).joined(separator: delimiter) }.joined(separator: "\n")
                let short = try run(importer, text), rules = try Self.byRules(importer, text)
                #expect(short.events.map(\.description) == rules.events.map(\.description), "\(text.prefix(2000))")
            }
        }
    }

    /// A time that a rule has emptied is not read again with the date of the next row.
    @Test func timesThatRulesEmpty() throws {
        let yaml = definition(
            """
            tables:
              - name: cash
                columns: {date: Date, time: Clock, amount: Sum}
                require: [date, time, amount]
                set: [{when: {time: "00:00:00"}, set: {time: "''"}}]
                kind: cash
            """)
        let rows = (0..<80).map {
            "2026-01-0\($0 % 9 + 1),\($0 % 4 == 0 ? "10:15:0\($0 % 10)" : "00:00:00"),\($0 + 1)\n"
        }
        let text = "Date,Clock,Sum\n" + rows.joined()
        let importer = try importer(yaml)
        let short = try run(importer, text), rules = try Self.byRules(importer, text)
        #expect(short.records == rules.records && short.records.count == 80)
        #expect(short.records.count { $0.contains("T17:00:00Z") } == 60)
    }

    /// The size of a contract that a rule gives stands where the rows of a class state none.
    @Test func sizesThatRulesGive() throws {
        let yaml = definition(
            """
            tables:
              - name: trades
                columns: {date: Date, action: Action, symbol: Symbol, units: Units, price: Price, multiplier: Size, amount: Sum}
                require: [date, units, price, multiplier]
                kind: buy
                priceUnits: [{when: {symbol: "* C"}, unit: contract, multiplier: 100}]
            """)
        let rows = (0..<80).map {
            "2026-01-0\($0 % 9 + 1),Buy,VTI \($0 % 3 == 0 ? "X" : "C"),\($0 + 1),2,\($0 % 4 == 0 ? "10" : ""),-\($0 + 7)\n"
        }
        let text = "Date,Action,Symbol,Units,Price,Size,Sum\n" + rows.joined()
        let importer = try importer(yaml)
        let short = try run(importer, text), rules = try Self.byRules(importer, text)
        #expect(short.records == rules.records && short.records.count == 80)
        #expect(short.records.count { $0.contains("multiplier=100 ") } == 40)
    }

    /// Conditions that look at more of a number or date than its sign.
    @Test(arguments: [
        "units: {above: 0.5, below: 2}", "units: 7", "units: \"7*\"", "units: {matches: \"{_:int}\"}",
        "units: {same: price}", "date: 2024-01-03", "date: \"*-03\"", "units: (zero)", "amount: {not: (blank)}",
        "symbol: VTI", "units: \"*usd\"", "note: \"2*\"", "symbol: (number)", "symbol: (positive)",
        "note: {same: symbol}", "symbol: {above: 5}",
    ])
    func agreeOnConditions(_ condition: String) throws {
        let yaml = LanguageTests.table(
            "rows: [{when: {\(condition)}, is: skipped, why: hit}]\nset: {fees: abs(units)}\npriceUnits: [{when: {\(condition)}, unit: contract}]\nkind: cash"
        )

        let importer = try importer(yaml)
        var random = SplitMix64(seed: 83)
        let values = ["", "1", "7", "0.6", "3", "-1", "0", "75", "1.0", "x", "2%", "$7", "7 USD", "(2)", "USD 0.7"]
        let rows = (0..<200).map { _ in
            "2024-01-0\(2 + random.below(3)),x,\(["VTI", "VOO", "6", "-2", ""].randomElement(using: &random) ?? ""),"
                + (0..<3).map { _ in values.randomElement(using: &random) ?? "" }.joined(separator: ",")
                + ",\(["VTI", "n"].randomElement(using: &random) ?? ""),X1\n"
        }
        let text = "Day,What,Name,Units,Price,Sum,Note,Account\n" + rows.joined()
        let short = try run(importer, text), rules = try Self.byRules(importer, text)
        #expect(short.events.map(\.description) == rules.events.map(\.description))
    }
}
