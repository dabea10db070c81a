import Foundation
import TestSupport
import Testing

/// Definitions that are shown, and adapted to columns of new names.
struct AdaptTests {
    /// The same history after its brokerage has renamed a column.
    private static let renamed = Fixture.history.replacing("Symbol,", with: "Ticker Symbol,")

    @Test func aDefinitionIsShownAsItStands() throws {
        let shown = try BuiltProgram.run(["importer", "show", "fidelity.history"])
        #expect(shown.code == 0)
        #expect(shown.standardOutput == (try Repository.text("Importers/fidelity/history.yaml")))
        #expect(try BuiltProgram.run(["importer", "show", "fido_history"]).standardOutput == shown.standardOutput)
        let folder = try TemporaryFolder()
        let own = Fixture.definition.replacing("acme.history", with: "fidelity.history")
        try folder.write("mine/own.yaml", own)
        let arguments = ["importer", "show", "fidelity.history", "--importers", "mine"]
        #expect(try BuiltProgram.run(arguments, folder: folder.path).standardOutput == own)
    }

    @Test(arguments: [
        ("fidelity.histroy", "did you mean ‘fidelity.history’?"), ("openalloc.tabular", "has no definition"),
    ]) func whatIsNoneIsNotShown(_ id: String, _ words: String) throws {
        let result = try BuiltProgram.run(["importer", "show", id])
        #expect(result.code == 64 && result.standardError.contains(words), "\(result.standardError)")
    }

    /// From the complaint to the tables by the commands that are named on the way.
    @Test func aRenamedColumnIsReadAgain() throws {
        let folder = try TemporaryFolder()
        let path = "in/\(Fixture.historyName)"
        try folder.write(path, Self.renamed)
        try folder.write("before/\(Fixture.historyName)", Fixture.history)
        try folder.makeFolder("mine")
        let unknown = try BuiltProgram.run(["convert", "in", "-n"], folder: folder.path)
        #expect(unknown.code == 3 && unknown.standardError.contains("allocport importer adapt"))
        let detected = try BuiltProgram.run(["detect", path], folder: folder.path)
        #expect(detected.standardOutput.contains("(allocport importer adapt \(path) -o DEFINITION.yaml):"))
        let adapt = ["importer", "adapt", path, "-o", "mine/f.yaml"]
        let adapted = try BuiltProgram.run(adapt, folder: folder.path)
        #expect(adapted.code == 0, "\(adapted.standardError)")
        #expect(adapted.standardError.contains("  columns.symbol: add \"Ticker Symbol\"\n"))
        #expect(adapted.standardError.contains("Read with the copy: 3 lines accepted, 0 rejected."))
        func rows(_ inputs: String) throws -> [Substring] {
            let arguments = ["convert", inputs, "-o", "out", "--columns", "core", "--force", "--importers", "mine"]
            #expect(try BuiltProgram.run(arguments, folder: folder.path).code == 0)
            return folder.text("out/openalloc.transaction.csv").split(separator: "\n")
        }
        #expect(try rows("in") == rows("before"))
        // What is there stays, and the input itself is never written to.
        #expect(try BuiltProgram.run(adapt, folder: folder.path).code == 74)
        let over = ["importer", "adapt", path, "-o", path, "--force"]
        #expect(try BuiltProgram.run(over, folder: folder.path).code == 74)
        #expect(folder.text(path) == Self.renamed)
    }

    /// Where the generic definition reads the file, the warning and the advice are of the brokerage's own.
    @Test func whatAFallbackReadsIsAdaptedFromItsOwn() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "in.csv",
            """
            TransactionDate,TransactionType,SecurityType,Symbol,Quantity,Amount,Price,Trading Commission,Description
            07/10/26,Bought,EQ,RVBK,4,-42,10.5,0,RIVERBANK INC
            07/13/26,Bought,EQ,GRNF,2,-30.5,15.25,0,GREENFIELD CORP

            """)
        let run = try BuiltProgram.run(["convert", "in.csv", "-n"], folder: folder.path)
        #expect(run.standardError.contains("etrade.transactions comes nearest, for which it lacks ‘"))
        let adapted = try BuiltProgram.run(["importer", "adapt", "in.csv"], folder: folder.path)
        #expect(adapted.code == 0 && adapted.standardOutput.contains("\nimporter: etrade.transactions\n"))
        #expect(adapted.standardError.contains("columns.commission: add \"Trading Commission\""))
    }

    @Test func programsGetTheCopyAsJSON() throws {
        let folder = try TemporaryFolder()
        try folder.write(Fixture.historyName, Self.renamed)
        let arguments = ["importer", "adapt", Fixture.historyName, "--json", "--importer", "fido_history"]
        let result = try BuiltProgram.run(arguments, folder: folder.path)
        let object = try #require(try json(result.standardOutput) as? [String: Any])
        #expect(object["id"] as? String == "fidelity.history" && object["accepted"] as? Int == 3)
        #expect(object["added"] as? [String] == ["columns.symbol: add \"Ticker Symbol\""])
        #expect((object["definition"] as? String)?.contains("Ticker Symbol") == true)
    }

    @Test(arguments: [
        (Fixture.history, 3, "there is nothing to adapt"),
        (Fixture.history.replacing(",Commission ($),", with: ",Blobs,"), 3, "importer show fidelity.history"),
        ("Colour,Mood\nred,good\n", 3, "draft a new one"),
        ("", 65, "is empty"),
    ]) func whatCannotBeAdapted(_ text: String, _ code: Int, _ words: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", text)
        let result = try BuiltProgram.run(["importer", "adapt", "in.csv", "-o", "out.yaml"], folder: folder.path)
        #expect(result.code == code && result.standardError.contains(words), "\(result.standardError)")
        #expect(!folder.exists("out.yaml"))
    }
}
