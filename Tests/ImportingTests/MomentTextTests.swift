import OpenAlloc
import TestSupport
import Testing

@testable import Importing

@Suite struct MomentTextTests {
    private static func text(_ instant: Instant) -> [UInt8] {
        let words = MomentText.words(of: instant)
        return [words.0, words.1, words.2].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }

    /// What an instant writes itself, at both ends of time and in between.
    @Test func isThatOfInstants() throws {
        var random = SplitMix64(seed: 41)
        let first: Int64 = -62_167_219_200, last: Int64 = 253_402_300_799
        let span = UInt64(last - first + 1)
        let seconds = [first, first + 1, -1, 0, 1, last] + (0..<2000).map { _ in first + Int64(random.next() % span) }
        for second in seconds {
            let instant = try #require(Instant(secondsSince1970: second))
            var bytes: [UInt8] = []
            instant.append(to: &bytes)
            #expect(bytes.count == MomentText.count)
            #expect(Self.text(instant).prefix(MomentText.count) == bytes[...])
        }
    }
}
