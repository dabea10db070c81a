/// The tags of a row, byte for byte, as many rows have them: what differs between rows of one shape are only values.
public final class RowShape {
    /// The first row of the shape, as it was read element by element.
    public let example: MarkupAggregate
    /// The element of `example` that each value of a row belongs to, by its place there; in document order.
    public let elements: [Int]
    /// The row's element, and what each value is called: elements, or attributes of a row that is one tag.
    public let element: ElementName
    /// The name of each value.
    public let names: [ElementName]
    /// How many lines end within a row.
    let lineCount: Int
    /// What the readers know after a row of the shape.
    let lastHoisted: ElementName
    let endsLine: Bool

    init(
        example: MarkupAggregate, elements: [Int], lineCount: Int, lastHoisted: ElementName, endsLine: Bool
    ) {
        self.example = example
        self.elements = elements
        element = example.name
        names = elements.map { example[$0].name }
        self.lineCount = lineCount
        self.lastHoisted = lastHoisted
        self.endsLine = endsLine
    }

    /// Of a row that is one tag with attributes.
    init(element: ElementName, attributes: [ElementName], lineCount: Int) {
        example = MarkupAggregate(store: AggregateStore())
        elements = []
        self.element = element
        names = attributes
        self.lineCount = lineCount
        lastHoisted = .none
        endsLine = false
    }
}

/// A row of a known shape, valid only during the call that offers it. Its values are plain text as it stands: trimmed,
/// not empty, without references, control characters, `<` and `>`. Values of attributes may be empty, and have blanks.
///
/// Invariant: the ranges of the first `count` values lie within `bytes`; `state` lives from `init` to `deinit`.
public final class MarkupRow {
    /// What it is, in memory that nobody else has.
    @usableFromInline
    struct State {
        @usableFromInline var shapeNumber = 0
        @usableFromInline var count = 0
        @usableFromInline var shortcuts: UInt64 = 0
        @usableFromInline var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        @usableFromInline var readable = 0
        @usableFromInline var line = 0
        @usableFromInline var column = 0
        @usableFromInline var offset = 0
    }

    @usableFromInline let state: UnsafeMutablePointer<State>
    /// The number of its shape; shapes are numbered from 0 as they are met.
    @inlinable public var shapeNumber: Int { state.pointee.shapeNumber }
    /// Its shape.
    public var shape: RowShape { shapes[shapeNumber] }
    /// The shape of a number up to the row's own.
    public func shape(_ number: Int) -> RowShape { shapes[number] }
    /// How many values it has: as many as `shape.elements`.
    @inlinable public var count: Int { state.pointee.count }
    /// Which shortcuts its way through the shape has taken: rows of one shape with the same ones have the values
    /// `commonValues` in common.
    @inlinable public var shortcuts: UInt64 { state.pointee.shortcuts }
    /// The values that its shortcuts lead past.
    public var commonValues: [Int] {
        shortcutValues.indices.filter { shortcuts >> UInt64($0) & 1 != 0 }.flatMap { Array(shortcutValues[$0]) }
    }
    /// All its bytes, tags included.
    @inlinable public var bytes: UnsafeBufferPointer<UInt8> { state.pointee.bytes }
    /// How many bytes may be read behind `bytes`.
    @inlinable public var readableAfter: Int { state.pointee.readable }
    /// The line that it begins in, from 1; 0 where nobody asked for lines.
    @inlinable public var line: Int { state.pointee.line }
    /// The character of the line, from 1, in rows of one tag.
    @inlinable public var column: Int { state.pointee.column }
    /// Its first byte in the source.
    @inlinable public var offset: Int { state.pointee.offset }

    @exclusivity(unchecked) var shapes: [RowShape] = []
    /// The values that each shortcut leads past.
    @exclusivity(unchecked) var shortcutValues: [Range<Int>] = []
    /// The shape of the last row that was taken.
    @exclusivity(unchecked) var taken = 0
    /// Where a value stands.
    @usableFromInline
    struct Place: BitwiseCopyable {
        @usableFromInline var start: Int32
        @usableFromInline var end: Int32
    }

    @usableFromInline let places: UnsafeMutablePointer<Place>

    /// The most values of a row.
    static let capacity = 128

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        places = .allocate(capacity: Self.capacity)
        places.initialize(repeating: Place(start: 0, end: 0), count: Self.capacity)
    }

    deinit {
        state.deallocate()
        places.deallocate()
    }

    /// Where in `bytes` the value at an index below `count` stands.
    @inlinable
    public func range(_ index: Int) -> Range<Int> { range(index, index) }

    /// Where the values from one index to another stand, with the tags between them.
    @inlinable
    public func range(_ first: Int, _ last: Int) -> Range<Int> {
        precondition(first >= 0 && first <= last && last < count, "no such value")
        return Int(places[first].start)..<Int(places[last].end)
    }

    /// The row as it would have been read element by element.
    public func aggregate() -> MarkupAggregate {
        var texts = [[UInt8]?](repeating: nil, count: shape.example.count)
        for (index, element) in shape.elements.enumerated() { texts[element] = Array(bytes[range(index)]) }
        return shape.example.replacing(texts)
    }
}
