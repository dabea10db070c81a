/// One element with all that is in it, in document order in flat arrays: cheap to fill again for the next one.
public struct MarkupAggregate: Sendable {
    struct Entry: Sendable {
        var name: ElementName
        var depth: Int
        /// The index after the last descendant.
        var subtreeEnd: Int
        var position: MarkupPosition
        var endOffset = 0
        var closing = MarkupClosing.explicit
        var text: Range<Int> = 0..<0
        var attributes = MarkupAttributes()
    }

    var entries: [Entry] = []
    var bytes: [UInt8] = []
    /// Whether something was left out because the aggregate is larger than the limits.
    public internal(set) var isIncomplete = false

    /// An aggregate that is still empty.
    init() {}

    /// The aggregate itself.
    public var root: MarkupNode { MarkupNode(aggregate: self, index: 0) }
    /// How many elements there are, the aggregate itself included.
    public var count: Int { entries.count }
    /// The element at an index below `count`.
    public subscript(index: Int) -> MarkupNode { MarkupNode(aggregate: self, index: index) }
    /// The texts of all elements, one after the other (UTF-8): `textRange(at:)` says where each stands.
    public var utf8: [UInt8] { bytes }
    /// Where the text of the element at an index stands in `utf8`; empty when it has none.
    public func textRange(at index: Int) -> Range<Int> { entries[index].text }
    /// The name of the element at an index.
    public func name(at index: Int) -> ElementName { entries[index].name }
    /// The index after the last descendant of the element at an index.
    public func subtreeEnd(at index: Int) -> Int { entries[index].subtreeEnd }
    /// Whether the input ends inside of this aggregate.
    public var isTruncated: Bool { entries.first?.closing == .truncated }
}

/// An element of a `MarkupAggregate`.
public struct MarkupNode: Sendable {
    let aggregate: MarkupAggregate
    /// The element's place in document order; 0 is the aggregate itself.
    public let index: Int

    private var entry: MarkupAggregate.Entry { aggregate.entries[index] }

    /// Its name.
    public var name: ElementName { entry.name }
    /// Where its start tag stands.
    public var position: MarkupPosition { entry.position }
    /// The byte offset after it: the source's bytes `position.offset..<endOffset` are its raw fragment.
    public var endOffset: Int { entry.endOffset }
    /// How it ended.
    public var closing: MarkupClosing { entry.closing }
    /// Its attributes.
    public var attributes: MarkupAttributes { entry.attributes }
    /// Its own text; empty when it has none.
    public var text: String { String(decoding: aggregate.bytes[entry.text], as: UTF8.self) }
    /// Whether it has text.
    public var hasText: Bool { !entry.text.isEmpty }

    /// Gives its text as bytes.
    public func withText<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        try aggregate.bytes.withUnsafeBufferPointer {
            try body(UnsafeBufferPointer(rebasing: $0[entry.text]).span)
        }
    }

    /// Its direct children, in order.
    public var children: [MarkupNode] {
        var result: [MarkupNode] = []
        var next = index + 1
        while next < entry.subtreeEnd {
            result.append(MarkupNode(aggregate: aggregate, index: next))
            next = aggregate.entries[next].subtreeEnd
        }
        return result
    }

    /// The first direct child of that name.
    public func child(_ name: ElementName) -> MarkupNode? {
        var next = index + 1
        while next < entry.subtreeEnd {
            if aggregate.entries[next].name == name { return MarkupNode(aggregate: aggregate, index: next) }
            next = aggregate.entries[next].subtreeEnd
        }
        return nil
    }

    /// The first element of that name anywhere inside.
    public func descendant(_ name: ElementName) -> MarkupNode? {
        for next in (index + 1)..<max(index + 1, entry.subtreeEnd) where aggregate.entries[next].name == name {
            return MarkupNode(aggregate: aggregate, index: next)
        }
        return nil
    }
}
