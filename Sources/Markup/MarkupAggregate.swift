/// One element with all that is in it, in document order in flat memory that serves for the next one again.
///
/// It is valid during the call that delivers it; after that its memory holds the next one. `copy()` is for keeping.
public struct MarkupAggregate {
    @usableFromInline let store: AggregateStore

    init(store: AggregateStore) { self.store = store }

    /// The same aggregate, to keep.
    public func copy() -> MarkupAggregate { MarkupAggregate(store: AggregateStore(copying: store)) }

    /// The same elements with other texts, by their places; nil and what is not there stay.
    public func replacing(_ texts: [[UInt8]?]) -> MarkupAggregate {
        MarkupAggregate(store: AggregateStore(copying: store, texts: texts))
    }

    /// The aggregate itself.
    public var root: MarkupNode { MarkupNode(store: store, index: 0) }
    /// The name of the aggregate.
    public var name: ElementName { store.entries[0].name }
    /// Where its start tag stands.
    public var position: MarkupPosition { store.position }
    /// The byte offset after it: the source's bytes `position.offset..<endOffset` are its raw fragment.
    public var endOffset: Int { store.endOffset }
    /// How many elements there are, the aggregate itself included.
    @inlinable
    public var count: Int { store.count }
    /// The element at an index below `count`.
    public subscript(index: Int) -> MarkupNode {
        precondition(index >= 0 && index < store.count, "no such element")
        return MarkupNode(store: store, index: index)
    }
    /// Whether something was left out because the aggregate is larger than the limits.
    public var isIncomplete: Bool { store.isIncomplete }
    /// Whether the input ends inside of this aggregate.
    public var isTruncated: Bool { store.isTruncated }

    /// The place of the first element of a name of the OFX schema that has a text, else of the first without; −1 when
    /// there is none.
    @inlinable
    public func first(_ name: ElementName) -> Int { store.first(name) }

    /// The place of the first element of a name within the element at `parent`; −1 when there is none.
    public func first(_ name: ElementName, within parent: Int) -> Int {
        precondition(parent >= 0 && parent < store.count, "no such element")
        for place in parent..<Int(store.entries[parent].subtreeEnd) where store.entries[place].name == name {
            return place
        }
        return -1
    }

    /// Where several elements of a name stand directly in the aggregate: each with what follows it up to the next one, as
    /// an aggregate of its own. Nil where there are fewer than two.
    public func parts(at name: ElementName) -> [MarkupAggregate]? {
        var starts: [Int] = []
        var next = 1
        while next < count {
            if store.entries[next].name == name { starts.append(next) }
            next = Int(store.entries[next].subtreeEnd)
        }
        guard starts.count > 1 else { return nil }
        starts[0] = 1
        return starts.indices.map { index in
            let end = index + 1 < starts.count ? starts[index + 1] : count
            return MarkupAggregate(store: AggregateStore(copying: store, part: starts[index]..<end))
        }
    }

    /// The text (UTF-8) of the element at an index; the bytes live as long as the aggregate is not delivered anew.
    @inlinable
    public func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(index >= 0 && index < store.count, "no such element")
        return store.text(index)
    }
}

/// An element of a `MarkupAggregate`.
public struct MarkupNode {
    let store: AggregateStore
    /// The element's place in document order; 0 is the aggregate itself.
    public let index: Int

    private var end: Int { Int(store.entries[index].subtreeEnd) }

    /// Its name.
    public var name: ElementName { store.entries[index].name }
    /// Its own text; empty when it has none.
    public var text: String { String(decoding: store.text(index), as: UTF8.self) }

    /// Its direct children, in order.
    public var children: [MarkupNode] {
        var result: [MarkupNode] = []
        var next = index + 1
        while next < end {
            result.append(MarkupNode(store: store, index: next))
            next = Int(store.entries[next].subtreeEnd)
        }
        return result
    }

    /// The first direct child of that name.
    public func child(_ name: ElementName) -> MarkupNode? { children.first { $0.name == name } }

    /// The first element of that name anywhere inside.
    public func descendant(_ name: ElementName) -> MarkupNode? {
        for next in (index + 1)..<max(index + 1, end) where store.entries[next].name == name {
            return MarkupNode(store: store, index: next)
        }
        return nil
    }
}

/// The memory of an aggregate.
///
/// Invariant of the unsafe accesses: `entries` has room for `entryRoom` and `bytes` for `byteRoom`; the first `count`
/// and `byteCount` are initialized; every entry's text lies in the initialized bytes, every `subtreeEnd` is at most
/// `count` once the aggregate is complete; `places` has one slot for each name of the OFX schema, each −1 or an index
/// below `count`.
@usableFromInline
final class AggregateStore {
    @usableFromInline
    struct Entry {
        @usableFromInline var name: ElementName
        /// The index after the last descendant.
        var subtreeEnd: Int32 = 0
        @usableFromInline var textStart: Int32
        @usableFromInline var textEnd: Int32
    }

    @usableFromInline @exclusivity(unchecked) private(set) var entries: UnsafeMutablePointer<Entry>
    @usableFromInline @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var entryRoom = 64
    @usableFromInline @exclusivity(unchecked) private(set) var bytes: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private(set) var byteCount = 0
    @exclusivity(unchecked) private var byteRoom = 4096
    @usableFromInline let places: UnsafeMutablePointer<Int32>
    @usableFromInline let placeCount = OFXSchema.shared.count
    @exclusivity(unchecked) var position = MarkupPosition.start
    @exclusivity(unchecked) var endOffset = 0
    @exclusivity(unchecked) var isIncomplete = false
    @exclusivity(unchecked) var isTruncated = false

    init() {
        entries = .allocate(capacity: entryRoom)
        bytes = .allocate(capacity: byteRoom)
        places = .allocate(capacity: placeCount)
        places.initialize(repeating: -1, count: placeCount)
    }

    /// The same content in memory of its own.
    convenience init(copying other: AggregateStore, texts: [[UInt8]?] = []) {
        self.init()
        for place in 0..<other.count {
            let index = append(other.entries[place].name)
            if place < texts.count, let text = texts[place] {
                text.withUnsafeBufferPointer { append($0, to: index) }
            } else {
                append(other.text(place), to: index)
            }
            entries[index].subtreeEnd = other.entries[place].subtreeEnd
        }
        (position, endOffset) = (other.position, other.endOffset)
        (isIncomplete, isTruncated) = (other.isIncomplete, other.isTruncated)
        index()
    }

    /// The aggregate with some of what is in it: whole elements that stand directly in it.
    convenience init(copying other: AggregateStore, part: Range<Int>) {
        self.init()
        _ = append(other.entries[0].name)
        for place in part {
            let index = append(other.entries[place].name)
            append(other.text(place), to: index)
            entries[index].subtreeEnd = other.entries[place].subtreeEnd - Int32(truncatingIfNeeded: part.lowerBound - 1)
        }
        close(0)
        (position, endOffset) = (other.position, other.endOffset)
        (isIncomplete, isTruncated) = (other.isIncomplete, other.isTruncated)
        index()
    }

    deinit {
        entries.deallocate()
        bytes.deallocate()
        places.deallocate()
    }

    // MARK: filling

    @inline(__always)
    func append(_ name: ElementName) -> Int {
        if count == entryRoom { growEntries() }
        let end = Int32(truncatingIfNeeded: byteCount)
        (entries + count).initialize(to: Entry(name: name, textStart: end, textEnd: end))
        count += 1
        return count - 1
    }

    /// Adds text to an entry. Pieces around children are kept together by moving the first to the end.
    @inline(__always)
    func append(_ text: UnsafeBufferPointer<UInt8>, to index: Int) {
        if Int(entries[index].textEnd) != byteCount { move(index) }
        if byteCount + text.count > byteRoom { growBytes(text.count) }
        if let start = text.baseAddress { (bytes + byteCount).update(from: start, count: text.count) }
        byteCount += text.count
        entries[index].textEnd = Int32(truncatingIfNeeded: byteCount)
    }

    private func move(_ index: Int) {
        let before = text(index)
        if byteCount + before.count > byteRoom { growBytes(before.count) }
        let source = bytes + Int(entries[index].textStart)
        (bytes + byteCount).update(from: source, count: before.count)
        entries[index].textStart = Int32(truncatingIfNeeded: byteCount)
        byteCount += before.count
    }

    private func growEntries() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: entryRoom * 2)
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
        entryRoom *= 2
    }

    private func growBytes(_ more: Int) {
        let room = max(byteRoom * 2, byteCount + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        larger.update(from: bytes, count: byteCount)
        bytes.deallocate()
        bytes = larger
        byteRoom = room
    }

    @inline(__always)
    func close(_ index: Int) { entries[index].subtreeEnd = Int32(truncatingIfNeeded: count) }

    /// Notes where each name stands first; a text goes before none.
    func index() {
        for place in 0..<count {
            let id = Int(entries[place].name.id)
            guard id < placeCount else { continue }
            let known = Int(places[id])
            if known < 0 || (text(known).isEmpty && !text(place).isEmpty) {
                places[id] = Int32(truncatingIfNeeded: place)
            }
        }
    }

    func reset() {
        for place in 0..<count {
            let id = Int(entries[place].name.id)
            if id < placeCount { places[id] = -1 }
        }
        count = 0
        byteCount = 0
        isIncomplete = false
        isTruncated = false
    }

    // MARK: reading

    @inlinable @inline(__always)
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = Int(entries[index].textStart)
        return UnsafeBufferPointer(start: bytes + start, count: Int(entries[index].textEnd) - start)
    }

    @inlinable @inline(__always)
    func first(_ name: ElementName) -> Int { Int(name.id) < placeCount ? Int(places[Int(name.id)]) : -1 }
}
