import Digests
import Foundation
import Importing
import Synchronization
import TestSupport
import Testing

@testable import Allocport

/// With several jobs the rows of a lone input are written before its digest is there; nobody can tell.
@Suite struct LateNameTests {
    private static let digits = Array("0123456789abcdeffedcba9876543210".utf8)

    // MARK: stand-ins

    private static let texts: [(before: [UInt8], names: Int)] = [
        ([], 0), (Array("a,b,1\n".utf8), 0), (LateName.standIn, 1), (Array("a,".utf8) + LateName.standIn, 1),
        (LateName.standIn + Array(",7\nb,".utf8) + LateName.standIn + Array(",8\n".utf8), 2),
        (LateName.standIn.dropLast() + Array(",".utf8) + LateName.standIn, 1), (Array(LateName.standIn.dropLast()), 0),
        (LateName.standIn + LateName.standIn, 2),
    ]

    @Test(arguments: texts) func putsNames(_ before: [UInt8], _ names: Int) {
        var bytes = before
        let isFound = bytes.withUnsafeMutableBytes { LateName.put(SourceName(Self.digits), into: $0) }
        #expect(isFound == (names > 0) && bytes.count == before.count)
        var expected = before
        var start = 0
        while start + 32 <= expected.count {
            if expected[start..<start + 32].elementsEqual(LateName.standIn) {
                expected.replaceSubrange(start..<start + 32, with: Self.digits)
                start += 32
            } else {
                start += 1
            }
        }
        #expect(bytes == expected)
        #expect(bytes.indices.filter { bytes[$0...].starts(with: Self.digits) }.count == names)
    }

    // MARK: files

    /// Rows of which pieces end within stand-ins, written in parts while another thread names them.
    @Test(arguments: [1, 100, 3000, 20_000]) func namesAndHashesWhatIsWritten(_ count: Int) throws {
        let folder = try TemporaryFolder()
        let input = MemoryInput(name: "a.csv", bytes: Array("an input".utf8))
        let name = Array(hexadecimal(Array("an input".utf8)).prefix(32).utf8)
        let spool = try Spool(
            path: folder.path + "/a", for: "a", makeFile: POSIX.create, trouble: OutputFolder.Trouble())
        spool.append(Array("a header\n".utf8))
        let late = LateName(LateDigest(input))
        spool.putOff(late)
        let ended = DispatchSemaphore(value: 0)
        var expected = Array("a header\n".utf8)
        for row in 0..<count {
            if row == count / 2 {
                DispatchQueue.global().async {
                    late.work()
                    ended.signal()
                }
            }
            let (start, end) = (Array("\(row),\(row % 7 == 0 ? "a longer text" : ""),".utf8), Array(",\(row)\n".utf8))
            spool.append(start + LateName.standIn + end)
            expected += start + name + end
        }
        ended.wait()
        #expect(late.isCaughtUp && late.known != nil)
        spool.endPuttingOff()
        let last = Array("a row that has its name\n".utf8)
        spool.append(last)
        expected += last
        #expect(try spool.finish() == hexadecimal(expected))
        #expect(folder.bytes("a") == expected)
    }

    @Test func namesAllWhenNobodyHelps() throws {
        let folder = try TemporaryFolder()
        let late = LateName(LateDigest(MemoryInput(name: "a.csv", bytes: [0x61])))
        let spool = try Spool(
            path: folder.path + "/a", for: "a", makeFile: POSIX.create, trouble: OutputFolder.Trouble())
        spool.putOff(late)
        spool.append(LateName.standIn)
        spool.endPuttingOff()
        let name = Array(hexadecimal([0x61]).prefix(32).utf8)
        #expect(try spool.finish() == hexadecimal(name))
        #expect(folder.bytes("a") == name)
    }

    // MARK: runs

    /// An input whose first stream, as a rule that of its digest, is slow, or cannot be read.
    private final class SlowInput: InputSource {
        let base: MemoryInput
        let delay: UInt32
        let fails: Bool
        private let opened = Mutex(0)

        init(_ bytes: [UInt8], delay: UInt32, fails: Bool = false) {
            base = MemoryInput(name: "Accounts_History.csv", bytes: bytes)
            (self.delay, self.fails) = (delay, fails)
        }

        var name: String { base.name }
        var byteCount: Int { base.byteCount }

        func open() throws(InputError) -> any ByteStream {
            let number = opened.withLock { opened in
                opened += 1
                return opened
            }
            let stream = try base.open()
            return number == 1 ? Stream(stream, delay, fails) : stream
        }

        func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] {
            try base.bytes(at: offset, count: count)
        }

        private final class Stream: ByteStream {
            let base: any ByteStream
            let delay: UInt32
            let fails: Bool

            init(_ base: any ByteStream, _ delay: UInt32, _ fails: Bool) {
                (self.base, self.delay, self.fails) = (base, delay, fails)
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
                usleep(delay)
                let count = try base.read(into: buffer)
                if count == 0, fails { throw .unreadable(name: "Accounts_History.csv", code: EIO) }
                return count
            }
        }
    }

    private static func history(hasAccount: Bool) -> [UInt8] {
        var text = "Run Date,\(hasAccount ? "Account,Account Number," : "")Action,Symbol,Description,Type,Quantity,"
        text += "Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"
        for index in 1...9000 {
            let amount = index % 800 == 0 ? "ten" : "-\(index * 10).00"
            let security = index % 50 == 0 ? "ODD\(index)" : "ACME"
            text += "01/0\(1 + index % 9)/2024,\(hasAccount ? "Roth IRA of a long name,X1," : "")"
            text += "YOU BOUGHT ACME INDUSTRIES INC (\(security)),\(security),ACME INDUSTRIES INC COMMON STOCK CLASS A,"
            text += "Cash,\(index),10.00,,,,\(amount),01/09/2024\n"
        }
        return Array(text.utf8)
    }

    private static func convert(
        _ input: any InputSource, jobs: Int, _ format: RunOptions.Format
    ) throws -> (files: [String: [UInt8]], report: RunReport) {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.jobs = jobs
        options.format = format
        var found = FoundInputs()
        found.inputs = [input]
        let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
        var files: [String: [UInt8]] = [:]
        for name in TemporaryFolder.entries(folder.path + "/out") where name != "report.json" {
            files[name] = folder.bytes("out/" + name)
        }
        return (files, report)
    }

    @Test(arguments: [0, 20_000] as [UInt32], [RunOptions.Format.csv, .json])
    func nobodyCanTell(_ delay: UInt32, _ format: RunOptions.Format) throws {
        for hasAccount in [true, false] {
            let bytes = Self.history(hasAccount: hasAccount)
            #expect(bytes.count > 1 << 20)
            let one = try Self.convert(SlowInput(bytes, delay: 0), jobs: 1, format)
            for jobs in delay == 0 ? [3] : [2] {
                let many = try Self.convert(SlowInput(bytes, delay: delay), jobs: jobs, format)
                #expect(many.files == one.files)
                #expect(many.report.tables == one.report.tables)
                #expect(many.report.inputs.map(\.sha256) == [hexadecimal(bytes)])
                for table in many.report.tables {
                    #expect(many.files[table.file].map(hexadecimal) == table.sha256)
                }
            }
        }
    }

    @Test func anInputThatCannotBeHashedFails() throws {
        let input = SlowInput(Self.history(hasAccount: true), delay: 0, fails: true)
        let many = try Self.convert(input, jobs: 2, .csv)
        #expect(many.report.exitCode != 0)
        #expect(!many.files.values.contains { $0.contains(0xFF) })
    }
}
