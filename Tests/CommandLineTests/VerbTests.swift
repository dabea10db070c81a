import Foundation
import TestSupport
import Testing

/// The verbs besides `convert`.
struct VerbTests {
    // MARK: - detect

    @Test func detectTellsDecisionsApart() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.csv", Fixture.holdings)
        try folder.write("b.csv", Fixture.holdings.replacing("acquiredAt", with: "acquiredAt,mood"))
        try folder.write("c.csv", "animal,legs\ncat,4\n")
        try folder.write("d.csv", " \n\n")
        try folder.write("e.png", Bytes.png)
        let names = ["a.csv", "b.csv", "c.csv", "d.csv", "e.png"]
        let result = try BuiltProgram.run(["detect", "--json"] + names, folder: folder.path)
        #expect(result.code == 3)
        let list = try #require(try json(result.standardOutput) as? [[String: Any]])
        #expect(list.map { $0["decision"] as? String } == ["recognised", "drifted", "unknown", "empty", "binary"])
        #expect(list[0]["importer"] as? String == "openalloc.tabular")
        #expect((list[1]["drift"] as? [String])?.contains { $0.contains("mood") } == true)
        let words = try BuiltProgram.run(["detect"] + names, folder: folder.path).standardOutput
        for part in [
            "openalloc table (openalloc.tabular)", "evidence:", "mood", "no importer recognises", "empty", "png",
        ] {
            #expect(words.localizedCaseInsensitiveContains(part), "\(part)")
        }
    }

    /// Programs learn of every input, also of what is not there.
    @Test func detectListsWhatCannotBeRead() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.csv", Fixture.holdings)
        let result = try BuiltProgram.run(["detect", "--json", "a.csv", "gone.csv"], folder: folder.path)
        #expect(result.code == 66 && result.standardError.contains("there is no file or folder ‘gone.csv’"))
        let list = try #require(try json(result.standardOutput) as? [[String: Any]])
        #expect(list.map { $0["name"] as? String } == ["a.csv", "gone.csv"])
        #expect(list.last?["decision"] as? String == "unreadable" && list.last?["importer"] is NSNull)
    }

    @Test func detectNamesWhatTheNearestLacks() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "in.csv", Fixture.history.replacing("Run Date", with: "Mood").replacing("Amount ($)", with: "Colour"))
        let result = try BuiltProgram.run(["detect", "in.csv"], folder: folder.path)
        #expect(result.code == 3)
        #expect(result.standardOutput.contains("near ") && result.standardOutput.contains("but lacks "))
    }

    @Test func detectShowsRecordsWhenAskedFor() throws {
        let folder = try TemporaryFolder()
        try folder.write(Fixture.historyName, Fixture.historyWithRejects)
        let result = try BuiltProgram.run(["detect", "-v", Fixture.historyName], folder: folder.path)
        #expect(result.standardOutput.contains("line 3: buy ") && result.standardOutput.contains("symbol=RVBK"))
        #expect(result.standardOutput.contains("line 4: rejected, number.invalid"))
        #expect(result.standardOutput.contains("rejected 2"))
    }

    @Test func detectNamesAllThatFitEqually() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine/one.yaml", Fixture.definition)
        try folder.write("mine/two.yaml", Fixture.definition.replacing("acme.history", with: "acme.other"))
        try folder.write("in.csv", Fixture.acme)
        let result = try BuiltProgram.run(["detect", "in.csv", "--importers", "mine"], folder: folder.path)
        #expect(result.code == 4)
        #expect(result.standardOutput.contains("acme.history and acme.other"))
        let run = try BuiltProgram.run(["convert", "in.csv", "--importers", "mine", "-o", "out"], folder: folder.path)
        #expect(run.code == 4)
    }

    // MARK: - transform

    static let header = [
        "txnAction", "txnTransactedAt", "txnAccountID", "txnSecurityID", "txnLotID", "txnShareCount", "txnSharePrice",
        "realizedGainShort", "realizedGainLong",
    ].joined(separator: ",")

    @Test func transformWritesTheCoreColumnsAndNothingElse() throws {
        let folder = try TemporaryFolder()
        try folder.write(Fixture.historyName, Fixture.history)
        for importer in [[], ["--importer", "fido_history"], ["--output-schema", "openalloc/transaction"]] {
            let result = try BuiltProgram.run(["transform", Fixture.historyName] + importer, folder: folder.path)
            #expect(result.code == 0 && result.standardError.isEmpty, "\(result.standardError)")
            let lines = result.standardOutput.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first.map(String.init) == Self.header)
            #expect(lines.count == 5 && lines.last?.isEmpty == true)
            #expect(result.standardOutput.contains("\nbuysell,2026-07-10T16:00:00Z,X59000001,RVBK,,4,10.5,,\n"))
        }
    }

    @Test func transformNamesTheChoices() throws {
        let folder = try TemporaryFolder()
        let header =
            "Account Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,Today's Gain/Loss Dollar,Today's Gain/Loss Percent,Total Gain/Loss Dollar,Total Gain/Loss Percent,Percent Of Account,Cost Basis Total,Average Cost Basis,Type\n"
        try folder.write(
            "in.csv",
            header
                + "Z65000002,Individual,GRNF,GREENFIELD CORP,2.5,$16.00,+$0.20,$40.00,+$0.50,+1.27%,+$2.50,+6.67%,50.00%,$37.50,$15.00,Cash\n"
        )
        let result = try BuiltProgram.run(["transform", "in.csv"], folder: folder.path)
        #expect(result.code == 64 && result.standardOutput.isEmpty)
        #expect(result.standardError.contains("openalloc/account, openalloc/holding, openalloc/security"))
        let chosen = try BuiltProgram.run(["transform", "in.csv", "--output-schema", "holding"], folder: folder.path)
        #expect(chosen.code == 0)
        #expect(chosen.standardOutput.contains("Z65000002,GRNF,,2.5,15,"))
    }

    @Test func transformShowsRejectsOnRequest() throws {
        let folder = try TemporaryFolder()
        try folder.write(Fixture.historyName, Fixture.historyWithRejects)
        let short = try BuiltProgram.run(["transform", Fixture.historyName], folder: folder.path)
        #expect(short.code == 1 && short.standardError.contains("2 lines rejected"))
        let long = try BuiltProgram.run(
            ["transform", Fixture.historyName, "--show-rejected-rows"], folder: folder.path)
        #expect(long.standardError.contains("number.invalid") && long.standardError.contains("bad price"))
        #expect(long.standardOutput == short.standardOutput)
    }

    @Test func transformReadsStandardInput() throws {
        let result = try BuiltProgram.run(["transform", "-"], input: Data(Fixture.holdings.utf8))
        #expect(result.code == 0)
        #expect(result.standardOutput.split(separator: "\n").count == 3)
    }

    // MARK: - list, schema

    @Test(arguments: ["importers", "schemas", "formats"]) func listsAsWordsAndAsJSON(_ subject: String) throws {
        let words = try BuiltProgram.run(["list", subject])
        let list = try BuiltProgram.run(["list", subject, "--json"])
        #expect(words.code == 0 && list.code == 0)
        let rows = try #require(try json(list.standardOutput) as? [[String: Any]])
        #expect(words.standardOutput.split(separator: "\n").count == rows.count + 1)
        if subject == "schemas" { #expect(rows.count == 16) }
    }

    @Test func describesSchemas() throws {
        let markdown = try BuiltProgram.run(["schema", "openalloc/transaction"])
        #expect(
            markdown.standardOutput.hasPrefix("# openalloc/transaction")
                && markdown.standardOutput.contains("`txnAction`"))
        let core = try BuiltProgram.run(["schema", "openalloc.transaction", "--columns", "core"])
        #expect(!core.standardOutput.contains("rowID"))
        for option in ["--json", "--table-schema"] {
            _ = try json(try BuiltProgram.run(["schema", "holding", option]).standardOutput)
        }
    }

    // MARK: - definitions of the user's own

    @Test func definitionsOfOnesOwnComeFromFoldersAndWin() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine/acme.yaml", Fixture.definition)
        try folder.write("home/allocport/importers/acme/history.yaml", Fixture.definition)
        try folder.write("in.csv", Fixture.acme)
        for (options, environment) in [
            (["--importers", "mine"], [:]), ([], ["XDG_CONFIG_HOME": folder / "home"]),
        ] as [([String], [String: String])] {
            let arguments = ["convert", "in.csv", "--account", "A1", "-o", "out", "--force"] + options
            let result = try BuiltProgram.run(arguments, environment: environment, folder: folder.path)
            #expect(result.code == 0, "\(result.standardError)")
            #expect(
                folder.text("out/openalloc.transaction.csv").contains("buysell,2026-01-05T17:00:00Z,A1,RVBK,,4,10.5"))
        }
        try folder.write("mine/acme.yaml", Fixture.definition.replacing("acme.history", with: "fidelity.history"))
        let list = try BuiltProgram.run(["list", "importers", "--importers", "mine"], folder: folder.path)
        #expect(
            list.standardOutput.contains("Acme account history")
                && !list.standardOutput.contains("Fidelity account history"))
    }

    @Test func lintNamesThePlace() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine/good.yaml", Fixture.definition)
        try folder.write(
            "mine/bad.yaml", Fixture.definition.replacing("zone: America/New_York", with: "zoen: America/New_York"))
        let result = try BuiltProgram.run(["importer", "lint", "mine"], folder: folder.path)
        #expect(result.code == 78)
        #expect(result.standardError.contains("mine/bad.yaml:5:1: "))
        let list = try BuiltProgram.run(["importer", "lint", "mine", "--json"], folder: folder.path)
        let errors = (try json(list.standardOutput) as? [String: Any])?["errors"] as? [[String: Any]]
        #expect(errors?.first?["line"] as? Int == 5)
        #expect(try BuiltProgram.run(["importer", "lint", "mine/good.yaml"], folder: folder.path).code == 0)
    }

    /// Warnings are told in the form of errors, and are errors where that is asked for.
    @Test func lintMayBeStrict() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine/odd.yaml", Fixture.definition.replacing("on: [action]", with: "on: [acton]"))
        try folder.write("mine/twin.yaml", Fixture.definition)
        let list = try BuiltProgram.run(["importer", "lint", "mine", "--json"], folder: folder.path)
        #expect(list.code == 0)
        let warnings = (try json(list.standardOutput) as? [String: Any])?["warnings"] as? [[String: Any]]
        #expect(warnings?.compactMap { $0["line"] as? Int } == [1, 20], "\(list.standardOutput)")
        #expect((warnings?.last?["suggestion"] as? String) == "did you mean ‘action’?")
        #expect(try BuiltProgram.run(["importer", "lint", "mine", "--strict"], folder: folder.path).code == 78)
        let right = try BuiltProgram.run(["importer", "lint", "mine/twin.yaml", "--strict"], folder: folder.path)
        #expect(right.code == 0, "\(right.standardError)")
    }

    @Test func theBuiltInDefinitionsAreRight() throws {
        let result = try BuiltProgram.run(["importer", "lint"])
        #expect(result.code == 0, "\(result.standardError)")
    }

    @Test func samplesAreComparedByteForByteAndARecordingIsNeverGreen() throws {
        let folder = try TemporaryFolder()
        try folder.write("samples/acme/history/case/in.csv", Fixture.acme)
        try folder.write("mine/acme.yaml", Fixture.definition)
        func test(_ options: String...) throws -> BuiltProgram.Result {
            try BuiltProgram.run(["importer", "test", "samples", "--importers", "mine"] + options, folder: folder.path)
        }
        #expect(try test().code == 1)
        #expect(try test("--record").code == 1)
        let expected = "samples/acme/history/case/expected"
        #expect(folder.text(expected + "/openalloc.transaction.csv").contains("RVBK"))
        #expect(folder.text(expected + "/rows.ndjson").contains("accepted"))
        let good = try test()
        #expect(good.code == 0 && good.standardOutput.contains("1 of 1 sample as expected"))
        #expect(try test("--record").code == 1)
        try folder.write(
            expected + "/openalloc.transaction.csv",
            folder.text(expected + "/openalloc.transaction.csv").replacing("RVBK", with: "RVBQ"))
        let bad = try test()
        #expect(bad.code == 1 && bad.standardError.contains("line 2 differs"))
        try folder.write(expected + "/openalloc.holding.csv", "")
        #expect(try test().standardError.contains("openalloc.holding.csv: expected, and not written"))
    }

    // MARK: - help

    @Test(arguments: [
        "convert", "detect", "transform", "list", "schema", "anonymize", "importer new", "importer adapt",
        "importer show", "importer lint", "importer test",
    ])
    func everyVerbHasHelpWithAnExample(_ verb: String) throws {
        let words = verb.split(separator: " ").map(String.init)
        let result = try BuiltProgram.run(words + ["--help"])
        #expect(result.code == 0)
        #expect(result.standardOutput.contains("Example:\n  allocport \(verb) "), "\(result.standardOutput)")
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func completionsAreGenerated(_ shell: String) throws {
        let result = try BuiltProgram.run(["--generate-completion-script", shell])
        #expect(result.code == 0)
        #expect(result.standardOutput.contains("convert") && result.standardOutput.contains("transform"))
    }
}
