import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Accounts that several inputs name.
@Suite struct AccountTableTests {
    /// Cash in several currencies contradicts nothing, within a list and between two.
    @Test func cashOfSeveralCurrencies() throws {
        let header = "Symbol,Quantity,Average Cost,Currency,Account\n"
        let got = try convertBuiltIn([
            ("a.csv", Array((header + "CORE,100,1,USD,A1\nNWTM,10,45.5,USD,A1\n").utf8)),
            ("b.csv", Array((header + "CORE,70,1,EUR,B1\nCORE,50,1,GBP,B1\nNWTM,3,41.5,EUR,B1\n").utf8)),
        ])
        let codes = ["reference.conflict", "key.duplicate"]
        let told = got.report.inputs.flatMap { $0.warnings.filter { codes.contains($0.code) } }
        // The security that is traded in two currencies is told all the same.
        #expect(told.count == 1 && got.report.tables.first { $0.schema == .holding }?.rows == 5, "\(told)")
    }

    /// openalloc's own table has a column beyond those that importers fill, and may come before or after them.
    @Test func widerRowsMerge() throws {
        let table = "accountID,title,isTaxable,isActive\nX1,Mine,,true\n"
        let export =
            "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
            + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"
            + "01/12/2024,Roth,X1,YOU BOUGHT ACME (ACME),ACME,ACME,Cash,1,10.00,,,,-10.00,01/16/2024\n"
        var inputs: [any InputSource] = []
        // Inputs are read in the order of their hashes: one of these comes before the export, one after it.
        for count in 0..<8 {
            let bytes = Array((table + String(repeating: "X2,,,false\n", count: count)).utf8)
            inputs.append(MemoryInput(name: "account\(count).csv", bytes: bytes))
        }
        inputs.append(MemoryInput(name: "Accounts_History.csv", bytes: Array(export.utf8)))
        for jobs in [1, 2] {
            let folder = try TemporaryFolder()
            var options = RunOptions(outputFolder: folder.path + "/out")
            options.jobs = jobs
            var found = FoundInputs()
            found.inputs = inputs
            let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
            #expect(report.isBalanced)
            let text = folder.text("out/openalloc.account.csv")
            let row = text.split(separator: "\n").first { $0.hasPrefix("X1,") }
            #expect(row?.hasSuffix(",true") == true, "\(text)")
        }
    }
}
