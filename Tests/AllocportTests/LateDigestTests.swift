import Crypto
import Delimited
import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// A lone input may be hashed while its rows are read; nobody can tell.
@Suite struct LateDigestTests {
    private static let header =
        "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
        + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"

    /// More than 1 MiB; every so many lines one is no good.
    private static func history(badEvery step: Int) -> [UInt8] {
        var text = header
        for index in 1...9000 {
            let amount = index % step == 0 ? "ten" : "-\(index * 10).00"
            text += "01/0\(1 + index % 9)/2024,Roth IRA of a long name,X1,YOU BOUGHT ACME INDUSTRIES INC (ACME),ACME,"
            text += "ACME INDUSTRIES INC COMMON STOCK,Cash,\(index),10.00,,,,\(amount),01/09/2024\n"
        }
        return Array(text.utf8)
    }

    private struct Outcome: Equatable {
        var files: [String: [UInt8]] = [:]
        var sha256: [String] = []
        var exitCode: Int32 = 0
    }

    private static func convert(_ input: any InputSource, jobs: Int, _ columns: RunOptions.Columns) throws -> Outcome {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.columns = columns
        options.jobs = jobs
        var found = FoundInputs()
        found.inputs = [input]
        let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
        var outcome = Outcome(sha256: report.inputs.map(\.sha256), exitCode: report.exitCode)
        outcome.files = folder.files("out")
        return outcome
    }

    @Test(arguments: [7, 500, 10_000], [1, 2, 3]) func namesTheInputEverywhere(_ step: Int, _ jobs: Int) throws {
        let bytes = Self.history(badEvery: step)
        #expect(bytes.count > 1 << 20)
        let digest = hexadecimal(bytes)
        let input = MemoryInput(name: "Accounts_History.csv", bytes: bytes)
        let early = try Self.convert(input, jobs: jobs, .extended)
        let late = try Self.convert(input, jobs: jobs, .core)
        #expect(early.sha256 == [digest] && late.sha256 == [digest] && early.exitCode == late.exitCode)
        #expect(early.files["rejects.csv"] == late.files["rejects.csv"])
        let source = try #require(late.files["openalloc.meta.source.csv"])
        #expect(String(decoding: source, as: UTF8.self).contains(digest.prefix(32)))
        let rejects = String(decoding: try #require(late.files["rejects.csv"]), as: UTF8.self).split(separator: "\n")
        #expect(rejects.count - 1 == 9000 / step && rejects.dropFirst().allSatisfy { $0.hasPrefix(digest.prefix(32)) })
    }

    @Test(arguments: [1, 2, 3]) func namesWhatNobodyRecognises(_ jobs: Int) throws {
        let bytes = Array(String(repeating: "what,is,this\n1,2,3\n", count: 60_000).utf8)
        let outcome = try Self.convert(MemoryInput(name: "odd.csv", bytes: bytes), jobs: jobs, .core)
        #expect(outcome.sha256 == [hexadecimal(bytes)] && outcome.exitCode == 3)
    }

    /// A number of threads without sense is as many as are of use.
    @Test(arguments: [RunOptions.Columns.core, .extended]) func threadsBeyondSenseAreNotMade(
        _ columns: RunOptions.Columns
    ) throws {
        let input = MemoryInput(name: "Accounts_History.csv", bytes: Self.history(badEvery: 500))
        let alone = try Self.convert(input, jobs: 1, columns)
        #expect(try Self.convert(input, jobs: .max, columns) == alone)
    }

    /// An input that cannot be read to its end has no digest, and one error.
    @Test(arguments: [1, 2, 3]) func breaksOffOnce(_ jobs: Int) throws {
        let input = BrokenInput(base: MemoryInput(name: "h.csv", bytes: Self.history(badEvery: 10_000)))
        let outcome = try Self.convert(input, jobs: jobs, .core)
        #expect(outcome.sha256 == [""] && outcome.exitCode == 74)
        let report = String(decoding: try #require(outcome.files["report.json"]), as: UTF8.self)
        #expect(report.split(separator: "input.unreadable").count == 2)
    }
}

/// An input that cannot be read beyond its first 600,000 bytes.
private struct BrokenInput: InputSource {
    let base: MemoryInput
    var name: String { base.name }
    var byteCount: Int { base.byteCount }

    func open() throws(InputError) -> any ByteStream { Stream(try base.open(), name) }
    func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] { try base.bytes(at: offset, count: count) }

    private final class Stream: ByteStream {
        private let base: any ByteStream
        private let name: String
        private var left = 600_000

        init(_ base: any ByteStream, _ name: String) { (self.base, self.name) = (base, name) }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            if left == 0 { throw .unreadable(name: name, code: 5) }
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)])
            let count = try base.read(into: part)
            left -= count
            return count
        }
    }
}

/// The library's SHA-256 in lower-case hex.
func hexadecimal(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
