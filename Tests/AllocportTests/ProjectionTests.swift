import Allocport
import Importing
import TestSupport
import Testing

/// Section 8 of the design: one record in, its rows out.
@Suite struct ProjectionTests {
    static let cases: [(record: String, rows: [String])] = [
        ("kind=buy symbol=VTI units=10 price=5.5 amount=-55", ["buysell|VTI||10|5.5||"]),
        ("kind=buy symbol=VTI units=-10 price=5.5", ["buysell|VTI||10|5.5||"]),
        ("kind=sell symbol=VTI units=10 price=5.5 amount=55", ["buysell|VTI||-10|5.5||"]),
        ("kind=sellShort symbol=VTI units=10 price=5", ["buysell|VTI||-10|5||"]),
        ("kind=buyToCover symbol=VTI units=-10 price=5", ["buysell|VTI||10|5||"]),
        ("kind=buy reverse=1 symbol=VTI units=10 price=5 amount=50", ["buysell|VTI||-10|5||"]),
        ("kind=sell reverse=1 symbol=VTI units=10 price=5 amount=-50", ["buysell|VTI||10|5||"]),
        ("kind=buy cusip=037833100 units=1 price=5", ["buysell|037833100||1|5||"]),
        ("kind=trade symbol=VTI units=-3 price=2 amount=6", ["buysell|VTI||-3|2||"]),
        ("kind=buy symbol=BOND units=10000 unit=percentOfPar price=98.5 amount=-9850", ["buysell|BOND||10000|0.985||"]),
        ("kind=buyToOpen symbol=OPT units=2 unit=contract price=1.5 amount=-300", ["buysell|OPT||2|150||"]),
        ("kind=buyToOpen symbol=OPT units=2 unit=contract multiplier=10 price=1.5", ["buysell|OPT||2|15||"]),
        ("kind=buyToOpen symbol=OPT units=2 unit=contract price=-1.5 amount=300", ["buysell|OPT||2|-150||"]),
        ("kind=buy symbol=VOD currency=GBX units=4 unit=minor price=250", ["buysell|VOD||4|2.5||"]),
        // No price: the amount before costs ÷ units.
        ("kind=buy symbol=VTI units=8 amount=-105 commission=5", ["buysell|VTI||8|12.5||"]),
        ("kind=sell symbol=VTI units=8 amount=95 fees=5", ["buysell|VTI||-8|12.5||"]),
        ("kind=buy symbol=VTI units=3 amount=-10", ["buysell|VTI||3|3.333333333333||"]),
        ("kind=buy outside=1 symbol=VTI units=8 amount=-100 commission=5", ["buysell|VTI||8|12.5||"]),
        // Also of a purchase whose amount is printed without a sign; what a small sale costs may exceed its proceeds.
        ("kind=trade symbol=VTI units=8 amount=105 commission=5", ["buysell|VTI||8|12.5||"]),
        ("kind=buy symbol=BOND units=100 amount=103 accrued=3", ["buysell|BOND||100|1||"]),
        ("kind=sell symbol=VTI units=8 amount=-3 fees=5", ["buysell|VTI||-8|0.25||"]),
        ("kind=buy reverse=1 symbol=VTI units=8 amount=105 commission=-5", ["buysell|VTI||-8|12.5||"]),
        // What was paid for accrued interest is no price, whichever way the bond goes.
        ("kind=buy symbol=BOND units=100 amount=-103 accrued=3", ["buysell|BOND||100|1||"]),
        ("kind=sell symbol=BOND units=100 amount=103 accrued=3", ["buysell|BOND||-100|1||"]),
        ("kind=reinvestedIncome symbol=VTI units=2 price=10", ["income|VTI||20|1||", "buysell|VTI||2|10||"]),
        ("kind=reinvestedIncome symbol=VTI units=4 amount=-10", ["income|VTI||10|1||", "buysell|VTI||4|2.5||"]),
        ("kind=reinvestedIncome symbol=VTI units=2 price=10 amount=0", ["income|VTI||20|1||", "buysell|VTI||2|10||"]),
        (
            "kind=reinvestedIncome reverse=1 symbol=VTI units=2 price=10",
            ["income|VTI||-20|1||", "buysell|VTI||-2|10||"]
        ),
        ("kind=expired symbol=OPT units=-2 price=9", ["transfer|OPT||-2|||"]),
        ("kind=expired symbol=OPT units=-2 amount=0", ["transfer|OPT||-2|||"]),
        // What an option is settled for in cash, or what that cost, is cash.
        ("kind=exercised symbol=SPX units=-1 amount=734", ["miscflow|SPX||734|1||", "transfer|SPX||-1|||"]),
        ("kind=assigned symbol=SPX units=1 amount=-734", ["miscflow|SPX||-734|1||", "transfer|SPX||1|||"]),
        ("kind=dividend symbol=VTI amount=1.5", ["income|VTI||1.5|1||"]),
        ("kind=dividend reverse=1 symbol=VTI amount=1.5", ["income|VTI||-1.5|1||"]),
        ("kind=interest amount=0.5", ["income|||0.5|1||"]),
        ("kind=deposit symbol=ACH amount=100", ["transfer|||100|1||"]),
        ("kind=cash amount=-100", ["transfer|||-100|1||"]),
        ("kind=sharesIn symbol=VTI units=5", ["transfer|VTI||5|||"]),
        ("kind=sharesIn symbol=VTI units=5 price=0", ["transfer|VTI||5|||"]),
        ("kind=sharesOut symbol=VTI units=5 price=2", ["transfer|VTI||-5|2||"]),
        ("kind=split symbol=VTI units=5", ["transfer|VTI||5|||"]),
        ("kind=fee amount=-3", ["miscflow|||-3|1||"]),
        ("kind=fee fees=3", ["miscflow|||-3|1||"]),
        ("kind=returnOfCapital symbol=VTI amount=7", ["miscflow|VTI||7|1||"]),
        // What is undone goes the other way, whichever sign the source prints.
        ("kind=fee reverse=1 amount=-3", ["miscflow|||3|1||"]),
        ("kind=tax reverse=1 amount=3", ["miscflow|||3|1||"]),
        ("kind=marginInterest reverse=1 amount=-2", ["miscflow|||2|1||"]),
        ("kind=withdrawal reverse=1 amount=-5", ["transfer|||5|1||"]),
        ("kind=deposit reverse=1 amount=5", ["transfer|||-5|1||"]),
        ("kind=cash reverse=1 amount=-7", ["transfer|||7|1||"]),
        ("kind=closedLot symbol=OPT units=2 unit=contract price=1.5 gainLong=1", ["buysell|OPT||-2|150||1"]),
        (
            "kind=closedLot symbol=VTI lot=L1 units=10 proceeds=125 gainShort=5 gainLong=-2",
            ["buysell|VTI|L1|-10|12.5|5|-2"]
        ),
    ]

    @Test(arguments: cases) func projects(_ record: String, _ expected: [String]) throws {
        let folder = try TemporaryFolder()
        let report = try convert([("a.txt", "# \ntxn account=A1 date=2024-03-01 \(record)\n")], into: folder)
        #expect(report.exitCode == 0)
        let got = shownRows(folder)
        #expect(got == expected)
    }

    /// The rows without date and account, which are equal in all cases.
    private func shownRows(_ folder: TemporaryFolder) -> [String] {
        rows(folder).map { row in
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            #expect(cells[1] == "2024-03-01T00:00:00Z" && cells[2] == "A1")
            return ([cells[0]] + cells[3...]).joined(separator: "|")
        }
    }

    static let rejects: [(record: String, code: String)] = [
        ("kind=buy symbol=VTI price=5", "field.missing"),
        ("kind=buy symbol=VTI units=0 price=5", "value.invalid"),
        ("kind=buy units=1 price=5", "security.missing"),
        ("kind=dividend symbol=VTI", "field.missing"),
        ("kind=buy symbol=VTI units=-10 price=5 amount=50", "sign.contradicts"),
        ("kind=reinvestedIncome symbol=VTI units=-10 price=5", "sign.contradicts"),
        ("kind=sharesIn symbol=VTI units=-10", "sign.contradicts"),
        ("kind=sell symbol=VTI units=-10 price=-5 amount=50", "sign.contradicts"),
        ("kind=reinvestedIncome symbol=VTI units=10 price=-5 amount=50", "sign.contradicts"),
        // Units with no money: what happened is not told.
        ("kind=dividend symbol=VTI units=5 amount=0", "action.unknown"),
        ("kind=dividend symbol=VTI units=5 price=0 amount=0", "action.unknown"),
        ("kind=dividend symbol=VTI units=5 price=12 amount=0.00", "action.unknown"),
        ("kind=interest symbol=VTI units=0.5 price=0.02 amount=0", "action.unknown"),
        ("kind=deposit symbol=VTI units=5 amount=0", "action.unknown"),
        ("kind=cash symbol=VTI units=-5 amount=0 commission=0", "action.unknown"),
        ("kind=fee symbol=VTI units=-0.12 amount=0", "action.unknown"),
        ("kind=tax reverse=1 symbol=VTI units=0.12 amount=0", "action.unknown"),
        ("kind=cashInLieu symbol=VTI units=-0.5 amount=0", "action.unknown"),
        ("kind=dividend amount=1 date=1850-01-01", "date.ancient"),
        // Without an export date a hundred years count from 2026.
        ("kind=dividend amount=1 date=1925-12-31", "date.ancient"),
        ("kind=position symbol=VTI units=5 acquired=1925-12-31", "date.ancient"),
        ("kind=closedLot symbol=VTI units=5 proceeds=9 acquired=1850-01-01", "date.ancient"),
        ("kind=dividend amount=1 currency=dollars", "currency.unknown"),
        // Nobody said what is pence here.
        ("kind=dividend amount=1 currency=GBp", "currency.unknown"),
        ("kind=buy symbol=VOD units=4 price=250 amount=-1000 currency=GBX", "currency.unknown"),
        ("kind=position symbol=VOD units=4 price=250 currency=GBX", "currency.unknown"),
        ("kind=position symbol=VTI", "field.missing"),
        ("kind=position units=5", "security.missing"),
    ]

    @Test(arguments: rejects) func rejected(_ record: String, _ code: String) throws {
        let folder = try TemporaryFolder()
        let report = try convert([("a.txt", "# \ntxn account=A1 date=2024-03-01 \(record)\n")], into: folder)
        #expect(report.rejectsByCode == [code: 1])
        #expect(report.exitCode == 1)
        #expect(rows(folder).isEmpty)
        #expect(folder.text("out/rejects.csv").contains(",2,"))
        #expect(folder.text("out/rejects/a.txt") == "# \ntxn account=A1 date=2024-03-01 \(record)\n")
    }

    static let warnings: [(record: String, codes: [String])] = [
        ("kind=buy symbol=VTI units=10 price=5 amount=-50.01", []),
        ("kind=buy symbol=VTI units=10 price=5 amount=-51", ["amount.mismatch"]),
        ("kind=buy symbol=VTI units=10 price=5 amount=-51 fees=1", []),
        // The price is printed to the cent: half a cent for each of 1000 shares is rounding.
        ("kind=buy symbol=VTI units=1000 price=5.01 amount=-5014.9", []),
        ("kind=buy symbol=VTI units=1000 price=5.01 amount=-5016", ["amount.mismatch"]),
        ("kind=buy symbol=BOND units=1000 unit=percentOfPar price=99 accrued=3 amount=-993", []),
        ("kind=buy symbol=VTI units=1 price=5 amount=5", ["sign.contradicts"]),
        ("kind=sell symbol=VTI units=1 price=5 amount=-5", ["sign.contradicts"]),
        // So are units that go out when something is bought, unless it is taken back.
        ("kind=buy symbol=VTI units=-10 price=5 amount=-50", ["sign.contradicts"]),
        ("kind=buy symbol=VTI units=-10 price=5", ["sign.contradicts"]),
        ("kind=buy symbol=VTI units=-10 price=5 amount=0", ["sign.contradicts", "amount.mismatch"]),
        ("kind=buyToCover symbol=VTI units=-10 amount=-50", ["sign.contradicts"]),
        ("kind=buyToOpen outside=1 symbol=OPT units=-2 price=5 fees=1 amount=-10", ["sign.contradicts"]),
        ("kind=reinvest symbol=VTI units=-10 price=5 amount=-50", ["sign.contradicts"]),
        ("kind=buy reverse=1 symbol=VTI units=-10 price=5 amount=50", []),
        ("kind=sell symbol=VTI units=-10 price=5 amount=50", []),
        ("kind=sell symbol=VTI units=10 price=5 amount=50", []),
        // Units beside money are those that it was paid for, and so few may be paid less than a hundredth.
        ("kind=dividend symbol=VTI units=5 amount=1", []),
        ("kind=dividend symbol=VTI units=0 amount=0", []),
        ("kind=dividend symbol=VTI units=0.0047 price=0.08 amount=0", []),
        ("kind=dividend symbol=GILT units=0.5 unit=percentOfPar price=1.9 amount=0", []),
        ("kind=dividend symbol=VTI units=5 amount=0 tax=0.4", []),
        ("kind=fee outside=1 symbol=VTI units=5 amount=0 commission=2", []),
        // The units of a trade say which it is; amounts without signs are common.
        ("kind=trade symbol=VTI units=-1 price=5 amount=-5", ["sign.contradicts"]),
        ("kind=trade symbol=VTI units=-1 price=5 amount=5", []),
        ("kind=trade symbol=VTI units=1 price=5 amount=5", []),
        // A small sale may cost more than it brings.
        ("kind=trade symbol=VTI units=-1 price=5 amount=-2 commission=7", []),
        // A price of no decimals is one of two, and units of two are of three.
        ("kind=buy symbol=VTI units=100 price=5 amount=-500.51", []),
        ("kind=buy symbol=VTI units=100 price=5 amount=-500.52", ["amount.mismatch"]),
        ("kind=buy symbol=VTI units=0.5 price=100 amount=-50.06", []),
        ("kind=buy symbol=VTI units=0.5 price=100 amount=-50.07", ["amount.mismatch"]),
        // What is reinvested may leave the costs to the income.
        ("kind=reinvest symbol=VTI units=2 price=10 amount=-25", ["amount.mismatch"]),
        ("kind=reinvest symbol=VTI units=2 price=10 amount=-20 fees=1", []),
        ("kind=reinvestedIncome symbol=VTI units=2 price=10 amount=20 fees=1", []),
        ("kind=reinvestedIncome symbol=VTI units=2 price=10 amount=25 fees=1", ["amount.mismatch"]),
        ("kind=sell outside=1 symbol=VTI units=1 price=1 commission=5 amount=1", []),
        ("kind=buy outside=1 symbol=VTI units=10 price=5 commission=1 amount=-51", ["amount.mismatch"]),
        ("kind=dividend amount=1 date=2024-06-01", ["date.future"]),
        // A day's grace, to its last second; and a hundred years before that of the export, to its first day.
        ("kind=dividend amount=1 date=2024-03-03T00:00:00Z", []),
        ("kind=dividend amount=1 date=2024-03-03T00:00:01Z", ["date.future"]),
        ("kind=dividend amount=1 date=1924-01-01T00:00:00Z", []),
        ("kind=dividend amount=1 isin=US0378331005", []),
        ("kind=dividend amount=1 isin=US0378331006", ["id.checkdigit"]),
        ("kind=dividend amount=1 cusip=037833100", []),
        ("kind=dividend amount=1 cusip=037833109", ["id.checkdigit"]),
        ("kind=dividend amount=1 currency=BTC", ["currency.unknown"]),
    ]

    @Test(arguments: warnings, RunOptions.Fees.allCases)
    func warned(_ warning: (record: String, codes: [String]), _ fees: RunOptions.Fees) throws {
        let (record, codes) = warning
        let folder = try TemporaryFolder()
        let text = "# exported=2024-03-02\ntxn account=A1 date=2024-03-01 \(record)\n"
        let report = try convert([("a.txt", text)], into: folder) { $0.fees = fees }
        #expect(report.exitCode == 0)
        #expect(report.inputs.first?.warnings.map(\.code) == codes)
    }

    /// Of the rows of one event one alone has its costs, so that a sum over rows is right; a lot has what it brought.
    @Test(arguments: [
        ("kind=reinvestedIncome symbol=VTI units=2 price=10 fees=1", "fees", ["1", ""]),
        ("kind=reinvestedIncome symbol=VTI units=2 price=10 commission=1", "commission", ["1", ""]),
        ("kind=closedLot symbol=VTI units=2 proceeds=25 gainLong=1", "amount", ["25"]),
    ]) func sumsOverRowsAreRight(_ record: String, _ column: String, _ wanted: [String]) throws {
        let folder = try TemporaryFolder()
        let text = "# \ntxn account=A1 date=2024-03-01 \(record)\n"
        _ = try convert([("a.txt", text)], into: folder) { $0.columns = .extended }
        let table = Table(try #require(folder.bytes("out/openalloc.transaction.csv")))
        #expect(table[column].sorted() == wanted.sorted())
    }

    @Test func feesBecomeRows() throws {
        let folder = try TemporaryFolder()
        let text = "# \ntxn kind=buy account=A1 date=2024-03-01 symbol=VTI units=10 price=5 amount=-52 fees=1.5\n"
        _ = try convert([("a.txt", text)], into: folder) { $0.fees = .miscflow }
        #expect(
            rows(folder) == [
                "buysell,2024-03-01T00:00:00Z,A1,VTI,,10,5,,", "miscflow,2024-03-01T00:00:00Z,A1,VTI,,-1.5,1,,",
                "miscflow,2024-03-01T00:00:00Z,A1,VTI,,-0.5,1,,",
            ])
    }

    /// What a derived price leaves by rounding is no cash.
    @Test func roundingIsNoRow() throws {
        let folder = try TemporaryFolder()
        let text = "# \ntxn kind=buy account=A1 date=2024-03-01 symbol=VTI units=3 amount=-10\n"
        _ = try convert([("a.txt", text)], into: folder) { $0.fees = .miscflow }
        #expect(rows(folder) == ["buysell,2024-03-01T00:00:00Z,A1,VTI,,3,3.333333333333,,"])
    }

    /// What was withheld beside the amount of an income is a row, what is inside the amount is none.
    @Test(arguments: [("outside=1", ["10", "-1.5"]), ("", ["10"])])
    func costsBesideIncomeBecomeRows(_ costs: String, _ units: [String]) throws {
        let folder = try TemporaryFolder()
        let text = "# \ntxn kind=dividend account=A1 date=2024-03-01 symbol=VTI amount=10 tax=1.5 \(costs)\n"
        _ = try convert([("a.txt", text)], into: folder) { $0.fees = .miscflow }
        #expect(
            rows(folder).map { String($0.split(separator: ",", omittingEmptySubsequences: false)[5]) } == units)
    }

    /// A source that prints no signs means the cash effect; costs may turn that of a small sale round.
    @Test(arguments: [
        ("kind=buy units=10 price=5 amount=50", "-50"), ("kind=sell units=10 price=5 amount=-50", "50"),
        ("kind=sell units=1 price=1 commission=5 amount=1", "1"),
        ("kind=sell units=1 price=1 commission=5 amount=-4", "-4"),
        // What is said beside the amount comes out of it.
        ("kind=buy outside=1 units=10 price=5 commission=1.5 amount=50", "-51.5"),
        ("kind=buy outside=1 units=10 price=5 commission=1.5 tax=0.5 amount=-50", "-52"),
        ("kind=sell outside=1 units=10 price=5 fees=2 amount=50", "48"),
        ("kind=sell outside=1 units=1 price=1 commission=5 amount=1", "-4"),
        ("kind=dividend outside=1 amount=10 tax=1.5", "8.5"), ("kind=dividend amount=10 tax=1.5", "10"),
        ("kind=fee outside=1 commission=2", "-2"), ("kind=sharesOut outside=1 units=-1 commission=0.75", "-0.75"),
    ]) func amountsAreCashEffects(_ record: String, _ amount: String) throws {
        let folder = try TemporaryFolder()
        let text = "# \ntxn account=A1 date=2024-03-01 symbol=VTI \(record)\n"
        _ = try convert([("a.txt", text)], into: folder) { $0.columns = .extended }
        let header = try #require(folder.text("out/openalloc.transaction.csv").split(separator: "\n").first)
        let place = try #require(header.split(separator: ",").firstIndex(of: "amount"))
        let cells = rows(folder).map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(cells.map { String($0[place]) } == [amount])
    }

    /// A code that may be a coin's is told once, however often it comes by turns with others.
    @Test func unknownCodesAreToldOnce() throws {
        let folder = try TemporaryFolder()
        let lines = ["BTC", "ETH", "BTC", "USD", "ETH"].map {
            "txn kind=dividend account=A1 date=2024-03-01 amount=1 currency=\($0)\n"
        }
        let report = try convert([("a.txt", "# \n" + lines.joined())], into: folder)
        #expect(report.inputs[0].warnings.map(\.code) == ["currency.unknown", "currency.unknown"])
        #expect(report.inputs[0].warnings.map(\.value) == ["BTC", "ETH"])
    }

    @Test func unitsOfALineStandOrFallTogether() throws {
        let folder = try TemporaryFolder()
        let text = "# \npair kind=dividend account=A1 date=2024-03-01 amount=5\n"
        let report = try convert([("a.txt", text)], into: folder)
        #expect(report.rejectsByCode == ["account.missing": 1])
        #expect(rows(folder).isEmpty && report.isBalanced)
    }
}
