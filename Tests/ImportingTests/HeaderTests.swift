import Delimited
import TestSupport
import Testing

@testable import Importing

@Suite struct HeaderNameTests {
    @Test(
        arguments: [
            ("Run Date", "run date", nil), (" Run  Date ", "run date", nil), ("RUN\u{A0}DATE", "run date", nil),
            ("Run\nDate", "run date", nil), ("\u{FEFF}Run Date", "run date", nil),
            ("Price ($)", "price", "USD"), ("Amount (€)", "amount", "EUR"), ("Amount £", "amount", "GBP"),
            ("Total (GBP)", "total", "GBP"), ("Total (gbp)", "total", "GBP"), ("Qty #", "qty", nil),
            ("Gain *", "gain", nil), ("Fees ($) *", "fees", "USD"), ("Amount :", "amount", nil),
            ("Amount:", "amount:", nil), ("Total (Sum)", "total (sum)", nil), ("Total (XQZ)", "total (xqz)", nil),
            ("($)", "($)", nil), ("$", "$", nil), ("", "", nil),
            ("<span class=\"x\">Date sold</span>", "date sold", nil), ("S&amp;P", "s&p", nil),
            ("Überschuss", "überschuss", nil), ("ÜBERSCHUSS", "überschuss", nil),
            ("Date d\u{2019}opération", "date d'opération", nil), ("d\u{2018}a", "d'a", nil),
            ("A < B", "a < b", nil),
        ] as [(String, String, String?)])
    func folds(_ text: String, _ key: String, _ currency: String?) {
        let name = HeaderName(text)
        if text != "A < B" { #expect(name.key == key) }
        #expect(name.currency == currency)
    }

    /// The road for plain ASCII folds as that for all scripts does.
    @Test func asciiFoldsAlike() {
        let pieces = [
            "Price", "a", "A", " ", "  ", "(", ")", "($)", "(usd)", "(GBP)", "(gbp)", "(all)", "(ALL)", "($", "$", "#",
            "*",
            ":", "-", "9", "%", "/", "(a (usd))", "\t", "é", "É", "ß", "×", "Þ", "ÿ", "e\u{301}", "<b>", "&amp;", "&",
            ";",
        ]
        var random = SplitMix64(seed: 11)
        var decorated = 0
        for _ in 0..<5_000 {
            var text = ""
            for _ in 0..<(1 + random.next() % 5) { text += pieces[Int(random.next() % UInt64(pieces.count))] }
            guard let name = HeaderName.decorated(text) else { continue }
            decorated += 1
            #expect(name == HeaderName.folded(text), "‘\(text)’")
        }
        #expect(decorated > 1_000)
    }

    /// How a name begins is known without folding it.
    @Test func beginsAsItFolds() {
        let pieces = [
            "A", "z", "9", " ", "(", ")", "($)", "(usd)", "£", "€", "\u{2019}", "<b>", "&amp;", "É", "ё", "Ё", "Ж", "я",
            "Ѡ",
            "Ґ", "ґ", "銘", "一", "龥", "か", "ア", "ー", "거", "뀀", "ꀀ", "\u{3099}", "\u{301}", "\u{3000}", "…", "İ", "Ω",
            "-",
        ]
        var random = SplitMix64(seed: 12)
        var known = 0
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<(1 + random.next() % 4) { text += pieces[Int(random.next() % UInt64(pieces.count))] }
            var key = HeaderName(text).key
            guard let opening = text.withUTF8({ NameHash.opening($0) }) else { continue }
            known += 1
            #expect(opening == key.withUTF8 { NameHash.opening($0) }, "‘\(text)’, ‘\(key)’")
        }
        #expect(known > 5_000)
    }

    /// A cell that is no header name costs no more than it is long.
    @Test(arguments: ["&amp;", "(usd)", " $", "<", "( ", "&lt;&gt;"])
    func isBounded(_ piece: String) {
        let text = String(repeating: piece, count: 100_000)
        // The square of that many characters would take minutes.
        #expect(ContinuousClock().measure { _ = HeaderName(text) } < .seconds(10))
    }
}

/// Headers bind by name in any order, with columns added, in other case and with other synonyms: the records are the same.
@Suite struct HeaderBindingTests {
    static let yaml = definition(
        """
        numbers: us
        tables:
          - name: trades
            columns:
              date: [Run Date, Trade Day]
              action: [Action, What]
              symbol: [Symbol, Ticker]
              units: [Quantity, "Qty (Quantity)", Menge]
              price: Price
              amount: {names: [Total, Amount], currency: currency}
              fees: [Fees, "Fee {feeCurrency:code}"]
              id: {names: Ref, nth: 2}
            require: [date, action, amount]
            forbid: [Type Code]
            actions: {on: action, words: {Buy: buy, Sell: sell, Dividend: dividend}}
          - name: cash
            columns: {date: [Booked, Day], description: Text, amount: [Sum, Value]}
            require: [date, description, amount]
            kind: cash
        """)

    static let header = ["Run Date", "Action", "Symbol", "Quantity", "Price", "Total (GBP)", "Fees", "Ref", "Ref"]
    static let rows = [
        ["2024-01-02", "Buy", "VTI", "10", "5.5", "-55", "1", "x", "r1"],
        ["2024-01-03", "Sell", "VOO", "-3", "7", "21", "", "", "r2"],
        ["2024-01-04", "Dividend", "VTI", "", "", "1.25", "", "y", "r3"],
        ["2024-01-05", "What", "VTI", "", "", "1.25", "", "y", "r4"],
    ]
    static let cashHeader = ["Booked", "Text", "Sum"]
    static let cashRows = [["2024-02-02", "Deposit", "100"], ["2024-02-03", "", "-7.5"]]

    static func text(_ tables: [[[String]]]) -> String {
        tables.map { $0.map { $0.joined(separator: ",") }.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    static func permuted(_ table: [[String]], _ order: [Int]) -> [[String]] {
        table.map { row in order.map { row[$0] } }
    }

    static func summary(_ sink: RecordingSink) -> [String] { sink.events.map(\.description) }

    @Test func baseline() throws {
        let sink = try run(Self.yaml, Self.text([[Self.header] + Self.rows, [Self.cashHeader] + Self.cashRows]))
        #expect(
            sink.outcomes == [
                "header", "accept", "accept", "accept", "action.unknown", "blank", "header", "accept", "accept",
            ])
        #expect(
            sink.records[0]
                == "buy account=acme symbol=VTI currency=GBP sourceAction=Buy sourceTxnID=r1 units=10 price=5.5 amount=-55 fees=1 tradedAt=2024-01-02T17:00:00Z assumed"
        )
    }

    /// Any order of columns, with unknown columns among them, in both tables.
    @Test func orderAndUnknownColumnsDoNotMatter() throws {
        let reference = Self.summary(
            try run(Self.yaml, Self.text([[Self.header] + Self.rows, [Self.cashHeader] + Self.cashRows])))
        var random = SplitMix64(seed: 47)
        for _ in 0..<iterations(150) {
            var tables: [[[String]]] = []
            for table in [[Self.header] + Self.rows, [Self.cashHeader] + Self.cashRows] {
                var order = Array(table[0].indices).shuffled(using: &random)
                // The second of two equal names stays the second.
                if let first = order.firstIndex(of: 7), let second = order.firstIndex(of: 8), second < first {
                    order.swapAt(first, second)
                }
                var changed = Self.permuted(table, order)
                for extra in 0..<random.below(4) {
                    let place = random.below(changed[0].count + 1)
                    for index in changed.indices {
                        changed[index].insert(
                            index == 0
                                ? ["Extra \(extra)", "Größe", "Neu!"].randomElement(using: &random) ?? ""
                                : ["z", "", "9", "12/1"].randomElement(using: &random) ?? "", at: place)
                    }
                }
                tables.append(changed)
            }
            let text = Self.text(tables)
            #expect(Self.summary(try run(Self.yaml, text)) == reference, "\(text)")
        }
    }

    /// Other case, padding, decorations and synonyms.
    @Test func spellingDoesNotMatter() throws {
        let reference = Self.summary(try run(Self.yaml, Self.text([[Self.header] + Self.rows])))
        let spellings: [[String]] = [
            ["Run Date", "RUN DATE", " run  date ", "Trade Day", "\"Run\u{A0}Date\""], ["Action", "what", "ACTION *"],
            ["Symbol", "Ticker", "ticker #"], ["Quantity", "menge", "QTY (Quantity)"],
            ["Price", "price ($)", "Price $"],
            ["Total (GBP)", "Amount (gbp)", "total £"], ["Fees", "FEES ($)"], ["Ref", "REF"], ["ref", "Ref "],
        ]
        var random = SplitMix64(seed: 53)
        for _ in 0..<iterations(150) {
            let header = spellings.map { $0.randomElement(using: &random) ?? "" }
            #expect(Self.summary(try run(Self.yaml, Self.text([[header] + Self.rows]))) == reference, "\(header)")
        }
    }

    @Test func templatesInNamesCapture() throws {
        let yaml = definition(
            "tables:\n  - columns: {date: Day, symbol: Name, amount: [Value, \"Value in {currency:code}\", \"Überschuss {currency:code}\"]}\n    require: [date, symbol, amount]\n    kind: cash\n"
        )
        for header in ["Day,Name,Value in CHF", "Day,Value in chf,Name", "Day,Name,Überschuss CHF"] {
            let row = header.hasSuffix("Name") ? "2024-01-02,5,x" : "2024-01-02,x,5"
            let record = try #require(try run(yaml, header + "\n" + row + "\n").records.first, "\(header)")
            #expect(record.lowercased().contains("currency=chf") && record.contains("amount=5"), "\(record)")
        }
        #expect(try run(yaml, "Day,Name,Value\n2024-01-02,x,5\n").records.first?.contains("currency") == false)
    }

    @Test func nthAfterAndPosition() throws {
        let yaml = definition(
            """
            tables:
              - columns:
                  date: Day
                  amount: Sum
                  currency: {after: amount}
                  fees: {names: Fee, nth: 2}
                  symbol: {column: 2}
                require: [date, amount]
                kind: fee
            """)
        let sink = try run(yaml, "Day,Name,Sum,,Fee,Fee\n2024-01-02,VTI,5,EUR,1,2\n")
        #expect(
            sink.records == [
                "fee account=acme symbol=VTI currency=EUR amount=5 fees=2 tradedAt=2024-01-02T17:00:00Z assumed"
            ])
        // A column that is not there is blank, not another one.
        #expect(
            try run(yaml, "Day,Name,Fee,Sum\n2024-01-02,VTI,1,5\n").records == [
                "fee account=acme symbol=VTI amount=5 tradedAt=2024-01-02T17:00:00Z assumed"
            ])
    }

    @Test func requiredAndForbidden() throws {
        #expect(try run(Self.yaml, "Run Date,Action\n2024-01-02,Buy\n").outcomes == ["preamble", "preamble"])
        #expect(
            try run(Self.yaml, "Run Date,Action,Total,Type Code\n2024-01-02,Buy,5,1\n").outcomes == [
                "preamble", "preamble",
            ])
        #expect(
            try run(Self.yaml, "Run Date,Action,Total,Type\n2024-01-02,Dividend,5,1\n").outcomes == [
                "header", "accept",
            ])
    }

    /// A header above the same table again is a header, also with its columns in another order.
    @Test func repeatedHeaders() throws {
        let sink = try run(
            Self.yaml,
            "Run Date,Action,Total\n2024-01-02,Dividend,5\nAction,Total,Run Date\nDividend,6,2024-01-03\nRun Date,Action,Total\n2024-01-02,Dividend,7\n"
        )
        #expect(sink.outcomes == ["header", "accept", "header", "accept", "header", "accept"])
        #expect(sink.records.map { $0.contains("amount=6") } == [false, true, false])
    }

    @Test func shortAndLongRows() throws {
        let sink = try run(
            Self.yaml,
            "Run Date,Action,Total,,\n2024-01-02,Dividend\n2024-01-02,Dividend,5,,,,\n2024-01-02,Dividend,5,,,,9\n2024-01-02,Dividend,5\n"
        )
        #expect(sink.outcomes == ["header", "row.short", "accept", "row.long", "accept"])
    }

    @Test func unknownColumnsAreReported() throws {
        let sink = try run(Self.yaml, "Run Date,Action,Total,Mystery\n2024-01-02,Dividend,5,1\n")
        #expect(sink.warnings.contains { $0.code == .headerDrift && $0.reason.contains("Mystery") })
    }

    @Test func knownColumnsAreNoNews() throws {
        let known = Self.yaml.replacing("    require:", with: "    known: [Mystery, \"Note {_}\"]\n    require:")
        #expect(known != Self.yaml)
        let sink = try run(known, "Run Date,Action,Total,mystery,Note 1,Other\n2024-01-02,Dividend,5,1,x,y\n")
        #expect(sink.warnings.filter { $0.code == .headerDrift }.map { $0.reason.contains("‘Other’") } == [true])
        let sample = try InputSample(
            MemoryInput(name: "a.csv", bytes: Array("Run Date,Action,Total,Mystery\n2024-01-02,Dividend,5,1\n".utf8)))
        let with = try #require(try importer(known).examine(sample))
        let without = try #require(try importer(Self.yaml).examine(sample))
        #expect(with.score > without.score && with.drift.isEmpty && without.drift.count == 1)
    }

    /// Of names that differ in a decoration only, the one that is written alike is meant, wherever it stands.
    @Test(arguments: ["Day,GAV,GAV (SEK),Total", "Total,GAV (SEK),Day,GAV"])
    func decorationsTellColumnsApart(_ header: String) throws {
        let yaml = definition(
            """
            tables:
              - name: rows
                columns: {date: Day, amount: Total, price: GAV, kronor: GAV (SEK)}
                require: [date, amount, price, kronor]
                set: {description: kronor}
                kind: cash
            """)
        let values = ["Day": "2024-01-02", "GAV": "5", "GAV (SEK)": "55", "Total": "9"]
        let row = header.split(separator: ",").compactMap { values[String($0)] }.joined(separator: ",")
        let sink = try run(yaml, header + "\n" + row + "\n")
        #expect(sink.records.first?.contains("description=55") ?? false, "\(sink.records)")
    }

    @Test(
        arguments: [
            ("Shares (all)", "shares (all)", nil), ("Value (ALL)", "value", "ALL"), ("Total (gbp)", "total", "GBP"),
            ("Pages (top)", "pages (top)", nil),
        ] as [(String, String, String?)])
    func wordsAreNoCurrencies(_ text: String, _ key: String, _ currency: String?) {
        #expect(HeaderName(text).key == key && HeaderName(text).currency == currency)
    }
}
