import CByteMask
import TestSupport
import Testing

@testable import Allocport

/// Hashes made side by side are those made one by one.
@Suite struct HashGroupTests {
    /// Texts of all lengths modulo 8, some empty, some as long as may be; of one length or of very different ones.
    private static func text(_ round: Int, _ random: inout SplitMix64) -> [UInt8] {
        let bound: UInt64 = [1, 9, 40, 120, 700, 4097][round % 6]
        let count = round % 5 == 0 ? Int(bound) - 1 : Int(random.next() % bound)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    @Test(arguments: 1...Sample.effort * 4) func hashesAsOneByOne(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var group = HashGroup()
        for round in 0..<300 {
            let wanted = 1 + Int(random.next() % UInt64(HashGroup.size))
            var texts: [[UInt8]] = []
            group.removeAll()
            while texts.count < wanted, group.hasRoom(for: 1) {
                let text = HashGroupTests.text(round, &random)
                // What stands behind a text is no part of it.
                for place in 0..<8 { group.tail[text.count + place] = UInt8(truncatingIfNeeded: random.next()) }
                for (place, byte) in text.enumerated() { group.tail[place] = byte }
                group.append(text.count)
                texts.append(text)
                if random.next() % 9 == 0 {
                    group.removeLast()
                    texts.removeLast()
                }
            }
            let count = group.count
            #expect(count == texts.count)
            if texts.isEmpty { continue }
            group.makeHashes()
            group.makeFirsts()
            for (place, text) in texts.enumerated() {
                let hash = StableHash(text)
                let (made, first) = (group.hash(place), group.first(place))
                #expect(made == hash)
                #expect(first == hash.numbered(1))
            }
        }
    }

    @Test func hasRoomForTwoOfTheLongest() {
        var group = HashGroup()
        for _ in 0..<2 {
            let hasRoom = group.hasRoom(for: 1)
            #expect(hasRoom)
            group.append(HashGroup.longest)
        }
        group.removeAll()
        let hasRoomForTwo = group.hasRoom(for: 2)
        #expect(hasRoomForTwo)
        for _ in 0..<HashGroup.size {
            let hasRoom = group.hasRoom(for: 1)
            #expect(hasRoom)
            group.append(100)
        }
        let isFull = !group.hasRoom(for: 1)
        #expect(isFull)
        #expect(HashGroup.size == Int(row_hash_width))
    }

    /// With the processor's best instructions and without.
    @Test(arguments: 1...Sample.effort * 4) func needsNoInstructions(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let memory = (0..<1 << 14).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for _ in 0..<500 {
            let starts = (0..<8).map { _ in UInt32(random.next() % 8000) }
            let words = (0..<8).map { _ in 1 + UInt32(random.next() % 40) }
            var hashes = [[UInt64]](repeating: [UInt64](repeating: 0, count: 16), count: 2)
            var ids = hashes
            row_hash_texts(memory, starts, words, &hashes[0])
            row_hash_texts_any(memory, starts, words, &hashes[1])
            #expect(hashes[0] == hashes[1])
            row_hash_firsts(hashes[0], &ids[0])
            row_hash_firsts_any(hashes[0], &ids[1])
            #expect(ids[0] == ids[1])
            #expect(
                StableHash(high: ids[0][6], low: ids[0][7])
                    == StableHash(high: hashes[0][6], low: hashes[0][7]).numbered(1))
        }
    }

    @Test func findsTags() {
        var random = SplitMix64(seed: 5)
        for round in 0..<2000 {
            let tags = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next() % (round % 2 == 0 ? 4 : 256)) }
            let tag = UInt8(truncatingIfNeeded: random.next() % (round % 2 == 0 ? 4 : 256))
            let found = row_tags_of(tags, tag)
            for place in 0..<16 {
                #expect((found.same >> UInt32(place) & 1 == 1) == (tags[place] == tag))
                #expect((found.free >> UInt32(place) & 1 == 1) == (tags[place] == 0))
            }
            #expect(found.same >> 16 == 0 && found.free >> 16 == 0)
        }
    }
}

/// Line numbers are written as Swift writes them.
@Suite struct LineTextTests {
    private static func text(_ number: Int, _ write: (Int, UnsafeMutablePointer<UInt8>) -> Int) -> String {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: LineText.room + 8)
        defer { memory.deallocate() }
        let count = write(number, memory)
        return String(decoding: UnsafeBufferPointer(start: memory, count: count), as: UTF8.self)
    }

    @Test func writesDigits() {
        var random = SplitMix64(seed: 3)
        var numbers = Array(0..<20_000)
        var power = 1
        for _ in 0..<18 {
            power *= 10
            numbers += [power - 1, power, power + 1]
        }
        numbers += (0..<50_000).map { _ in Int(random.next() % 100_000_000) }
        numbers += (0..<5000).map { _ in Int(random.next() >> (1 + random.next() % 40)) }
        for number in numbers + [Int.max] {
            let (fast, slow) = (
                LineTextTests.text(number) { LineText.write($0, to: $1) },
                LineTextTests.text(number) { LineText.writeDigits($0, to: $1) }
            )
            if fast != String(number) || slow != fast { Issue.record("\(number) is written \(fast) and \(slow)") }
        }
    }
}
