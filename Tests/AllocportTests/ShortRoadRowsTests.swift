import Importing
import TestSupport
import Testing

@testable import Allocport

/// Kinds of rows that took the long road once: those that become several records, those of layouts, whose first cells
/// name their section, and those with cells beyond the header. The short road, the records and the rules agree.
@Suite struct ShortRoadRowsTests {
    /// Files of some lines, then rows.
    static let files:
        [(name: String, opening: [String], row: @Sendable (Int, inout SplitMix64) -> [String], prepared: Int)] = [
            (
                "parqet.csv", ["date;time;price;shares;tax;fee;type;broker;isin"],
                { index, random in
                    let (price, units) = (1 + random.below(90), 1 + random.below(9))
                    let type = ["Buy", "Sell", "Dividend", "TransferIn"][random.below(4)]
                    let tax = random.oneIn(3) ? "0" : "\(random.below(9)),5"
                    let fee = random.oneIn(3) ? "" : "\(random.below(3)),25"
                    let isin = random.oneIn(2) ? "DE000TESTA08" : "US00TESTC003"
                    return ["2022-01-\(10 + index % 9);;\(price),5;\(units);\(tax);\(fee);\(type);Bank;\(isin)"]
                }, 300
            ),
            (
                "U1000001_20201207.csv",
                [
                    "Statement,Header,Field Name,Field Value", "Statement,Data,Title,Activity Statement",
                    "Account Information,Header,Field Name,Field Value", "Account Information,Data,Account,U1000001",
                    "Account Information,Data,Base Currency,USD",
                    "Financial Instrument Information,Header,Asset Category,Symbol,Description,Conid,Security ID,"
                        + "Underlying,Listing Exch,Multiplier,Type,Code",
                    "Financial Instrument Information,Data,Stocks,ELMT,ELM TREES,1,US0003334440,,NYSE,1,COMMON,",
                    ibkrTrades,
                ],
                { index, random in
                    let (units, price) = (1 + random.below(9), 1 + random.below(90))
                    let symbol = random.oneIn(2) ? "OAKL" : "ELMT"
                    let trade =
                        "Trades,Data,Order,Stocks,USD,\(symbol),\"2020-12-07, 10:00:00\",\(units),\(price),\(price),"
                        + "-\(units * price),-1,\(units * price + 1),0,10,O"
                    switch random.below(40) {
                    case 0:
                        // The same columns in another order, until the header comes again.
                        return [
                            "Trades,Header,DataDiscriminator,Asset Category,Currency,Date/Time,Symbol,Quantity,"
                                + "T. Price,C. Price,Proceeds,Comm/Fee,Basis,Realized P/L,MTM P/L,Code",
                            "Trades,Data,Order,Stocks,USD,\"2020-12-07, 10:00:00\",\(symbol),1,2,2,-2,-1,3,0,10,O",
                            trade, ibkrTrades, trade,
                        ]
                    case 1:
                        return [
                            "Dividends,Header,Currency,Date,Description,Amount",
                            "Dividends,Data,USD,2020-12-0\(1 + index % 7),OAKL(US0000000002) Cash Dividend,\(price)",
                        ]
                    case 2: return [ibkrTrades]
                    case 3: return ["Trades,SubTotal,,Stocks,USD,\(symbol),,\(units),,,-\(price),-1,1,0,10,"]
                    case 4:
                        return [
                            "Trades,Data,Order,Forex,USD,EUR.USD,\"2020-12-07, 10:01:00\",\(units),1.21,,-\(price),-2,,,,"
                        ]
                    default: return [trade]
                    }
                }, 300
            ),
            (
                "Depotbestand_Kompakt.csv",
                [
                    "Depotbestand - Kompakt", "Depotnummer;00000000042", "",
                    "Bezeichnung;ISIN/WKN;Stück/Nominalwert;;Marktkurs;;Marktwert;;Gewinn/Verlust in %;;"
                        + "Gewinn/Verlust absolut;;G/V in % (Heute);;G/V absolut (Heute);",
                ],
                { index, random in
                    let units = 1 + random.below(90)
                    let row =
                        "Donaukraft AG;AT0000743059;\(units);Stk.;40,0000;EUR;\(units * 40),00;€;-2,44;%;-50,00;€;"
                        + "+0,00;%;-;€"
                    // Now and then the cells at the end are missing, or one too many is there.
                    switch random.below(20) {
                    case 0: return [String(row.dropLast(2))]
                    case 1: return [row + ";"]
                    case 2: return [row + ";1"]
                    default: return [row]
                    }
                }, 300
            ),
        ]

    private static let ibkrTrades =
        "Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,"
        + "Comm/Fee,Basis,Realized P/L,MTM P/L,Code"

    @Test(arguments: files.indices, RunOptions.Columns.allCases)
    func roadsAgree(_ place: Int, _ columns: RunOptions.Columns) throws {
        let file = Self.files[place]
        var random = SplitMix64(seed: UInt64(place + 7))
        for round in 0..<2 * Sample.effort {
            let inputs = (0...round % 2).map { number in
                var lines = file.opening
                for index in 0..<500 { lines += file.row(index, &random) }
                let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
                return MemoryInput(name: number == 0 ? file.name : "\(number) \(file.name)", bytes: bytes)
            }
            let short = try ShortRoad.outputs(inputs, isShort: true) { $0.columns = columns }
            let long = try ShortRoad.outputs(inputs, isShort: false) { $0.columns = columns }
            let ruled = try ShortRoad.outputs(inputs, isShort: false) {
                $0.columns = columns
                $0.readsByRules = true
            }
            // What another table gives is shared by no inputs: of several, such rows go by records.
            #expect(short.prepared > (inputs.count == 1 ? file.prepared : 0), "\(file.name): \(short.prepared)")
            #expect(ruled.prepared == 0)
            #expect(long.prepared == 0)
            for (name, bytes) in ruled.files {
                #expect(short.files[name] == bytes, "\(file.name), round \(round): \(name)")
                #expect(long.files[name] == bytes, "\(file.name), round \(round): \(name), by records")
            }
        }
    }
}

extension SplitMix64 {
    fileprivate mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    fileprivate mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
