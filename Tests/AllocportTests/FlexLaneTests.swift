import Delimited
import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Rows of Flex whose class was met before go from values to bytes: what comes out is what the mapper and the projection
/// make of them.
@Suite struct FlexLaneTests {
    /// Writes a report as one query would: few shapes, few words, all sorts of values now and then.
    private struct Writer {
        var random: SplitMix64
        /// One row of so many has something that its neighbours have not.
        let rarely: Int
        let hasTimeOfDay: Bool
        let hasOrders: Bool
        var text = ""

        init(seed: UInt64) {
            random = SplitMix64(seed: seed)
            rarely = seed % 3 == 0 ? 30 : 400
            hasTimeOfDay = seed % 4 == 1
            hasOrders = seed % 6 == 2
        }

        mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        mutating func pick(_ words: [String]) -> String { words[below(words.count)] }
        mutating func isRare() -> Bool { below(rarely) == 0 }
        mutating func attribute(_ name: String, _ value: String) { text += " \(name)=\"\(value)\"" }

        /// A number of cents, or something else that might stand there.
        mutating func number(_ cents: Int, _ name: String) {
            let odd = [
                "", "", "--", "-", "N/A", " 5.10 ", "0", "-0.00", "+5.10", "1,234.50", "1,5", ".5", "7.", "$3", "1e3",
                "abc", "12345678901234567890.5", "n/a",
            ]
            let value = "\(cents < 0 ? "-" : "")\(cents.magnitude / 100).\(Self.two(Int(cents.magnitude % 100)))"
            attribute(name, below(60) < 3 && rarely < 400 || isRare() ? pick(odd) : value)
        }

        static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

        mutating func date(_ name: String, timed: Bool) {
            let (month, day) = (Self.two(1 + below(12)), Self.two(1 + below(28)))
            let odd = [
                "", "--", "MULTI", "20240231", "2024-\(month)-\(day)", "2024\(month)\(day), 09:30:00", "18990101",
                "20990101", "2024-\(month)-\(day) 10:00:00 Z", "2024\(month)\(day);250000", "02/03/2024", "13/02/2024",
            ]
            let time = timed ? ";09\(30 + below(30))00" : ""
            attribute(name, below(60) < 3 && rarely < 400 || isRare() ? pick(odd) : "2024\(month)\(day)\(time)")
        }

        mutating func words() {
            if !isRare() { attribute("accountId", pick(["U100", "U100", "U100", "", " U100 "])) }
            if below(2) == 0 || rarely == 400 { attribute("acctAlias", isRare() ? "My account" : "") }
            attribute("currency", isRare() ? pick(["EUR", "usd", "XYZ", ""]) : "USD")
            attribute("fxRateToBase", "1.0\(below(10))")
            attribute("assetCategory", isRare() ? pick(["OPT", "BOND", "CASH", "FUT", "", "BILL"]) : "STK")
            attribute("symbol", isRare() ? pick(["", "EUR.USD", "--", "RARE"]) : pick(["GRNF", "NWTM"]))
            let odd = ["Return of Capital", "AT&amp;T", "", "N/A", "a, \"b\"".replacing("\"", with: "'"), " padded "]
            attribute("description", isRare() ? pick(odd) : pick(["GREENFIELD CORP", "NORTHWIND ETF 2"]))
            attribute("conid", pick(["111", "222"]))
            attribute("cusip", isRare() ? pick(["99402GH49", "994"]) : "")
            attribute("isin", isRare() ? "XX0000000000" : "")
            attribute("securityID", isRare() ? "99402GH49" : "")
            if isRare() { attribute("securityIDType", "CUSIP") }
            attribute("multiplier", isRare() ? pick(["100", "", "0", "x"]) : "1")
        }

        mutating func identity(_ name: String) {
            let value = isRare() ? pick(["", "--", "7", "8"]) : "\(below(1_000_000))"
            attribute(name, value)
        }

        mutating func trade() {
            let isBuy = below(2) == 0
            let quantity = 100 * (1 + below(900))
            let price = 1 + below(90_000)
            let costs = below(3) == 0 ? 0 : below(900)
            var money = quantity / 100 * price
            if isRare() { money = money * below(13) / 3 + 1 }
            text += "<\(hasOrders ? "Order" : isRare() ? pick(["Order", "Lot", "WashSale"]) : "Trade")"
            words()
            identity("tradeID")
            identity("transactionID")
            date("dateTime", timed: true)
            if hasTimeOfDay { attribute("tradeTime", isRare() ? "" : "101500") }
            date("tradeDate", timed: false)
            date("settleDateTarget", timed: false)
            attribute("transactionType", isRare() ? pick(["BookTrade", "TradeCancel"]) : "ExchTrade")
            number(isBuy != isRare() ? quantity : -quantity, "quantity")
            number(price, "tradePrice")
            number(isBuy ? money : -money, "tradeMoney")
            number(isBuy ? -money : money, "proceeds")
            number(isRare() ? -50 : 0, "taxes")
            number(-costs, "ibCommission")
            if isRare() { number(below(300), "accruedInt") }
            attribute("ibCommissionCurrency", isRare() ? pick(["EUR", ""]) : "USD")
            if rarely == 400 || below(2) == 0 { number((isBuy ? -money : money) - costs, "netCash") }
            attribute("buySell", isRare() ? pick(["BUY (Ca.)", "SELL (Ca.)", "", "HOLD"]) : isBuy ? "BUY" : "SELL")
            attribute("openCloseIndicator", isRare() ? pick(["C", ""]) : "O")
            attribute("notes", isRare() ? pick(["A", "Ep;P", "ex", ""]) : "P")
            attribute("levelOfDetail", isRare() ? pick(["ORDER", "", "execution"]) : "EXECUTION")
            text += " />\n"
        }

        mutating func cash() {
            text += "<CashTransaction"
            words()
            date("dateTime", timed: below(2) == 0)
            if isRare() { date("settleDate", timed: false) }
            number((below(3) == 0 ? -1 : 1) * below(9000), "amount")
            let types = ["Dividends", "Withholding Tax", "Dividend"]
            attribute("type", isRare() ? pick(["Other Fees", "Nonsense"]) : pick(types))
            identity("transactionID")
            attribute("levelOfDetail", isRare() ? pick(["SUMMARY", "", "CURRENCY"]) : "DETAIL")
            text += "/>\n"
        }

        mutating func report(rows: Int) -> [UInt8] {
            text = "<FlexQueryResponse queryName=\"q\" type=\"AF\">\n<FlexStatements count=\"2\">\n"
            for account in ["U100", "U200"] {
                text += "<FlexStatement accountId=\"\(account)\" whenGenerated=\"20250102;090000\">\n"
                for (list, isCash) in [("Trades", false), ("CashTransactions", true), ("Trades", false)] {
                    text += "<\(list)>\n"
                    for _ in 0..<rows {
                        let start = text.endIndex
                        isCash ? cash() : trade()
                        // Some reports have one row several times.
                        if isRare(), isRare() { text += text[start...] }
                    }
                    text += "</\(list)>\n"
                }
                text += "</FlexStatement>\n"
            }
            return Array((text + "</FlexStatements></FlexQueryResponse>\n").utf8)
        }
    }

    @Test func agreesWithTheMapper() throws {
        let prepared = try ShortRoad.compare(suffix: "xml") { round in
            var writer = Writer(seed: UInt64(round))
            var inputs = [writer.report(rows: 150 + writer.below(150))]
            if round % 5 == 0 { inputs.append(writer.report(rows: 30)) }
            if round % 7 == 0 { inputs.append(inputs[0] + [0x0A]) }
            return inputs
        }
        #expect(prepared > 1500)
    }
}
