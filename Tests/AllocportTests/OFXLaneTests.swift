import Delimited
import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Rows of OFX whose class was met before go from values to bytes: what comes out is what the mapper and the projection
/// make of them.
@Suite struct OFXLaneTests {
    /// Writes a statement as one program would: few shapes, few words, all sorts of values now and then.
    private struct Writer {
        var random: SplitMix64
        let isXML: Bool
        /// One row of so many has something that its neighbours have not.
        let rarely: Int
        let hasReferences: Bool
        /// Without positions, and in statements that are long enough, rows are handed over in batches.
        let hasPositions: Bool
        var text = ""

        init(seed: UInt64) {
            random = SplitMix64(seed: seed)
            isXML = seed % 2 == 0
            hasReferences = seed % 5 == 3
            hasPositions = seed % 4 > 1
            rarely = seed % 3 == 0 ? 4 : 40
        }

        mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        mutating func pick(_ words: [String]) -> String { words[below(words.count)] }
        mutating func isRare() -> Bool { below(rarely) == 0 }

        mutating func leaf(_ name: String, _ value: String) {
            text += "<\(name)>\(value)\(isXML ? "</\(name)>" : "")\n"
        }

        /// A number of cents, or something else that might stand there.
        mutating func number(_ cents: Int, _ name: String) {
            let odd = [
                "0", "-0.00", "+5.10", "1,234.50", "1,5", ".5", "7.", "$3", "1e3", "", "abc", "12345678901234567890.5",
            ]
            let value = "\(cents < 0 ? "-" : "")\(cents.magnitude / 100).\(Self.two(Int(cents.magnitude % 100)))"
            leaf(name, isRare() && isRare() ? pick(odd) : value)
        }

        static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

        mutating func date(_ name: String) {
            let day = "2023\(Self.two(1 + below(12)))\(Self.two(1 + below(28)))"
            let odd = [
                "20230231", "2023-02-01", "\(day)120000.250", "\(day)000000", "18990101", "20990101", "", "00000000",
            ]
            let tails = ["", "093000", "235959.000[-5:EST]", "120000[0:GMT]"]
            leaf(name, isRare() && isRare() ? pick(odd) : day + (below(3) == 0 ? pick(tails) : tails[1]))
        }

        mutating func words(_ name: String) {
            let odd = [
                "Interest paid", "DIVIDEND ACME", "Return of Capital", "S&amp;P", "Ret Cap", "interest charge", "  Pay",
                "a, \"b\"",
            ]
            leaf(name, isRare() ? pick(odd) : pick(["Shop 1", "Shop 2", "Rent", "Rent  "]))
        }

        mutating func security() {
            text += "<SECID>"
            leaf("UNIQUEID", isRare() ? pick(["99402GH49", "unknown"]) : pick(["99400GH47", "99401GH48"]))
            leaf("UNIQUEIDTYPE", "CUSIP")
            text += "</SECID>\n"
        }

        mutating func trade() {
            let isBuy = below(2) == 0
            let (outer, inner) = (isBuy ? "BUY" : "SELL", isBuy ? "INVBUY" : "INVSELL")
            let kind = isRare() ? pick(["MF", "DEBT", "OTHER"]) : "STOCK"
            let units = 1 + below(9000)
            let price = below(8) == 0 ? 100 : 1 + below(9000)
            let costs = below(3) == 0 ? below(900) : 0
            var total = units * price / 100 + (isBuy ? costs : -costs)
            if isRare() { total = total * below(13) / 2 + 1 }
            text += "<\(outer)\(kind)>\n<\(inner)>\n"
            invtran()
            security()
            number(isBuy ? units : -units, "UNITS")
            number(price, "UNITPRICE")
            if costs > 0 { number(costs, "COMMISSION") }
            if isRare() { number(below(3) * 10, pick(["FEES", "TAXES", isBuy ? "MARKUP" : "MARKDOWN", "LOAD"])) }
            number(isBuy != isRare() ? -total : total, "TOTAL")
            if isRare() {
                text += "<CURRENCY>"
                leaf("CURRATE", "1.1")
                leaf("CURSYM", "EUR")
                text += "</CURRENCY>\n"
            }
            leaf("SUBACCTSEC", "CASH")
            text += "</\(inner)>\n"
            if kind == "STOCK" { leaf(isBuy ? "BUYTYPE" : "SELLTYPE", isBuy ? "BUY" : isRare() ? "SELLSHORT" : "SELL") }
            text += "</\(outer)\(kind)>\n"
        }

        mutating func invtran() {
            text += "<INVTRAN>\n"
            leaf("FITID", "F\(below(100_000))")
            if hasReferences && isRare() { leaf("REVERSALFITID", "F\(below(100))") }
            date("DTTRADE")
            if rarely % 8 == 0 { date("DTSETTLE") }
            if below(8) == 0 { words("MEMO") }
            text += "</INVTRAN>\n"
        }

        mutating func cash() {
            let name = pick(["INCOME", "INCOME", "INVEXPENSE", "RETOFCAP", "REINVEST", "MARGININTEREST"])
            text += "<\(name)>\n"
            invtran()
            if name != "MARGININTEREST" { security() }
            if name == "INCOME" || name == "REINVEST" { leaf("INCOMETYPE", pick(["DIV", "INTEREST", "CGLONG"])) }
            let units = 1 + below(900)
            let price = 1 + below(9000)
            number((below(9) == 0 ? -1 : 1) * units * price / 100, "TOTAL")
            if name == "REINVEST" {
                number(units, "UNITS")
                number(price, "UNITPRICE")
            }
            if name == "INCOME", isRare() { number(below(900), "WITHHOLDING") }
            text += "</\(name)>\n"
        }

        mutating func payment() {
            text += "<STMTTRN>\n"
            leaf(
                "TRNTYPE",
                isRare() ? pick(["INT", "DIV", "HOLD", "FEE", "XFER"]) : pick(["DEBIT", "CREDIT", "DEP", "OTHER"]))
            date("DTPOSTED")
            number(below(90_000) - 50_000, "TRNAMT")
            leaf("FITID", "B\(below(100_000))")
            if isRare() { leaf("CHECKNUM", "\(below(9000))") }
            if !isRare() { words("NAME") }
            if below(2) == 0 { words("MEMO") }
            text += "</STMTTRN>\n"
        }

        mutating func positions() {
            text += "<INVPOSLIST><POSSTOCK><INVPOS>"
            security()
            number(900, "UNITS")
            number(100, "UNITPRICE")
            number(900, "MKTVAL")
            text += "</INVPOS></POSSTOCK></INVPOSLIST>"
        }

        mutating func statement(rows: Int) -> [UInt8] {
            text = isXML ? "<?xml version=\"1.0\"?>\n<?OFX OFXHEADER=\"200\"?>\n" : "OFXHEADER:100\nVERSION:102\n\n"
            text += "<OFX><SIGNONMSGSRSV1><SONRS><DTSERVER>20240131120000</DTSERVER></SONRS></SIGNONMSGSRSV1>\n"
            for account in 1...2 {
                text += "<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS>\n"
                leaf("CURDEF", "USD")
                text += "<INVACCTFROM>"
                leaf("ACCTID", "X\(account)")
                text += "</INVACCTFROM><INVTRANLIST>\n"
                for _ in 0..<rows { below(2) == 0 ? trade() : cash() }
                text += "<INVBANKTRAN>"
                payment()
                text += "</INVBANKTRAN></INVTRANLIST>"
                if hasPositions { positions() }
                text += "</INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>\n"
                text += "<BANKMSGSRSV1><STMTTRNRS><STMTRS>"
                leaf("CURDEF", "USD")
                text += "<BANKACCTFROM>"
                leaf("ACCTID", "B\(account)")
                text += "</BANKACCTFROM><BANKTRANLIST>\n"
                for _ in 0..<rows { payment() }
                text += "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1>\n"
            }
            text += "<SECLISTMSGSRSV1><SECLIST>\n"
            for (id, ticker, sort) in [
                ("99400GH47", "GRNF", "STOCK"), ("99401GH48", "NWTM", "MF"), ("99402GH49", "LK", "DEBT"),
            ] {
                text += "<\(sort)INFO><SECINFO><SECID>"
                leaf("UNIQUEID", id)
                leaf("UNIQUEIDTYPE", "CUSIP")
                text += "</SECID>"
                leaf("SECNAME", "Name \(ticker)")
                leaf("TICKER", ticker)
                text += "</SECINFO></\(sort)INFO>\n"
            }
            return Array((text + "</SECLIST></SECLISTMSGSRSV1></OFX>\n").utf8)
        }
    }

    @Test func agreesWithTheMapper() throws {
        let prepared = try ShortRoad.compare(suffix: "ofx") { round in
            var writer = Writer(seed: UInt64(round))
            var inputs = [writer.statement(rows: (round % 8 == 1 ? 700 : 100) + writer.below(300))]
            if round % 5 == 0 { inputs.append(writer.statement(rows: 50)) }
            if round % 7 == 0 { inputs.append(inputs[0] + [0x0A]) }
            return inputs
        }
        #expect(prepared > 2000)
    }
}
