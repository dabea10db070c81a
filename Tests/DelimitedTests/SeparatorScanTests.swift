import CByteMask
import TestSupport
import Testing

@testable import Delimited

/// Every way of scanning says what a walk from byte to byte says.
@Suite struct SeparatorScanTests {
    private struct Found: Equatable {
        var separators: [UInt32] = []
        var lineFeeds: [UInt32] = []
        var isOver = false
    }

    /// The walk.
    private static func walk(_ bytes: [UInt8], _ delimiter: UInt8, _ quote: UInt8) -> Found {
        enum Place { case start, within, quoted, closed, returned }
        var found = Found()
        var place = Place.start
        for (index, byte) in bytes.enumerated() {
            let isSeparator = byte == delimiter || byte == 0x0A
            let isRight =
                switch place {
                case .quoted: byte != 0 && byte != 0x0A && byte != 0x0D
                case .closed: isSeparator || byte == 0x0D
                case .returned: byte == 0x0A
                case .start, .within: byte != 0 && (byte != quote || place == .start)
                }
            guard isRight else {
                found.isOver = true
                return found
            }
            if place == .quoted {
                if byte == quote { place = .closed }
                continue
            }
            if isSeparator { found.separators.append(UInt32(index)) }
            if byte == 0x0A { found.lineFeeds.append(UInt32(index)) }
            place = isSeparator ? .start : byte == quote ? .quoted : byte == 0x0D ? .returned : .within
        }
        found.isOver = bytes.count % 64 != 0
        return found
    }

    /// One way, in pieces of so many bytes; what stands behind the text is not of it.
    private static func scan(
        _ way: Int32, _ bytes: [UInt8], _ delimiter: UInt8, _ quote: UInt8, pieces: Int
    ) -> (found: Found, hasHigh: Bool) {
        let padded = bytes + [0x22, 0x2C, 0x0A, 0xFF] + [UInt8](repeating: 0x2C, count: 64)
        let room = bytes.count + Int(SEPARATOR_SLACK)
        var places = [UInt32](repeating: 0xFFFF, count: 2 * room + 1)
        let result = places.withUnsafeMutableBufferPointer { places -> (Found, Bool)? in
            padded.withUnsafeBufferPointer { padded -> (Found, Bool)? in
                guard let to = places.baseAddress, let from = padded.baseAddress else { return nil }
                var scan = separator_scan(
                    separators: to, line_feeds: to + room,
                    before: clean_state(inside: 0, after_separator: 1, after_closing: 0, after_return: 0),
                    position: 0, delimiter: delimiter, quote: quote, has_high: false, is_over: false)
                var position = 0
                while position < bytes.count, !scan.is_over {
                    let piece = min(pieces, bytes.count - position)
                    separator_scan_in_way(way, &scan, from + position, UInt32(piece))
                    position += piece
                }
                let found = Found(
                    separators: Array(places[..<(scan.separators - to)]),
                    lineFeeds: Array(places[room..<(scan.line_feeds - to)]), isOver: scan.is_over)
                return (found, scan.has_high)
            }
        }
        // No more than the slack is written to.
        #expect(places.last == 0xFFFF)
        return result ?? (Found(), false)
    }

    private func check(_ bytes: [UInt8], _ delimiter: UInt8, _ quote: UInt8, _ label: @autoclosure () -> String) {
        let expected = Self.walk(bytes, delimiter, quote)
        let read = bytes.prefix(Int(expected.separators.last.map { $0 + 1 } ?? 0))
        for way in 1...separator_scan_ways() {
            for pieces in [64, 256, 8192] {
                let (found, hasHigh) = Self.scan(way, bytes, delimiter, quote, pieces: pieces)
                #expect(found == expected, "way \(way), pieces of \(pieces): \(label())")
                #expect(hasHigh || !read.contains { $0 > 0x7F }, "way \(way): \(label())")
                if !bytes.contains(where: { $0 > 0x7F }), bytes.count % 64 == 0 { #expect(!hasHigh) }
            }
        }
    }

    @Test(arguments: 0..<6) func agreesWithTheWalk(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 6400)
        let delimiters: [UInt8] = [0x2C, 0x3B, 0x09]
        for round in 0..<iterations(150) {
            let alphabet = [tame, tame, hostile, tame + tame + tame + hostile][round % 4]
            let pieces = [3, 30, 300][Int.random(in: 0...2, using: &random)]
            var bytes = hostileBytes(&random, pieces: pieces, alphabet: alphabet)
            if round % 3 == 0 { bytes.removeLast(bytes.count % 64) }
            let quote: UInt8 = round % 5 == 0 ? 0x27 : 0x22
            check(bytes, delimiters[round % 3], quote, "seed \(seed) round \(round)")
        }
    }

    /// Every number of separators in a block, at every place.
    @Test func countsEveryNumber() {
        for count in 0...64 {
            for shift in [0, 1, 7, 63] {
                let block = (0..<64).map { UInt8(($0 + shift) % 64 < count ? ($0 % 2 == 0 ? 0x2C : 0x0A) : 0x61) }
                check(block + block + block, 0x2C, 0x22, "\(count) at \(shift)")
            }
        }
    }

    /// Each pair of odd bytes where two blocks meet, and at the end of the text.
    @Test(arguments: [Array("\"".utf8), [0x0D], [0], [0x0A], [0x2C], [0xC3], Array("\",".utf8), Array(",\"".utf8)])
    func meetsTheEndsOfBlocks(_ first: [UInt8]) {
        for second: [UInt8] in [[0x22], [0x0D], [0], [0x0A], [0x2C], [0x61], [0x22, 0x2C], [0x0D, 0x0A]] {
            for before in 60...66 {
                for after in [0, 1, 60, 61, 62, 63, 64, 130] {
                    let lead = [UInt8](repeating: 0x61, count: before - 1) + [0x2C]
                    let bytes = lead + first + second + [UInt8](repeating: 0x62, count: after)
                    check(bytes, 0x2C, 0x22, "\(first) \(second) \(before) \(after)")
                }
            }
        }
    }
}
