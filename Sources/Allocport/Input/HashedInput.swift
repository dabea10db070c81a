import Digests
import Importing
import Synchronization

/// An input whose digest comes of reading it for another reason: the first stream that gets from its first byte to its
/// last has it.
final class HashedInput: InputSource {
    let base: any InputSource
    private let known = Mutex<String?>(nil)
    /// SHA-256 in hex; nil as long as no stream has come to the end.
    var digest: String? { known.withLock { $0 } }

    init(_ base: any InputSource) { self.base = base }

    var name: String { base.name }
    var byteCount: Int { base.byteCount }

    func open() throws(InputError) -> any ByteStream {
        let stream = try base.open()
        return digest == nil ? Stream(stream, self) : stream
    }

    func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] { try base.bytes(at: offset, count: count) }

    private func end(_ hash: StreamDigest) {
        let digest = hash.finish()
        known.withLock { $0 = digest }
    }

    private final class Stream: DigestedStream {
        private let base: any ByteStream
        private let input: HashedInput
        private let hash = StreamDigest()
        private var desk: DigestDesk?
        private var isHandedOver = false

        init(_ base: any ByteStream, _ input: HashedInput) {
            self.base = base
            self.input = input
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            if isHandedOver { return try base.read(into: buffer) }
            if let desk { desk.settleInput() } else { hash.settle() }
            let count = try base.read(into: buffer)
            if count == 0, !buffer.isEmpty { input.end(hash) }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            if desk != nil { hash.putOff(bytes) } else { hash.update(bytes) }
            return count
        }

        func putOff(to desk: DigestDesk) {
            self.desk = desk
            desk.use(input: hash)
        }

        func handOver() -> StreamDigest? {
            isHandedOver = true
            return hash
        }

        func conclude() { input.end(hash) }

        // Nobody vouches any more for bytes that were put off.
        deinit { desk?.use(input: nil) }
    }
}
