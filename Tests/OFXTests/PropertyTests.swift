import Foundation
import Importing
import OpenAlloc
import TestSupport
import Testing

/// Statements made by a generator: what comes out adds up to what went in.
@Suite struct PropertyTests {
    private static let rounds = iterations(200)

    /// The positions of a statement are the sum of its transactions, in thousandths of a unit.
    @Test func positionsAreTheSumOfTransactions() throws {
        for seed in 0..<UInt64(min(Self.rounds, 2000)) {
            var random = SplitMix64(seed: seed)
            let (text, held, cash) = statement(&random)
            let sink = try collect(text)
            #expect(sink.codes.isEmpty, "seed \(seed)")
            var units: [String: Int] = [:]
            var money = 0
            for record in sink.records {
                switch record.kind.shape {
                case .bought, .sold, .traded, .shares, .optionClosed, .reinvested:
                    units[record.string(.symbol), default: 0] += thousandths(record[.units])
                default: break
                }
                switch record.kind.shape {
                case .bought, .sold, .traded, .income, .misc, .cash: money += thousandths(record[.amount])
                default: break
                }
            }
            for (symbol, count) in held { #expect(units[symbol] == count, "seed \(seed) \(symbol)") }
            #expect(money == cash, "seed \(seed)")
            // The balance of the statement is the sum of its flows, unless it stands for something else by its rules.
            if let core = sink.records.first(where: { $0.string(.symbol) == "CORE" }) {
                #expect(thousandths(core[.units]) == money, "seed \(seed)")
            } else {
                #expect(sink.units.contains { $0.code.hasPrefix("cash.") }, "seed \(seed)")
            }
            for record in sink.records where record.kind == .position && record.string(.symbol) != "CORE" {
                #expect(thousandths(record[.units]) == units[record.string(.symbol)], "seed \(seed)")
            }
        }
    }

    private func thousandths(_ number: ExactDecimal?) -> Int { number?.multiplied(by: 1000)?.asInt ?? .min }

    private func decimal(_ thousandths: Int) -> String {
        let size = abs(thousandths)
        return (thousandths < 0 ? "-" : "") + "\(size / 1000)." + String(String(size % 1000 + 1000).dropFirst())
    }

    private func statement(_ random: inout SplitMix64) -> (text: String, held: [String: Int], cash: Int) {
        var held: [String: Int] = [:]
        var cash = 0
        var rows = ""
        func security(_ symbol: String) -> String { "<SECID><UNIQUEID>\(symbol)<UNIQUEIDTYPE>CUSIP</SECID>" }
        func tran(_ number: Int) -> String { "<INVTRAN><FITID>N\(number)<DTTRADE>202401\(10 + number % 20)</INVTRAN>" }
        for number in 0..<Int.random(in: 1...25, using: &random) {
            let symbol = "SEC\(Int.random(in: 1...4, using: &random))"
            let units = Int.random(in: 1...50_000, using: &random)
            let price = Int.random(in: 1...300, using: &random)
            let fee = Int.random(in: 0...9, using: &random) * 10
            let sign = Bool.random(using: &random) ? 1 : -1
            switch Int.random(in: 0...6, using: &random) {
            case 0:
                let total = units * price + fee
                held[symbol, default: 0] += units
                cash -= total
                rows +=
                    "<BUYSTOCK><INVBUY>\(tran(number))\(security(symbol))<UNITS>\(decimal(units * sign))<UNITPRICE>\(price)"
                rows += "<FEES>\(decimal(fee))<TOTAL>\(decimal(-total * sign))</INVBUY></BUYSTOCK>\n"
            case 1:
                let total = units * price - fee
                held[symbol, default: 0] -= units
                cash += total
                rows +=
                    "<SELLSTOCK><INVSELL>\(tran(number))\(security(symbol))<UNITS>\(decimal(units * sign))<UNITPRICE>\(price)"
                rows += "<FEES>\(decimal(fee))<TOTAL>\(decimal(total))</INVSELL></SELLSTOCK>\n"
            case 2:
                held[symbol, default: 0] += units * sign
                rows +=
                    "<TRANSFER>\(tran(number))\(security(symbol))<UNITS>\(decimal(units))<TFERACTION>\(sign > 0 ? "IN" : "OUT")"
                rows += "<POSTYPE>LONG</TRANSFER>\n"
            case 3:
                cash += units * sign
                rows +=
                    "<INCOME>\(tran(number))\(security(symbol))<INCOMETYPE>DIV<TOTAL>\(decimal(units * sign))</INCOME>\n"
            case 4:
                held[symbol, default: 0] += units
                rows += "<REINVEST>\(tran(number))\(security(symbol))<INCOMETYPE>DIV<TOTAL>\(decimal(-units * price))"
                rows += "<UNITS>\(decimal(units))<UNITPRICE>\(price)</REINVEST>\n"
            case 5:
                let new = Int.random(in: 1...50_000, using: &random)
                held[symbol, default: 0] += new - units
                cash += fee
                rows += "<SPLIT>\(tran(number))\(security(symbol))<OLDUNITS>\(decimal(units))<NEWUNITS>\(decimal(new))"
                rows += "<FRACCASH>\(decimal(fee))</SPLIT>\n"
            default:
                cash += units * sign
                rows +=
                    "<INVBANKTRAN><STMTTRN><TRNTYPE>XFER<DTPOSTED>20240115<TRNAMT>\(decimal(units * sign))<FITID>N\(number)"
                rows += "</STMTTRN></INVBANKTRAN>\n"
            }
        }
        var positions = ""
        for (symbol, count) in held.sorted(by: { $0.key < $1.key }) where count != 0 {
            positions += "<POSSTOCK><INVPOS>\(security(symbol))<HELDINACCT>CASH<POSTYPE>\(count < 0 ? "SHORT" : "LONG")"
            positions +=
                "<UNITS>\(decimal(abs(count)))<UNITPRICE>10<MKTVAL>\(decimal(count * 10))</INVPOS></POSSTOCK>\n"
        }
        let balance = "<INVBAL><AVAILCASH>\(decimal(cash))</INVBAL>"
        return (invest(rows, positions: positions, balance: balance), held, cash)
    }

    /// Damaged files neither stop the reader nor make it hand a unit over twice, and what it says is the same each time.
    @Test(arguments: [
        "ofx/statement/investments_sgml/example_invest.qfx", "ofx/statement/investments_xml/example_invest_v2.ofx",
    ])
    func survivesDamage(path: String) throws {
        let bytes = try sample(path)
        try damage(bytes, OFXImporter(), count: max(20, Self.rounds / 5))
    }

    @Test func survivesDamageToFlex() throws {
        try damage(
            sample("ibkr/flex_xml/activity_2025/flex_2025.xml"), FlexImporter(), count: max(20, Self.rounds / 5))
    }

    private func damage(_ bytes: [UInt8], _ importer: any Importer, count: Int) throws {
        let marks = Array("<>/&\"'[]:.,-0 9\n\r\u{0}".utf8) + [0xFF, 0xC3]
        for seed in 0..<UInt64(count) {
            var random = SplitMix64(seed: seed)
            var bytes = bytes
            for _ in 0...Int.random(in: 0...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[place] = marks.randomElement(using: &random) ?? 0
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...300, using: &random)))
                case 2:
                    bytes.insert(
                        contentsOf: bytes[place..<min(bytes.count, place + 200)],
                        at: Int.random(in: 0...bytes.count, using: &random))
                default: if random.next() % 8 == 0 { bytes.removeSubrange(place...) }
                }
                if bytes.isEmpty { bytes = [0x3C] }
            }
            let first = try collect(bytes, importer)
            let second = try collect(bytes, importer)
            #expect(first.units == second.units, "seed \(seed)")
            for unit in first.units where unit.outcome == .rejected {
                #expect(!unit.code.isEmpty && !unit.raw.isEmpty, "seed \(seed)")
            }
        }
    }
}
