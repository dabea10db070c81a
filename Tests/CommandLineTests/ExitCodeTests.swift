import TestSupport
import Testing

/// Every way to end has its code and one clear message.
struct ExitCodeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let code: Int32
        let says: String
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String, _ code: Int32, _ says: String) {
            self.arguments = arguments.split(separator: " ").map(String.init)
            self.code = code
            self.says = says
        }
    }

    static let cases = [
        Case("convert", 64, "name at least one file"),
        Case("convert good.csv", 64, "--output"),
        Case("convert good.csv -o out --format xml", 64, "'xml' is invalid"),
        Case("convert good.csv -o out --columns all", 64, "'all' is invalid"),
        Case("convert good.csv -o out --fees none", 64, "'none' is invalid"),
        Case("convert good.csv -o out --time-zone Mars/Olympus", 64, "there is no time zone ‘Mars/Olympus’"),
        Case("convert good.csv -o out --time-zone America/New_Yrok", 64, "did you mean ‘America/New_York’"),
        Case("convert good.csv -o out --time-of-day 9:00", 64, "‘9:00’ is no time of day; write HH:MM"),
        Case("convert good.csv -o out --time-of-day 99:99", 64, "‘99:99’ is no time of day"),
        Case("convert good.csv -o out --time-of-day 24:00", 64, "‘24:00’ is no time of day"),
        Case("convert good.csv -o out --max-rejects -1", 64, "-1 is no count; write 0 or more"),
        Case("convert good.csv -o out --max-rejects many", 64, "'many' is invalid"),
        Case("convert good.csv -o out --jobs 0", 64, "‘0’ is no number of threads; write 1 or more"),
        Case("convert good.csv -o out --jobs -1", 64, "‘-1’ is no number of threads; write 1 or more"),
        Case("convert good.csv -o out -q -v", 64, "exclude each other"),
        Case("convert - - -o out", 64, "only once"),
        Case("convert good.csv -o -", 64, "name a folder"),
        Case("convert . -o .", 64, "is the folder to read"),
        Case("convert occupied good.csv -o ./occupied --force", 64, "is the folder to read"),
        Case("convert good.csv -o out --importer fidelity.history", 3, "fidelity.history finds no header of its own"),
        Case("transform good.csv --importer fido_history", 3, "fidelity.history finds no header of its own"),
        Case("convert good.csv -o out --importer openalloc.tabulra", 64, "did you mean ‘openalloc.tabular’"),
        Case("convert good.csv -o out --importers nowhere", 66, "there is no folder ‘nowhere’"),
        Case("convert good.csv -o out --importers good.csv", 66, "‘good.csv’ is no folder"),
        Case("convert good.csv -o out --importers bad", 78, "bad/acme/history.yaml:2:"),
        Case("convert good.csv -o out --nonsense", 64, "Unknown option"),
        Case("convert nothere.csv -o out", 66, "there is no such file"),
        Case("convert good.csv nothere.csv -o out", 66, "there is no such file"),
        Case("convert reject.csv -o out", 1, "1 line rejected"),
        Case("convert reject.csv -o out --max-rejects 1", 0, "1 line rejected"),
        Case("convert unknown.csv -o out", 3, "no importer recognises this file"),
        Case("convert good.csv unknown.csv -o out", 3, "no importer recognises this file"),
        Case("convert reject.csv unknown.csv -o out", 1, "1 line rejected"),
        Case("convert picture.png -o out", 65, "this is a picture, not text (png)"),
        Case("convert good.csv -o good.csv/out", 73, "a file has the name of a folder there"),
        Case("convert taken/openalloc.holding.csv -o taken --force", 73, "the run has read it; nothing was written"),
        Case("convert good.csv -o occupied", 73, "‘occupied’ has report.json already; use --force"),
        Case("convert good.csv -o out", 0, "Every line is accounted for"),
        Case("convert good.csv -n", 0, "dry run"),
        Case("detect", 64, "name at least one file"),
        Case("detect good.csv", 0, ""),
        Case("detect unknown.csv", 3, ""),
        Case("detect picture.png", 65, ""),
        Case("detect nothere.csv", 66, "there is no file or folder ‘nothere.csv’"),
        Case("detect --json -v good.csv", 64, "exclude each other"),
        Case("transform good.csv", 0, ""),
        Case("transform reject.csv", 1, "1 line rejected"),
        Case("transform nothere.csv", 66, "there is no file"),
        Case("transform unknown.csv", 3, "no importer recognises"),
        Case("transform good.csv --output-schema openalloc/histroy", 64, "there is no schema ‘openalloc/histroy’"),
        Case("transform good.csv --output-schema openalloc/holdng", 64, "did you mean ‘openalloc/holding’"),
        Case("transform good.csv --time-zone-id Mars/Olympus", 64, "there is no time zone"),
        Case("transform good.csv --def-time-of-day 9:00", 64, "is no time of day"),
        Case("transform good.csv --importer fido_histroy", 64, "did you mean ‘fido_history’"),
        Case("list", 64, "subject"),
        Case("list animals", 64, "'animals' is invalid"),
        Case("schema openalloc/nothing", 64, "there is no schema"),
        Case("schema holding --json --table-schema", 64, "exclude each other"),
        Case("importer lint nowhere", 66, "there is no file"),
        Case("importer lint bad", 78, "bad/acme/history.yaml:2:"),
        Case("importer lint empty", 66, "there are no definitions (.yaml) in ‘empty’"),
        Case("convert good.csv -n --importers empty", 0, "there are no definitions (.yaml) in ‘empty’"),
        Case("importer test empty", 66, "there are no samples"),
        Case("importer test occupied", 1, "nothing is expected yet: there is no expected/; --record writes it"),
        Case("importer test nowhere", 66, "there is no folder ‘nowhere’"),
        Case("anonymize empty/.keep", 65, "‘empty/.keep’ is empty"),
        Case("importer new empty/.keep", 65, "‘empty/.keep’ is empty"),
        Case("importer new picture.png", 65, "no table of delimited text"),
        Case("importer new empty", 66, "‘empty’ is a folder; name one file in it"),
        Case("importer new unknown.csv -o good.csv", 74, "‘good.csv’ is there already; use --force"),
        Case("anonymize nothere.csv", 66, "there is no file ‘nothere.csv’"),
        Case("anonymize picture.png", 65, "this is a picture, not text (png)"),
        Case("anonymize unknown.csv", 3, "‘unknown.csv’ is not recognised"),
        Case("anonymize good.csv -o reject.csv", 74, "‘reject.csv’ is there already; use --force"),
        Case("anonymize good.csv --json -o -", 64, "would both write to standard output"),
        Case("transform empty", 66, "‘empty’ is a folder; transform reads one file"),
        Case("convrt good.csv", 64, "there is no command ‘convrt’, did you mean ‘convert’?"),
        Case("good.csv", 64, "‘good.csv’ is no command; to convert it: allocport convert good.csv -o DIR"),
        Case("importer tests", 64, "there is no command ‘importer tests’, did you mean ‘test’?"),
        Case("help convrt", 64, "there is no command ‘convrt’, did you mean ‘convert’?"),
        Case("help help", 0, ""), Case("help convert", 0, ""), Case("help importer new", 0, ""), Case("help", 0, ""),
        Case("", 0, ""),
        Case("--version", 0, ""), Case("--help", 0, ""), Case("convert --help", 0, ""),
        Case("nonsense", 64, "there is no command ‘nonsense’"),
        Case("convert -dash.csv -o out", 64, "‘-dash.csv’ is no option; if it is a file, write ./-dash.csv"),
        Case("convert -qh", 0, ""),
    ]

    @Test(arguments: cases) func endsAsTheManualSays(_ wanted: Case) throws {
        let folder = try Self.workspace()
        let before = folder.contents()
        let result = try BuiltProgram.run(wanted.arguments, folder: folder.path)
        #expect(result.code == wanted.code, "\(result.standardError)")
        #expect(result.standardError.contains(wanted.says), "\(result.standardError)")
        // No colours and no progress where nobody looks.
        #expect(!result.standardError.contains("\u{1B}") && !result.standardOutput.contains("\u{1B}"))
        for (name, bytes) in before { #expect(folder.contents()[name] == bytes, "\(name) was changed") }
    }

    static func workspace() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("good.csv", Fixture.holdings)
        try folder.write("reject.csv", Fixture.holdingsWithReject)
        try folder.write("unknown.csv", "animal,legs,sound\ncat,4,meow\n")
        try folder.write("picture.png", Bytes.png)
        try folder.write("occupied/report.json", "{}")
        try folder.write("taken/openalloc.holding.csv", Fixture.holdings)
        try folder.write("bad/acme/history.yaml", "importer: acme.history\nvresion: 1\n")
        try folder.write("empty/.keep", "")
        return folder
    }
}
