import Foundation
import TestSupport
import Testing

/// What people and programs are told: where, what, and what to do next.
struct MessageTests {
    // MARK: - the summary of a conversion

    /// A rejected line is named with its column and what stands there; what may be an account number is cut down.
    @Test func aRejectNamesItsCell() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.historyWithRejects)
        let words = try BuiltProgram.run(["convert", "in.csv", "-n"], folder: folder.path).standardError
        #expect(words.contains("line 4, Price ($) ‘bad price’: "), "\(words)")
        #expect(words.contains("line 5, Run Date ‘13-41-2026’: "), "\(words)")
        let twice = Fixture.history.replacing("15.25", with: "bad price").replacing("10.5,", with: "worse,")
        try folder.write("in.csv", twice)
        let several = try BuiltProgram.run(["convert", "in.csv", "-n"], folder: folder.path).standardError
        #expect(several.contains("2 × number.invalid  lines 3, 4, Price ($) ‘worse’ …: "), "\(several)")
        try folder.write("in.csv", Fixture.history.replacing(",-4,", with: ",X55512345,"))
        let masked = try BuiltProgram.run(["convert", "in.csv", "-n"], folder: folder.path).standardError
        #expect(masked.contains("Quantity ‘…345’") && !masked.contains("X55512345"), "\(masked)")
    }

    /// A download that is there twice is told to be a copy, and of which file.
    @Test func aCopyIsNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.history)
        try folder.write("in (1).csv", Fixture.history)
        let words = try BuiltProgram.run(["convert", "in.csv", "in (1).csv", "-n"], folder: folder.path).standardError
        #expect(words.split(separator: "\n").count { $0.hasPrefix("  a copy of in") } == 1, "\(words)")
    }

    /// What two exports say differently may be a title with an account's number in it.
    @Test func aConflictNamesNoAccount() throws {
        let folder = try TemporaryFolder()
        try folder.write("one.csv", "accountID,title\nA1,Joint X59000001\n")
        try folder.write("two.csv", "accountID,title\nA1,Joint X59000002\n")
        let run = try BuiltProgram.run(["convert", "one.csv", "two.csv", "-o", "out", "-v"], folder: folder.path)
        #expect(run.standardError.contains("reference.conflict") && run.standardError.contains("was Joint …00"))
        #expect(!run.standardError.contains("X5900000"), "\(run.standardError)")
        // The report has it as it is.
        #expect(folder.text("out/report.json").contains("was Joint X5900000"))
    }

    /// Two lists of one account that differ are told with the account.
    @Test func aConflictOfPositionsNamesNoAccount() throws {
        let folder = try TemporaryFolder()
        let header = "holdingAccountID,holdingSecurityID,holdingLotID,shareCount,shareBasis,acquiredAt\n"
        try folder.write("one.csv", header + "X59000001,VTI,,10,5,\n")
        try folder.write("two.csv", header + "X59000001,VTI,,12,5,\n")
        let run = try BuiltProgram.run(["convert", "one.csv", "two.csv", "-o", "out"], folder: folder.path)
        #expect(run.standardError.contains("position.conflict"), "\(run.standardError)")
        #expect(!run.standardError.contains("X59000001"), "\(run.standardError)")
        #expect(folder.text("out/report.json").contains("VTI in X59000001: not held alike"))
    }

    /// A file that is found and cannot be opened is named without the account that its name may have.
    @Test func aFileThatIsNotThereNamesNoAccount() throws {
        let folder = try TemporaryFolder()
        for verb in [["detect"], ["convert", "-n"], ["transform"]] {
            let run = try BuiltProgram.run(verb + [Fixture.historyName], folder: folder.path)
            #expect(
                run.code == 66 && run.standardError.contains("History_for_Account_…001.csv"), "\(run.standardError)")
        }
    }

    /// `detect` and `convert` agree on what is known and refused, and files of equal names are told apart.
    @Test func detectNamesPlacesAndRefusals() throws {
        let folder = try TemporaryFolder()
        try folder.write("in/a/export.csv", Fixture.history)
        try folder.write("in/b/export.csv", "<!DOCTYPE html>\n<html><body><table></table></body></html>")
        let run = try BuiltProgram.run(["detect", "in", "--json"], folder: folder.path)
        let found = try #require(try json(run.standardOutput) as? [[String: Any]])
        #expect(found.map { $0["path"] as? String } == ["in/a/export.csv", "in/b/export.csv"])
        #expect(found.map { $0["decision"] as? String } == ["recognised", "refused"])
        #expect(run.code == 3)
    }

    /// Hundreds of pictures in a folder are one message.
    @Test func inputsThatFailAlikeAreToldTogether() throws {
        let folder = try TemporaryFolder()
        for number in 1...7 { try folder.write("in/picture \(number).png", Bytes.png + Data([UInt8(number)])) }
        try folder.write("in/odd.csv", "animal,legs\ncat,4\n")
        let words = try BuiltProgram.run(["convert", "in", "-o", "out"], folder: folder.path).standardError
        #expect(words.components(separatedBy: "this is a picture, not text (png)").count == 2, "\(words)")
        #expect(words.contains(" and 2 more\n") && words.contains("odd.csv\n"), "\(words)")
        #expect(words.contains("7 inputs could not be read") && words.contains("1 input could not be recognised"))
        // Asked for more, each is told by itself.
        let all = try BuiltProgram.run(["convert", "in", "-n", "-v"], folder: folder.path).standardError
        #expect(all.components(separatedBy: "this is a picture, not text (png)").count == 8)
    }

    /// An importer is named where it is near the file; one that shares a date with it is no help.
    @Test(arguments: [
        ("Run Date,Action,Symbol,Quantity,Price", "; the nearest is fidelity.history, for which it lacks Amount\n"),
        ("Date,What,Sum", "no importer recognises this file\n"),
        ("2026-01-05,4,RVBK,10.5,-42", "  Its first line reads like a row: download the file with the names"),
    ]) func theNearestImporterIsNamed(_ header: String, _ says: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("odd.csv", "\(header)\n1,2,3\n")
        let words = try BuiltProgram.run(["convert", "odd.csv", "-n"], folder: folder.path).standardError
        #expect(words.contains(says), "\(words)")
    }

    static let foreign: [(name: String, content: Data, code: Int32, says: [String])] = [
        ("book.xlsx", Data([0x50, 0x4B, 3, 4, 20, 0, 6, 0]), 65, ["a workbook", "save its sheet as CSV"]),
        ("files.zip", Data([0x50, 0x4B, 3, 4, 20, 0, 6, 0]), 65, ["an archive", "unpack it first"]),
        ("old.xls", Data([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]), 65, ["an old Excel", "as CSV"]),
        ("photo.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]), 65, ["a picture", "Leave it out"]),
        ("a.pdf", Data("%PDF-1.7\n%\n".utf8), 65, ["a PDF file", "Download the CSV, OFX or QFX version"]),
        ("a.qif", Data("!Type:Invst\nD01/02/2024\n^\n".utf8), 3, ["a QIF file", "CSV, OFX or QFX version"]),
        ("a.csv", Data("<!DOCTYPE html>\n<html></html>".utf8), 3, ["a web page", "download the export again"]),
        (
            "report.xls", Data("<html><body><table><tr><td>Date</td></tr></table></body></html>".utf8), 3,
            ["a table as a web page", "save its sheet as CSV"]
        ),
        ("bare.xls", Data("<table border=1><tr><td>1</td></tr></table>".utf8), 3, ["a table as a web page", "as CSV"]),
        (
            "book.xml",
            Data(
                "<?xml version='1.0'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet'></Workbook>".utf8),
            3, ["a workbook in XML", "save its sheet as CSV"]
        ),
        (
            "camt.xml",
            Data("<?xml version='1.0'?><Document xmlns='urn:iso:std:iso:20022:tech:xsd:camt.053.001.02'/>".utf8), 3,
            ["ISO 20022", "CSV, OFX or QFX version"]
        ),
        ("other.xml", Data("<?xml version='1.0'?><svg/>".utf8), 3, ["neither OFX nor", "CSV, OFX or QFX version"]),
        ("settings.json", Data("{\"a\": 1}".utf8), 3, ["this is JSON", "CSV, OFX or QFX version"]),
        (
            "a.sta", Data(":20:STARTUMS\r\n:25:10020030/123\r\n:28C:0\r\n:60F:C240101EUR1,00\r\n".utf8), 3,
            ["a SWIFT MT940 statement", "CSV, OFX or QFX version"]
        ),
        ("notes.txt", Data("some notes\n".utf8), 3, ["no importer recognises", "--importer, or draft a definition"]),
    ]

    /// All verbs say the same of a file that is no export.
    @Test(arguments: foreign)
    func whatIsNoExportIsNamedByEveryVerb(_ name: String, _ content: Data, _ code: Int32, _ says: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write(name, content)
        for verb in [["convert", "-n"], ["detect"], ["transform"]] {
            let result = try BuiltProgram.run(verb + [name], folder: folder.path)
            #expect(result.code == code, "\(verb)")
            let words = result.standardError + result.standardOutput
            for part in says { #expect(words.contains(part), "\(verb): \(words)") }
        }
    }

    /// A pipe that nobody writes to must not be waited for.
    @Test func aPipeIsNoFile() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder / "pipe", 0o600) == 0)
        for verb in [["convert", "-n"], ["detect"], ["transform"]] {
            let result = try BuiltProgram.run(verb + ["pipe"], folder: folder.path)
            #expect(result.code == 66 && result.standardError.contains("no regular file"), "\(result)")
        }
    }

    /// With the file that they came from, corrected rejects are told; without, nothing is.
    @Test func correctedRejectsAreCounted() throws {
        let folder = try TemporaryFolder()
        try folder.write("in/" + Fixture.historyName, Fixture.historyWithRejects)
        _ = try BuiltProgram.run(["convert", "in", "-o", "it's out"], folder: folder.path)
        let path = "it's out/rejects/" + Fixture.historyName
        let half = folder.text(path).replacing("bad price", with: "15.25")
        try folder.write(path, half)
        func words() throws -> String {
            try BuiltProgram.run(["convert", "in", "it's out/rejects", "-o", "b b", "--force"], folder: folder.path)
                .standardError
        }
        #expect(try words().contains("3 lines rejected; 1 of them is corrected in other files of this run."))
        #expect(try words().contains("allocport convert 'b b/rejects' -o DIR"))
        try folder.write(path, half.replacing("13-41-2026", with: "07-08-2026"))
        let whole = try words()
        #expect(whole.contains("2 lines rejected; 2 of them are corrected in other files of this run."), "\(whole)")
        #expect(!whole.contains("Correct the lines"))
        let alone = try BuiltProgram.run(["convert", "it's out/rejects", "-n"], folder: folder.path)
        #expect(alone.code == 0 && !alone.standardError.contains("corrected"))
    }

    // MARK: - for programs

    @Test func anonymizeTellsProgramsWhatItProved() throws {
        let folder = try TemporaryFolder()
        let name = Fixture.historyName
        try folder.write(name, Fixture.history)
        let result = try BuiltProgram.run(["anonymize", name, "--json", "-o", "copy.csv"], folder: folder.path)
        #expect(result.code == 0 && result.standardError.isEmpty, "\(result)")
        let told = try #require(try json(result.standardOutput) as? [String: Any])
        #expect(told["proven"] as? Bool == true && told["output"] as? String == "copy.csv")
        #expect(told["records"] as? Int == 3 && folder.exists("copy.csv"))
        let outcomes = try #require(told["outcomes"] as? [[String: Any]])
        #expect(outcomes.contains { $0["outcome"] as? String == "accepted" && $0["copy"] as? Int == 3 })
    }

    @Test func draftsComeAsJSONToo() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.acme)
        let result = try BuiltProgram.run(
            ["importer", "new", "in.csv", "--json", "--id", "acme.x"], folder: folder.path)
        #expect(result.code == 0 && result.standardError.isEmpty, "\(result)")
        let told = try #require(try json(result.standardOutput) as? [String: Any])
        #expect(told["id"] as? String == "acme.x" && told["output"] is NSNull)
        #expect((told["definition"] as? String)?.contains("importer: acme.x\n") == true)
        #expect(told["accepted"] as? Int == 0 && told["rejected"] as? Int == 1)
        #expect((told["unknowns"] as? [String])?.isEmpty == false)
        let written = try BuiltProgram.run(
            ["importer", "new", "in.csv", "--json", "-o", "mine.yaml"], folder: folder.path)
        let place = try #require(try json(written.standardOutput) as? [String: Any])
        #expect(place["output"] as? String == "mine.yaml" && place["definition"] is NSNull)
        #expect(folder.text("mine.yaml").contains("importer: mine.export"))
    }

    /// `-` is standard input to the verbs that work on one file.
    @Test func theWorkbenchReadsStandardInput() throws {
        let draft = try BuiltProgram.run(["importer", "new", "-"], input: Data(Fixture.acme.utf8))
        #expect(draft.code == 0 && draft.standardOutput.contains("Day of Acme"), "\(draft)")
        let copy = try BuiltProgram.run(["anonymize", "-", "-o", "-"], input: Data(Fixture.history.utf8))
        #expect(copy.code == 0 && copy.standardOutput.hasPrefix("Run Date,Action,Symbol"), "\(copy.standardError)")
    }

    @Test func listsNameSchemasAsEverywhereElse() throws {
        let list = try #require(
            try json(try BuiltProgram.run(["list", "importers", "--json"]).standardOutput) as? [[String: Any]])
        let schemas = Set(list.flatMap { $0["schemas"] as? [String] ?? [] })
        #expect(schemas.count == 16 && schemas.allSatisfy { $0.hasPrefix("openalloc/") }, "\(schemas)")
        let columns = try #require(
            try json(try BuiltProgram.run(["list", "schemas", "--json"]).standardOutput) as? [[String: Any]])
        #expect(columns.first?["columns"] as? Int == 5)
    }

    // MARK: - rows.ndjson

    /// The rows of an event of thousands of lines stand once, so that the file does not grow with their square.
    @Test(arguments: [(16, false), (17, true)])
    func rowsOfAWideEventStandOnce(_ lines: Int, _ isOnce: Bool) throws {
        let folder = try TemporaryFolder()
        let words = "        Bought: buy\n"
        let group = "        Cost: fee\n    group: {by: [symbol], lead: [buy], fold: {fee: commission}}\n"
        try folder.write("mine/a.yaml", Fixture.definition.replacing(words, with: words + group))
        let costs = (1..<lines).map { _ in "2026-01-05,Cost,RVBK,,,-1.00\n" }.joined()
        try folder.write("in.csv", Fixture.acme + costs)
        let run = ["convert", "in.csv", "--importers", "mine", "--account", "A", "--verdicts", "-o", "out"]
        let result = try BuiltProgram.run(run, folder: folder.path)
        #expect(result.code == 0, "\(result.standardError)")
        let verdicts = try folder.text("out/rows.ndjson").split(separator: "\n").dropFirst()
            .map { try #require(try json(String($0)) as? [String: Any]) }
        #expect(verdicts.count == lines)
        let rows = verdicts.map { ($0["rows"] as? [Any])?.count ?? -1 }
        #expect(rows[0] > 0 && rows.dropFirst().allSatisfy { $0 == (isOnce ? 0 : rows[0]) }, "\(rows)")
        #expect(verdicts.dropFirst().allSatisfy { ($0["rowsOf"] as? Int) == (isOnce ? 2 : nil) })
        #expect(verdicts[verdicts.startIndex]["rowsOf"] == nil)
    }
}
