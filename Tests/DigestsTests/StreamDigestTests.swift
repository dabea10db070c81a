import CDigest
import Crypto
import TestSupport
import Testing

@testable import Digests

/// Digests in steps and side by side are those of the library, whatever the pieces.
struct StreamDigestTests {
    /// Who makes a digest.
    enum Way: CaseIterable {
        case library, steps, stepsWithSchedulesAhead

        func digest() -> StreamDigest {
            let isAhead = self == .stepsWithSchedulesAhead
            return StreamDigest(
                isInSteps: self != .library, schedules: isAhead ? digest_schedules_ahead : digest_schedules_between)
        }
    }

    /// On processors without instructions for it there is one way only.
    static let ways = digest_is_supported() ? Way.allCases : [.library]

    static func bytes(_ count: Int, _ generator: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    static func expected(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// FIPS 180-4's examples, as NIST prints them.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func agreesWithTheStandard(_ text: String, _ digest: String) {
        for way in Self.ways {
            let made = way.digest()
            Array(text.utf8).withUnsafeBytes { made.update($0) }
            #expect(made.finish() == digest)
        }
    }

    @Test func agreesForEveryLength() {
        var generator = SplitMix64(seed: 1)
        for count in 0..<300 {
            let bytes = Self.bytes(count, &generator)
            for way in Self.ways {
                let made = way.digest()
                bytes.withUnsafeBytes { made.update($0) }
                #expect(made.finish() == Self.expected(bytes), "\(count) bytes")
            }
        }
    }

    /// Two streams whose pieces are put off, taken in steps, alone and beside each other.
    @Test(arguments: 0..<200)
    func agreesInPieces(_ seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        let texts = (0..<2).map { _ in Self.bytes(Int.random(in: 0...4000, using: &generator), &generator) }
        for way in Self.ways {
            let digests = texts.map { _ in way.digest() }
            texts[0].withUnsafeBytes { first in
                texts[1].withUnsafeBytes { second in
                    let sources = [first, second]
                    var taken = [0, 0]
                    while taken[0] < first.count || taken[1] < second.count {
                        let which = Int.random(in: 0...1, using: &generator)
                        switch Int.random(in: 0...5, using: &generator) {
                        case 0, 1:
                            let most = min(sources[which].count - taken[which], 700)
                            let count = Int.random(in: 0...most, using: &generator)
                            let piece = sources[which][taken[which]..<taken[which] + count]
                            digests[which].putOff(UnsafeRawBufferPointer(rebasing: piece))
                            taken[which] += count
                        case 2, 3: digests[which].step()
                        case 4: digests[which].settle()
                        default: digests[which].settle(beside: digests[1 - which])
                        }
                    }
                    for which in 0...1 { #expect(digests[which].finish() == Self.expected(texts[which])) }
                }
            }
        }
    }

    /// Long pieces, of whose blocks schedules are made ahead, left off anywhere.
    @Test(arguments: 0..<100)
    func agreesInLongPieces(_ seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        let texts = (0..<2).map { _ in Self.bytes(Int.random(in: 0...20_000, using: &generator), &generator) }
        for way in Self.ways {
            let digests = texts.map { _ in way.digest() }
            texts[0].withUnsafeBytes { first in
                texts[1].withUnsafeBytes { second in
                    let sources = [first, second]
                    var taken = [0, 0]
                    while taken[0] < first.count || taken[1] < second.count {
                        let which = Int.random(in: 0...1, using: &generator)
                        let most = min(sources[which].count - taken[which], 5_000)
                        let count = Int.random(in: 0...most, using: &generator)
                        let piece = sources[which][taken[which]..<taken[which] + count]
                        digests[which].putOff(UnsafeRawBufferPointer(rebasing: piece))
                        taken[which] += count
                        for _ in 0..<Int.random(in: 0...150, using: &generator) {
                            digests[Int.random(in: 0...1, using: &generator)].step()
                        }
                        if Bool.random(using: &generator) { digests[which].settle(beside: digests[1 - which]) }
                    }
                    for which in 0...1 { #expect(digests[which].finish() == Self.expected(texts[which])) }
                }
            }
        }
    }

    /// What a desk does with an input's digest and an output's: rows are lent while the next block is read.
    @Test(arguments: 0..<50)
    func deskMakesBoth(_ seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        let desk = DigestDesk()
        let (input, output) = (StreamDigest(), StreamDigest())
        desk.use(input: input)
        let steps = DigestSteps(desk)
        let text = Self.bytes(20_000, &generator)
        let rows = Self.bytes(30_000, &generator)
        text.withUnsafeBytes { text in
            rows.withUnsafeBytes { rows in
                var (read, written) = (0, 0)
                while read < text.count || written < rows.count {
                    let block = min(Int.random(in: 0...2000, using: &generator), text.count - read)
                    desk.settleInput()
                    #expect(input.left == 0)
                    input.putOff(UnsafeRawBufferPointer(rebasing: text[read..<read + block]))
                    read += block
                    for _ in 0..<Int.random(in: 0...90, using: &generator) { steps.take() }
                    let count = min(Int.random(in: 0...3000, using: &generator), rows.count - written)
                    let piece = UnsafeRawBufferPointer(rebasing: rows[written..<written + count])
                    let number = desk.putOff(piece, to: output)
                    written += count
                    if Bool.random(using: &generator) { desk.turn() }
                    if Bool.random(using: &generator) { desk.settle(number) }
                }
                desk.settleInput()
                desk.use(input: nil)
                for _ in 0..<Int.random(in: 0...9, using: &generator) { steps.take() }
                desk.settle()
            }
        }
        #expect(input.finish() == Self.expected(text))
        #expect(output.finish() == Self.expected(rows))
    }
}
