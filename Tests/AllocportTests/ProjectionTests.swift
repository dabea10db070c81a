import Allocport
import Importing
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
        ("kind=trade symbol=VTI units=-3 price=2 amount=6", ["buysell|VTI||-3|2||"]),
        ("kind=buy symbol=BOND units=10000 unit=percentOfPar price=98.5 amount=-9850", ["buysell|BOND||10000|0.985||"]),
        ("kind=buyToOpen symbol=OPT units=2 unit=contract price=1.5 amount=-300", ["buysell|OPT||2|150||"]),
        ("kind=buyToOpen symbol=OPT units=2 unit=contract multiplier=10 price=1.5", ["buysell|OPT||2|15||"]),
        ("kind=buy symbol=VOD currency=GBX units=4 unit=minor price=250", ["buysell|VOD||4|2.5||"]),
        // No price: the amount before costs ÷ units.
        ("kind=buy symbol=VTI units=8 amount=-105 commission=5", ["buysell|VTI||8|12.5||"]),
        ("kind=sell symbol=VTI units=8 amount=95 fees=5", ["buysell|VTI||-8|12.5||"]),
        ("kind=buy symbol=VTI units=3 amount=-10", ["buysell|VTI||3|3.333333333333||"]),
        ("kind=buy outside=1 symbol=VTI units=8 amount=-100 commission=5", ["buysell|VTI||8|12.5||"]),
        ("kind=reinvestedIncome symbol=VTI units=2 price=10", ["income|VTI||20|1||", "buysell|VTI||2|10||"]),
        ("kind=reinvestedIncome symbol=VTI units=4 amount=-10", ["income|VTI||10|1||", "buysell|VTI||4|2.5||"]),
        ("kind=expired symbol=OPT units=-2 price=9", ["transfer|OPT||-2|||"]),
        ("kind=dividend symbol=VTI amount=1.5", ["income|VTI||1.5|1||"]),
        ("kind=dividend reverse=1 symbol=VTI amount=1.5", ["income|VTI||-1.5|1||"]),
        ("kind=interest amount=0.5", ["income|||0.5|1||"]),
        ("kind=deposit symbol=ACH amount=100", ["transfer|||100|1||"]),
        ("kind=cash amount=-100", ["transfer|||-100|1||"]),
        ("kind=sharesIn symbol=VTI units=5", ["transfer|VTI||5|||"]),
        ("kind=sharesOut symbol=VTI units=5 price=2", ["transfer|VTI||-5|2||"]),
        ("kind=split symbol=VTI units=5", ["transfer|VTI||5|||"]),
        ("kind=fee amount=-3", ["miscflow|||-3|1||"]),
        ("kind=fee fees=3", ["miscflow|||-3|1||"]),
        ("kind=returnOfCapital symbol=VTI amount=7", ["miscflow|VTI||7|1||"]),
        (
            "kind=closedLot symbol=VTI lot=L1 units=10 proceeds=125 gainShort=5 gainLong=-2",
            ["buysell|VTI|L1|-10|12.5|5|-2"]
        ),
    ]

    @Test(arguments: cases) func projects(_ record: String, _ expected: [String]) throws {
        let folder = Folder()
        let report = try convert([("a.txt", "# \ntxn account=A1 date=2024-03-01 \(record)\n")], into: folder)
        #expect(report.exitCode == 0)
        let got = shownRows(folder)
        #expect(got == expected)
    }

    /// The rows without date and account, which are equal in all cases.
    private func shownRows(_ folder: Folder) -> [String] {
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
        ("kind=sharesIn symbol=VTI units=-10", "sign.contradicts"),
        ("kind=dividend amount=1 date=1850-01-01", "date.ancient"),
        ("kind=dividend amount=1 currency=dollars", "currency.unknown"),
        ("kind=position symbol=VTI", "field.missing"),
        ("kind=position units=5", "security.missing"),
    ]

    @Test(arguments: rejects) func rejected(_ record: String, _ code: String) throws {
        let folder = Folder()
        let report = try convert([("a.txt", "# \ntxn account=A1 date=2024-03-01 \(record)\n")], into: folder)
        #expect(report.rejectsByCode == [code: 1])
        #expect(report.exitCode == 1)
        #expect(rows(folder).isEmpty)
        #expect(folder.text("out/rejects.csv")?.contains(",2,") == true)
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
        ("kind=buy symbol=VTI units=1 price=5 amount=5", []),
        ("kind=dividend amount=1 date=2024-06-01", ["date.future"]),
        ("kind=dividend amount=1 isin=US0378331005", []),
        ("kind=dividend amount=1 isin=US0378331006", ["id.checkdigit"]),
        ("kind=dividend amount=1 cusip=037833100", []),
        ("kind=dividend amount=1 cusip=037833109", ["id.checkdigit"]),
        ("kind=dividend amount=1 currency=BTC", ["currency.unknown"]),
    ]

    @Test(arguments: warnings) func warned(_ record: String, _ codes: [String]) throws {
        let folder = Folder()
        let text = "# exported=2024-03-02\ntxn account=A1 date=2024-03-01 \(record)\n"
        let report = try convert([("a.txt", text)], into: folder)
        #expect(report.exitCode == 0)
        #expect(report.inputs.first?.warnings.map(\.code) == codes)
    }

    @Test func feesBecomeRows() throws {
        let folder = Folder()
        let text = "# \ntxn kind=buy account=A1 date=2024-03-01 symbol=VTI units=10 price=5 amount=-52 fees=1.5\n"
        _ = try convert([("a.txt", text)], into: folder) { $0.fees = .miscflow }
        #expect(
            rows(folder) == [
                "buysell,2024-03-01T00:00:00Z,A1,VTI,,10,5,,", "miscflow,2024-03-01T00:00:00Z,A1,VTI,,-1.5,1,,",
                "miscflow,2024-03-01T00:00:00Z,A1,VTI,,-0.5,1,,",
            ])
    }

    @Test func unitsOfALineStandOrFallTogether() throws {
        let folder = Folder()
        let text = "# \npair kind=dividend account=A1 date=2024-03-01 amount=5\n"
        let report = try convert([("a.txt", text)], into: folder)
        #expect(report.rejectsByCode == ["account.missing": 1])
        #expect(rows(folder).isEmpty && report.isBalanced)
    }
}
