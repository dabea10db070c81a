import Allocport
import Importing
import TestSupport
import Testing

/// Identifiers that a spreadsheet has rounded.
@Suite struct RoundedNumberTests {
    @Test(arguments: ["1.23457E+11", "\"1,23457E+11\"", "1.2e+10", "1E+10", "1.23E+112"])
    func isSaid(_ account: String) throws {
        #expect(try Self.warnings([account, account, "A1"]) == [account.filter { $0 != "\"" }])
    }

    @Test(arguments: [
        "123457000000", "1.23457E11", "1.23457E+1", "E+10", "1.E+10", "12.3E+10", "1.2E+1000", "AE+10", "1.2.3E+10",
    ])
    func isNone(_ account: String) throws { #expect(try Self.warnings([account]) == []) }

    /// Also of rows like many before, and of each input.
    @Test(arguments: [1, 2, 3], [1, 2]) func isSaidOnceAnInput(_ inputs: Int, _ jobs: Int) throws {
        let many = (0..<6000).map { $0 % 7 == 5 ? "1.5E+10" : $0 % 1100 == 1099 ? "2.5E+10" : "A\($0 % 5)" }
        #expect(try Self.warnings(many, inputs: inputs, jobs: jobs) == ["1.5E+10", "2.5E+10"])
    }

    @Test func isSaidOfPositionsAndSavedTables() throws {
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        let positions = (0..<500).map { "A\($0 % 3),Mine,S\($0),A SECURITY,\($0 + 1),$2.00,$\(2 * ($0 + 1)).00\n" }
        found.inputs = [
            MemoryInput(
                name: "Portfolio_Positions.csv",
                bytes: Array(
                    ("Account Number,Account Name,Symbol,Description,Quantity,Last Price,Current Value\n"
                        + positions.joined() + "1.5E+10,Mine,VTI,A FUND,1,$2.00,$2.00\n").utf8)),
            MemoryInput(
                name: "saved.csv",
                bytes: Array(
                    ("holdingAccountID,holdingSecurityID,holdingLotID,shareCount,shareBasis,acquiredAt\n"
                        + "1.5E+10,1.4E+09,,1,2,\n").utf8)),
        ]
        let report = try Run(options: RunOptions(outputFolder: folder.path + "/out"), catalog: BuiltIn.registry())
            .convert(found)
        let values = report.inputs.map { $0.warnings.filter { $0.code == "id.rounded" }.map(\.value).sorted() }
        #expect(values.sorted { $0.count < $1.count } == [["1.5E+10"], ["1.4E+09", "1.5E+10"]])
        #expect(report.rejectsByCode.isEmpty)
    }

    private static let header =
        "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),"
        + "Accrued Interest ($),Amount ($),Settlement Date\n"

    /// The values that inputs are warned of, which are the same of each.
    private static func warnings(_ accounts: [String], inputs: Int = 1, jobs: Int = 1) throws -> [String] {
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        for input in 0..<inputs {
            let rows = accounts.enumerated().map { place, account in
                "01/0\(input + 1)/2024,Mine,\(account),YOU BOUGHT ACME INDUSTRIES INC (ACME) (Cash),ACME,ACME INC,Cash,"
                    + "\(place + 1),10.00,,,,-\(10 * (place + 1)).00,01/09/2024\n"
            }
            found.inputs.append(
                MemoryInput(name: "\(input).csv", bytes: Array((header + rows.joined()).utf8)))
        }
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.jobs = jobs
        let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
        #expect(report.isBalanced && report.rejectsByCode.isEmpty)
        #expect(
            folder.text("out/openalloc.transaction.csv").split(separator: "\n").count == inputs * accounts.count + 1)
        let values = report.inputs.map { $0.warnings.filter { $0.code == "id.rounded" }.map(\.value).sorted() }
        #expect(Set(values).count == 1)
        return values[0]
    }
}
