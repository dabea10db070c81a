import Importing
import TestSupport
import Testing

@testable import Allocport

/// Holds the short road of rows, from bytes to the sink without a record, to the long one.
enum ShortRoad {
    /// What comes out, and how many units took the short road.
    static func outputs(
        _ inputs: [MemoryInput], isShort: Bool, _ change: (inout RunOptions) -> Void
    ) throws -> (files: [String: [UInt8]], prepared: Int) {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.bytesByRules = 0
        change(&options)
        var found = FoundInputs()
        found.inputs = inputs
        var run = try Run(options: options, catalog: BuiltIn.registry())
        run.preparesClasses = isShort
        let report = try run.convert(found)
        let files = folder.files("out")
        return (files, report.preparedUnits)
    }

    /// Converts the inputs of each round on both roads, now with these options, now with others.
    ///
    /// - Returns: how many units took the short one.
    static func compare(suffix: String, _ inputs: (_ round: Int) -> [[UInt8]]) throws -> Int {
        var prepared = 0
        for round in 0..<24 * Sample.effort {
            let inputs = inputs(round).enumerated().map {
                MemoryInput(name: "\($0.offset).\(suffix)", bytes: $0.element)
            }
            let change: (inout RunOptions) -> Void = {
                $0.columns = round % 4 < 2 ? .extended : .core
                $0.format = RunOptions.Format.allCases[round / 2 % 4]
                if round % 3 == 0 { $0.fees = .miscflow }
            }
            let short = try outputs(inputs, isShort: true, change)
            let long = try outputs(inputs, isShort: false, change)
            #expect(long.prepared == 0)
            for (name, file) in long.files {
                #expect(short.files[name] == file, "round \(round): \(name) \(difference(short.files[name], file))")
            }
            #expect(short.files.count == long.files.count)
            prepared += short.prepared
        }
        return prepared
    }

    /// The first line that differs.
    private static func difference(_ short: [UInt8]?, _ long: [UInt8]) -> String {
        let left = (short ?? []).split(separator: 0x0A, omittingEmptySubsequences: false)
        let right = long.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (one, other) in zip(left, right) where one != other {
            return String(decoding: one, as: UTF8.self) + " instead of " + String(decoding: other, as: UTF8.self)
        }
        return "\(left.count) lines instead of \(right.count)"
    }
}
