import CByteMask
import TestSupport
import Testing

@testable import Markup

/// The vector instructions by which rows are followed say what plain Swift says.
struct ValueEndTests {
    @Test func agreesWithTheSimpleWay() {
        var random = SplitMix64(seed: 16)
        let interesting: [UInt8] = [
            0, 9, 10, 13, 0x1F, 0x20, 0x22, 0x26, 0x3C, 0x3D, 0x3E, 0x3F, 0x7F, 0x80, 0xA6, 0xBC, 0xEF, 0xFF,
        ]
        for round in 0..<20_000 {
            var bytes = (0..<32).map { _ -> UInt8 in
                let value = random.next()
                return round % 3 == 0 || value & 1 == 0
                    ? UInt8(truncatingIfNeeded: value >> 8) : interesting[Int(value >> 8) % interesting.count]
            }
            if round % 2 == 0 { for place in 0..<16 where random.next() % 8 > 0 { bytes[16 + place] = bytes[place] } }
            bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                for place in 0..<16 {
                    let alone = UInt64(bytes[place]) | 0x2020_2020_2020_2000
                    let endsText = Words.ends(alone) & 0x80 != 0
                    let endsQuote = Words.quoteEnds(alone) & 0x80 != 0
                    #expect(byte_mask_value_end(base, 0x3E, 0x3C) >> UInt32(place) & 1 == (endsText ? 1 : 0))
                    #expect(byte_mask_value_end(base, 0x22, 0x3C) >> UInt32(place) & 1 == (endsQuote ? 1 : 0))
                    let isSame = bytes[place] == bytes[16 + place]
                    #expect(byte_mask_same(base, base + 16) >> UInt32(place) & 1 == (isSame ? 1 : 0))
                }
                #expect(byte_mask_value_end(base, 0x22, 0x3C) >> 16 == 0 && byte_mask_same(base, base + 16) >> 16 == 0)
            }
        }
    }
}
