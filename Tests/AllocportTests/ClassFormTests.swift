import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Classes that differ in words only are learned together: what comes out is what the projection makes of their rows.
@Suite struct ClassFormTests {
    private static let header =
        "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Currency,Price ($),Commission ($),"
        + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"

    /// Securities of all kinds: tickers, sound and unsound CUSIPs, options, bonds by their words, none, quotes.
    private static let securities: [(symbol: String, name: String)] = [
        ("ACME", "ACME CORP"), ("BOLT", "\"BOLT, INC\""), ("037833100", "A NOTE"), ("037833101", "AN UNSOUND NOTE"),
        ("-ACME240119C50", "CALL (ACME) (100 SHS)"), ("", "A BOND 4.500% 05/15/2030"), ("", "No Description"),
        ("=1+1", "\"SAY \"\"SO\"\"\""), ("ÄÖÜ", "ÜBER AG"), ("GBX", "USD"), ("--", "X"), ("SPAXX", "FIDELITY CASH"),
    ]
    private static let actions = [
        "YOU BOUGHT", "YOU SOLD", "DIVIDEND RECEIVED", "REINVESTMENT", "FOREIGN TAX PAID", "YOU BOUGHT SHORT COVER",
        "ELECTRONIC FUNDS TRANSFER", "EXPIRED", "SOMETHING ELSE", "JOURNALED",
    ]

    /// Rows of some hundred classes: the same cells with other digits and accounts, in which every word comes with every
    /// other one.
    private static func rows(_ count: Int, accounts: Int, _ random: inout SplitMix64) -> String {
        func pick(_ choices: [String]) -> String { choices[Int(random.next() % UInt64(choices.count))] }
        let shapes = (0..<24).map { _ in
            (
                action: pick(actions), type: pick(["Cash", "Cash", "Cash", "Margin", "Shares"]),
                units: pick(["1#", "1#", "-1#", "0.000", "", "3.#"]),
                currency: pick(["USD", "USD", "", "EUR", "GBX", "BTC", "?"]),
                price: pick(["10.#0", "10.#0", "", "1"]), commission: pick(["", "", "4.9#"]),
                amount: pick(["-100.0#", "100.0#", "-3#", "", "7.2#", "1,0"]), settles: random.next() % 2 == 0
            )
        }
        var text = ""
        for _ in 0..<count {
            let shape = shapes[Int(random.next() % UInt64(shapes.count))]
            let security = securities[Int(random.next() % UInt64(securities.count))]
            let account = pick((0..<accounts).map { "X\($0)" } + (random.next() % 40 == 0 ? ["", "--"] : []))
            let title = random.next() % 40 == 0 ? pick(["\"Roth, IRA\"", ""]) : "Individual"
            let day = random.next() % 40 == 0 ? "13/13/2024" : pick(["01/02/2024", "03/04/2024", "12/31/2023"])
            let name = security.name.filter { $0 != "\"" && $0 != "," }
            let row =
                "\(shape.action) \(name),\(security.symbol),\(security.name),\(shape.type),\(shape.units),"
                + "\(shape.currency),\(shape.price),\(shape.commission),,,\"\(shape.amount)\","
            text += "\(day),\(title),\(account),"
            for character in row { text += character == "#" ? "\(random.next() % 10)" : String(character) }
            text += (shape.settles ? day : "") + "\n"
        }
        return text
    }

    private static func agree(
        _ inputs: [(name: String, bytes: [UInt8])], _ change: (inout RunOptions) -> Void
    ) throws -> Int {
        let short = try PreparedClassTests.outputs(inputs, isShort: true, change)
        let long = try PreparedClassTests.outputs(inputs, isShort: false, change)
        for (name, file) in long.files { #expect(short.files[name] == file, "\(name)") }
        #expect(short.files.count == long.files.count)
        return short.prepared
    }

    /// Words that decide something stand among words that are copied.
    @Test(arguments: RunOptions.Format.allCases) func agreeWithTheProjection(_ format: RunOptions.Format) throws {
        var random = SplitMix64(seed: UInt64(format.rawValue.utf8.count))
        for round in 0..<4 * Sample.effort {
            let first = Array((Self.header + Self.rows(2500, accounts: 5, &random)).utf8)
            let second = Array((Self.header + Self.rows(200, accounts: 3, &random)).utf8)
            let inputs = round % 2 == 0 ? [("a.csv", first)] : [("a.csv", first), ("b.csv", second), ("c.csv", first)]
            let prepared = try Self.agree(inputs) {
                $0.format = format
                $0.columns = round % 4 < 2 ? .extended : .core
                $0.account = round % 4 == 1 ? "A 1" : nil
                $0.jobs = 1 + round % 2
            }
            #expect(prepared > 100)
        }
    }

    /// Units of an account are held against its positions by class, and nobody has met the class before.
    @Test func agreeWherePositionsAreKnown() throws {
        var random = SplitMix64(seed: 5)
        let positions =
            "Account Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,"
            + "Today's Gain/Loss Dollar,Today's Gain/Loss Percent,Total Gain/Loss Dollar,Total Gain/Loss Percent,"
            + "Percent Of Account,Cost Basis Total,Average Cost Basis,Type\n"
            + "X1,Individual,ACME,ACME CORP,5,$10.00,$0.00,$50.00,,,,,,$50.00,$10.00,Cash,\n"
            + "X2,Individual,BOLT,BOLT,1,$10.00,$0.00,$10.00,,,,,,$10.00,$10.00,Cash,\n\n"
            + "Date downloaded 02/01/2025 1:00 PM ET\n"
        let history = Array((Self.header + Self.rows(900, accounts: 5, &random)).utf8)
        _ = try Self.agree([("Portfolio_Positions_Feb-01-2025.csv", Array(positions.utf8)), ("h.csv", history)]) { _ in
        }
    }

    /// A price that follows from amount, costs and units is each row's own, also where the amount comes before the units
    /// and the costs after them.
    @Test func deriveEachPrice() throws {
        var text = "Date;Type;Value;Note;ISIN;Shares;Fees;Taxes\n"
        for index in 0..<200 {
            text +=
                "2025-03-\(10 + index % 20);Sell;\(20 + index).50;Fake Core ETF;IE00BFAKE006;0.2\(1 + index % 9);"
                + "\(index % 3 == 0 ? "" : "-1.0");\(index % 5 == 0 ? "-0.5" : "")\n"
        }
        for columns in RunOptions.Columns.allCases {
            _ = try Self.agree([("account_transactions.csv", Array(text.utf8))]) { $0.columns = columns }
        }
    }

    /// A class that was never met goes the short road when its form was.
    @Test func takeFirstRows() throws {
        var text = Self.header
        for index in 0..<400 {
            text +=
                "01/02/2024,Individual,X\(index % 7),YOU BOUGHT S\(index),S\(index),NAME \(index),Cash,10,USD,10.00,,,,"
                + "-100.00,\n"
        }
        let prepared = try Self.agree([("h.csv", Array(text.utf8))]) { $0.columns = .extended }
        #expect(prepared > 120)
    }
}
