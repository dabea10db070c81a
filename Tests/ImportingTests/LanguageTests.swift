import OpenAlloc
import Testing

@testable import Importing

/// Words of the definition language, each in a small definition of its own.
@Suite struct LanguageTests {
    /// A table with the usual columns and what a test adds.
    static func table(_ body: String, head: String = "") -> String {
        let indented = body.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(
            separator: "\n")
        return definition(
            "tables:\n  - name: rows\n    columns: {date: Day, action: What, symbol: Name, units: Units, price: Price, amount: Sum, note: Note, account: Account}\n"
                + "    require: [date, action]\n" + indented + "\n", head: head)
    }

    static func read(_ body: String, _ rows: [String], head: String = "") throws -> RecordingSink {
        try run(
            table(body, head: head),
            "Day,What,Name,Units,Price,Sum,Note,Account\n" + rows.map { "2024-01-02," + $0 + "\n" }.joined())
    }

    static func fields(_ record: String) -> [String: String] {
        var found: [String: String] = [:]
        for part in record.split(separator: " ") {
            let pair = part.split(separator: "=", maxSplits: 1)
            found[String(pair[0])] = pair.count == 2 ? String(pair[1]) : "yes"
        }
        return found
    }

    // MARK: Conditions

    @Test(
        arguments: [
            ("{note: Foo}", ["Foo", "foo", " FOO "], ["Foo bar", "", "xFoo"]),
            ("{note: [Foo, Bar]}", ["foo", "bar"], ["baz"]), ("{note: Foo*}", ["Foo", "foobar"], ["a foo"]),
            ("{note: \"*foo*\"}", ["a Foo b"], ["fo"]), ("{note: [Foo, \"B*\", (blank)]}", ["foo", "bar", ""], ["x"]),
            ("{note: (blank)}", ["", "--", "n/a", " "], ["x", "0"]),
            ("{note: (present)}", ["x", "0"], ["", "--"]),
            ("{note: (number)}", ["1", "-1.5", "$3"], ["x", "", "12 shares"]),
            ("{note: (zero)}", ["0", "0.00", "-0"], ["", "1"]),
            ("{note: (nonzero)}", ["1", "-1"], ["0", ""]),
            ("{note: (positive)}", ["1", "0.01"], ["0", "-1", ""]),
            ("{note: (negative)}", ["-1", "(1)"], ["0", "1", ""]),
            ("{note: (date)}", ["2024-01-02", "01/02/24"], ["", "x", "12"]),
            ("{note: {not: Foo}}", ["Bar", ""], ["foo"]), ("{note: {not: (blank)}}", ["x"], ["", "--"]),
            ("{note: {not: [Foo, B*]}}", ["x"], ["foo", "bar"]),
            ("{note: {matches: \"{x:int}/{y:int}\"}}", ["1/2"], ["1", "a/b"]),
            ("{note: {matches: [\"{x:int}\", \"{y:isin}\"]}}", ["12", "US0378331005"], ["x"]),
            ("{note: {same: symbol}}", ["VTI", "vti"], ["VOO", ""]),
            ("{note: {above: 0.5, below: 2}}", ["1", "0.6"], ["0.5", "2", ""]),
            ("{note: {above: 0}}", ["1"], ["0", "-1"]), ("{note: {below: 0}}", ["-1"], ["0"]),
            ("{note: Foo, symbol: VTI}", ["foo"], ["bar"]), ("{note: Foo, symbol: X}", [], ["foo"]),
            ("{any: [{note: Foo}, {note: Bar}]}", ["foo", "bar"], ["x"]),
            ("{all: [{note: F*}, {note: \"*o\"}]}", ["foo"], ["fx", "xo"]),
            ("{any: [{note: Foo, symbol: X}, {note: Bar}]}", ["bar"], ["foo"]),
            ("{note: Überweisung}", ["Überweisung", "ÜberWEISUNG"], ["Uberweisung"]),
            ("{note: \"Ü*\"}", ["Überweisung"], ["U"]),
            ("{note: {not: {not: Foo}}}", ["foo"], ["bar"]),
            ("{note: \"Two  Words\"}", ["two words", "TWO   WORDS", "two\u{A0}words"], ["twowords"]),
            ("{first: \"2024*\"}", ["x"], []), ("{cells: 4}", ["x"], [""]),
            ("{line: \"*,foo,*\"}", ["foo"], ["bar"]),
        ] as [(String, [String], [String])])
    func conditions(_ condition: String, _ yes: [String], _ no: [String]) throws {
        let body = "rows: [{when: \(condition), is: skipped, why: hit}]\nkind: cash"
        for (notes, wanted) in [(yes, "skipped:hit"), (no, "accept")] {
            for note in notes {
                let sink = try Self.read(body, ["Buy,VTI,,,,\(note),"])
                #expect(sink.outcomes == ["header", wanted], "‘\(note)’")
            }
        }
    }

    /// A damaged number must not pass a test as false and make the row something else.
    @Test(arguments: ["(zero)", "(nonzero)", "(positive)", "(negative)", "{above: 0.5, below: 2}", "[(zero), (blank)]"])
    func aTestedCellThatIsNoNumberIsRejected(_ test: String) throws {
        let body = "rows: [{when: {note: \(test)}, is: skipped, why: hit}]\nkind: cash"
        #expect(try Self.read(body, ["Buy,VTI,,,,x1,"]).outcomes == ["header", "number.invalid"])
        // A definition that asks for texts there, or whether it is a number at all, knows of them.
        for known in ["{note: (number)}", "{note: x*}"] {
            let body =
                "rows: [{when: {note: \(test)}, is: skipped, why: hit}, {when: \(known), is: footer}]\nkind: cash"
            #expect(try Self.read(body, ["Buy,VTI,,,,y1,"]).outcomes == ["header", "accept"])
        }
    }

    // MARK: Rows

    @Test func firstRuleThatHoldsDecides() throws {
        let body = """
            rows:
              - {when: {symbol: Total*}, is: total}
              - {when: {note: a}, is: skipped, why: first}
              - {when: {note: [a, b]}, is: skipped, why: second}
              - {when: {note: c}, is: record, kind: fee, set: {amount: 7}}
              - {when: {note: d}, is: record, set: {amount: amount * 2}}
              - {when: {note: e}, is: blank}
              - {when: {note: f}, is: footer}
            kind: cash
            """
        let sink = try Self.read(
            body,
            ["x,Totals,,,,,", "x,,,,1,a,", "x,,,,1,b,", "x,,,,1,c,", "x,,,,1,d,", "x,,,,1,e,", "x,,,,1,f,", "x,,,,1,,"])
        #expect(
            sink.outcomes == [
                "header", "total", "skipped:first", "skipped:second", "accept", "accept", "blank", "footer", "accept",
            ])
        #expect(sink.records.map { Self.fields($0)["amount"] } == ["7", "2", "1"])
        #expect(sink.records.map { String($0.prefix(4)) } == ["fee ", "cash", "cash"])
    }

    @Test func aRowOfNoMeaningIsRejected() throws {
        // The table says what some rows are, and nothing of the others.
        let sink = try Self.read("rows: [{when: {note: a}, is: record, kind: fee}]", ["x,,,,1,a,", "x,,,,1,b,"])
        #expect(sink.outcomes == ["header", "accept", "row.unplaced"])
    }

    @Test func sectionRowsHold() throws {
        let body = "rows: [{when: {symbol: (blank), units: (blank)}, is: section, set: {account: note}}]\nkind: cash"
        let sink = try Self.read(
            body, ["x,,,,,X1,", "x,A,1,,5,,", "x,A,1,,5,,Z9", "x,A,1,,5,,", "x,,,,,X2,", "x,A,1,,5,,"])
        #expect(sink.records.map { Self.fields($0)["account"] } == ["X1", "Z9", "X1", "X2"])
    }

    // MARK: Repair, fill, extract, set

    @Test func repairReadsAllBeforeItWrites() throws {
        let body =
            "repair: [{when: {units: {matches: \"{_:code}\"}}, set: {note: units, price: note, units: price}}]\nkind: trade"
        let record = Self.fields(try #require(try Self.read(body, ["x,A,USD,3,1,4,"]).records.first))
        #expect(record["units"] == "3" && record["price"] == "4")
    }

    /// A header begins another table: what stood above it is not of its rows.
    @Test func fillEndsWithTheTable() throws {
        let yaml = definition(
            """
            tables:
              - name: one
                columns: {date: Day, amount: Sum, account: Account}
                require: [date, amount, account]
                fill: [account]
                kind: cash
            """)
        let sink = try run(
            yaml,
            "Day,Sum,Account\n2024-01-02,1,X1\n2024-01-03,2,\nDay,Sum,Account\n2024-01-04,3,\n2024-01-05,4,X2\n2024-01-06,5,\n"
        )
        #expect(sink.records.map { $0.contains("account=X1") } == [true, true, false, false, false])
        #expect(sink.records.map { $0.contains("account=X2") } == [false, false, false, true, true])
    }

    /// What a pattern captured is not left behind when none of its rules holds, however many such rows there are.
    @Test func capturesOfAPatternWithoutARuleAreUndone() throws {
        let yaml = definition(
            """
            tables:
              - columns: {date: Day, action: What, amount: Sum, symbol: Ticker}
                require: [date, action, amount]
                actions:
                  on: action
                  words:
                    "Fee on {symbol}": [{when: {amount: (positive)}, kind: income}]
                    "Fee *": fee
            """)
        let rows = (0..<40).map { "2024-01-02,Fee on ACME,\($0.isMultiple(of: 3) ? 1 : -1)," }
        let text = "Day,What,Sum,Ticker\n" + rows.joined(separator: "\n") + "\n"
        // By recipes, and by the rules that they are held to.
        for readsByRules in [false, true] {
            var options = ImportOptions()
            options.readsByRules = readsByRules
            let sink = try run(try importer(yaml), text, options: options)
            #expect(sink.records.count == 40)
            for (index, record) in sink.records.enumerated() {
                #expect(record.hasPrefix(index.isMultiple(of: 3) ? "income" : "fee"), "\(record)")
                #expect(record.contains("symbol=ACME") == index.isMultiple(of: 3), "\(record)")
            }
        }
    }

    @Test func fillGoesTogether() throws {
        let body = "fill: [account, symbol]\nkind: cash"
        let sink = try Self.read(body, ["x,A,,,1,,X1", "x,,,,2,,", "x,B,,,3,,", "x,,,,4,,", "x,,,,5,,X2"])
        #expect(sink.records.map { Self.fields($0)["account"] } == ["X1", "X1", "acme", "acme", "X2"])
        #expect(sink.records.map { Self.fields($0)["symbol"] } == ["A", "A", "B", "B", nil])
    }

    @Test func extractTakesTheFirstPattern() throws {
        let body = """
            extract:
              - {from: note, patterns: ["{symbol:word} @ {price:number}", "{symbol:word}*"]}
              - {from: action, when: {action: Cash*}, patterns: ["* {account:id}"]}
              - {from: note, if: (blank), when: {action: y}, patterns: ["{units:number} {price:rest}"]}
            kind: cash
            """
        let sink = try Self.read(
            body, ["x,OLD,,,1,VTI @ 5.5,", "x,OLD,,,1,VOO foo,", "Cash to Z12,OLD,,,1,,", "y,OLD,4,,1,7 8,"])
        let rows = sink.records.map(Self.fields)
        #expect(rows.map { $0["symbol"] } == ["VTI", "VOO", "OLD", "7"])
        #expect(rows.map { $0["price"] } == ["5.5", nil, nil, "8"])
        #expect(rows.map { $0["units"] } == [nil, nil, nil, "4"])
        #expect(rows.map { $0["account"] } == ["acme", "acme", "Z12", "acme"])
    }

    @Test func setsHaveConditions() throws {
        let body = """
            set:
              - {when: {note: a}, set: {symbol: "'A'", amount: neg(amount)}}
              - {when: {note: {not: a}}, set: {symbol: "text(action, '-', symbol)"}}
              - {set: {price: abs(amount)}}
            kind: cash
            """
        let rows = try Self.read(body, ["x,Y,,,1,a,", "x,Y,,,1,b,"]).records.map(Self.fields)
        #expect(rows.map { $0["symbol"] } == ["A", "x-Y"])
        #expect(rows.map { $0["amount"] } == ["-1", "1"])
        #expect(rows.map { $0["price"] } == ["1", "1"])
    }

    /// What a block changes of its own condition does not end it.
    @Test func blocksAreSetWhole() throws {
        let body = """
            set:
              - {when: {symbol: Cash, units: (zero)}, set: {symbol: "''", note: "'c'", price: "''"}}
            kind: cash
            """
        let rows = try Self.read(body, ["x,Cash,0,7,1,a,", "x,Cash,1,7,1,a,"]).records.map(Self.fields)
        #expect(rows.map { $0["price"] } == [nil, "7"])
        #expect(rows.map { $0["symbol"] } == [nil, "Cash"])
        for set in [
            "{symbol: \"''\", units: \"''\"}", "{symbol: \"''\", note: symbol}", "{symbol: note, note: \"''\"}",
        ] {
            #expect(throws: (any Error).self) {
                try Self.read(body.replacing("{symbol: \"''\", note: \"'c'\", price: \"''\"}", with: set), [])
            }
        }
    }

    @Test func junkInWhatIsComputedRejects() throws {
        let sink = try Self.read(
            "set: {amount: neg(amount)}\nkind: cash", ["x,A,,,12 shares,,", "x,A,,,1,,", "x,A,,,,,"])
        #expect(sink.outcomes == ["header", "number.invalid", "accept", "accept"])
        #expect(try Self.read("kind: cash", ["x,A,,5-3,1,,"]).outcomes == ["header", "number.invalid"])
    }
}
