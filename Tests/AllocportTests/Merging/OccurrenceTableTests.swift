import TestSupport
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

    /// Keys that fall into few groups, with few tags, and some of which differ in few bits.
    private static func crowdedKey(_ random: inout SplitMix64, _ kinds: UInt64) -> StableHash {
        let kind = random.next() % kinds
        let part = (kind % 3) << 61
        return StableHash(high: part | kind / 3 % 5, low: (kind % 7) << 60 | kind / 7 % 11 << 8 | kind / 77 % 3)
    }

    /// Runs of firsts, whether or not the table grows meanwhile, and whatever is known of what is to come.
    @Test(arguments: 1...Sample.effort * 6) func countsRunsAsRowByRow(_ round: Int) {
        var random = SplitMix64(seed: UInt64(round))
        let (table, model) = (OccurrenceTable(), OccurrenceTable())
        for input in 0..<6 {
            if round % 2 == 0 { table.read.note(input, of: 6) }
            for _ in 0..<40 {
                var rows = BatchRows()
                let count = Int(random.next() % 300)
                for _ in 0..<count {
                    rows.append(BatchRows.Place(start: 0, id: 0, endsUnit: true))
                    let key =
                        round % 3 == 0
                        ? OccurrenceTableTests.crowdedKey(&random, 40 + UInt64(input) * 400)
                        : StableHash(Array("\(random.next() % 20_000)".utf8))
                    rows.append(key: key)
                }
                var row = 0
                while row < count {
                    let end = table.countFirsts(rows, row..<count, input: input)
                    for first in row..<end {
                        let (occurrence, isKept) = model.count(rows.key(first), input: input)
                        #expect(occurrence == 1 && isKept)
                    }
                    row = end
                    if row == count { break }
                    let (one, other) = (
                        table.count(rows.key(row), input: input), model.count(rows.key(row), input: input)
                    )
                    #expect(one.occurrence == other.occurrence && one.isKept == other.isKept)
                    row += 1
                }
            }
        }
    }

    @Test func findsWhereUnitsBegin() {
        var rows = BatchRows()
        let ends = [true, false, true, false, false, true, true]
        for (row, endsUnit) in ends.enumerated() {
            rows.append(BatchRows.Place(start: UInt32(row), id: BatchRows.Place.noID, endsUnit: endsUnit))
        }
        for (row, start) in [0, 1, 1, 3, 3, 3, 6].enumerated() {
            let found = rows.unitStart(row, from: 0)
            #expect(found == start)
        }
        let found = rows.unitStart(5, from: 4)
        #expect(found == 4)
    }
}
