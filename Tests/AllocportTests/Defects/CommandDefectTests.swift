import Allocport
import Foundation
import Importing
import OpenAlloc
import TestSupport
import Testing

/// What the predecessor's command line did wrong (D9, D22, D33 to D35, D37). What the program's own suites show is not shown again.
@Suite struct CommandDefectTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("h.csv", Exports.schwab([Exports.schwabRow()]))
        try folder.write("r.csv", Exports.schwab([Exports.schwabRow(), Exports.schwabRow(date: "bad")]))
        try folder.write("x.csv", "a,b\n1,2\n")
        return folder
    }

    /// D9: wrong values of options were ignored, or rejected all rows.
    @Test(arguments: [
        ["transform", "h.csv", "--output-schema", "openalloc/histroy"],
        ["transform", "h.csv", "--time-zone-id", "Mars/Olympus"],
        ["transform", "h.csv", "--def-time-of-day", "9:00"], ["transform", "h.csv", "--def-time-of-day", "99:99"],
        ["convert", "h.csv", "-o", "out", "--time-zone", "Mars/Olympus"],
        ["convert", "h.csv", "-o", "out", "--time-of-day", "99:99"],
        ["convert", "h.csv", "-o", "out", "--importer", "chuck_histroy"],
    ]) func d09WrongOptions(_ arguments: [String]) throws {
        let folder = try folder()
        let got = try BuiltProgram.run(arguments, folder: folder.path)
        #expect(got.code == 64)
        #expect(got.standardOutput.isEmpty && got.standardError.contains(arguments.last ?? ""))
        #expect(!TemporaryFolder.entries(folder.path).contains("out"))
    }

    /// D22: the machine's zone moved every date.
    @Test func d22TheMachinesZone() throws {
        let folder = try folder()
        var outputs: Set<String> = []
        for zone in ["Asia/Tokyo", "America/New_York", "UTC", "Nowhere/Else"] {
            outputs.insert(
                try BuiltProgram.run(["transform", "h.csv"], environment: ["TZ": zone], folder: folder.path)
                    .standardOutput)
        }
        #expect(outputs.count == 1)
        #expect(outputs.first?.contains("2021-08-16T16:00:00Z") == true)
    }

    static let codes: [(arguments: [String], code: Int32)] = [
        (["convert", "h.csv", "-o", "out"], 0), (["convert", "r.csv", "-o", "out"], 1),
        (["convert", "x.csv", "-o", "out"], 3),
        (["convert", "missing.csv", "-o", "out"], 66), (["convert", "h.csv"], 64),
        (["convert", "h.csv", "-o", "h.csv"], 73),
        (["convert", "h.csv", "--importer", "none", "-o", "out"], 64), (["transform", "x.csv"], 3),
        (["transform", "missing.csv"], 66),
        (["convert", "h.csv", "x.csv", "-o", "out"], 3), (["convert", "r.csv", "x.csv", "-o", "out"], 1),
        (["detect", "x.csv"], 3),
    ]

    /// D33, D34: every error exited with 0, and the words named neither file nor reason.
    @Test(arguments: codes) func d33d34Codes(_ arguments: [String], _ code: Int32) throws {
        let folder = try folder()
        let got = try BuiltProgram.run(arguments, folder: folder.path)
        #expect(got.code == code)
        if code == 0 {
            #expect(!got.standardError.contains("error") && !got.standardError.contains("warning"))
        } else {
            #expect(got.standardError.hasSuffix("\n") || got.standardOutput.hasSuffix("\n"))
            #expect(!got.standardError.isEmpty || arguments[0] == "detect")
        }
        if code == 3 { #expect((got.standardError + got.standardOutput).contains("x.csv")) }
        if code == 66 { #expect(got.standardError.contains("missing.csv")) }
    }

    /// D35: no standard input, one file a call.
    @Test func d35StandardInput() throws {
        let folder = try folder()
        let text = folder.text("h.csv")
        let piped = try BuiltProgram.run(["transform", "-"], folder: folder.path, input: Data(text.utf8))
        let named = try BuiltProgram.run(["transform", "h.csv"], folder: folder.path)
        #expect(piped.code == 0 && piped.standardOutput == named.standardOutput)
        let two = try BuiltProgram.run(
            ["convert", "h.csv", "-", "-o", "out"], folder: folder.path,
            input: Data(Exports.fidelity([Exports.fidelityRow()]).utf8))
        #expect(two.code == 0)
        #expect(Table(folder.bytes("out/openalloc.transaction.csv") ?? []).rows.count == 2)
    }

    /// D37: of several importers that fit, none was named, and the order was random.
    @Test func d37SeveralImportersFit() throws {
        let definition = """
            version: 1
            title: A list
            zone: UTC
            tables:
              - name: rows
                columns: {date: Day, amount: Money, description: Words}
                require: [date, amount, description]
                kind: income

            """
        let importers = try ["one.list", "two.list", "three.list"].map {
            try DefinitionLoader.load(Array("importer: \($0)\n\(definition)".utf8), file: "\($0).yaml") as any Importer
        }
        var messages: Set<String> = []
        for order in [importers, importers.reversed()] {
            var found = FoundInputs()
            found.inputs = [MemoryInput(name: "a.csv", bytes: Array("Day,Money,Words\n2024-01-01,5,x\n".utf8))]
            let report = try Run(options: RunOptions(), catalog: Registry(order)).convert(found)
            #expect(report.exitCode == 4)
            #expect(report.inputs[0].runnersUp.map(\.importerID) == ["one.list", "three.list", "two.list"])
            messages.insert(report.inputs[0].errors.map(\.message).joined())
        }
        #expect(messages == ["several importers fit equally well: one.list, three.list, two.list"])
    }
}
