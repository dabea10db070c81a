import CByteMask

/// Bytes of an input that are handed from one thread to another.
///
/// Invariant: `memory` has `capacity + InputBuffer.padding` initialised bytes, of which the first `count` are the
/// block's. One thread at a time uses it; who hands it over waits until it is handed back.
public final class ByteBlock: @unchecked Sendable {
    /// The most bytes that it holds.
    public let capacity: Int
    /// How many bytes it holds.
    public private(set) var count = 0
    private let memory: UnsafeMutablePointer<UInt8>

    /// An empty block.
    public init(capacity: Int) {
        self.capacity = capacity
        memory = .allocate(capacity: capacity + InputBuffer.padding)
        memory.initialize(repeating: 0, count: capacity + InputBuffer.padding)
    }

    deinit { memory.deallocate() }

    /// Where the next bytes go.
    public var tail: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
    }

    /// Says that so many bytes now stand at `tail`.
    public func advance(by written: Int) {
        precondition(written >= 0 && written <= capacity - count, "more written than there is room")
        count += written
    }

    /// Empties it.
    public func removeAll() { count = 0 }

    /// Has the bytes of another block of at most this one's capacity.
    public func copy(_ other: ByteBlock) {
        removeAll()
        tail.copyMemory(from: other.bytes(0..<other.count))
        advance(by: other.count)
    }

    /// A part of the bytes, valid until the block changes.
    public func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the block")
        return UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count)
    }

    /// Moves what stands after the last line feed to another, empty block; false when there is no line feed.
    public func moveUnfinishedLine(to other: ByteBlock) -> Bool {
        var end = count
        while end > 0, memory[end - 1] != Ascii.lineFeed { end -= 1 }
        guard end > 0, other.count == 0, other.capacity >= count - end else { return false }
        other.tail.copyMemory(from: bytes(end..<count))
        other.advance(by: count - end)
        count = end
        return true
    }

    /// How many line feeds it has.
    public var lineFeeds: Int { ByteBlock.lineFeeds(in: bytes(0..<count)) }

    /// How many line feeds bytes have.
    public static func lineFeeds(in bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        return byte_count(start.assumingMemoryBound(to: UInt8.self), bytes.count, Ascii.lineFeed)
    }

    var base: UnsafePointer<UInt8> { UnsafePointer(memory) }
}
