/// Memory for bytes that must outlive the record they were cut from: copies stay at their address until `reset()`.
///
/// - Invariant: blocks are never moved or freed before `deinit`; a view handed out stays valid until `reset()`, and
///   after it shows other bytes, never freed ones.
public final class ByteArena {
    @exclusivity(unchecked) private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
    @exclusivity(unchecked) private var current = 0
    @exclusivity(unchecked) private var used = 0
    /// What is left of the current block begins here.
    @exclusivity(unchecked) private var free: UnsafeMutablePointer<UInt8>?
    @exclusivity(unchecked) private var left = 0
    /// Of the first block; each is twice the one before, up to the largest.
    private static let smallest = 1024
    private static let largest = 16 * 1024

    /// An empty arena.
    public init() {}

    deinit { for block in blocks { block.deallocate() } }

    /// Forgets all copies, keeping the memory.
    public func reset() {
        current = 0
        used = 0
        free = nil
        left = 0
    }

    /// A copy of the bytes.
    public func copy(_ view: ByteView) -> ByteView {
        // Mostly the current block has room.
        if let free, view.count <= left {
            view.copy(to: free)
            self.free = free + view.count
            left -= view.count
            used += view.count
            return ByteView(base: UnsafePointer(free), count: view.count)
        }
        return view.withUnsafeBytes { bytes in
            let target = reserve(bytes.count)
            guard let address = target.baseAddress else { return view.prefix(0) }
            UnsafeMutableRawPointer(address).copyMemory(
                from: bytes.baseAddress ?? UnsafeRawPointer(address), byteCount: bytes.count)
            return ByteView(base: UnsafePointer(address), count: bytes.count)
        }
    }

    /// A copy of the bytes.
    public func copy(_ bytes: [UInt8]) -> ByteView { ByteView.with(bytes) { copy($0) } }

    private func reserve(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
        while current < blocks.count, used + count > blocks[current].count {
            current += 1
            used = 0
        }
        if current == blocks.count {
            let size = min(Self.largest, Self.smallest << min(blocks.count, 4))
            let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(size, count))
            block.initialize(repeating: 0)
            blocks.append(block)
            used = 0
        }
        let part = UnsafeMutableBufferPointer(rebasing: blocks[current][used..<used + count])
        used += count
        free = blocks[current].baseAddress.map { $0 + used }
        left = blocks[current].count - used
        return part.baseAddress == nil ? UnsafeMutableBufferPointer(rebasing: blocks[current][0..<0]) : part
    }
}

extension ByteView {
    /// A view of no bytes, valid for ever.
    public static var empty: ByteView {
        let literal: StaticString = ""
        return ByteView(base: literal.utf8Start, count: 0)
    }
}
