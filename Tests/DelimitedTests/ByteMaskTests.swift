import CByteMask
import TestSupport
import Testing

@testable import Delimited

/// The vector instructions say what plain Swift says.
@Suite struct ByteMaskTests {
    @Test func writesHexDigits() {
        var random = SplitMix64(seed: 16)
        for _ in 0..<2000 {
            let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            var digits = [UInt8](repeating: 0, count: 32)
            digits.withUnsafeMutableBufferPointer { buffer in
                guard let to = buffer.baseAddress else { return }
                bytes.withUnsafeBufferPointer { if let from = $0.baseAddress { byte_hex(from, to) } }
            }
            let expected = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(digits == Array(expected.utf8))
        }
    }

    @Test(arguments: [0, 1, 63, 64, 65, 4031, 4032, 4033, 4096, 20_000])
    func countsBytes(_ count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        // From no such byte at all to nothing else, where a lane would run over.
        for most in [0, 1, 3, 255] as [UInt64] {
            let bytes = (0..<count).map { _ in random.next() % 256 <= most ? 0x0A : UInt8(0x8A) }
            let found = bytes.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { byte_count($0, count, 0x0A) } }
            #expect(found ?? 0 == bytes.count { $0 == 0x0A })
        }
    }

    @Test func findsPlaces() {
        var random = SplitMix64(seed: 8)
        for round in 0..<3000 {
            var mask = random.next()
            // Few bits, many, none, all.
            for _ in 0..<round % 5 { mask &= random.next() }
            if round % 97 == 0 { mask = round % 2 == 0 ? 0 : ~0 }
            let start = UInt32(truncatingIfNeeded: random.next() & 0xFFFF)
            var places = [UInt32](repeating: .max, count: 64 + 8)
            let count = places.withUnsafeMutableBufferPointer { places -> Int in
                guard let to = places.baseAddress else { return 0 }
                return Int(byte_mask_places(mask, start, to))
            }
            let expected = (0..<64).filter { mask >> UInt64($0) & 1 == 1 }.map { start + UInt32($0) }
            #expect(Array(places[..<count]) == expected)
        }
    }

    @Test func agreesWithTheSimpleWay() {
        var random = SplitMix64(seed: 64)
        let interesting: [UInt8] = [0, 9, 10, 13, 0x1F, 0x20, 0x22, 0x2C, 0x3B, 0x7F, 0x80, 0x8A, 0xA2, 0xAC, 0xFF]
        for round in 0..<20_000 {
            let bytes = (0..<64).map { _ -> UInt8 in
                let value = random.next()
                return round % 3 == 0 || value & 1 == 0
                    ? UInt8(truncatingIfNeeded: value >> 8) : interesting[Int(value >> 8) % interesting.count]
            }
            let delimiter = interesting[Int(random.next() % 9)]
            let quote: UInt8 = round % 2 == 0 ? 0x22 : 0x27
            var special: UInt64 = 0
            var equal: UInt64 = 0
            for place in 0..<64 {
                let byte = bytes[place]
                if byte == delimiter || byte == quote || byte < 0x20 { special |= 1 << UInt64(place) }
                if byte == delimiter { equal |= 1 << UInt64(place) }
            }
            let separators = bytes.map { $0 == delimiter || $0 == 0x0A }
            let others = bytes.contains { $0 == quote || ($0 < 0x20 && $0 != delimiter && $0 != 0x0A) || $0 > 0x7F }
            bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                let marks = byte_marks_of(base, delimiter, quote)
                for place in 0..<64 {
                    #expect(marks.separators >> UInt64(place) & 1 == (separators[place] ? 1 : 0))
                    #expect(marks.line_feeds >> UInt64(place) & 1 == (bytes[place] == 0x0A ? 1 : 0))
                }
                #expect(marks.has_others == others)
                #expect(byte_mask_special(base, delimiter, quote) == special)
                #expect(byte_mask_equal(base, delimiter) == equal)
                #expect(byte_mask_has_high(base) == bytes.contains { $0 >= 0x80 })
            }
            // Eight at a time, as the writer looks for what must be quoted; only ASCII may be asked for.
            for part in 0..<8 {
                var word: UInt64 = 0
                for place in 0..<8 { word |= UInt64(bytes[8 * part + place]) << UInt64(8 * place) }
                let flags = SpecialBytes.flags(
                    word, delimiters: SpecialBytes.repeated(delimiter), quotes: SpecialBytes.repeated(quote))
                for place in 0..<8 {
                    #expect(flags >> UInt64(8 * place) & 1 == special >> UInt64(8 * part + place) & 1)
                }
            }
        }
    }
}
