import OpenAlloc
import TestSupport
import Testing

@testable import Allocport
@testable import Importing

/// An input that begins like another one is planned as if it were looked at by itself.
@Suite struct LikenessTests {
    private static let names = [
        "Accounts_History_7.csv", "History_for_Account_X123.csv", "statement 2024-03-05.csv", "a.csv", "x (1).csv",
    ]

    /// Lines that decide something, or might.
    private static let odd = [
        "", ",,,", "Symbol,Quantity,Price,Amount", "Date downloaded 01/02/2024 3:04 PM", "\"1\nDate\",x",
        "1,Symbol,Quantity,Description,Amount,Action,Type,Date", "Header,1,2,3", "01/02/2024", "<OFX>", "1;2;3", "1\t2",
        "\"01/02/2024\",a,b", "7,é,1,2", "Total,1,2,3,4", "9,Header,Date,Symbol,Quantity",
    ]

    private static func varied(_ sample: Sample, _ random: inout SplitMix64) -> [UInt8] {
        var lines = Lines(sample.bytes).lines
        guard lines.count > 1 else { return sample.bytes }
        for _ in 0..<(1 + random.next() % 3) {
            let place = 1 + Int(random.next() % UInt64(lines.count - 1))
            switch random.next() % 6 {
            case 0: lines.insert(Array((odd[Int(random.next() % UInt64(odd.count))] + "\n").utf8), at: place)
            case 1: lines.remove(at: place)
            case 2: lines.append(lines[place])
            case 3: if !lines[place].isEmpty { lines[place][0] = UInt8(truncatingIfNeeded: random.next() % 128) }
            default:
                lines[place] = lines[place].map { byte in
                    byte &- 0x30 < 10 ? 0x30 + UInt8(random.next() % 10) : byte
                }
            }
            if lines.count < 2 { break }
        }
        return lines.flatMap { $0 }
    }

    private static func compare(_ sample: Sample, rounds: Int) throws -> Int {
        let catalog = try BuiltIn.registry()
        let options = RunOptions()
        let scanner = PlainRowScanner()
        let seen = SeenInputs()
        let first = MemoryInput(name: sample.name, bytes: sample.bytes)
        _ = InputPlan(first, catalog: catalog, options: options, seen: (seen, scanner))
        var random = SplitMix64(seed: UInt64(sample.bytes.count))
        var found = 0
        for round in 0..<rounds {
            let name = round % 3 == 0 ? names[round / 3 % names.count] : sample.name
            let input = MemoryInput(name: name, bytes: varied(sample, &random))
            guard let known = seen.find(try input.bytes(at: 0, count: input.byteCount), name: name, scanner) else {
                continue
            }
            found += 1
            let alone = InputPlan(input, catalog: catalog, options: options)
            let text = String(decoding: try input.bytes(at: 0, count: 1 << 20), as: UTF8.self)
            let plan = InputPlan(input, catalog: catalog, options: options, seen: (seen, scanner))
            #expect(plan.report == alone.report, "\(sample.path): \(text)")
            #expect(plan.context == alone.context, "\(sample.path): \(text)")
            #expect(plan.facts == alone.facts, "\(sample.path): \(text)")
            #expect(plan.importer?.id == alone.importer?.id)
            let (sample, other) = (known.sample, alone.sample)
            #expect(sample.name == other?.name && sample.byteCount == other?.byteCount)
            #expect(sample.format == other?.format && sample.encoding == other?.encoding)
            #expect(sample.dialect == other?.dialect && sample.isWhole == other?.isWhole)
        }
        return found
    }

    @Test(arguments: Sample.all) func isAsIfAlone(_ sample: Sample) throws {
        _ = try Self.compare(sample, rounds: 40 * Sample.effort)
    }

    /// Otherwise nothing would be held to anything.
    @Test func isFoundOften() throws {
        var found = 0
        for sample in Sample.all { found += try Self.compare(sample, rounds: 6) }
        #expect(found > Sample.all.count / 3)
    }

    /// A definition that looks into a further column of files which are not its own makes folders of them slow.
    @Test func mostAreToldManyBytesAtATime() throws {
        let registry = try BuiltIn.registry()
        let scanner = PlainRowScanner()
        var slow: [String] = []
        var count = 0
        for sample in Sample.all {
            let input = try InputSample(MemoryInput(name: sample.name, bytes: sample.bytes))
            guard case .recognised(let found, _) = registry.decide(input),
                let likeness = registry.likeness(of: input, readBy: found.importer, scanner)
            else { continue }
            count += 1
            if !likeness.isToldManyBytesAtATime { slow.append(sample.path) }
        }
        #expect(count > Sample.all.count / 3)
        #expect(slow.count * 20 < count, "\(slow)")
    }
}
