import Foundation
import Importing
import OpenAlloc
import Testing

/// The two documents that hold every investment aggregate at least once, SGML and XML: what each must become, derived by
/// hand from the mapping. They are read from `OFX_CORPUS`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["OFX_CORPUS"] != nil))
struct SyntheticTests {
    private static let option = "AAPL250117C00150000"

    /// FITID, kind, security, units, price, amount; "-" where there is none.
    private static let transactions = [
        "S001 buy 912828U81 10000 98.5 -9860", "S001 interest 912828U81 - - -12.34",
        "S002 buy VTSAX 12.345 100 -1234.5",
        "S003 buyToOpen \(option) 2 1.55 -311.3", "S004 buy SPAXX 500 1 -500", "S005 buy AAPL 10 150.25 -1507.45",
        "S006 buyToCover AAPL 5 140 -700", "S007 expired \(option) -2 - -", "S008 dividend AAPL - - 24",
        "S009 capitalGainLong VTSAX - - 50", "S010 capitalGainShort VTSAX - - 7", "S011 interest 912828U81 - - 100",
        "S012 income AAPL - - 1", "S013 dividend AAPL - - -24", "S014 fee AAPL - - -1.25",
        "S017 marginInterest - - - -8.88", "S018 reinvestedIncome VTSAX 0.333 100.09 33.33",
        "S019 returnOfCapital AAPL - - 15", "S020 maturity 912828U81 -10000 100 10000", "S021 sell VTSAX -2 101 202",
        "S022 sellToOpen \(option) -1 2 198.95", "S023 sell SPAXX -500 1 500", "S024 sell AAPL -3 155 464.98",
        "S025 sellShort AAPL -5 160 800", "S026 sell CB -1 - 170", "S027 buy CB 1 200 -200", "S028 split AAPL 21 - -",
        "S028 cashInLieu AAPL - - 0.5", "S029 sharesIn 594918104 20 410 -", "S030 sharesOut 594918104 -4 - -",
        "S031 sharesOut 594918104 -1 - -", "S032 cash - - - 1000", "S033 cash - - - -250", "S034 interest - - - 1.11",
        "S035 fee - - - -25", "S036 dividend - - - 2.22", "S037 cash - - - -40",
    ]

    /// Security, units, price, value.
    private static let positions = [
        "912828U81 10000 99.125 9912.5", "VTSAX 10.678 101 1078.48", "\(option) -1 2.1 -210", "SPAXX 500 1 500",
        "AAPL 28 40 1120", "TSLA -5 180 -900", "CB 3 205 615", "CORE 1234.56 1 1234.56",
    ]

    /// Security, sort, asset.
    private static let securities = [
        "912828U81 bond Bond", "VTSAX fund LC", "\(option) option -", "SPAXX other Cash", "AAPL stock LC",
        "594918104 stock -", "TSLA stock -", "CB stock -",
    ]

    @Test(arguments: ["all_aggregates_sgml102.ofx", "all_aggregates_xml211.ofx"])
    func mapsEveryRow(name: String) throws {
        let root = ProcessInfo.processInfo.environment["OFX_CORPUS"] ?? ""
        let path = root + "/_synthetic/" + name
        let data = try #require(FileManager.default.contents(atPath: path), "no such file: \(path)")
        let sink = try collect([UInt8](data))
        func text(_ value: String) -> String { value.isEmpty ? "-" : value }
        func number(_ value: ExactDecimal?) -> String { value?.description ?? "-" }
        var got: (transactions: [String], positions: [String], securities: [String]) = ([], [], [])
        for record in sink.records {
            let symbol = text(record.string(.symbol))
            let units = "\(number(record[.units])) \(number(record[.price]))"
            switch record.kind {
            case .account: #expect(record.string(.account) == "X12345678" && record.isTaxable == false)
            case .position: got.positions.append("\(symbol) \(units) \(number(record[.marketValue]))")
            case .security:
                got.securities.append("\(symbol) \(record.string(.securityKind)) \(text(record.string(.assetID)))")
            default:
                got.transactions.append(
                    "\(record.string(.sourceTxnID)) \(record.kind.rawValue) \(symbol) \(units) \(number(record[.amount]))"
                )
            }
        }
        #expect(got.transactions == Self.transactions)
        #expect(got.positions == Self.positions)
        #expect(got.securities == Self.securities)
        #expect(sink.codes.isEmpty)
        #expect(
            sink.units.filter { $0.outcome == .skipped }.map(\.code) == [
                "journal.internal", "journal.internal", "balance.informational",
            ])
        let days = sink.records.filter { !$0.string(.sourceTxnID).isEmpty }.map { $0[.tradedAt]?.description ?? "" }
        #expect(Set(days) == ["2024-01-10T21:00:00Z"])
    }

    @Test func tellsTheRest() throws {
        let root = ProcessInfo.processInfo.environment["OFX_CORPUS"] ?? ""
        let data = try #require(FileManager.default.contents(atPath: root + "/_synthetic/all_aggregates_xml211.ofx"))
        let records = try collect([UInt8](data)).records
        func one(_ id: String) throws -> Record { try #require(records.first { $0.string(.sourceTxnID) == id }) }
        #expect(try one("S001")[.commission] == 10 && one("S001").priceUnit == .percentOfPar)
        #expect(try one("S002").string(.lot) == "PRETAX" && one("S021").string(.lot) == "MATCH")
        #expect(try one("S003").priceUnit == .contract && one("S003")[.multiplier] == 100)
        #expect(try one("S008")[.tax]?.description == "3.6")
        #expect(try one("S022")[.fees]?.description == "0.4" && one("S022")[.commission]?.description == "0.65")
        #expect(try one("S026")[.sourcePrice] == 200 && one("S026").string(.priceCurrency) == "CHF")
        #expect(try one("S027").string(.currency) == "CHF" && one("S027")[.exchangeRate]?.description == "0.85")
        #expect(try one("S029")[.unitCost] == 50 && one("S029")[.acquiredAt]?.description == "2020-01-02T17:00:00Z")
    }
}
