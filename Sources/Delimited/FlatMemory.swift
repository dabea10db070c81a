/// A growable list of plain values whose elements are reached without counting references.
///
/// Invariant: `base` has room for `capacity` elements, the first `count` of them initialised. Places are checked.
public struct FlatMemory<Element: BitwiseCopyable>: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    /// How many elements there are.
    public internal(set) var count: Int

    /// The same value so many times.
    public init(repeating value: Element, count: Int) {
        capacity = max(count, 1)
        base = .allocate(capacity: capacity)
        base.initialize(repeating: value, count: count)
        self.count = count
    }

    /// The elements of an array.
    public init(_ elements: [Element]) {
        capacity = max(elements.count, 1)
        base = .allocate(capacity: capacity)
        count = elements.count
        elements.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { base.initialize(from: start, count: source.count) }
        }
    }

    deinit { base.deallocate() }

    /// An element; traps outside `0 ..< count`.
    @inlinable
    public subscript(_ place: Int) -> Element {
        @inline(__always) get {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "place outside the memory")
            return base[place]
        }
        @inline(__always) set {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "place outside the memory")
            base[place] = newValue
        }
    }

    /// Forgets the elements, keeps the memory.
    public mutating func removeAll() { count = 0 }

    /// Appends an element.
    public mutating func append(_ element: Element) {
        if count == capacity {
            let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: base, count: count)
            base.deallocate()
            base = larger
            capacity *= 2
        }
        (base + count).initialize(to: element)
        count += 1
    }
}

extension FlatMemory where Element == UInt8 {
    /// The bytes of an array.
    public init(bytes: [UInt8]) {
        self.init(repeating: 0, count: bytes.count)
        ByteView.with(bytes) { $0.copy(to: base) }
    }

    /// The same bytes as a view's.
    public init(copying view: ByteView) {
        self.init(repeating: 0, count: view.count)
        view.copy(to: base)
    }

    /// Appends the bytes of a view, which is not of this memory.
    public mutating func append(_ view: ByteView) {
        while capacity - count < view.count {
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: base, count: count)
            base.deallocate()
            base = larger
            capacity *= 2
        }
        view.copy(to: base + count)
        count += view.count
    }

    /// A part as a view, valid as long as nothing is appended; traps outside the memory.
    @inlinable
    public func view(_ start: Int, _ length: Int) -> ByteView {
        precondition(start >= 0 && length >= 0 && start + length <= count, "part outside the memory")
        return ByteView(base: UnsafePointer(base + start), count: length)
    }
}
