import Testing

@testable import Allocport

/// The table counts as a dictionary would.
@Suite struct OccurrenceTableTests {
    private struct Known {
        var kept = 0
        var seen: [Int: Int] = [:]
        var last = -1
    }

    @Test(arguments: 1...Sample.effort * 4) func countsAsADictionary(_ round: Int) {
        var random = SplitMix64(seed: UInt64(round))
        let table = OccurrenceTable()
        var known: [StableHash: Known] = [:]
        let keyCount = [3, 40, 5000][round % 3]
        let keys = (0..<keyCount).map { StableHash(Array("key \(round) \($0)".utf8)) }
        var input = 0
        for _ in 0..<30_000 {
            if random.next() % 997 == 0 {
                input += Int(random.next() % 800)
                table.read.note(Int(random.next() % 100), of: 99)
            }
            let key = keys[Int(random.next() % UInt64(keyCount))]
            var entry = known[key] ?? Known()
            if random.next() % 50 == 0 {
                let occurrence = 1 + Int(random.next() % 2000)
                let isKept = occurrence > entry.kept
                if isKept { entry.kept = occurrence }
                #expect(table.keep(key, upTo: occurrence) == isKept)
            } else {
                // Inputs come one after the other: what an earlier one had is forgotten.
                if entry.last != input { entry.seen = [:] }
                entry.last = input
                entry.seen[input, default: 0] += 1
                let number = entry.seen[input] ?? 0
                let isKept = number > entry.kept
                if isKept { entry.kept = number }
                table.prefetch(key)
                let (occurrence, kept) = table.count(key, input: input)
                #expect(occurrence == number)
                #expect(kept == isKept)
            }
            known[key] = entry
        }
    }

    @Test func tellsManyKeysApart() {
        let table = OccurrenceTable()
        var repeated = 0
        for index in 0..<100_000 {
            let key = StableHash(Array("\(index)".utf8))
            if table.count(key, input: 0).occurrence != 1 { repeated += 1 }
        }
        #expect(repeated == 0)
        for index in 0..<100_000 {
            let key = StableHash(Array("\(index)".utf8))
            if table.count(key, input: 1).isKept { repeated += 1 }
        }
        #expect(repeated == 0)
    }
}
