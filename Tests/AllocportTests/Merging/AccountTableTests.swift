import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Accounts that several inputs name.
@Suite struct AccountTableTests {
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
