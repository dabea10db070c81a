import OpenAlloc
import Testing

@testable import Importing

// Words that say what a row becomes: actions, signs, costs, units of prices.
extension LanguageTests {
    // MARK: Actions

    static let actions = """
        actions:
          on: action
          words:
            "Buy*": sell
            Buy: buy
            YOU SOLD *: sell
            Split Stock: split
            Journal:
              - {when: {units: (present)}, kind: shares}
              - {when: {amount: (nonzero)}, kind: cash}
            Cancel Buy: {kind: buy, reverse: true}
            Sweep: {skip: sweep.internal}
            "{side:word} {units:number} @ {price:number} {currency:code}": {kind: trade}
            Gross:
              records:
                - {kind: dividend, set: {amount: amount + price}}
                - {kind: tax, set: {amount: neg(price)}, when: {price: (nonzero)}}
            Pair:
              set: {amount: 9}
              records: [deposit, {kind: fee, set: {amount: amount + 1}}, withdrawal]
        """

    @Test func exactWordsStandBeforePatterns() throws {
        let sink = try Self.read(
            Self.actions,
            [
                "buy,A,1,,1,,", "Buy More,A,1,,1,,", "You  Sold,A,1,,1,,", "you sold X,A,1,,1,,",
                "Split  STOCK,A,1,,,,", "Journal,A,1,,,,", "Journal,A,,,1,,", "Journal,A,,,0,,", "Cancel Buy,A,1,,1,,",
                "sweep,A,,,1,,", "Kauf 34 @ 26.88 EUR,A,,,1,,",
                "Unknown,A,,,1,,", ",A,,,1,,",
            ])
        #expect(
            sink.events.dropFirst().map { $0.records.first.map { String($0.prefix { $0 != " " }) } ?? $0.code } == [
                "buy", "sell", "sell", "sell", "split", "shares", "cash", "action.unknown", "buy",
                "skipped:sweep.internal", "trade", "action.unknown", "action.unknown",
            ])
        #expect(sink.records[7].contains("reversal"))
        let trade = Self.fields(sink.records[8])
        #expect(trade["units"] == "34" && trade["price"] == "26.88" && trade["currency"] == "EUR")
        #expect(sink.findings.last?.reason == "the line does not say what happened.")
        #expect(sink.findings[1].value == "Unknown" && sink.findings[1].column == "What")
    }

    @Test func aKnownWordWithoutARuleIsNotUnknown() throws {
        let body = "actions: {on: action, words: {Buy: {when: {units: (positive)}, kind: buy}}}"
        let sink = try Self.read(body, ["Buy,A,1,,1,,", "Buy,A,-1,,1,,", "Bye,A,1,,1,,"])
        #expect(sink.outcomes == ["header", "accept", "action.unknown", "action.unknown"])
        #expect(sink.findings.map { $0.reason.contains("does not know") } == [false, true])
        #expect(sink.findings[0].reason.contains("no rule for this action with such values"))
    }

    @Test func aDefinitionSaysWhyItRejects() throws {
        let body = """
            rows:
              - {when: {note: open}, reject: {why: the order is open, column: note, code: value.invalid, advice: Wait for it}}
            actions:
              on: action
              words:
                Buy: buy
                Split:
                  - {when: {units: (present)}, kind: split}
                  - {reject: the line does not say how many units came in.}
            """
        let rows = ["Split,A,1,,,,", "Split,A,,,,,", "Buy,A,1,,1,open,", "Buy,A,1,,1,,", "Split,A,x,,,,"]
        // Often enough for classes of rows.
        let sink = try Self.read(body, (0..<9).flatMap { _ in rows })
        #expect(
            sink.outcomes.dropFirst().elementsEqual(
                (0..<9).flatMap { _ in ["accept", "action.unknown", "value.invalid", "accept", "number.invalid"] }))
        let advice = "Correct the line, or write the event into an openalloc.transaction.csv of your own."
        #expect(
            sink.findings.prefix(2) == [
                Finding(
                    .actionUnknown, reason: "the line does not say how many units came in.", suggestion: advice),
                Finding(
                    .valueInvalid, column: "Note", value: "open", reason: "the order is open.",
                    suggestion: "Wait for it."),
            ])
    }

    @Test func oneRowSeveralRecords() throws {
        let sink = try Self.read(
            Self.actions, ["Gross,A,,1,10,,", "Gross,A,,0,10,,", "Gross,A,,,10,,", "Pair,A,,,5,,"])
        #expect(
            sink.events.dropFirst().map {
                $0.records.map { (Self.fields($0)["amount"] ?? "none") + String($0.prefix(3)) }
            } == [["11div", "-1tax"], ["10div"], ["nonediv"], ["9dep", "10fee", "9wit"]])
    }

    @Test func severalColumnsNameTheAction() throws {
        let body =
            "actions: {on: [action, note], words: {Trade / Buy: buy, Trade /: fee, \"Trade / S*\": sell, Übertrag / Ein: deposit}}"
        let sink = try Self.read(
            body,
            ["trade,A,1,,1,BUY,", "Trade,A,1,,1,,", "Trade,A,1,,1,sold,", "Trade,A,1,,1,x,", "Übertrag,,,,1,Ein,"])
        #expect(
            sink.events.dropFirst().map { $0.records.first.map { String($0.prefix(3)) } ?? $0.code } == [
                "buy", "fee", "sel", "action.unknown", "dep",
            ])
    }

    @Test func elseIsTheLastResort() throws {
        let sink = try Self.read(
            "actions: {on: action, words: {Buy: buy}, else: fee}", ["Buy,A,1,,1,,", "Other,A,1,,1,,"])
        #expect(sink.records.map { String($0.prefix(3)) } == ["buy", "fee"])
    }

    // MARK: Signs, costs, price units

    @Test(arguments: [
        ("buy", "-5"), ("sell", "5"), ("redemption", "5"), ("reinvestedIncome", "-5"), ("dividend", "5"),
        ("interest", "5"), ("deposit", "5"), ("withdrawal", "-5"), ("fee", "-5"), ("tax", "-5"),
        ("marginInterest", "-5"), ("returnOfCapital", "5"), ("cashInLieu", "5"),
    ])
    func unsignedAmounts(_ kind: String, _ wanted: String) throws {
        for given in ["5", "-5"] {
            #expect(
                Self.fields(
                    try #require(try Self.read("kind: \(kind)\namounts: unsigned", ["x,A,1,,\(given),,"]).records.first)
                )["amount"] == wanted)
            #expect(
                Self.fields(try #require(try Self.read("kind: \(kind)", ["x,A,1,,\(given),,"]).records.first))["amount"]
                    == given)
            let reversed = "actions: {on: action, words: {x: {kind: \(kind), reverse: true, amounts: unsigned}}}"
            #expect(
                Self.fields(try #require(try Self.read(reversed, ["x,A,1,,\(given),,"]).records.first))["amount"]
                    == (wanted == "5" ? "-5" : "5"))
        }
    }

    /// What may go either way keeps its sign, also where other kinds have none.
    @Test(arguments: ["trade", "cash", "adjustment", "currencyExchange"])
    func amountsThatGoEitherWayKeepTheirSigns(_ kind: String) throws {
        for given in ["5", "-5"] {
            let sink = try Self.read("kind: \(kind)\namounts: unsigned", ["x,A,1,,\(given),,"])
            #expect(Self.fields(try #require(sink.records.first))["amount"] == given)
        }
    }

    /// A currency may come as its sign.
    @Test(arguments: [("€", "EUR"), ("£", "GBP"), ("GBP", "GBP")])
    func signsOfCurrenciesAreCodes(_ written: String, _ wanted: String) throws {
        let sink = try Self.read("set: {currency: note}\nkind: cash", ["x,A,,,5,\(written),"])
        #expect(Self.fields(try #require(sink.records.first))["currency"] == wanted)
    }

    @Test func unsignedUnits() throws {
        for (kind, wanted) in [("sharesIn", "5"), ("sharesOut", "-5")] {
            #expect(
                Self.fields(try #require(try Self.read("kind: \(kind)\nunits: unsigned", ["x,A,5,,,,"]).records.first))[
                    "units"] == wanted)
        }
    }

    @Test func priceUnits() throws {
        let body = """
            costs: outside
            priceUnits:
              - {when: {note: "* BOND *"}, unit: percentOfPar}
              - {when: {symbol: "-*"}, unit: contract, multiplier: 100}
              - {when: {note: [GBX, GBp]}, unit: minor, currency: GBP}
            actions: {on: action, words: {Buy: buy, Opt: {kind: buy, priceUnit: contract, multiplier: 10}}}
            """
        let sink = try Self.read(
            body, ["Buy,A,1,1,1,US BOND 5%,", "Buy,-A,1,1,1,,", "Buy,A,1,1,1,gbx,", "Buy,A,1,1,1,,", "Opt,-A,1,1,1,,"])
        #expect(sink.records.map { Self.fields($0)["per"] } == ["percentOfPar", "contract", "minor", nil, "contract"])
        #expect(sink.records.map { Self.fields($0)["multiplier"] } == [nil, "100", nil, nil, "10"])
        #expect(sink.records.map { Self.fields($0)["currency"] } == [nil, nil, "GBP", nil, nil])
        #expect(sink.records.allSatisfy { $0.contains("costsOutside") })
    }

    @Test func accountOfTheUser() throws {
        let importer = try importer(Self.table("kind: cash"))
        let text = "Day,What,Name,Units,Price,Sum,Note,Account\n2024-01-02,x,,,,5,,\n2024-01-02,x,,,,5,,Z1\n"
        let sink = try run(importer, text, options: ImportOptions(account: "ME"))
        #expect(sink.records.map { Self.fields($0)["account"] } == ["ME", "Z1"])
        #expect(sink.records.allSatisfy { !$0.contains("assumed") })
    }

    @Test func impossibleDatesAreRejected() throws {
        let sink = try run(
            Self.table("kind: cash"), "Day,What,Sum\n2024-02-30,x,5\n02/03/2024,x,5\n,x,5\n2024-02-29,x,5\n")
        #expect(sink.outcomes == ["header", "date.invalid", "date.invalid", "accept", "accept"])
    }

    /// A computed number that is only passed on is not printed and read again in the column's style.
    @Test func computedNumbersStayNumbers() throws {
        let yaml = definition(
            """
            numbers: eu
            tables:
              - name: t
                columns: {date: Tag, amount: Summe, gross: Brutto}
                require: [date, amount]
                dates: [YYYY-MM-DD]
                set: [{set: {rest: gross - amount}}, {set: {fees: rest}}]
                kind: cash
            """)
        let sink = try run(yaml, "Tag;Summe;Brutto\n2024-02-29;1,000;2,005\n")
        #expect(sink.records.map { Self.fields($0)["fees"] } == ["1.005"])
    }
}
