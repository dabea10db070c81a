/// What a reader tells: elements in the order of the source, each start with exactly one end.
///
/// Text arrives in one piece for each leaf, decoded to UTF-8, entities resolved; in OFX it is trimmed, and blank text
/// is not delivered. An OFX leaf never holds elements: what a file nests in one is delivered as its sibling.
public protocol MarkupHandler: AnyObject {
    /// A document begins; for OFX with its header (empty when the file has none).
    func header(_ header: OFXHeader, at position: MarkupPosition)
    /// An element opens. The attributes hold only during the call.
    func start(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition)
    /// An element opens that has no attributes.
    func start(_ name: ElementName, at position: MarkupPosition)
    /// The text of the innermost open element. The bytes hold only during the call.
    func text(_ text: Span<UInt8>)
    /// The innermost open element ends before the byte `endOffset` of the source.
    func end(_ name: ElementName, closing: MarkupClosing, endOffset: Int)
    /// Something was read around.
    func issue(_ issue: MarkupIssue)
    /// Whether line and column of the next start are wanted; without, only its offset is true. Counting them costs as
    /// much as reading.
    var wantsLines: Bool { get }
    /// The short way of rows; nil where every element is wanted.
    var lane: RowLane? { get }
    /// The aggregate that ended last, until the next begins.
    var ended: MarkupAggregate? { get }
    /// A row of a known shape. False, with nothing done, if it is to come element by element.
    func row(_ row: MarkupRow) -> Bool
}

extension MarkupHandler {
    /// Unless a handler says otherwise, every position is whole.
    public var wantsLines: Bool { true }

    /// Unless a handler says otherwise, no row goes another way.
    public var lane: RowLane? { nil }
    /// Nothing is kept.
    public var ended: MarkupAggregate? { nil }
    /// Takes none.
    public func row(_ row: MarkupRow) -> Bool { false }

    /// Unless a handler knows a shorter way, an element like others.
    public func start(_ name: ElementName, at position: MarkupPosition) {
        start(name, attributes: MarkupAttributes(), at: position)
    }
}

/// The attributes of one start tag: values as UTF-8 in one buffer that is used again for the next element.
public struct MarkupAttributes: Sendable {
    private var names: [ElementName] = []
    private var ends: [Int] = []
    private var bytes: [UInt8] = []

    /// No attributes.
    public init() {}

    /// The same attributes, to keep.
    public init(copying other: borrowing MarkupAttributes) {
        names = other.names
        ends = other.ends
        bytes = other.bytes
    }

    /// Values without names.
    public init(values: [[UInt8]]) {
        for value in values {
            names.append(.none)
            bytes += value
            ends.append(bytes.count)
        }
    }

    /// How many there are.
    public var count: Int { names.count }

    /// The name of the attribute at an index below `count`.
    public func name(at index: Int) -> ElementName { names[index] }

    /// Gives the value at an index as bytes.
    public func withValue<R>(at index: Int, _ body: (Span<UInt8>) throws -> R) rethrows -> R {
        let range = range(index)
        return try bytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range]).span) }
    }

    /// The values of all attributes, one after the other (UTF-8): `valueRange(at:)` says where each stands.
    public var utf8: [UInt8] { bytes }
    /// Where the value at an index stands in `utf8`.
    public func valueRange(at index: Int) -> Range<Int> { range(index) }

    /// The value at an index.
    public func text(at index: Int) -> String { String(decoding: bytes[range(index)], as: UTF8.self) }

    /// The index of the attribute of that name.
    public func index(of name: ElementName) -> Int? { names.firstIndex(of: name) }

    private func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    mutating func removeAll() {
        names.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ name: ElementName, _ value: UnsafeBufferPointer<UInt8>, decode: Bool) {
        names.append(name)
        if decode { Entities.decode(value, into: &bytes) } else { bytes.append(contentsOf: value) }
        ends.append(bytes.count)
    }

    /// Reads attributes as they stand in a tag; false when there are more names than the table holds.
    mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ table: NameTable) -> Bool {
        var index = 0
        while true {
            while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
            let start = index
            while index < bytes.count, NameByte.isName(bytes[index]) { index += 1 }
            guard index > start else { return true }
            let name = table.intern(UnsafeBufferPointer(rebasing: bytes[start..<index]))
            guard name != .none else { return false }
            while index < bytes.count, bytes[index] <= 0x20 || bytes[index] == 0x3D { index += 1 }
            var value = index
            var end = index
            if index < bytes.count, bytes[index] == 0x22 || bytes[index] == 0x27 {
                value += 1
                end = value
                while end < bytes.count, bytes[end] != bytes[index] { end += 1 }
                index = min(end + 1, bytes.count)
            } else {
                while end < bytes.count, bytes[end] > 0x20 { end += 1 }
                index = end
            }
            append(name, UnsafeBufferPointer(rebasing: bytes[value..<end]), decode: true)
        }
    }
}
