public import Delimited
public import Digests

/// A rewindable source of bytes with a name: a file, memory, or a spooled standard input.
///
/// Reading never changes the source. `open()` may be called several times; each stream starts at the first byte.
public protocol InputSource: Sendable {
    /// The file name alone, without folders.
    var name: String { get }
    /// The number of bytes.
    var byteCount: Int { get }
    /// A new stream from the first byte.
    func open() throws(InputError) -> any ByteStream
    /// Bytes at an offset: at most `count`, fewer only at the end.
    func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8]
    /// Reads the whole input into an empty block that has room for a byte more; false when it has grown or shrunk.
    func read(into block: ByteBlock) throws(InputError) -> Bool
}

extension InputSource {
    /// Reads the whole input into an empty block that has room for a byte more; false when it has grown or shrunk.
    public func read(into block: ByteBlock) throws(InputError) -> Bool {
        let stream = try open()
        while block.count <= byteCount {
            let count = try stream.read(into: block.tail)
            if count == 0 { break }
            block.advance(by: count)
        }
        return block.count == byteCount
    }
}

/// A stream of bytes.
public protocol ByteStream: AnyObject {
    /// Fills the buffer and returns how many bytes it holds now; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int
    /// The same stream, if its bytes are hashed: asking the runtime what it conforms to takes as long as reading a small
    /// file.
    var digested: (any DigestedStream)? { get }
}

extension ByteStream {
    /// It is not.
    public var digested: (any DigestedStream)? { nil }
}

/// A stream whose bytes are hashed as they are read.
public protocol DigestedStream: ByteStream {
    /// From now on bytes are hashed in steps, see ``DigestDesk``: what a `read` has given stays as it is until the next
    /// `read`, or until the stream is no more.
    func putOff(to desk: DigestDesk)
    /// From now on what is read is not hashed: the caller does that, and says when it is done; nil when there is no digest.
    func handOver() -> StreamDigest?
    /// The whole input was hashed.
    func conclude()
}

extension DigestedStream {
    /// It is.
    public var digested: (any DigestedStream)? { self }
}

/// Why an input cannot be read.
public enum InputError: Error, Sendable, Hashable {
    /// No such file.
    case notFound(name: String)
    /// The file may not be opened.
    case notPermitted(name: String)
    /// It is a folder, socket or device.
    case notAFile(name: String)
    /// Reading failed; `code` is errno.
    case unreadable(name: String, code: Int32)
    /// It was changed, or another file took its name, while it was read: what was read so far may be of neither.
    case changed(name: String)
    /// It must be kept in a temporary file, and there can be none in `folder`; `code` is errno.
    case noTemporaryFile(name: String, folder: String, code: Int32)
    /// Neither text nor markup; `kind` says what it seems to be.
    case notText(name: String, kind: String)
}

/// Bytes in memory.
public struct MemoryInput: InputSource {
    /// The file name alone.
    public let name: String
    private let content: [UInt8]

    /// An input of these bytes.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.content = bytes
    }

    /// The number of bytes.
    public var byteCount: Int { content.count }

    /// A new stream from the first byte.
    public func open() throws(InputError) -> any ByteStream { Stream(content) }

    /// Bytes at an offset; fewer than `count` only at the end.
    public func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] {
        if offset == 0, count >= content.count { return content }
        let start = min(max(0, offset), content.count)
        return Array(content[start..<min(content.count, start + max(0, count))])
    }

    private final class Stream: ByteStream {
        private let content: [UInt8]
        private var position = 0

        init(_ content: [UInt8]) { self.content = content }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            let count = min(buffer.count, content.count - position)
            guard count > 0 else { return 0 }
            content.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[position..<position + count])) }
            position += count
            return count
        }
    }
}
