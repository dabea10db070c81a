/// Writes JSON text, in the order in which it is told to: the same calls give the same bytes.
///
/// The caller keeps the grammar: names only in objects, each before its value, and every container closed.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private var depth = 0
    /// Whether the next value or name is the first of its container.
    private var isFirst = true
    private var followsName = false

    /// A writer; a pretty one puts every element and member on its own line, indented by two blanks a level.
    public init(pretty isPretty: Bool = false) { self.isPretty = isPretty }

    /// Forgets what was written, and keeps the room, for the next document or line.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        (depth, isFirst, followsName) = (0, true, false)
    }

    /// The text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    private mutating func separate() {
        if followsName {
            followsName = false
            return
        }
        if !isFirst { bytes.append(0x2C) }
        if depth > 0 { breakLine() }
        isFirst = false
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        bytes.append(0x0A)
        for _ in 0..<depth { bytes.append(contentsOf: [0x20, 0x20]) }
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        isFirst = true
    }

    private mutating func close(_ bracket: UInt8) {
        depth = max(depth - 1, 0)
        if !isFirst { breakLine() }
        bytes.append(bracket)
        isFirst = false
    }

    /// Opens an object.
    public mutating func beginObject() { open(0x7B) }
    /// Closes the object.
    public mutating func endObject() { close(0x7D) }
    /// Opens an array.
    public mutating func beginArray() { open(0x5B) }
    /// Closes the array.
    public mutating func endArray() { close(0x5D) }

    /// Writes an object whose members `body` writes.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes an array whose elements `body` writes.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        beginArray()
        body(&self)
        endArray()
    }

    /// Writes the name of a member; its value follows.
    public mutating func name(_ name: String) {
        separate()
        JSONWriter.append(string: name, to: &bytes)
        bytes.append(0x3A)
        if isPretty { bytes.append(0x20) }
        followsName = true
    }

    /// Writes text.
    public mutating func string(_ text: String) {
        separate()
        JSONWriter.append(string: text, to: &bytes)
    }

    /// Writes a whole number.
    public mutating func int(_ number: Int) { value(.int(number)) }
    /// Writes `true` or `false`.
    public mutating func bool(_ flag: Bool) { value(.bool(flag)) }
    /// Writes `null`.
    public mutating func null() { value(.null) }

    /// Writes a value of a row: numbers as numbers with all their digits, moments as text, nothing as `null`.
    public mutating func value(_ value: AllocValue) {
        separate()
        JSONWriter.append(value, to: &bytes)
    }

    /// Writes a value once more that was written before on the same level, by its bytes.
    public mutating func again(_ value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
        isFirst = false
    }

    /// Forgets the bytes, which somebody has taken, and goes on where it is.
    public mutating func forgetBytes() { bytes.removeAll(keepingCapacity: true) }

    /// Writes a member.
    public mutating func member(_ name: String, _ value: AllocValue) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member that is text.
    public mutating func member(_ name: String, _ text: String) { member(name, .string(text)) }
    /// Writes a member that is a whole number.
    public mutating func member(_ name: String, _ number: Int) { member(name, .int(number)) }
    /// Writes a member that is `true` or `false`.
    public mutating func member(_ name: String, _ flag: Bool) { member(name, .bool(flag)) }

    /// Writes a row as an object, in column order; as many values as there are columns, or as there are values.
    public mutating func row(_ columns: [Column], _ values: [AllocValue]) {
        beginObject()
        for (column, value) in zip(columns, values) { member(column.name, value) }
        endObject()
    }

    /// Appends a value of a row as a JSON token.
    public static func append(_ value: AllocValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .string(let text): append(string: text, to: &bytes)
        case .date(let moment):
            bytes.append(0x22)
            moment.append(to: &bytes)
            bytes.append(0x22)
        case .decimal, .int, .bool: value.append(to: &bytes)
        }
    }

    /// Appends text in quotes, with what JSON must escape escaped and nothing else.
    public static func append(string text: String, to bytes: inout [UInt8]) {
        append(utf8: text.utf8, to: &bytes)
    }

    /// Appends UTF-8 text in quotes; see ``append(string:to:)``.
    public static func append(utf8 text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        let isPlain = text.withContiguousStorageIfAvailable { buffer in
            if buffer.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) { return false }
            bytes.append(0x22)
            bytes.append(contentsOf: buffer)
            bytes.append(0x22)
            return true
        }
        if isPlain == true { return }
        bytes.append(0x22)
        for byte in text {
            switch byte {
            case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
            case 0x0A: bytes.append(contentsOf: [0x5C, 0x6E])
            case 0x0D: bytes.append(contentsOf: [0x5C, 0x72])
            case 0x09: bytes.append(contentsOf: [0x5C, 0x74])
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(0x30 + (byte >> 4))
                bytes.append((byte & 15) < 10 ? 0x30 + (byte & 15) : 0x57 + (byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
