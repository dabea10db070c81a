import Digests
import Importing

/// An input whose reading is counted, and ends when the run is told to stop.
struct WatchedInput: InputSource {
    let base: any InputSource
    let isStopped: @Sendable () -> Bool
    /// Called with the number of bytes of this input read so far.
    let onRead: @Sendable (Int) -> Void

    var name: String { base.name }
    var byteCount: Int { base.byteCount }

    func open() throws(InputError) -> any ByteStream {
        Stream(try base.open(), isStopped: isStopped, onRead: onRead, name: name)
    }

    func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] { try base.bytes(at: offset, count: count) }

    private final class Stream: DigestedStream {
        private let base: any ByteStream
        private let isStopped: @Sendable () -> Bool
        private let onRead: @Sendable (Int) -> Void
        private let name: String
        private var count = 0

        init(
            _ base: any ByteStream, isStopped: @escaping @Sendable () -> Bool,
            onRead: @escaping @Sendable (Int) -> Void, name: String
        ) {
            self.base = base
            self.isStopped = isStopped
            self.onRead = onRead
            self.name = name
        }

        func putOff(to desk: DigestDesk) { base.digested?.putOff(to: desk) }
        func handOver() -> StreamDigest? { base.digested?.handOver() }
        func conclude() { base.digested?.conclude() }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            // The run looks at `isStopped` itself; the error only makes the importer return.
            if isStopped() { throw .unreadable(name: name, code: 0) }
            let got = try base.read(into: buffer)
            count += got
            onRead(count)
            return got
        }
    }
}
