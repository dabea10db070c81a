import Foundation
import TestSupport
import Testing

/// What an earlier run left is an input like any other, where it holds rows.
struct EarlierRunTests {
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Fixture.historyName, Fixture.historyWithRejects)
        let first = try BuiltProgram.run(
            ["convert", Fixture.historyName, "-o", "out", "--verdicts"], folder: folder.path)
        #expect(first.code == 1)
        return folder
    }

    /// Reports are passed over with a word; tables and corrected rejects are read.
    @Test func aWholeFolderOfAnEarlierRun() throws {
        let folder = try Self.folder()
        let name = "out/rejects/\(Fixture.historyName)"
        try folder.write(
            name, folder.text(name).replacing("bad price", with: "15.25").replacing("13-41-2026", with: "07-08-2026"))
        let again = try BuiltProgram.run(["convert", "out", "-o", "again"], folder: folder.path)
        #expect(again.code == 0, "\(again.standardError)")
        for report in ["rejects.csv", "report.json", "rows.ndjson"] {
            #expect(again.standardError.contains("\(report) (the report of an earlier run)"))
        }
        #expect(folder.text("again/openalloc.transaction.csv").split(separator: "\n").count == 4)
        #expect(folder.text("again/openalloc.meta.source.csv").split(separator: "\n").count == 6)
    }

    /// Beside newer exports the tables are passed over: whoever wants their rows as well is told how.
    @Test func tablesBesideExports() throws {
        let folder = try Self.folder()
        try folder.write("new/\(Fixture.historyName)", Fixture.history.replacing("07-10-2026", with: "07-17-2026"))
        let hint = "name the tables: allocport convert TABLES/openalloc.*.csv EXPORTS"
        let passed = try BuiltProgram.run(["convert", "out", "new", "-n"], folder: folder.path)
        #expect(passed.standardError.contains(hint), "\(passed.standardError)")
        let alone = try BuiltProgram.run(["convert", "out", "-n"], folder: folder.path)
        #expect(!alone.standardError.contains(hint))
    }

    /// A corrected reject file has the name of the file that it corrects: the summary says which is which.
    @Test func aCorrectionIsNamed() throws {
        let folder = try Self.folder()
        let name = "out/rejects/\(Fixture.historyName)"
        try folder.write(
            name, folder.text(name).replacing("bad price", with: "15.25").replacing("13-41-2026", with: "07-08-2026"))
        let run = try BuiltProgram.run(
            ["convert", Fixture.historyName, "out/rejects", "-n"], folder: folder.path)
        let told = run.standardError.split(separator: "\n").filter { $0.hasPrefix("  has rejected lines of") }
        #expect(told == ["  has rejected lines of History_for_Account_…001.csv, corrected"], "\(run.standardError)")
    }

    /// What somebody has corrected is nowhere else: `--force` neither replaces it nor removes it.
    @Test func aCorrectionStays() throws {
        let folder = try Self.folder()
        let name = "rejects/\(Fixture.historyName)"
        func again(_ inputs: String...) throws -> BuiltProgram.Result {
            try BuiltProgram.run(["convert"] + inputs + ["-o", "out/", "--force"], folder: folder.path)
        }
        #expect(try again(Fixture.historyName).code == 1, "nobody has changed it")
        let corrected = folder.text("out/\(name)").replacing("bad price", with: "15.25")
        try folder.write("out/\(name)", corrected)
        try folder.write("clean/\(Fixture.historyName)", Fixture.history)
        let table = folder.text("out/openalloc.transaction.csv")
        for input in [Fixture.historyName, "clean"] {
            let refused = try again(input)
            #expect(refused.code == 73)
            #expect(refused.standardError.contains("\(name) in the output folder was changed"))
            #expect(refused.standardError.contains("allocport convert … out/rejects -o out-2"))
            #expect(folder.text("out/\(name)") == corrected)
            #expect(folder.text("out/openalloc.transaction.csv") == table)
        }
        // It would be replaced by what is left of it.
        #expect(try again(Fixture.historyName, "out/rejects").code == 73)
        // Read, and not replaced, it stays where it is.
        #expect(try again("out/rejects").code == 73)
        try folder.write("out/\(name)", corrected.replacing("13-41-2026", with: "07-08-2026"))
        #expect(try again("out/rejects").code == 0)
        #expect(folder.text("out/\(name)").contains("07-08-2026"))
        #expect(try again(Fixture.historyName).code == 73, "the last run has not written it")
        try FileManager.default.moveItem(atPath: folder / "out/\(name)", toPath: folder / "mine.csv")
        #expect(try again(Fixture.historyName).code == 1)
    }

    /// Given by name they are refused, with what to give instead.
    @Test(arguments: [("rejects.csv", "the folder ‘rejects’"), ("report.json", "no rows"), ("rows.ndjson", "no rows")])
    func aReportIsNoTable(_ name: String, _ words: String) throws {
        let folder = try Self.folder()
        for verb in [["convert", "out/\(name)", "-o", "again"], ["detect", "out/\(name)"]] {
            let result = try BuiltProgram.run(verb, folder: folder.path)
            #expect(result.code == 3)
            #expect((result.standardError + result.standardOutput).contains(words), "\(result.standardError)")
        }
    }

    /// Together with the file that they came from corrected rejects count as its lines, twins included.
    @Test func correctedRejectsAndTheirSource() throws {
        let folder = try TemporaryFolder()
        let row =
            "07-10-2026,YOU BOUGHT RIVERBANK INC (RVBK) (Cash),RVBK,RIVERBANK INC,Cash,10.5,4,,,,-42,958,07-13-2026\n"
        let header = Fixture.history.split(separator: "\n", omittingEmptySubsequences: false).prefix(2).joined(
            separator: "\n")
        let text = header + "\n" + row + row.replacing("10.5", with: "ten") + row
        try folder.write(Fixture.historyName, text)
        #expect(try BuiltProgram.run(["convert", Fixture.historyName, "-o", "out"], folder: folder.path).code == 1)
        let name = "out/rejects/\(Fixture.historyName)"
        try folder.write(name, folder.text(name).replacing("ten", with: "10.5"))
        let joined = try BuiltProgram.run(
            ["convert", Fixture.historyName, "out/rejects", "-o", "joined"], folder: folder.path)
        #expect(joined.code == 1)
        try folder.write(Fixture.historyName, header + "\n" + row + row + row)
        #expect(try BuiltProgram.run(["convert", Fixture.historyName, "-o", "clean"], folder: folder.path).code == 0)
        func rows(_ run: String) -> [Substring] {
            folder.text("\(run)/openalloc.transaction.csv").split(separator: "\n").map { line in
                // Without where the row stood.
                line.split(separator: ",", omittingEmptySubsequences: false).dropLast(2).joined(separator: ",")[...]
            }
        }
        #expect(rows("joined").sorted() == rows("clean").sorted() && rows("clean").count == 4)
    }

    /// The rejects of a second file of the same name are of the account that the name says.
    @Test func correctedRejectsOfEqualNames() throws {
        let folder = try TemporaryFolder()
        for month in ["06", "07"] {
            try folder.write(
                "in/\(month)/\(Fixture.historyName)",
                Fixture.history.replacing("07-", with: month + "-").replacing("15.25", with: "bad price"))
        }
        #expect(try BuiltProgram.run(["convert", "in", "-o", "out"], folder: folder.path).code == 1)
        let names = TemporaryFolder.entries(folder.path + "/out/rejects")
        #expect(names.count == 2)
        for name in names {
            try folder.write(
                "out/rejects/\(name)", folder.text("out/rejects/\(name)").replacing("bad price", with: "15.25"))
        }
        for inputs in [["out/rejects"], ["in", "out/rejects"]] {
            _ = try BuiltProgram.run(["convert"] + inputs + ["-o", "all", "--force"], folder: folder.path)
            let accounts = folder.text("all/openalloc.transaction.csv").split(separator: "\n").dropFirst()
                .map { $0.split(separator: ",", omittingEmptySubsequences: false)[2] }
            #expect(accounts.count == (inputs.count == 1 ? 2 : 6))
            #expect(Set(accounts) == ["X59000001"])
        }
    }

    /// Beside the exports that they were made from the tables of an earlier run would count everything twice.
    @Test func tablesBesideTheirSources() throws {
        let folder = try TemporaryFolder()
        try folder.write("in/\(Fixture.historyName)", Fixture.history)
        #expect(try BuiltProgram.run(["convert", "in", "-o", "in/out"], folder: folder.path).code == 0)
        let rows = folder.text("in/out/openalloc.transaction.csv")
        for inputs in [["in"], ["in/out", "in/\(Fixture.historyName)"]] {
            let again = try BuiltProgram.run(["convert"] + inputs + ["-o", "again", "--force"], folder: folder.path)
            #expect(again.code == 0)
            #expect(again.standardError.contains("openalloc.transaction.csv (a table of an earlier run)"))
            #expect(folder.text("again/openalloc.transaction.csv") == rows)
        }
        let detected = try BuiltProgram.run(["detect", "in"], folder: folder.path)
        #expect(detected.standardOutput.contains("a table of an earlier run"))
    }

    /// A table that is named beside exports goes on from there: what both have is written once, with its id, and what was
    /// changed in the table since stands for itself.
    @Test(arguments: ["csv", "ndjson"], [true, false])
    func aTableBesideNewerExports(_ format: String, _ namesAccount: Bool) throws {
        let folder = try TemporaryFolder()
        let name = namesAccount ? Fixture.historyName : "History.csv"
        let table = "out/openalloc.transaction.\(format)"
        try folder.write(name, Fixture.history)
        let first = try BuiltProgram.run(["convert", name, "-o", "out", "--format", format], folder: folder.path)
        #expect(first.code == 0)
        func ids(of inputs: [String]) throws -> [String] {
            let run = try BuiltProgram.run(["convert"] + inputs + ["-o", "all", "--force"], folder: folder.path)
            #expect(run.code == 0)
            return folder.text("all/openalloc.transaction.csv").split(separator: "\n").dropFirst()
                .map { String($0.split(separator: ",", omittingEmptySubsequences: false).dropLast(2).last ?? "") }
                .sorted()
        }
        let once = try ids(of: [name])
        #expect(once.count == 3)
        #expect(try ids(of: [name, table]) == once)
        #expect(try ids(of: [table, name]) == once)
        let newer = Fixture.history.replacing("07-09-2026", with: "07-13-2026").replacing(
            "RIVERBANK INC", with: "RIVERBANK")
        try folder.write("new/\(name)", newer)
        // Of an unnamed account the rows of another file are kept apart.
        #expect(try ids(of: ["new/\(name)", table]).count == (namesAccount ? 4 : 6))
        try folder.write(table, folder.text(table).replacing("-42", with: "-43"))
        #expect(try ids(of: [name, table]).count == 4)
    }

    /// Tables alone are put together, named or in folders, and so are tables of others.
    @Test func tablesAlone() throws {
        let folder = try TemporaryFolder()
        for (name, text) in [("a", Fixture.history), ("b", Fixture.history.replacing("07-1", with: "06-1"))] {
            try folder.write("\(name)/\(Fixture.historyName)", text)
            let run = try BuiltProgram.run(
                ["convert", "\(name)/\(Fixture.historyName)", "-o", "runs/\(name)"], folder: folder.path)
            #expect(run.code == 0)
        }
        func ids(_ run: String) -> [String] {
            folder.text("\(run)/openalloc.transaction.csv").split(separator: "\n").map {
                String($0.split(separator: ",", omittingEmptySubsequences: false).dropLast(2).last ?? "")
            }.sorted()
        }
        // What the exports give together; one transaction stands in both, but for the day on which it was settled.
        #expect(try BuiltProgram.run(["convert", "a", "b", "-o", "direct"], folder: folder.path).code == 0)
        #expect(ids("direct").count == 5)
        for inputs in [["runs"], ["runs/a", "runs/b"], ["runs/a/openalloc.transaction.csv", "runs/b"]] {
            let joined = try BuiltProgram.run(["convert"] + inputs + ["-o", "joined", "--force"], folder: folder.path)
            #expect(joined.code == 0)
            #expect(ids("joined") == ids("direct"), "\(inputs)")
        }
        try folder.write("mixed/openalloc.holding.csv", Fixture.holdings)
        try folder.write("mixed/\(Fixture.historyName)", Fixture.history)
        #expect(try BuiltProgram.run(["convert", "mixed", "-o", "both"], folder: folder.path).code == 0)
        #expect(folder.text("both/openalloc.holding.csv").split(separator: "\n").count == 3)
    }
}
