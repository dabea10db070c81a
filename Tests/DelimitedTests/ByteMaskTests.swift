import CByteMask
import Testing

@testable import Delimited

/// The vector instructions say what plain Swift says.
@Suite struct ByteMaskTests {
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
            bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
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
