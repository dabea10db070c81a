/// The tags of a row, byte for byte, as many rows have them: what differs between rows of one shape are only values.
public final class RowShape {
    /// The first row of the shape, as it was read element by element.
    public let example: MarkupAggregate
    /// The element of `example` that each value of a row belongs to, by its place there; in document order.
    public let elements: [Int]
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
        self.lineCount = lineCount
        self.lastHoisted = lastHoisted
        self.endsLine = endsLine
    }
}

/// A row of a known shape, valid only during the call that offers it. Its values are plain text as it stands: trimmed,
/// not empty, without references, control characters, `<` and `>`.
///
/// Invariant: the ranges of the first `count` values lie within `bytes`.
public final class MarkupRow {
    /// The number of its shape; shapes are numbered from 0 as they are met.
    @exclusivity(unchecked) public internal(set) var shapeNumber = 0
    /// Its shape.
    public var shape: RowShape { shapes[shapeNumber] }
    /// How many values it has: as many as `shape.elements`.
    @exclusivity(unchecked) public internal(set) var count = 0
    /// All its bytes, tags included.
    @exclusivity(unchecked) public internal(set) var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The line that it begins in, from 1; 0 where nobody asked for lines.
    @exclusivity(unchecked) public internal(set) var line = 0
    /// Its first byte in the source.
    @exclusivity(unchecked) public internal(set) var offset = 0

    @exclusivity(unchecked) var shapes: [RowShape] = []
    /// The shape of the last row that was taken.
    @exclusivity(unchecked) var taken = 0
    let starts: UnsafeMutablePointer<Int32>
    let ends: UnsafeMutablePointer<Int32>

    /// The most values of a row.
    static let capacity = 128

    init() {
        starts = .allocate(capacity: Self.capacity)
        ends = .allocate(capacity: Self.capacity)
        starts.initialize(repeating: 0, count: Self.capacity)
        ends.initialize(repeating: 0, count: Self.capacity)
    }

    deinit {
        starts.deallocate()
        ends.deallocate()
    }

    /// Where in `bytes` the value at an index below `count` stands.
    public func range(_ index: Int) -> Range<Int> {
        precondition(index >= 0 && index < count, "no such value")
        return Int(starts[index])..<Int(ends[index])
    }

    /// The row as it would have been read element by element.
    public func aggregate() -> MarkupAggregate {
        var texts: [Int: [UInt8]] = [:]
        for (index, element) in shape.elements.enumerated() { texts[element] = Array(bytes[range(index)]) }
        return shape.example.replacing(texts)
    }
}
