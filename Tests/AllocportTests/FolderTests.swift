import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Files of a folder, which are opened late and looked at two at a time, give what opened files give.
@Suite struct FolderTests {
    private static let header =
        "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date"

    private static func file(_ index: Int, rows: Int) -> String {
        var text = header + "\n"
        for row in 0..<rows {
            let units = 1 + (index * 31 + row * 7) % 90
            text +=
                "01/\(10 + row % 18)/2024,Roth,X\(index % 5),YOU BOUGHT ACME (ACME),ACME,ACME,Cash,\(units),10.00,,,,"
                + "-\(units * 10).00,01/29/2024\n"
        }
        return text
    }

    private static func fill(_ folder: TemporaryFolder, _ count: Int) throws {
        try folder.makeFolder("in")
        for index in 0..<count {
            let text =
                switch index % 23 {
                case 3: ""
                case 5: " \n\n"
                case 7: file(index - 1, rows: 6)
                case 11: file(index, rows: 2000)
                case 13: "Name,Colour,Taste\nApple,red,sour\n"
                case 17: file(index, rows: 3) + "\n\"Brokerage, Inc.\"\n"
                default: file(index, rows: index % 7)
                }
            try folder.write("in/h\(1000 + index).csv", text)
        }
    }

    private static func outputs(_ folder: TemporaryFolder, _ name: String, jobs: Int, opensEarly: Bool) throws -> (
        files: [String: [UInt8]], report: RunReport
    ) {
        var options = RunOptions(outputFolder: folder.path + "/" + name)
        options.jobs = jobs
        let finder = InputFinder(outputFolder: options.outputFolder)
        let run = Run(options: options, catalog: try BuiltIn.registry())
        let report =
            opensEarly
            ? try run.convert(finder.find([folder.path + "/in"])) : try run.convert(paths: [folder.path + "/in"])
        let files = folder.files(name)
        return (files, report)
    }

    @Test(arguments: [2, 9, 63, 64, 65, 150]) func filesAreTheSameHoweverTheyAreOpened(_ count: Int) throws {
        let folder = try TemporaryFolder()
        try Self.fill(folder, count)
        let expected = try Self.outputs(folder, "expected", jobs: 1, opensEarly: true)
        #expect(expected.report.inputs.contains { $0.outcomes[.accepted] > 0 } || count == 2)
        for input in expected.report.inputs {
            let bytes = folder.bytes("in/" + input.name) ?? []
            #expect(try InputPlan.digest(MemoryInput(name: "", bytes: bytes)) == input.sha256)
        }
        for jobs in [1, 2, 4] {
            let found = try Self.outputs(folder, "out\(jobs)", jobs: jobs, opensEarly: false)
            #expect(found.files.keys.sorted() == expected.files.keys.sorted())
            for (name, bytes) in expected.files {
                let isSame = found.files[name] == bytes
                #expect(isSame, "\(count) files, \(jobs) jobs: \(name)")
            }
        }
    }
}
