import Delimited
import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Classes of rows of markup that differ in texts only share a form: what comes out is what the mapper and the projection
/// make of each row, whatever the texts.
@Suite struct RowFormTests {
    private struct Security {
        var id: String
        var idType: String
        var sort: String
        var ticker: String
        var name: String
    }

    /// Securities of all sorts; some have no ticker, no name or no description, some share a ticker.
    private static func securities(_ random: inout SplitMix64, _ count: Int) -> [Security] {
        (0..<count).map { index in
            let isin = random.next() % 4 == 0
            return Security(
                id: isin ? "US99\(1_000_000 + index)0" : "99\(400 + index)GH4\(index % 10)",
                idType: isin ? "ISIN" : "CUSIP",
                sort: ["STOCK", "MF", "DEBT", "OTHER", ""][Int(random.next() % 5)],
                ticker: random.next() % 5 == 0 ? "" : "T\(random.next() % UInt64(count))",
                name: random.next() % 5 == 0 ? "" : "Name \(index), \"A\"")
        }
    }

    private static func statement(_ round: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(round) &+ 77)
        let securities = securities(&random, 3 + round % 5)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        var text = "OFXHEADER:100\nVERSION:102\n\n<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS>\n<CURDEF>USD\n"
        text += "<INVACCTFROM><ACCTID>X1</INVACCTFROM><INVTRANLIST>\n"
        for row in 0..<securities.count * 50 {
            let security = securities[below(securities.count)]
            let (units, price) = (1 + below(900), 1 + below(900))
            let total = units * price
            let isIncome = below(2) == 0
            text += isIncome ? "<INCOME>\n" : "<BUYSTOCK>\n<INVBUY>\n"
            text += "<INVTRAN>\n<FITID>F\(row)\n<DTTRADE>2023\(10 + below(3))\(10 + below(18))093000[-5:EST]\n"
            if round % 3 == 0 { text += "<MEMO>\(["", "Pay", security.name, "T1"][below(4)])\n" }
            text += "</INVTRAN>\n<SECID>\n<UNIQUEID>\(security.id)\n<UNIQUEIDTYPE>\(security.idType)\n</SECID>\n"
            if isIncome {
                text += "<INCOMETYPE>DIV\n<TOTAL>\(total).25\n</INCOME>\n"
            } else {
                text += "<UNITS>\(units)\n<UNITPRICE>\(price)\n<TOTAL>-\(total)\n</INVBUY>\n<BUYTYPE>BUY\n</BUYSTOCK>\n"
            }
        }
        text += "</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>\n<SECLISTMSGSRSV1><SECLIST>\n"
        for security in securities where !security.sort.isEmpty {
            text += "<\(security.sort)INFO>\n<SECINFO>\n<SECID>\n<UNIQUEID>\(security.id)\n"
            text += "<UNIQUEIDTYPE>\(security.idType)\n</SECID>\n"
            if !security.name.isEmpty { text += "<SECNAME>\(security.name)\n" }
            if !security.ticker.isEmpty { text += "<TICKER>\(security.ticker)\n" }
            text += "</SECINFO>\n</\(security.sort)INFO>\n"
        }
        return Array((text + "</SECLIST></SECLISTMSGSRSV1></OFX>\n").utf8)
    }

    @Test func agreeWithTheMapper() throws {
        let prepared = try ShortRoad.compare(suffix: "ofx") { [Self.statement($0)] }
        #expect(prepared > 1500)
    }
}
