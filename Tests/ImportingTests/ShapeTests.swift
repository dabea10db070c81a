import OpenAlloc
import Testing

@testable import Importing

/// Lines outside the rows, and shapes bigger than a row.
@Suite struct ShapeTests {
    static let cash =
        "tables:\n  - columns: {date: Day, description: Text, amount: Sum, account: Account}\n    require: [date, amount]\n    kind: cash\n"

    @Test func linesByTheirPlace() throws {
        let yaml = definition(
            """
            lines:
              - {text: "Account {account:id}", is: section}
              - {text: "Only above*", is: preamble, where: preamble}
              - {text: "Only in*", is: skipped, why: note, where: table}
              - {text: "Only below*", is: footer, where: end}
              - {text: "a,b,*", is: total, whole: true}
              - {text: "Lonely*", cells: 1, is: section}
              - {text: "Two*", cells: 2-3, is: section}
              - {text: ["Disclosure*", "Legal*"], is: footer, rest: true}

            """ + Self.cash)
        let sink = try run(
            yaml,
            """
            Only above
            Only in
            Account X1
            Day,Text,Sum,Account
            2024-01-02,x,1,
            Only above
            Only in here
            Only below
            Account X2
            2024-01-02,x,2,
            a,b,c,d
            Lonely
            Lonely,x
            Two,x
            2024-01-02,x,3,Z9

            Only below
            Legal stuff
            2024-01-02,x,4,
            more
            Day,Text,Sum,Account
            2024-01-02,x,5,
            """)
        #expect(
            sink.outcomes == [
                "preamble", "preamble", "section", "header", "accept", "row.short", "skipped:note", "row.short",
                "section", "accept", "total", "section", "row.short", "section", "accept", "blank", "footer",
                "footer", "row.unplaced", "footer", "header", "accept",
            ])
        #expect(sink.records.map { LanguageTests.fields($0)["account"] } == ["X1", "X2", "Z9", "X2"])
    }

    @Test func anAccountWithoutATitleDropsTheOldTitle() throws {
        let yaml = definition(
            "lines:\n  - {text: [\"{accountTitle} [{account:id}]\", \"Number {account:id}\"], is: section}\n"
                + Self.cash)
        let sink = try run(yaml, "Roth [X1]\nDay,Text,Sum,Account\n2024-01-02,x,1,\nNumber X2\n2024-01-02,x,2,\n")
        #expect(sink.records.map { LanguageTests.fields($0)["accountTitle"] } == ["Roth", nil])
    }

    @Test func exportedFromContentAndName() throws {
        let yaml = definition(
            "lines:\n  - {text: \"As of {exported}\", is: footer}\n" + Self.cash,
            head:
                "exported: [\"M/D/YYYY h:mm a zzz\"]\nfiles: [\"h_{account:id}_{exported}.csv\"]\nfileDates: [YYYYMMDD]\n"
        )
        let importer = try importer(yaml)
        func exported(_ text: String, _ name: String) throws -> String? {
            let input = MemoryInput(name: name, bytes: Array(text.utf8))
            return try importer.context(of: input, sample: InputSample(input), options: ImportOptions()).exportedAt?
                .description
        }
        let body = "Day,Text,Sum,Account\n2024-01-02,x,1,\n"
        #expect(try exported(body + "\nAs of 7/30/2021 2:26 PM ET\n", "x.csv") == "2021-07-30T18:26:00Z")
        #expect(try exported(body, "h_X1_20240105 (1).csv") == "2024-01-05T17:00:00Z")
        #expect(try exported(body, "other.csv") == nil)
        #expect(try run(importer, body, name: "h_X1_20240105.csv").records.first?.contains("account=X1") == true)
        // The footer of a large file is found, too.
        let rows = String(repeating: "2024-01-02,some words to fill a line of the file,1,\n", count: 5_000)
        #expect(try exported(body + rows + "\nAs of 7/30/2021 2:26 PM ET\n", "x.csv") == "2021-07-30T18:26:00Z")
    }

    static let wrapped =
        "tables:\n  - columns: {date: Day, description: Text, amount: Sum, symbol: Name}\n    require: [date, amount]\n    continuation: {date: (blank), join: [description]}\n    kind: cash\n"

    @Test func continuedRows() throws {
        let sink = try run(
            definition(Self.wrapped),
            "Day,Text,Sum,Name\n2024-01-02,long,1,\n,text,,VTI\n,wrap-,,\n,ped,,\n2024-01-03,b,2,\n\n,orphan,,\n2024-01-04,c,x,\n,d,,\n"
        )
        #expect(sink.events.map(\.lines).filter { $0.count > 1 } == [[2, 3, 4, 5], [9, 10]])
        #expect(
            sink.records.first?.contains("description=long text wrap-ped") == true
                && sink.records.first?.contains("symbol=VTI") == true)
        #expect(
            sink.outcomes == [
                "header", "accept", "accept", "accept", "accept", "accept", "blank", "accept", "number.invalid",
                "number.invalid",
            ])
    }

    @Test func whatIsWrongWithAContinuingLineRejectsTheRow() throws {
        let sink = try run(
            definition(Self.wrapped), "Day,Text,Sum,Name\n2024-01-02,a,1,\n,b,,,99\n2024-01-03,c,2,\n,d\n")
        #expect(sink.outcomes == ["header", "row.long", "row.long", "accept", "accept"])
    }

    /// A survey of rows that are held back sees all of them.
    @Test func continuedRowsAreSurveyed() throws {
        let yaml = definition("numbers: auto\n" + Self.wrapped)
        let sink = try run(yaml, "Day;Text;Sum;Name\n2024-01-02;a;1.234;\n;b;;\n2024-01-03;c;1.234,5;\n")
        #expect(sink.records.map { LanguageTests.fields($0)["amount"] } == ["1234", "1234.5"])
    }

    static let grouped = """
        tables:
          - columns: {date: Day, action: What, symbol: Name, units: Units, amount: Sum, currency: Cur, id: Ref, note: Note}
            require: [date, action, amount]
            continuation: {date: (blank)}
            actions: {on: action, words: {Buy: buy, Sell: sell, Fee: fee, Tax: tax, FX: currencyExchange, Trade: trade}}
            group: {by: [id], lead: [buy, sell, trade], fold: {fee: commission, tax: tax, currencyExchange: amount}, alone: {trade: conversion}}

        """

    @Test func groupsFold() throws {
        let text = """
            Day,What,Name,Units,Sum,Cur,Ref,Note
            2024-01-02,Fee,,,-1,USD,r1,
            2024-01-02,Buy,VTI,2,-20,USD,r1,
            ,,,,,,,more
            2024-01-02,Tax,,,-2,EUR,r1,
            2024-01-02,Fee,,,-3,USD,,
            2024-01-02,Trade,VTI,2,,USD,r2,
            2024-01-02,FX,,,-7,EUR,r2,
            2024-01-02,Trade,VTI,3,,USD,r3,
            2024-01-02,Oops,VTI,3,,USD,r4,
            """
        let sink = try run(definition(Self.grouped), text)
        let groups = sink.events.filter { $0.kind == .accept }
        #expect(groups.map(\.lines) == [[2, 3, 4, 5], [6], [7, 8], [9]])
        #expect(sink.outcomes.last == "action.unknown" && sink.offsets.count == 10)
        let first = LanguageTests.fields(groups[0].records.first { $0.hasPrefix("buy") } ?? "")
        #expect(first["amount"] == "-21" && first["commission"] == "1")
        #expect(
            groups[0].records.contains { $0.hasPrefix("tax") && $0.contains("EUR") }, "another currency does not fold")
        #expect(
            LanguageTests.fields(groups[2].records[0])["amount"] == "-7"
                && LanguageTests.fields(groups[2].records[0])["currency"] == "EUR")
        #expect(groups[3].records[0].hasPrefix("conversion"))
    }

    @Test(arguments: [
        ("Trade,VTI,1,,USD,r1,|FX,,,-8,EUR,r1,|Trade,VTI,2,,USD,r1,|FX,,,-4,EUR,r1,", "3", "-12"),
        ("FX,,,-8,EUR,r1,|FX,,,-4,EUR,r1,|Trade,VTI,3,,USD,r1,", "3", "-12"),
        ("Trade,VTI,-1,,USD,r1,|Trade,VTI,-0.5,,USD,r1,|FX,,,8,EUR,r1,", "-1.5", "8"),
    ])
    func fillsOfOneSecurityAndDirectionAreOneTrade(_ rows: String, _ units: String, _ amount: String) throws {
        let sink = try runGrouped(rows)
        let fields = sink.records.map { LanguageTests.fields($0) }
        #expect(sink.records.count == 1 && sink.records[0].hasPrefix("trade"))
        #expect(fields[0]["units"] == units && fields[0]["amount"] == amount && fields[0]["currency"] == "EUR")
        let lines = Array(2...rows.split(separator: "|").count + 1)
        #expect(sink.events.filter { $0.kind == .accept }.map(\.lines) == [lines])
    }

    @Test(arguments: [
        // Two securities, two directions, money of two currencies, money that goes both ways or the wrong one.
        "Trade,VTI,1,,USD,r1,|FX,,,-8,EUR,r1,|Trade,VOO,2,,USD,r1,|FX,,,-4,EUR,r1,",
        "Trade,VTI,1,,USD,r1,|FX,,,-8,EUR,r1,|Trade,VTI,-2,,USD,r1,|FX,,,-4,EUR,r1,",
        "Trade,VTI,3,,USD,r1,|FX,,,-8,EUR,r1,|FX,,,-4,CHF,r1,",
        "Trade,VTI,3,,USD,r1,|FX,,,-8,EUR,r1,|FX,,,4,EUR,r1,",
        "Trade,VTI,3,,USD,r1,|FX,,,8,EUR,r1,|FX,,,4,EUR,r1,",
    ])
    func amountsOfSeveralFillsAreNotGuessed(_ rows: String) throws {
        let sink = try runGrouped(rows)
        #expect(sink.records.filter { $0.hasPrefix("currencyExchange") }.count == 2, "each amount stands on its own")
        #expect(!sink.records.contains { $0.hasPrefix("trade") }, "no fill has a price that nothing says")
    }

    @Test(arguments: [("USD", false), ("EUR", true)])
    func costsInAnotherCurrencyAreNoneOfTheAmounts(_ currency: String, _ folds: Bool) throws {
        let yaml = """
            tables:
              - columns: {date: Day, action: What, symbol: Name, units: Units, amount: Sum, currency: Cur, id: Ref, fees: Fee}
                require: [date, action, amount]
                actions: {on: action, words: {FX: currencyExchange, Trade: trade}}
                group: {by: [id], lead: [trade], fold: {currencyExchange: amount}, alone: {trade: conversion}}

            """
        let sink = try run(
            definition(yaml),
            "Day,What,Name,Units,Sum,Cur,Ref,Fee\n2024-01-02,Trade,VTI,2,,\(currency),r1,1\n"
                + "2024-01-02,FX,,,-20,EUR,r1,\n")
        #expect(sink.records.count == (folds ? 1 : 2))
        #expect(sink.records.contains { $0.hasPrefix("trade") } == folds)
    }

    /// Neither pays for the other: what came in with no price stands as that, and the money by itself.
    @Test(arguments: [("2", "8"), ("-2", "-8")])
    func unitsAndMoneyOfOneDirectionAreNoTrade(_ units: String, _ amount: String) throws {
        let sink = try runGrouped("Trade,VTI,\(units),,USD,r1,|FX,,,\(amount),EUR,r1,")
        let fields = sink.records.map { LanguageTests.fields($0) }
        #expect(sink.records.map { String($0.prefix { $0 != " " }) } == ["conversion", "currencyExchange"])
        #expect(fields.first?["units"] == units && fields.last?["amount"] == amount)
    }

    private func runGrouped(_ rows: String) throws -> RecordingSink {
        let lines = rows.split(separator: "|").map { "2024-01-02,\($0)\n" }.joined()
        return try run(definition(Self.grouped), "Day,What,Name,Units,Sum,Cur,Ref,Note\n" + lines)
    }

    @Test func manyGroupsLoseNothing() throws {
        let rows = (0..<3_000).map { "2024-01-02,Fee,,,-1,USD,r\($0 % 1_300),\n" }.joined()
        let sink = try run(definition(Self.grouped), "Day,What,Name,Units,Sum,Cur,Ref,Note\n" + rows)
        #expect(sink.events.flatMap(\.lines).sorted() == Array(1...3_001))
        #expect(sink.records.count == 3_000)
    }

    @Test func lookupFillsFromALaterTable() throws {
        let yaml = definition(
            """
            tables:
              - name: trades
                columns: {date: Day, symbol: Name, amount: Sum, isin: ISIN}
                require: [date, symbol, amount]
                lookup: {from: instruments, by: symbol}
                kind: cash
              - name: instruments
                columns: {symbol: Ticker, isin: Code}
                require: [symbol, isin]
                provides: {key: symbol, values: [isin]}
                emit: none
            """)
        let sink = try run(
            yaml,
            "Day,Name,Sum,ISIN\n2024-01-02,vti,1,\n2024-01-02,Über,1,\n2024-01-02,X,1,\n2024-01-02,VTI,1,OWN\n\nTicker,Code\n\"VTI, VTI.US\",US9229087690\nÜber,DE01\n"
        )
        #expect(sink.records.map { LanguageTests.fields($0)["isin"] } == ["US9229087690", "DE01", nil, "OWN"])
        #expect(sink.outcomes.suffix(3) == ["header", "skipped:table.informational", "skipped:table.informational"])
    }

    /// A row anywhere in the file, before or behind, says what the others of its table are; another table's says nothing.
    @Test(arguments: [
        ("Fill,1|Fill,2", ["1", "2"], 0), ("Fill,1|Order,3|Fill,2", ["3"], 2), ("Fill,1|Fill,2|order,3", ["3"], 2),
        ("Order,3", ["3"], 0),
    ])
    func whatStandsAnywhere(_ rows: String, _ amounts: [String], _ skipped: Int) throws {
        let yaml = definition(
            """
            tables:
              - name: trades
                columns: {level: Level, amount: Sum, date: Day}
                require: [level, amount, date]
                anywhere: {ordered: {level: Order}}
                rows:
                  - {when: {level: Fill, ordered: (present)}, is: skipped, why: execution.ofOrder}
                kind: cash
              - name: orders
                columns: {level: Grade, amount: Sum, date: Day}
                require: [level, amount, date]
                anywhere: {ordered: {level: Total}}
                rows:
                  - {when: {level: Part, ordered: (present)}, is: skipped, why: execution.ofOrder}
                kind: cash
            """)
        let lines = rows.split(separator: "|").map { "\($0),2024-01-02\n" }.joined()
        for other in ["", "\nGrade,Sum,Day\n"] {
            let sink = try run(yaml, "Level,Sum,Day\n" + lines + other)
            #expect(sink.records.map { LanguageTests.fields($0)["amount"] } == amounts)
            #expect(sink.outcomes.count { $0 == "skipped:execution.ofOrder" } == skipped)
        }
        let sink = try run(yaml, "Level,Sum,Day\nFill,1,2024-01-02\n\nGrade,Sum,Day\nOrder,3,2024-01-02\n")
        #expect(sink.records.map { LanguageTests.fields($0)["amount"] } == ["1", "3"])
        let both = try run(
            yaml, "Level,Sum,Day\nOrder,1,2024-01-02\nFill,2,2024-01-02\n\nGrade,Sum,Day\nPart,3,2024-01-02\n")
        #expect(both.records.map { LanguageTests.fields($0)["amount"] } == ["1", "3"])
    }

    @Test func layoutFiles() throws {
        let yaml = definition(
            """
            layout:
              section: 1
              kind: 2
              kinds: {Header: header, Data: data, Total: total, Notes: skipped, Überblick: skipped}
              ignore: [Codes]
            lines: [{text: "BOF*", is: preamble}]
            tables:
              - name: info
                section: [Account Information]
                columns: {name: Field Name, value: Field Value}
                require: [name, value]
                captures: {from: name, to: value, keys: {Account: account, Base Currency: currency}}
              - name: trades
                section: [Trades, Transaktionen]
                columns: {date: Date, symbol: Symbol, amount: [Amount, Betrag]}
                require: [date, amount]
                kind: cash
            """)
        let text = """
            BOF,x
            Account Information,Header,Field Name,Field Value
            Account Information,Data,Account,U1
            account information,data,Base Currency,EUR
            Account Information,Data,Other,1
            Trades,Header,Date,Symbol,Amount
            Trades,Data,2024-01-02,VTI,1
            Trades,Total,,,1
            Trades,Überblick,,,1
            Codes,Header,Code
            Codes,Data,A
            Nothing,Header,A
            Nothing,Data,1
            Trades,Nonsense,1
            Trades
            Trades,Header,Amount,Date,Symbol
            Trades,Data,2,2024-01-03,VOO
            Unseen,Data,1
            """
        let sink = try run(yaml, text)
        #expect(
            sink.outcomes == [
                "preamble", "header", "section", "section", "section", "header", "accept", "total",
                "skipped:row.informational", "header:section.ignored", "skipped:section.ignored", "header",
                "section.unknown", "row.unplaced", "row.unplaced", "header", "accept",
                "section.unknown",
            ])
        #expect(
            sink.records.map { LanguageTests.fields($0)["account"] } == ["U1", "U1"]
                && sink.records[1].contains("currency=EUR") && sink.records[1].contains("amount=2"))
    }

    @Test func rowsOfSchemas() throws {
        let yaml = definition(
            """
            tables:
              - columns: {asset: Asset, optimal: Optimal, strategy: Strategy, color: Color}
                require: [asset, optimal]
                emit:
                  - {schema: openalloc/strategy, set: {strategyID: strategy}, once: true, when: {strategy: (present)}}
                  - {schema: openalloc/allocation, set: {allocationStrategyID: strategy, allocationAssetID: "map(assets, asset)", targetPct: percent(optimal)}, when: {optimal: (present)}}
                  - {schema: openalloc/asset, set: {assetID: asset, colorCode: color}, when: {color: (present)}}
            maps: {assets: {Gold: Gld, "* Bonds": Bond}}
            """)
        let sink = try run(
            yaml,
            "Asset,Optimal,Strategy,Color\nGold,5%,S,\nUS Bonds,28.999%,S,7\nX,,S,\nGold,x,S,\nGold,1,S,1.5\nGold,1,S,99999999999999999999\n"
        )
        #expect(
            sink.outcomes == [
                "header", "rows", "rows", "skipped:row.noEffect", "number.invalid", "value.invalid", "value.invalid",
            ])
        #expect(sink.rows.map(\.schema) == [.strategy, .allocation, .allocation, .asset])
        #expect(
            sink.rows[2].values.contains(.decimal(decimal("0.28999") ?? 0))
                && sink.rows[2].values.contains(.string("Bond")))
        #expect(sink.rows[3].values.contains(.int(7)))
    }

    @Test func refusals() throws {
        let yaml =
            "importer: acme.orders\nversion: 1\ntitle: Acme order status\nrefuse: Download the history instead.\ntables:\n  - columns: {order: Order Number, status: Order Status}\n    require: [order, status]\n"
        let importer = try importer(yaml)
        #expect(importer.schemas.isEmpty)
        let input = MemoryInput(name: "x.csv", bytes: Array("Order Number,Order Status\n1,Open\n".utf8))
        guard case .refused(let candidate) = Registry([importer]).decide(try InputSample(input)) else {
            Issue.record("not refused")
            return
        }
        #expect(candidate.examination.refusal == "Download the history instead.")
    }
}
