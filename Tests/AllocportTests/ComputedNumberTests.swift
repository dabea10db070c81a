import Delimited
import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Rows whose numbers are worked out, by rules or by the projection, go from cells to bytes, too.
@Suite struct ComputedNumberTests {
    /// Files of a header and rows that add up.
    static let files: [(name: String, header: String, row: @Sendable (Int, inout SplitMix64) -> String)] = [
        (
            "activities.csv", "Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note",
            { index, random in
                let fee = random.oneIn(3) ? "0" : "\(random.below(9)).5"
                return
                    "0\(1 + index % 9)-01-2024,\(random.oneIn(2) ? "VTI" : "VOO"),YAHOO,USD,\(1 + random.below(500)).25,"
                    + "\(1 + random.below(90)),\(["buy", "sell", "dividend", "interest", "fee"][random.below(5)]),\(fee),n"
            }
        ),
        (
            "h.csv",
            "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
                + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date",
            { index, random in
                // No price: it is what the amount comes to.
                let amount = "\(100 + random.below(900)).\(10 + random.below(90))"
                let costs = random.oneIn(2) ? ",,," : "\(random.below(5)).10,0.02,,"
                let isSale = random.oneIn(2)
                return
                    "01/0\(1 + index % 9)/2024,IRA,X1,\(isSale ? "YOU SOLD" : "YOU BOUGHT") ACME (ACME),ACME,ACME,Cash,"
                    + "\(isSale ? "-" : "")\(1 + random.below(40)),,\(costs)\(isSale ? "" : "-")\(amount),01/09/2024"
            }
        ),
        (
            "x_Transactions_20240201-000000.csv", "Date,Action,Symbol,Description,Quantity,Price,Fees & Comm,Amount",
            { index, random in
                let (units, cents) = (1 + random.below(9), 1 + random.below(90))
                let amount = "\(units * cents).00"
                return random.oneIn(2)
                    ? "01/0\(1 + index % 9)/2024,Sell to Open,ACME 01/16/2026 50.00 C,CALL ACME,\(units),$0.\(cents < 10 ? "0" : "")\(cents),,$\(amount)"
                    : "01/0\(1 + index % 9)/2024,Buy,ACME,ACME INC,\(units),$\(cents).00,,-$\(amount)"
            }
        ),
        (
            "m.csv",
            "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
                + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date",
            { index, random in
                // Most amounts do not add up: after a hundred warnings they are only counted.
                let (units, price) = (1 + random.below(40), 1 + random.below(90))
                let amount = units * price + (random.oneIn(4) ? 0 : random.below(50))
                let costs = random.oneIn(2) ? ",,," : "1.00,,,"
                return
                    "01/0\(1 + index % 9)/2024,IRA,X1,YOU BOUGHT ACME (ACME),ACME,ACME,Cash,"
                    + "\(units),\(price).00,\(costs)-\(amount).00,01/09/2024"
            }
        ),
        (
            "Transactions.csv",
            "Client ID,Trade Date,Value Date,Type,Instrument,Instrument ISIN,Instrument currency,Exchange Description,"
                + "Instrument Symbol,Event,Amount,Order ID,Conversion Rate",
            { index, random in
                // Only of rows whose rate is 1 the currency is known.
                let day = "\(10 + index % 9)-Dec-2024"
                let rate = index < 20 || !random.oneIn(5) ? "1" : "\(2 + random.below(500))"
                return
                    ",\(day),\(day),Corporate action,Harbour World ETF,IE0000000012,EUR,Euronext Amsterdam,HBRW:xams,"
                    + "Dividend,\(1 + random.below(90)).75,,\(rate)"
            }
        ),
        (
            "Realized_Gain_Loss_Account_X71000001.csv",
            "Symbol(CUSIP),Security Description,Quantity,Date Acquired,Date Sold,Proceeds,Cost Basis,"
                + "Short Term Gain/Loss,Long Term Gain/Loss",
            { index, random in
                // Now and then a lot that is over a hundred years old.
                let year = random.oneIn(30) ? 1901 : 2010 + random.below(9)
                let gain = "$\(1 + random.below(90)).50"
                return
                    "NWTM(111111118),NORTHWIND,\(1 + random.below(9)).5,02/03/\(year),06/1\(index % 9)/2021,"
                    + "$\(100 + random.below(900)).00,$\(50 + random.below(50)).00,"
                    + (random.oneIn(2) ? "\(gain),--" : "--,\(gain)")
            }
        ),
        (
            "from_2020-03-01_to_2021-02-28_MTYx.csv",
            "Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,"
                + "Result (GBP),Total (GBP),Withholding tax,Currency (Withholding tax),Charge amount (GBP),"
                + "Transaction fee (GBP),Finra fee,Currency (Finra fee),Notes,ID",
            { index, random in
                // A price in another currency, and the rate that makes it one in the row's.
                "Market buy,2020-03-0\(1 + index % 9) 10:00:00,US0000000002,ACME,Acme,\(1 + random.below(9)).5,"
                    + "\(10 + random.below(90)).25,USD,1.\(10 + random.below(40)),,\(100 + random.below(90)).10,,,,,,,,EOF\(index)"
            }
        ),
    ]

    @Test(arguments: files.indices, RunOptions.Columns.allCases)
    func agreeWithTheProjection(_ file: Int, _ columns: RunOptions.Columns) throws {
        let (name, header, row) = Self.files[file]
        var random = SplitMix64(seed: UInt64(file))
        var text = header + "\n"
        for index in 0..<600 {
            var line = row(index, &random)
            // Now and then something odd.
            if random.oneIn(20) {
                line = line.replacing(",1", with: [",-1", ",0", ",", ",9"][random.below(4)], maxReplacements: 1)
            }
            text += line + "\n"
        }
        let bytes = Array(text.utf8)
        let change: (inout RunOptions) -> Void = { $0.columns = columns }
        let short = try PreparedClassTests.outputs([(name, bytes)], isShort: true, change)
        let long = try PreparedClassTests.outputs([(name, bytes)], isShort: false, change)
        #expect(long.prepared == 0)
        #expect(short.prepared > 300)
        for (name, file) in long.files { #expect(short.files[name] == file, "\(name)") }
    }
}

extension SplitMix64 {
    fileprivate mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    fileprivate mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
