import Foundation
import Importing
import Synchronization
import TestSupport
import Testing

@testable import Allocport

/// A file that is changed while it is read: half a download, or the halves of two exports, are no result.
@Suite struct ChangedInputTests {
    /// What may happen to a file.
    enum Change: String, CaseIterable, Sendable {
        case shrinks, grows, isWrittenOver, isReplaced, vanishes

        func make(_ path: String) throws {
            // Two changes in one tick of the clock have one time.
            usleep(20_000)
            let url = URL(fileURLWithPath: path)
            var bytes = try Data(contentsOf: url)
            switch self {
            case .vanishes: return try FileManager.default.removeItem(at: url)
            case .isReplaced: return try bytes.write(to: url, options: .atomic)
            case .shrinks: bytes.removeLast(bytes.count / 2)
            case .grows: bytes += bytes.suffix(bytes.count / 4)
            case .isWrittenOver: bytes = Data(bytes.reversed())
            }
            let file = try FileHandle(forWritingTo: url)
            try file.write(contentsOf: bytes)
            try file.truncate(atOffset: UInt64(bytes.count))
            try file.close()
        }
    }

    /// What is open stays what it was when only its name goes to another file.
    @Test(arguments: Change.allCases) func aStreamEndsWellOnlyWhereNothingChanged(_ change: Change) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("in.csv", String(repeating: "0123456789\n", count: 10_000))
        let input = try FileInput(path: path)
        let stream = try input.open()
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        var failure: InputError?
        var count = 0
        for index in 0..<20 {
            if index == 2 { try change.make(path) }
            do throws(InputError) { count += try Self.read(stream, &piece) } catch { failure = error }
        }
        let isOther = change == .isReplaced || change == .vanishes
        #expect(failure == (isOther ? nil : .changed(name: "in.csv")))
        #expect(!isOther || count == 110_000)
        let gone: InputError = change == .vanishes ? .notFound(name: "in.csv") : .changed(name: "in.csv")
        #expect(throws: gone) { try input.open() }
        #expect(throws: gone) { try input.bytes(at: 0, count: 10) }
    }

    private static func read(_ stream: any ByteStream, _ piece: inout [UInt8]) throws(InputError) -> Int {
        let result: Result<Int, InputError> = piece.withUnsafeMutableBytes { piece in
            do throws(InputError) { return .success(try stream.read(into: piece)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static let large: String = {
        var text =
            "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
            + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"
        for index in 1...9_000 {
            text += "01/0\(1 + index % 9)/2024,Roth IRA of a long name,X1,YOU BOUGHT ACME INDUSTRIES INC (ACME),ACME,"
            text += "ACME INDUSTRIES INC COMMON STOCK,Cash,\(index),10.00,,,,-\(index * 10).00,01/09/2024\n"
        }
        return text
    }()

    /// However an input is read, and whatever of it is read first: the run says so, and is no success.
    @Test(arguments: [Change.shrinks, .isWrittenOver], [1, 3])
    func theRunSaysSo(_ change: Change, _ jobs: Int) throws {
        for columns in [RunOptions.Columns.core, .extended] {
            for others in [false, true] {
                for stream in 1...2 {
                    let folder = try TemporaryFolder()
                    let path = try folder.write("h.csv", Self.large)
                    var options = RunOptions(outputFolder: folder / "out")
                    (options.jobs, options.columns) = (jobs, columns)
                    let input = try DisturbedInput(path, stream) { try? change.make(path) }
                    var found = FoundInputs()
                    found.inputs = [input]
                    if others {
                        let lines = Self.large.split(separator: "\n").prefix(5).joined(separator: "\n") + "\n"
                        found.inputs.append(MemoryInput(name: "i.csv", bytes: Array(lines.utf8)))
                    }
                    let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
                    // Some ways have fewer streams.
                    #expect(input.isDisturbed || stream > 1)
                    guard input.isDisturbed else { continue }
                    // Of what it was changed to, rows may be rejected, and theirs is the smaller code.
                    #expect([1, 74].contains(report.exitCode), "\(columns) \(others) \(stream)")
                    let text = folder.text("out/report.json")
                    #expect(text.contains("input.unreadable") && text.contains("was changed while it was read"))
                    #expect(text.contains("\"valid\": false"))
                }
            }
        }
    }
}

/// A file that is changed once, in the middle of one of its streams.
private final class DisturbedInput: InputSource {
    private let base: FileInput
    private let wanted: Int
    private let disturb: @Sendable () -> Void
    private let opened = Atomic(0)
    private let disturbed = Atomic(false)
    var isDisturbed: Bool { disturbed.load(ordering: .acquiring) }

    /// - Parameter stream: which of the streams, from 1.
    init(_ path: String, _ stream: Int, _ disturb: @escaping @Sendable () -> Void) throws {
        base = try FileInput(path: path)
        (wanted, self.disturb) = (stream, disturb)
    }

    var name: String { base.name }
    var byteCount: Int { base.byteCount }
    func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] { try base.bytes(at: offset, count: count) }

    func open() throws(InputError) -> any ByteStream {
        let number = opened.add(1, ordering: .relaxed).newValue
        return Stream(try base.open(), number == wanted ? self : nil)
    }

    private final class Stream: ByteStream {
        private let base: any ByteStream
        private let input: DisturbedInput?
        private var reads = 0

        init(_ base: any ByteStream, _ input: DisturbedInput?) { (self.base, self.input) = (base, input) }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            reads += 1
            if reads == 2, let input, !input.disturbed.exchange(true, ordering: .relaxed) { input.disturb() }
            return try base.read(into: buffer)
        }
    }
}
