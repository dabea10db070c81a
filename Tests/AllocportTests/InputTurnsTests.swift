import Dispatch
import Importing
import Synchronization
import TestSupport
import Testing

@testable import Allocport

/// Threads that take turns do what one would do, in the same order.
@Suite struct InputTurnsTests {
    /// What happened in the turns; only the thread whose turn it is may touch it.
    private final class Log: @unchecked Sendable {
        var inputs: [Int] = []
        var threads: Set<Int> = []
        let isBusy = Atomic(false)
        let clashes = Atomic<Int>(0)
    }

    private static func readers(_ count: Int, inputs: Int) throws -> [InputTurns.Reader] {
        let options = RunOptions()
        let folder = try OutputFolder(path: nil, force: true, inMemory: true)
        let state = try RunState(options: options, inputCount: inputs, folder: folder)
        let catalog = try BuiltIn.registry()
        let plans = (0..<inputs).map { index in
            InputPlan(MemoryInput(name: "\(index).txt", bytes: [0x78, 0x0A]), catalog: catalog, options: options)
        }
        return try (0..<count).map { _ in InputTurns.Reader(try #require(ReadAhead(plans, state))) }
    }

    @Test(arguments: [(1, 3), (2, 40), (3, 200), (4, 77)]) func turnsAreInOrder(_ threads: Int, _ inputs: Int) throws {
        let readers = try Self.readers(threads, inputs: inputs)
        for end in [inputs, inputs / 2] {
            let log = Log()
            let turns = InputTurns(count: inputs)
            let turn: @Sendable (Int, Range<Int>) -> Bool = { number, range in
                if log.isBusy.exchange(true, ordering: .acquiringAndReleasing) {
                    log.clashes.add(1, ordering: .relaxed)
                }
                log.inputs += range
                log.threads.insert(number)
                log.isBusy.store(false, ordering: .releasing)
                return range.upperBound < end
            }
            let home = DispatchGroup()
            for number in 1..<threads {
                DispatchQueue(label: "other").async(group: home) { [reader = readers[number]] in
                    turns.join(reader) { _, range in turn(number, range) }
                }
            }
            turns.lead(readers[0]) { _, range in turn(0, range) }
            // No turn is left when the first thread comes back.
            let read = log.inputs
            home.wait()
            #expect(log.inputs == read)
            #expect(read == Array(0..<read.count) && read.count >= end && read.count <= inputs)
            #expect(log.clashes.load(ordering: .relaxed) == 0)
            #expect(log.threads.contains(0))
        }
    }

    @Test(arguments: [(0, 2), (1, 1), (1, 3), (50, 1), (500, 3)]) func piecesAreInOrder(_ count: Int, _ jobs: Int) {
        let taken = Mutex<[Int]>([])
        Parallel.inOrder(count, jobs: jobs) {
            $0 * 7
        } take: { piece in
            taken.withLock { $0.append(piece) }
        }
        #expect(taken.withLock { $0 } == (0..<count).map { $0 * 7 })
    }

    /// What threads append in turns, each from its own memory, is what one would append.
    @Test func spoolsChangeTheirMemory() throws {
        var random = SplitMix64(seed: 5)
        let (one, several) = (try Spool(inMemory: true), try Spool(inMemory: true))
        var memories = [Box(), Box(), Box()]
        for _ in 0..<200 {
            let place = Int(random.next() % 3)
            several.exchange(&memories[place].memory)
            for _ in 0..<random.next() % 4 {
                let bytes = (0..<Int(random.next() % 90_000)).map { UInt8(truncatingIfNeeded: $0) }
                one.append(bytes)
                several.append(bytes)
                if random.next() % 9 == 0 { _ = several.tail(300_000) }
            }
            several.exchange(&memories[place].memory)
        }
        memories.removeAll()
        #expect(try one.finish() == several.finish())
        let isSame = one.content == several.content
        #expect(isSame)
    }

    private final class Box {
        var memory = SpoolMemory()
    }
}
