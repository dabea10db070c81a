import Delimited
import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// A large file that several threads read gives what one thread gives, byte by byte.
@Suite struct SplitFeedTests {
    private static func outputs(
        _ inputs: [(name: String, bytes: [UInt8])], jobs: Int, blockBytes: Int, _ change: (inout RunOptions) -> Void
    ) throws -> (files: [String: [UInt8]], batched: Int) {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.bytesByRules = 0
        options.columns = .extended
        options.jobs = jobs
        options.readsAhead = jobs > 1
        options.blockBytes = blockBytes
        change(&options)
        var found = FoundInputs()
        found.inputs = inputs.map { MemoryInput(name: $0.name, bytes: $0.bytes) }
        let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
        let files = folder.files("out")
        return (files, report.batchedUnits)
    }

    /// Runs on one thread and on several, with blocks of several sizes; how many units other threads have made.
    private static func compare(
        _ inputs: [(name: String, bytes: [UInt8])], _ label: String, sizes: [Int],
        _ change: (inout RunOptions) -> Void = { _ in }
    ) throws -> Int {
        let one = try outputs(inputs, jobs: 1, blockBytes: 1 << 40, change)
        #expect(one.batched == 0)
        var batched = 0
        for size in sizes {
            let several = try outputs(inputs, jobs: 3, blockBytes: size, change)
            for (name, file) in one.files {
                #expect(several.files[name] == file, "\(label), blocks of \(size): \(name)")
            }
            #expect(several.files.count == one.files.count)
            batched += several.batched
        }
        return batched
    }

    /// Every sample, its lines many times over with other digits.
    @Test func agreesOverAllSamples() async throws {
        let tried = try await timesTried(over: Sample.all) { try Self.agreesOverAllSamples($0) }
        #expect(tried > 10)
    }

    /// How often it was tried on a sample.
    private static func agreesOverAllSamples(_ sample: Sample) throws -> Int {
        let lines = Lines(sample.bytes)
        guard lines.lines.count > 1, lines.lines.count < 400 else { return 0 }
        var random = SplitMix64(seed: UInt64(lines.lines.count))
        var bytes: [UInt8] = []
        for line in lines.lines {
            for round in 0..<6 {
                bytes += round == 0 ? Lines.text(line) : Self.varied(Lines.text(line), &random)
                bytes.append(0x0A)
            }
        }
        let format = RunOptions.Format.allCases[lines.lines.count % 4]
        let batched = try Self.compare([(sample.name, bytes)], sample.path, sizes: [bytes.count / 20, 300]) {
            $0.format = format
            $0.account = "A 1"
        }
        return batched > 0 ? 1 : 0
    }

    private static func varied(_ line: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        line.map { byte in
            byte &- 0x30 < 10 && random.next() % 3 == 0 ? 0x30 + UInt8(truncatingIfNeeded: random.next() % 10) : byte
        }
    }

    private static let header =
        "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
        + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"

    private static func row(_ index: Int, _ name: String = "ACME", ending: String = "\n") -> String {
        "01/0\(1 + index % 9)/2024,Roth,X1,YOU BOUGHT \(name) (ACME),ACME,\(name),Cash,"
            + "\(index),10.00,,,,-\(index * 10).00,01/09/2024" + ending
    }

    private static func rows(_ range: ClosedRange<Int>) -> String { range.map { row($0) }.joined() }

    /// What a thread that begins in the middle cannot know.
    private static let odd: [(name: String, text: String)] = [
        ("plain", header + rows(1...300)),
        ("no line feed at the end", header + rows(1...300).dropLast()),
        (
            "cells of several lines",
            header + rows(1...100) + row(7, "\"AC\nME\nINC\"") + rows(101...200) + row(8, "\"\n\"")
        ),
        ("a quote that never closes", header + rows(1...100) + row(7, "\"ACME") + rows(101...300)),
        ("doubled quotes", header + (1...300).map { row($0, $0 % 9 == 0 ? "\"A \"\"B\"\" C\"" : "ACME") }.joined()),
        ("a second header", header + rows(1...150) + "\n\n" + header + rows(151...300)),
        (
            "another order of columns",
            header + rows(1...150) + "\nRun Date,Action,Symbol,Quantity,Amount ($),Price ($),Account Number\n"
                + (1...150).map { "01/02/2024,YOU SOLD ACME (ACME),ACME,-\($0),\($0).00,1.00,X9\n" }.joined()
        ),
        ("lines that end in CR LF", header + (1...300).map { row($0, ending: "\r\n") }.joined()),
        ("lines that end in CR", header + (1...300).map { row($0, ending: $0 % 40 < 5 ? "\r" : "\n") }.joined()),
        (
            "blank lines and totals",
            header + (1...300).map { row($0, ending: $0 % 11 == 0 ? "\n\n,,,\n" : "\n") }.joined()
        ),
        ("a footer", header + rows(1...280) + "\n\n\"The data is provided for information\nonly\"\n" + rows(1...5)),
        (
            "a line longer than a block",
            header + rows(1...150) + row(9, String(repeating: "LONG ", count: 900)) + rows(1...150)
        ),
        ("rejects", header + (1...300).map { row($0, $0 % 7 == 0 ? "ACME,extra,cells" : "ACME") }.joined()),
        ("a byte order mark", "\u{FEFF}" + header + rows(1...300)),
        ("two byte order marks", "\u{FEFF}\u{FEFF}" + header + rows(1...300)),
        ("letters beyond ASCII", header + (1...300).map { row($0, $0 % 3 == 0 ? "Äcmé" : "ACME") }.joined()),
        ("many classes", header + (1...600).map { row($0, "ACME \($0 % 90)") }.joined()),
    ]

    @Test(arguments: odd.indices) func agreesOnOddTexts(_ index: Int) throws {
        let (name, text) = Self.odd[index]
        var bytes = Array(text.utf8)
        var batched = 0
        for columns in RunOptions.Columns.allCases {
            batched += try Self.compare([("h.csv", bytes)], name, sizes: [200, 517, 1024, 1200]) {
                $0.columns = columns
            }
        }
        #expect(batched > 100, "\(name): other threads made no rows")
        // Bytes that are no UTF-8.
        bytes[bytes.count / 2] = 0xFF
        _ = try Self.compare([("h.csv", bytes)], name + ", a broken byte", sizes: [300, 1024])
    }

    /// Enough rows for every buffer to be written many times over: in small parts, in large ones, and both by turns.
    @Test(arguments: [4096, 40_000, 100_000]) func agreesAtLength(_ size: Int) throws {
        for (index, step) in [(1, 10_000), (2, 90), (3, 7)] {
            let rows = (1...9000).map {
                let name = $0 % step != 0 ? "ACME" : $0 % (2 * step) == 0 ? "\"AC\rME\"" : "\"AC\nME\""
                return Self.row($0, name, ending: $0 % (3 * step) == 1 ? "\n\n" : "\n")
            }
            let bytes = Array((Self.header + rows.joined()).utf8)
            for columns in RunOptions.Columns.allCases {
                _ = try Self.compare([("h.csv", bytes)], "every \(step) rows", sizes: [size + index]) {
                    $0.columns = columns
                }
            }
        }
    }

    /// Rows that an earlier input has had are merged, wherever the threads meet them.
    @Test func agreesOnOverlaps() throws {
        let inputs = [
            ("a.csv", Array((Self.header + Self.rows(1...250)).utf8)),
            ("b.csv", Array((Self.header + Self.rows(100...400) + Self.rows(300...310)).utf8)),
        ]
        for format in RunOptions.Format.allCases {
            #expect(try Self.compare(inputs, "overlap", sizes: [250, 1000]) { $0.format = format } > 100)
        }
    }
}
