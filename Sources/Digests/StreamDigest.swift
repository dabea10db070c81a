import CDigest
import Crypto

/// SHA-256 (FIPS 180-4) of a stream of bytes, whose work can be put off and done in steps beside other work of the same
/// thread: the rounds of one digest wait for each other and leave most of a processor idle.
///
/// On processors without instructions for it the library makes the digest, and nothing is put off.
///
/// Invariant: `work` has `left` bytes readable from `next` on, as whoever put them off promises until `settle`; `rest` is
/// less than a block. Both are empty when the library makes the digest.
public final class StreamDigest {
    let work: UnsafeMutablePointer<digest>
    /// The beginning of a block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0
    private var library: SHA256?

    private static let blockBytes = 64

    /// The digest of nothing yet.
    public convenience init() { self.init(isInSteps: digest_is_supported()) }

    /// - Parameters:
    ///   - isInSteps: false to have the library make it.
    ///   - schedules: where the steps' message schedules are made.
    init(isInSteps: Bool, schedules: digest_schedules = digest_schedules_best) {
        work = .allocate(capacity: 1)
        digest_begin(work, schedules)
        if !isInSteps { library = SHA256() }
    }

    deinit {
        digest_end(work)
        work.deallocate()
    }

    /// How many bytes were put off and are still to be read.
    public var left: Int { work.pointee.left }

    /// Whether less than a block is left of what was put off.
    var isNearlyTaken: Bool { work.pointee.left < StreamDigest.blockBytes && work.pointee.halves == 0 }

    /// Takes bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        putOff(bytes)
        settle()
    }

    /// Notes bytes that are taken in steps, at the latest by `settle`; until then they stay where and as they are.
    public func putOff(_ bytes: UnsafeRawBufferPointer) {
        settle()
        guard library == nil else {
            library?.update(bufferPointer: bytes)
            return
        }
        count &+= UInt64(bytes.count)
        guard let start = bytes.baseAddress else { return }
        work.pointee.next = start.assumingMemoryBound(to: UInt8.self)
        work.pointee.left = bytes.count
        // What fills up the block that was begun is taken at once.
        if !rest.isEmpty { begin(min(bytes.count, StreamDigest.blockBytes - rest.count)) }
    }

    /// Takes half a block of what was put off, if there is one.
    func step() {
        var pair = digest_pair(one: work, other: work, is_hurried: false)
        digest_step(&pair)
    }

    /// Takes all that was put off, together with as much of what another digest has put off.
    public func settle(beside other: StreamDigest? = nil) {
        guard library == nil else { return }
        digest_settle(work, other?.work)
        if left > 0 { begin(left) }
    }

    /// The digest in lower-case hex; nothing is taken afterwards.
    public func finish() -> String {
        settle()
        if let library { return StreamDigest.hexadecimal(library.finalize()) }
        var end = rest + [0x80]
        // The number of bits ends the last block.
        while end.count % StreamDigest.blockBytes != StreamDigest.blockBytes - 8 { end.append(0) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            end.append(UInt8(truncatingIfNeeded: (count &<< 3) &>> shift))
        }
        take(end)
        var bytes = [UInt8](repeating: 0, count: 32)
        digest_bytes(work, &bytes)
        return StreamDigest.hexadecimal(bytes)
    }

    /// Moves bytes to the block that is begun.
    private func begin(_ bytes: Int) {
        rest.append(contentsOf: UnsafeBufferPointer(start: work.pointee.next, count: bytes))
        work.pointee.next += bytes
        work.pointee.left -= bytes
        guard rest.count == StreamDigest.blockBytes else { return }
        take(rest)
        rest.removeAll(keepingCapacity: true)
    }

    /// Takes whole blocks ahead of what was put off.
    private func take(_ blocks: [UInt8]) {
        let (next, left) = (work.pointee.next, work.pointee.left)
        blocks.withUnsafeBufferPointer { blocks in
            guard let start = blocks.baseAddress else { return }
            work.pointee.next = start
            work.pointee.left = blocks.count
            digest_settle(work, nil)
        }
        (work.pointee.next, work.pointee.left) = (next, left)
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (place, byte) in bytes.enumerated() {
                let (high, low) = (byte >> 4, byte & 15)
                text[2 * place] = high < 10 ? 0x30 + high : 0x57 + high
                text[2 * place + 1] = low < 10 ? 0x30 + low : 0x57 + low
            }
            return 2 * bytes.count
        }
    }
}
