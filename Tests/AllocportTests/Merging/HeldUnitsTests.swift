import Allocport
import Importing
import Testing

/// `position.negative`: more was sold than the run knows to have been held.
@Suite struct HeldUnitsTests {
    static func positions(_ day: String, _ units: Int, account: String = "X63000001") -> (String, String) {
        let row = "\(account),Mine,NWTM,NORTHWIND,\(units),$5.00,,$50.00,,,,,50%,$40.00,$4.00,Cash"
        return ("Portfolio_Positions_\(day).csv", Exports.positionsHeader + "\n" + row + "\n")
    }

    static func history(_ rows: [(day: String, action: String, units: Int)], until day: String) -> (String, String) {
        let lines = rows.map { row in
            "\(row.day)/2025,\(row.action) NORTHWIND (NWTM) (Cash),NWTM,NORTHWIND,Cash,5,\(row.units),,,,"
                + "\(row.units * -5),100,"
        }
        let header =
            "Run Date,Action,Symbol,Description,Type,Price ($),Quantity,Commission ($),Fees ($),Accrued Interest ($),"
            + "Amount ($),Cash Balance ($),Settlement Date"
        let text = "\n\n" + header + "\n" + lines.map { $0 + "\n" }.joined() + "\nDate downloaded \(day)/2025 9:12 am\n"
        return ("History_for_Account_X63000001.csv", text)
    }

    /// A sale of so many units, long after 3 more were bought before the positions.
    static func sold(_ units: String) -> (String, String) {
        let (name, text) = history([("03/20", "YOU SOLD", -14), ("02/01", "YOU BOUGHT", 3)], until: "04/01")
        return (name, text.replacing(",-14,", with: ",-\(units),"))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [(String, String)]
        /// The day of the positions, and how much too much was sold; nil for no warning.
        let warns: String?
        var line = 4
    }

    static let cases = [
        Case(
            testDescription: "more than the opening position",
            files: [
                positions("Mar-01-2025", 10),
                history(
                    [("03/20", "YOU SOLD", -7), ("03/10", "YOU SOLD", -4), ("02/01", "YOU BOUGHT", 3)], until: "04/01"),
            ], warns: "2025-03-01, 1 more"),
        Case(
            testDescription: "the opening position and what was bought since",
            files: [
                positions("Mar-01-2025", 10),
                history(
                    [("03/20", "YOU SOLD", -14), ("03/10", "YOU BOUGHT", 4), ("02/01", "YOU BOUGHT", 3)], until: "04/01"
                ),
            ], warns: nil),
        Case(
            testDescription: "backward from the closing position",
            files: [
                positions("Apr-01-2025", 2),
                history([("03/20", "YOU BOUGHT", 5), ("03/10", "YOU SOLD", -4)], until: "04/01"),
            ], warns: "2025-04-01, 3 more", line: 5),
        Case(
            testDescription: "the history ends before the positions begin",
            files: [
                positions("Apr-10-2025", 2),
                history([("03/20", "YOU BOUGHT", 5), ("03/10", "YOU SOLD", -4)], until: "04/01"),
            ], warns: nil),
        Case(
            testDescription: "what happened between the positions and the history is not known",
            files: [positions("Mar-01-2025", 10), history([("03/20", "YOU SOLD", -14)], until: "04/01")], warns: nil),
        Case(
            testDescription: "another account's positions",
            files: [
                positions("Mar-01-2025", 10, account: "X63000009"),
                history([("03/20", "YOU SOLD", -14), ("02/01", "YOU BOUGHT", 3)], until: "04/01"),
            ], warns: nil),
        Case(
            testDescription: "moves on the day of the positions say nothing",
            files: [
                positions("Mar-01-2025", 10),
                history(
                    [("03/20", "YOU SOLD", -14), ("03/01", "YOU BOUGHT", 3), ("02/01", "YOU BOUGHT", 3)], until: "04/01"
                ),
            ], warns: nil),
        Case(
            testDescription: "sold short on purpose",
            files: [
                positions("Mar-01-2025", 10),
                history([("03/20", "YOU SOLD SHORT SALE", -14), ("02/01", "YOU BOUGHT", 3)], until: "04/01"),
            ], warns: nil),
        Case(
            testDescription: "a hundredth more is rounding",
            files: [positions("Mar-01-2025", 10), sold("10.01")], warns: nil),
        Case(
            testDescription: "two hundredths are not",
            files: [positions("Mar-01-2025", 10), sold("10.02")], warns: "2025-03-01, 0.02 more"),
        Case(
            testDescription: "two histories that meet on a day tell of all days",
            files: [
                positions("Mar-01-2025", 10), history([("02/01", "YOU BOUGHT", 3)], until: "03/05"),
                history([("03/20", "YOU SOLD", -14), ("03/05", "YOU BOUGHT", 1)], until: "04/01"),
            ], warns: "2025-03-01, 3 more"),
        Case(
            testDescription: "nobody knows of the day between two histories",
            files: [
                positions("Mar-01-2025", 10), history([("02/01", "YOU BOUGHT", 3)], until: "03/05"),
                history([("03/20", "YOU SOLD", -14), ("03/06", "YOU BOUGHT", 1)], until: "04/01"),
            ], warns: nil),
        Case(
            testDescription: "no positions", files: [history([("03/20", "YOU SOLD", -14)], until: "04/01")], warns: nil),
    ]

    @Test(arguments: cases) func warnsWhereThePositionIsKnown(_ wanted: Case) throws {
        for files in [wanted.files, wanted.files.reversed()] {
            let got = try convertBuiltIn(files.map { ($0.0, Array($0.1.utf8)) })
            #expect(got.report.exitCode == 0 && got.report.isBalanced)
            let warnings = got.report.inputs.flatMap(\.warnings).filter { $0.code == "position.negative" }
            #expect(warnings.count == (wanted.warns == nil ? 0 : 1))
            if let words = wanted.warns {
                #expect(warnings.first?.message.contains(words) == true, "\(warnings)")
                #expect(warnings.first?.line == wanted.line)
            }
        }
    }

    /// A statement that has both: what was held before its first day follows from its end.
    @Test func anOFXStatementKnowsItsPositions() throws {
        func statement(_ held: Int) -> String {
            investmentStatement(
                account: "77000001", from: "20250301", asOf: "20250401",
                transactions: """
                    <BUYSTOCK><INVBUY><INVTRAN><FITID>1<DTTRADE>20250320120000</INVTRAN>
                    <SECID><UNIQUEID>922908769<UNIQUEIDTYPE>CUSIP</SECID><UNITS>5<UNITPRICE>5<TOTAL>-25
                    <SUBACCTSEC>CASH<SUBACCTFUND>CASH</INVBUY><BUYTYPE>BUY</BUYSTOCK>
                    <SELLSTOCK><INVSELL><INVTRAN><FITID>2<DTTRADE>20250310120000</INVTRAN>
                    <SECID><UNIQUEID>922908769<UNIQUEIDTYPE>CUSIP</SECID><UNITS>-4<UNITPRICE>5<TOTAL>20
                    <SUBACCTSEC>CASH<SUBACCTFUND>CASH</INVSELL><SELLTYPE>SELL</SELLSTOCK>
                    """,
                positions: """
                    <INVPOSLIST><POSSTOCK><INVPOS><SECID><UNIQUEID>922908769<UNIQUEIDTYPE>CUSIP</SECID><HELDINACCT>CASH
                    <POSTYPE>LONG<UNITS>\(held)<UNITPRICE>5<MKTVAL>\(held * 5)<DTPRICEASOF>20250401120000</INVPOS></POSSTOCK>
                    </INVPOSLIST>
                    """)
        }
        for (held, count) in [(2, 1), (5, 0), (9, 0)] {
            let got = try convertBuiltIn("s.ofx", statement(held))
            #expect(got.report.isBalanced && got.transactions.rows.count == 2 && got.holdings.rows.count == 1)
            let warnings = got.firstInput?.warnings.filter { $0.code == "position.negative" } ?? []
            #expect(warnings.count == count, "\(held)")
        }
    }

    /// No sample sells what it does not hold.
    @Test func samplesDoNotWarn() throws {
        let registry = try BuiltIn.registry()
        var inputs: [(name: String, bytes: [UInt8])] = []
        for sample in Sample.all
        where registry.importers.contains(where: { sample.path.contains($0.id.split(separator: ".")[0]) }) {
            inputs.append((sample.name, sample.bytes))
        }
        #expect(inputs.count > 100)
        let got = try convertBuiltIn(inputs)
        let warnings = got.report.inputs.flatMap { input in
            input.warnings.filter { $0.code == "position.negative" }.map { "\(input.name): \($0.message)" }
        }
        #expect(warnings == [])
    }
}
