import Importing
import TestSupport
import Testing

@testable import Allocport

/// Gains of futures are paid day by day: the amount of a trade in them is its commission, whichever way it goes; and a
/// commission that is given back is negative.
@Suite struct FuturesCashTests {
    private static let opening = [
        "Statement,Header,Field Name,Field Value", "Statement,Data,Title,Activity Statement",
        "Account Information,Header,Field Name,Field Value", "Account Information,Data,Account,U1000001",
        "Account Information,Data,Base Currency,USD",
        "Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,"
            + "Comm/Fee,Basis,Realized P/L,MTM P/L,Code",
    ]

    @Test(arguments: [true, false]) func statement(isShort: Bool) throws {
        var lines = Self.opening
        var wanted: [String] = []
        var random = SplitMix64(seed: 5)
        for index in 0..<200 {
            let (units, price, cents) = (1 + random.below(9), 5000 + random.below(900), 11 + random.below(88))
            let isSale = random.oneIn(2)
            let sign = isSale ? "-" : ""
            if random.oneIn(2) {
                let notional = (isSale ? "" : "-") + "\(units * price * 5)"
                lines.append(
                    "Trades,Data,Order,Futures,USD,MESH6,\"2026-01-05, 10:00:\(10 + index % 50)\",\(sign)\(units),"
                        + "\(price),\(price),\(notional),-0.\(cents),0,0,0,O")
                wanted.append("\(sign)\(units)|\(price * 5)|-0.\(cents)|0.\(cents)")
            } else {
                lines.append(
                    "Trades,Data,Order,Equity and Index Options,USD,NWTM 16JAN26 50 C,\"2026-01-05, 10:00:10\",-\(units),"
                        + "\(price),\(price),\(units * price * 100),0.\(cents),0,0,0,O;P")
                wanted.append("-\(units)|\(price * 100)|\(units * price * 100).\(cents)|-0.\(cents)")
            }
        }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        let files = try PreparedClassTests.outputs([("U1000001_2026.csv", bytes)], isShort: isShort) { _ in }.files
        let table = String(decoding: files["openalloc.transaction.csv"] ?? [], as: UTF8.self)
        let rows = table.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let names = try ["txnShareCount", "txnSharePrice", "amount", "commission"].map { name in
            try #require(rows[0].firstIndex { $0 == name })
        }
        let got = rows.dropFirst().map { row in
            names.map { Self.plain(String(row[$0])) }.joined(separator: "|")
        }
        #expect(
            got.sorted()
                == wanted.map { $0.split(separator: "|").map { Self.plain(String($0)) }.joined(separator: "|") }
                .sorted())
        let report = String(decoding: files["report.json"] ?? [], as: UTF8.self)
        #expect(!report.contains("amount.mismatch"))
    }

    /// Without a zero at the end of its decimals.
    private static func plain(_ number: String) -> String {
        guard number.contains("."), number.hasSuffix("0") else { return number }
        return String(number.dropLast())
    }
}
