import Allocport
import Testing

/// Several lines make one event: when one of them is broken, all of them come back, and corrected they make that event,
/// alone or together with the file that they came from.
@Suite struct EventRejectTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let header: String
        let lines: [String]
        /// The line that is broken, from 0, and how.
        let broken: Int
        let good: String
        let bad: String
        /// Line and code of each reject.
        let rejects: [String]
        /// How many rows the input with the broken line still gives.
        let kept: Int
    }

    private static let kraken =
        #""txid","refid","time","type","subtype","aclass","asset","amount","fee","balance""#
    private static let krakenLines = [
        #""L1","T1","2022-01-02 10:00:00","trade","","currency","ZEUR","-400.0000","0.6400","599.3600""#,
        #""L2","S1","2022-01-02 10:00:00","staking","","currency","XETH","0.0100000000","0.0000000000","0.01""#,
        #""L3","T1","2022-01-02 10:00:00","trade","","currency","XXBT","0.0100000000","0.0000000000","0.01""#,
        #""L4","T2","2022-01-03 10:00:00","trade","","currency","ZEUR","-100.0000","0.1600","499.2""#,
        #""L5","T2","2022-01-03 10:00:00","trade","","currency","XETH","0.0500000000","0.0000000000","0.05""#,
    ]
    private static let binance = "UTC_Time,Account,Operation,Coin,Change,Remark"
    private static let binanceLines = [
        "2021-04-02 10:01:00,Spot,Buy,BTC,0.0100000000,",
        "2021-04-02 10:01:00,Spot,Buy,EUR,-500.00,",
        "2021-04-03 10:02:00,Spot,Deposit,EUR,700.00,",
    ]
    private static let fills = [
        "2021-04-02 10:01:00,Spot,Buy,BTC,0.0100000000,", "2021-04-02 10:01:00,Spot,Buy,EUR,-500.00,",
        "2021-04-02 10:01:00,Spot,Buy,BTC,0.0200000000,", "2021-04-02 10:01:00,Spot,Buy,EUR,-1002.00,",
        "2021-04-03 10:02:00,Spot,Deposit,EUR,700.00,",
    ]
    private static let degiro =
        "Date,Time,Value date,Product,ISIN,Description,FX,Change,,Balance,,Order Id"
    private static let degiroLines = [
        "05-03-2024,10:00,05-03-2024,NORDWIND AG,DE0007164600,DEGIRO Transaction and/or third party fees,,EUR,-2.00,EUR,98.00,o-1",
        "05-03-2024,10:00,05-03-2024,NORDWIND AG,DE0007164600,Buy 10 Nordwind@45 EUR (DE0007164600),,EUR,-450.00,EUR,100.00,o-1",
        "04-03-2024,10:00,04-03-2024,,,flatex Deposit,,EUR,550.00,EUR,550.00,",
    ]

    private static func kraken(
        _ name: String, line: Int, _ good: String, _ bad: String, rejects: [String], kept: Int
    ) -> Case {
        Case(
            testDescription: "Kraken: \(name)", name: "ledgers.csv", header: kraken, lines: krakenLines, broken: line,
            good: good, bad: bad, rejects: rejects, kept: kept)
    }

    private static func binance(
        _ name: String, line: Int, _ good: String, _ bad: String, rejects: [String], kept: Int
    ) -> Case {
        Case(
            testDescription: "Binance: \(name)", name: "transactions.csv", header: binance, lines: binanceLines,
            broken: line, good: good, bad: bad, rejects: rejects, kept: kept)
    }

    private static func fills(
        _ name: String, line: Int, _ good: String, _ bad: String, rejects: [String]
    ) -> Case {
        Case(
            testDescription: "Fills of one second: \(name)", name: "transactions.csv", header: binance, lines: fills,
            broken: line, good: good, bad: bad, rejects: rejects, kept: 1)
    }

    private static func degiro(
        _ name: String, line: Int, _ good: String, _ bad: String, rejects: [String], kept: Int
    ) -> Case {
        Case(
            testDescription: "DEGIRO: \(name)", name: "Account.csv", header: degiro, lines: degiroLines, broken: line,
            good: good, bad: bad, rejects: rejects, kept: kept)
    }

    static let cases = [
        kraken(
            "the money", line: 0, "-400.0000", "4OO", rejects: ["2|number.invalid", "4|event.incomplete"], kept: 2),
        kraken(
            "the coin, after the money", line: 2, "0.0100000000", "?",
            rejects: ["2|event.incomplete", "4|number.invalid"], kept: 2),
        kraken(
            "the action word, which gives the event its key", line: 0, "trade", "trode",
            rejects: ["2|action.unknown", "4|event.incomplete"], kept: 2),
        kraken(
            "a line of no event", line: 1, "staking", "stoking", rejects: ["3|action.unknown"], kept: 2),
        kraken(
            "the last event", line: 4, "2022-01-03", "2022-02-31", rejects: ["5|event.incomplete", "6|date.invalid"],
            kept: 2),
        binance(
            "the money", line: 1, "-500.00", "-5OO", rejects: ["2|event.incomplete", "3|number.invalid"], kept: 1),
        binance(
            "the time, by which lines are known to belong together", line: 1, "2021-04-02", "2021-02-30",
            rejects: ["2|event.incomplete", "3|date.invalid"], kept: 1),
        binance(
            "the time of another line beside a whole event", line: 2, "2021-04-03", "2021-02-30",
            rejects: ["4|date.invalid"], kept: 1),
        binance(
            "an unknown word", line: 0, "Buy", "Boy", rejects: ["2|action.unknown", "3|event.incomplete"], kept: 1),
        fills(
            "the units of one", line: 2, "0.0200000000", "0.O2",
            rejects: ["2|event.incomplete", "3|event.incomplete", "4|number.invalid", "5|event.incomplete"]),
        fills(
            "the time of one's coin", line: 0, "2021-04-02", "2021-02-30",
            rejects: ["2|date.invalid", "3|event.incomplete", "4|event.incomplete", "5|event.incomplete"]),
        fills(
            "the time of one's money", line: 3, "2021-04-02", "2021-02-30",
            rejects: ["2|event.incomplete", "3|event.incomplete", "4|event.incomplete", "5|date.invalid"]),
        degiro("the fee", line: 0, "-2.00", "-2?", rejects: ["2|number.invalid", "3|event.incomplete"], kept: 1),
        degiro(
            "the trade", line: 1, "-450.00", "-45O", rejects: ["2|event.incomplete", "3|number.invalid"], kept: 1),
        degiro("another line", line: 2, "550.00,EUR,", "55O,EUR,", rejects: ["4|number.invalid"], kept: 1),
    ]

    private static func text(_ wanted: Case, isBroken: Bool) -> String {
        var lines = wanted.lines
        if isBroken { lines[wanted.broken] = lines[wanted.broken].replacing(wanted.good, with: wanted.bad) }
        return ([wanted.header] + lines).joined(separator: "\n") + "\n"
    }

    @Test(arguments: cases) func linesOfAnEventComeBackTogether(_ wanted: Case) throws {
        let clean = try convertBuiltIn(wanted.name, Self.text(wanted, isBroken: false))
        #expect(clean.rejects.rows.isEmpty)
        let original = Self.text(wanted, isBroken: true)
        let got = try convertBuiltIn(wanted.name, original)
        #expect(got.isWhole)
        #expect(got.rejects.shown("line", "code") == wanted.rejects)
        #expect(got.transactions.rows.count == wanted.kept)
        // What is kept is kept whole.
        for row in got.transactions.core { #expect(clean.transactions.core.contains(row)) }
        let own = try #require(got.text("rejects/" + wanted.name))
        #expect(own.split(separator: "\n").count == 1 + wanted.rejects.count)
        let corrected = own.replacing(wanted.bad, with: wanted.good)
        let alone = try convertBuiltIn(wanted.name, corrected)
        #expect(alone.rejects.rows.isEmpty)
        #expect((got.transactions.content + alone.transactions.content).sorted() == clean.transactions.content)
        for texts in [[original, corrected], [corrected, original]] {
            let together = try convertBuiltIn(texts.map { (wanted.name, Array($0.utf8)) })
            #expect(together.transactions.content == clean.transactions.content)
            #expect(together.report.inputs.map(\.corrected).max() == wanted.rejects.count)
        }
        let same = try convertBuiltIn(wanted.name, own)
        #expect(same.rejects["code"] == got.rejects["code"] && same.transactions.rows.isEmpty)
    }

    /// Of two equal events one is broken: the other is no overlap of the corrected one.
    @Test func twins() throws {
        let lines = Self.binanceLines.prefix(2)
        let later = lines.map { $0.replacing("Spot", with: "Earn") }
        let clean = ([Self.binance] + lines + later).joined(separator: "\n") + "\n"
        let original = clean.replacing(later[1], with: later[1].replacing("-500.00", with: "-5OO"))
        let got = try convertBuiltIn("t.csv", original)
        #expect(got.rejects.shown("line", "code") == ["4|event.incomplete", "5|number.invalid"])
        let corrected = try #require(got.text("rejects/t.csv")).replacing("-5OO", with: "-500.00")
        let wanted = try convertBuiltIn("t.csv", clean)
        let together = try convertBuiltIn([("t.csv", Array(original.utf8)), ("t.csv", Array(corrected.utf8))])
        #expect(wanted.transactions.rows.count == 2)
        #expect(together.transactions.content == wanted.transactions.content)
    }

    /// Rejected lines wait for the rest of their event, however many there are, in bounded memory, and none is lost.
    @Test func manyBrokenLines() throws {
        var text = Self.binance + "\n"
        for second in 0..<2000 {
            let hour = 10 + second / 3600
            let clock = "\(hour):\(second / 60 % 60 + 100):\(second % 60 + 100)".replacing(":1", with: ":")
            text += "2021-04-02 \(clock),Spot,Boy,BTC,0.01,\n"
        }
        text += Self.binanceLines.joined(separator: "\n") + "\n"
        let got = try convertBuiltIn("t.csv", text)
        #expect(got.isWhole)
        let codes = Dictionary(grouping: got.rejects["code"]) { $0 }.mapValues(\.count)
        #expect(codes["action.unknown"] == 2000)
        #expect(got.rejects["line"].compactMap { Int($0) } == (2...2001).map { $0 })
        #expect(got.transactions.rows.count == 2)
    }

    /// Where the key of a line cannot be read and its rest does not stand beside it, that rest is named, if it may stand by
    /// itself; what is whole, and what is of no event, is not.
    @Test func namesHalvesFurtherAway() throws {
        let whole = Self.binanceLines[0...1].map { $0.replacing("10:01", with: "09:01") }
        let deposit = Self.binanceLines[2]
        let half = "2021-04-02 10:01:00,Spot,Buy,BTC,0.0100000000,"
        let lost = "2021-02-30 10:01:00,Spot,Buy,EUR,-500.00,"
        for lines in [[half, deposit] + whole + [lost], [lost, deposit] + whole + [half]] {
            let got = try convertBuiltIn("t.csv", ([Self.binance] + lines).joined(separator: "\n") + "\n")
            let (first, last) = (lines[0] == half ? 2 : 6, lines[0] == half ? 6 : 2)
            #expect(got.rejects.shown("line", "code") == ["\(last)|date.invalid"])
            let warnings = got.report.inputs[0].warnings.filter { $0.code == "event.incomplete" }
            #expect(warnings.map(\.line) == [last])
            #expect(warnings.first?.message.contains(" lines \(first), which") == true, "\(warnings)")
            #expect(got.isWhole)
        }
    }

    private static let merrill =
        #""Trade Date","Settlement Date","Pending/Settled","Account Nickname","Account Registration","Account #","Type","Description 1 ","Description 2","Symbol/CUSIP #","Quantity","Price ($)","Amount ($)""#
    private static func merrillLine(
        _ date: String, _ action: String, _ symbol: String, _ units: String, _ amount: String
    )
        -> String
    {
        #""\#(date)","4/2/2026","Settled","--","Roth IRA-Edge","7K1-20002","SecurityTransactions","\#(action)","EXAMPLE","\#(symbol)","\#(units)","--","\#(amount)""#
    }

    /// What by its definition never stands alone does not, wherever the line is that may be its rest.
    @Test func rejectsHalvesThatNeedMore() throws {
        let shares = Self.merrillLine("4/1/2026", "Reinvestment Share(s)", "QYIX", "0.208", "0.00")
        let sale = Self.merrillLine("4/3/2026", "Sale ", "HWRC", "-4", "181.00")
        func program(_ date: String) -> String {
            Self.merrillLine(date, "Reinvestment Program", "QYIX", "--", "(9.36)")
        }
        func text(_ lines: [String]) -> String { ([Self.merrill] + lines).joined(separator: "\n") + "\n" }
        let clean = try convertBuiltIn("m.csv", text([shares, sale, program("4/1/2026")]))
        #expect(clean.rejects.rows.isEmpty && clean.transactions.rows.count == 2)
        for lines in [[shares, sale, program("4/31/2026")], [program("4/31/2026"), sale, shares]] {
            let got = try convertBuiltIn("m.csv", text(lines))
            #expect(
                got.rejects.shown("line", "code").map { $0.dropFirst(2) }.sorted() == [
                    "date.invalid", "event.incomplete",
                ])
            #expect(got.transactions.rows.count == 1 && got.isWhole)
            let corrected = try #require(got.text("rejects/m.csv")).replacing("4/31/2026", with: "4/1/2026")
            let alone = try convertBuiltIn("m.csv", corrected)
            #expect((got.transactions.content + alone.transactions.content).sorted() == clean.transactions.content)
        }
    }

    /// A line of no event takes nothing with it and names nothing, even where its date would be part of a key.
    @Test func linesOfNoEventNameNothing() throws {
        let half = "2021-04-02 10:01:00,Spot,Buy,BTC,0.0100000000,"
        let deposit = Self.binanceLines[2].replacing("2021-04-03", with: "2021-02-30")
        for lines in [[half, deposit], [half, Self.binanceLines[2], deposit]] {
            let got = try convertBuiltIn("t.csv", ([Self.binance] + lines).joined(separator: "\n") + "\n")
            #expect(got.rejects["code"] == ["date.invalid"])
            #expect(got.report.inputs[0].warnings.filter { $0.code == "event.incomplete" }.isEmpty)
            #expect(got.transactions.rows.count == lines.count - 1)
        }
    }

    /// Far apart, lines are of different events.
    @Test(arguments: [(200, 1), (400, 0)]) func namesNothingFarAway(_ between: Int, _ warnings: Int) throws {
        var lines = ["2021-04-02 10:01:00,Spot,Buy,BTC,0.0100000000,"]
        for place in 0..<between {
            lines.append("2021-04-03 10:\(10 + place / 60):\(10 + place % 50),Spot,Deposit,EUR,\(700 + place).00,")
        }
        lines.append("2021-02-30 10:01:00,Spot,Buy,EUR,-500.00,")
        let got = try convertBuiltIn("t.csv", ([Self.binance] + lines).joined(separator: "\n") + "\n")
        #expect(got.rejects["code"] == ["date.invalid"])
        #expect(got.report.inputs[0].warnings.filter { $0.code == "event.incomplete" }.count == warnings)
    }
}
