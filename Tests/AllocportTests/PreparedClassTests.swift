import Delimited
import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Rows of a class that was met before go from cells to bytes: what comes out is what the projection makes of them.
@Suite struct PreparedClassTests {
    /// The files of a run with and without the short road.
    static func outputs(
        _ inputs: [(name: String, bytes: [UInt8])], isShort: Bool, _ change: (inout RunOptions) -> Void
    ) throws -> (files: [String: [UInt8]], prepared: Int) {
        try ShortRoad.outputs(inputs.map { MemoryInput(name: $0.name, bytes: $0.bytes) }, isShort: isShort) {
            $0.columns = .extended
            change(&$0)
        }
    }

    /// Every sample, its lines many times over with other digits, dates and signs.
    @Test func agreesWithTheProjection() async throws {
        let tried = try await timesTried(over: Sample.all) { try Self.agreesWithTheProjection($0) }
        #expect(tried > 80)
    }

    /// How often it was tried on a sample.
    private static func agreesWithTheProjection(_ sample: Sample) throws -> Int {
        let lines = Lines(sample.bytes)
        guard lines.lines.count > 1, lines.lines.count < 400 else { return 0 }
        var tried = 0
        var random = SplitMix64(seed: UInt64(lines.lines.count))
        for round in 0..<Sample.effort {
            var bytes: [UInt8] = []
            for line in lines.lines {
                bytes += line
                if line.last != 0x0A { bytes.append(0x0A) }
                for _ in 0..<4 { bytes += Self.varied(Lines.text(line), &random) + [0x0A] }
            }
            let change: (inout RunOptions) -> Void = {
                $0.columns = round % 2 == 0 ? .extended : .core
                $0.format = RunOptions.Format.allCases[(round + lines.lines.count) % 4]
                $0.account = random.next() & 1 == 0 ? "A 1" : nil
            }
            var choice = random
            let short = try Self.outputs([(sample.name, bytes)], isShort: true, change)
            swap(&choice, &random)
            let long = try Self.outputs([(sample.name, bytes)], isShort: false, change)
            #expect(long.prepared == 0)
            for (name, file) in long.files { #expect(short.files[name] == file, "\(sample.path): \(name)") }
            #expect(short.files.count == long.files.count)
            if short.prepared > 0 { tried += 1 }
        }
        return tried
    }

    /// Digits become others, now and then a sign, a group mark or nothing.
    private static func varied(_ line: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var result: [UInt8] = []
        for (index, byte) in line.enumerated() {
            let chance = random.next() % 160
            if byte &- 0x30 < 10, chance < 50 {
                result.append(0x30 + UInt8(truncatingIfNeeded: random.next() % 10))
            } else if byte &- 0x30 < 10, chance < 53, index > 0 {
                continue
            } else if byte == 0x2D, chance < 20 {
                continue
            } else if byte == 0x2C, chance == 0 {
                result += [0x2C, 0x2D]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// The road is taken, and in every way that a row can come out.
    @Test(arguments: RunOptions.Format.allCases) func isTaken(_ format: RunOptions.Format) throws {
        let header =
            "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
            + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"
        var rows = ""
        for index in 1...200 {
            let cents = index % 100 < 10 ? "0\(index % 100)" : "\(index % 100)"
            rows +=
                "01/0\(1 + index % 9)/2024,\"Roth, IRA\",X1,YOU BOUGHT ACME (ACME),ACME,\"ACME \"\"A\"\", INC\",Cash,"
                + "\(index),10.00,,,,-\(index * 10).00,01/09/2024\n"
            rows +=
                "01/0\(1 + index % 9)/2024,\"Roth, IRA\",X1,YOU SOLD ACME (ACME),ACME,ACME,Cash,"
                + "-1,\"1,00\(index % 10).\(cents)\",,0.01,,\"1,00\(index % 10).\(cents)\",\n"
            rows +=
                "01/0\(1 + index % 9)/2024,\"Roth, IRA\",X1,DIVIDEND RECEIVED ACME (ACME),ACME,ACME,Cash,"
                + ",,,,,.\(cents)5,\n"
        }
        let bytes = Array((header + rows).utf8)
        for columns in RunOptions.Columns.allCases {
            let short = try Self.outputs([("h.csv", bytes)], isShort: true) {
                $0.columns = columns
                $0.format = format
            }
            let long = try Self.outputs([("h.csv", bytes)], isShort: false) {
                $0.columns = columns
                $0.format = format
            }
            #expect(short.prepared > 500)
            #expect(short.files == long.files)
        }
        let twice = [("a.csv", bytes), ("b.csv", bytes + Array(rows.utf8))]
        let short = try Self.outputs(twice, isShort: true) { $0.format = format }
        let long = try Self.outputs(twice, isShort: false) { $0.format = format }
        #expect(short.prepared > 1000)
        #expect(short.files == long.files)
    }
}
