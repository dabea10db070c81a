import TestSupport
import Testing

@testable import Importing

/// Slots and words are kept as sets and dictionaries keep them.
struct WordTableTests {
    /// Letters of two bytes fold in place, in Latin, Greek and Cyrillic; `İ`, whose small letter is another's, stays.
    @Test(arguments: [
        ("ÄNDERUNG  ŁÓDŹ", "änderung łódź"), ("ΔΈΛΤΑ Ώ", "δέλτα ώ"), ("ПРИВЕТ Ёлка", "привет ёлка"),
        ("ÇIKIŞ İŞLEM", "çikiş İşlem"), ("Größe ÿŸ ×÷", "größe ÿÿ ×÷"), ("ĳĲ ŉ ĸ ŽŽ", "ĳĳ ŉ ĸ žž"),
        ("買い ₿ Ａ", "買い ₿ Ａ"), ("ẞ", "ẞ"),
    ])
    func lettersFold(_ text: String, _ folded: String) {
        #expect(String(decoding: foldedWordBytes(text), as: UTF8.self) == folded)
        #expect(foldedWordBytes(folded) == foldedWordBytes(text))
    }

    /// What is no text stays as it is.
    @Test func brokenLettersStay() {
        for bytes in [[0xC3], [0xC3, 0x41], [0xD0, 0xC3, 0x84], [0x84, 0xC3]] as [[UInt8]] {
            var folded = bytes
            foldLetters(&folded)
            #expect(folded == bytes || bytes == [0xD0, 0xC3, 0x84] && folded == [0xD0, 0xC3, 0xA4])
        }
    }

    @Test func isADictionaryInOrder() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            var table = WordTable<Int>()
            var twin: [[UInt8]: Int] = [:]
            var order: [[UInt8]] = []
            for number in 0..<Int.random(in: 0...80, using: &random) {
                // Few letters, so that words come again.
                let count = Int.random(in: 0...3, using: &random)
                let word = (0..<count).map { _ in UInt8.random(in: 97...99, using: &random) }
                if twin[word] == nil { order.append(word) }
                #expect(table.updateValue(number, forKey: word) == twin.updateValue(number, forKey: word))
            }
            #expect(table.words == order)
            #expect(table.values == order.compactMap { twin[$0] })
            #expect(table.isEmpty == twin.isEmpty)
            for word in order + [[100], [97, 97, 97, 97]] { #expect(table[word] == twin[word]) }
        }
    }

    @Test func isASet() {
        var random = SplitMix64(seed: 6)
        for _ in 0..<200 {
            var (slots, other) = (SlotSet(), SlotSet())
            var (twin, otherTwin) = (Set<Int>(), Set<Int>())
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let slot = Int.random(in: 0...200, using: &random)
                #expect(slots.insert(slot) == twin.insert(slot).inserted)
                let more = (0..<3).map { _ in Int.random(in: 0...200, using: &random) }
                other.formUnion(more)
                otherTwin.formUnion(more)
            }
            #expect(slots.sorted == twin.sorted())
            #expect(slots.subtracting(other).sorted == twin.subtracting(otherTwin).sorted())
            #expect(slots.subtracting([3, 64, 200]).sorted == twin.subtracting([3, 64, 200]).sorted())
            for slot in -1...260 { #expect(slots.contains(slot) == twin.contains(slot)) }
        }
        var none = SlotSet([-5])
        #expect(none.sorted.isEmpty && !none.insert(-1) && !none.contains(-1))
    }
}
