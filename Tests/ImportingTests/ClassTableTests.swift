import Delimited
import TestSupport
import Testing

@testable import Importing

/// A table of classes finds what a dictionary finds, and so does its copy.
@Suite struct ClassTableTests {
    private struct Key: Hashable {
        var words: [[UInt8]]
        var shape: UInt64
    }

    private static func find(_ table: ClassTable, _ key: Key, _ arena: ByteArena) -> Int {
        let cells = FlatMemory(key.words.map { arena.copy($0) })
        return table.find(hash(key, arena), key.shape, cells)
    }

    private static func hash(_ key: Key, _ arena: ByteArena) -> UInt64 {
        var hash: UInt64 = 1
        for word in key.words { hash = arena.copy(word).mix(into: hash) }
        return ClassTable.hash(words: hash, shape: key.shape)
    }

    /// Words that differ in one byte, in how they are cut, and in nothing but the signs beside them.
    @Test(arguments: [0, 1, 3], [40, 6000]) func findsWhatADictionaryFinds(_ wordCount: Int, _ classes: Int) {
        var random = SplitMix64(seed: UInt64(classes + wordCount))
        let table = ClassTable(wordCount: wordCount)
        var known: [Key: Int] = [:]
        let arena = ByteArena()
        func key() -> Key {
            let words = (0..<wordCount).map { _ -> [UInt8] in
                let text = String(repeating: "x", count: [0, 3, 15, 40, 90][Int(random.next() % 5)])
                return Array((text + String(random.next() % UInt64(classes))).utf8)
            }
            return Key(words: words, shape: random.next() % (wordCount == 0 ? 1 << 40 : 4))
        }
        for number in 0..<classes {
            arena.reset()
            let key = key()
            #expect(Self.find(table, key, arena) == known[key] ?? ClassTable.unknown)
            if known[key] == nil {
                known[key] = number
                table.insert(Self.hash(key, arena), key.shape, prepared: number) { arena.copy(key.words[$0]) }
            }
        }
        let copy = table.frozen()
        #expect(table.count == known.count && copy.count == known.count)
        for (key, number) in known {
            arena.reset()
            #expect(Self.find(table, key, arena) == number && Self.find(copy, key, arena) == number)
        }
    }

    /// Classes that were made to collide are not looked for without end.
    @Test func leavesWhatIsCrowded() {
        let table = ClassTable(wordCount: 1)
        let arena = ByteArena()
        for number in 0..<40 {
            table.insert(7, UInt64(number), prepared: number) { _ in arena.copy(Array("word \(number)".utf8)) }
        }
        let found = (0..<40).map { number in
            table.find(7, UInt64(number), FlatMemory([arena.copy(Array("word \(number)".utf8))]))
        }
        #expect(found == Array(0..<32) + Array(repeating: ClassTable.crowded, count: 8))
        #expect(table.find(7, 0, FlatMemory([arena.copy(Array("other".utf8))])) == ClassTable.crowded)
    }
}
