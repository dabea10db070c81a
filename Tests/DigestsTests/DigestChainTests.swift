import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Digests

/// A digest whose pieces are with several threads is that of the pieces in the order in which they were added, and no
/// thread waits for ever.
struct DigestChainTests {
    /// An input and an output, of which threads add pieces as they come to it.
    private final class Streams: @unchecked Sendable {
        let texts: [[UInt8]]
        let chains: [DigestChain]
        let hashes: [StreamDigest]
        private let places = Mutex([0, 0])

        init(_ texts: [[UInt8]], way: StreamDigestTests.Way) {
            self.texts = texts
            hashes = texts.map { _ in way.digest() }
            chains = hashes.map { DigestChain($0) }
        }

        /// Adds a piece of a stream; nil at its end.
        func add(_ stream: Int, _ count: Int, _ desk: DigestDesk, _ memory: UnsafeRawBufferPointer) -> Int? {
            places.withLock { places in
                let start = places[stream]
                if start == memory.count { return nil }
                places[stream] = min(start + count, memory.count)
                return desk.add(UnsafeRawBufferPointer(rebasing: memory[start..<places[stream]]), to: chains[stream])
            }
        }
    }

    private struct Memory: @unchecked Sendable {
        var bytes: [UnsafeRawBufferPointer]
    }

    @Test(arguments: 0..<40)
    func takesPiecesInOrder(_ seed: Int) {
        for way in StreamDigestTests.ways {
            var generator = SplitMix64(seed: UInt64(seed))
            let texts = [60_000, 90_000].map { StreamDigestTests.bytes($0, &generator) }
            let streams = Streams(texts, way: way)
            texts[0].withUnsafeBytes { first in
                texts[1].withUnsafeBytes { second in
                    let memory = Memory(bytes: [first, second])
                    DispatchQueue.concurrentPerform(iterations: 2 + seed % 3) { thread in
                        DigestChainTests.work(streams, memory, seed * 10 + thread)
                    }
                }
            }
            for stream in 0...1 {
                streams.chains[stream].settle()
                #expect(streams.hashes[stream].finish() == StreamDigestTests.expected(texts[stream]))
            }
        }
    }

    /// A desk that is to take what is next takes its own pieces, up to the first of another one.
    @Test(arguments: StreamDigestTests.ways)
    func takesItsOwnAsFarAsItCan(_ way: StreamDigestTests.Way) {
        var generator = SplitMix64(seed: 1)
        let text = StreamDigestTests.bytes(9_000, &generator)
        let digest = way.digest()
        let chain = DigestChain(digest)
        let desks = [DigestDesk(), DigestDesk()]
        text.withUnsafeBytes { text in
            for (number, owner) in [0, 0, 1, 0].enumerated() {
                let piece = UnsafeRawBufferPointer(rebasing: text[number * 2_250..<(number + 1) * 2_250])
                #expect(desks[owner].add(piece, to: chain) == number)
            }
            DigestSteps(desks[0]).turn()
            for (owner, taken) in [(1, 0), (0, 2), (0, 2), (1, 3), (0, 4)] {
                desks[owner].takeNext()
                #expect((0..<4).filter { chain.isTaken($0) }.count == taken)
            }
        }
        #expect(digest.finish() == StreamDigestTests.expected(text))
    }

    /// What a thread does: it adds pieces, takes steps, and now and then needs a piece to be taken.
    private static func work(_ streams: Streams, _ memory: Memory, _ seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        let desk = DigestDesk(manyPieces: Int.random(in: 1...5, using: &generator))
        let steps = DigestSteps(desk)
        var own: [(number: Int, stream: Int)] = []
        var open = [0, 1]
        while let stream = open.randomElement(using: &generator) {
            let count = Int.random(in: 1...900, using: &generator)
            guard let number = streams.add(stream, count, desk, memory.bytes[stream]) else {
                open.removeAll { $0 == stream }
                continue
            }
            own.append((number, stream))
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                steps.take()
                if Int.random(in: 0...3, using: &generator) == 0 { steps.turn() }
            }
            if own.count > 4 {
                let piece = own.removeFirst()
                desk.settle(piece.number, of: streams.chains[piece.stream])
            }
            switch Int.random(in: 0...19, using: &generator) {
            case 0, 1: desk.letGo()
            case 2: desk.takeNext()
            default: break
            }
        }
        for piece in own { desk.settle(piece.number, of: streams.chains[piece.stream]) }
        desk.letGo()
    }
}
