/// The interned name of an element or attribute: equal names have equal ids within one `NameTable`, and every name of
/// the OFX schema has the same id in all OFX tables.
public struct ElementName: Sendable, Hashable {
    /// The number; below `OFXSchema.count` it is a name of the OFX schema (in tables made for OFX).
    public let id: UInt16

    @inlinable
    init(id: UInt16) { self.id = id }

    /// No name: equal to no element's.
    public static let none = ElementName(id: .max)

    /// The name of an OFX element, as in `ElementName.ofx("STMTTRN")`; `.none` when the schema has no such element.
    /// Look names up once, not per element.
    public static func ofx(_ name: String) -> ElementName {
        var name = name
        return name.withUTF8 { OFXSchema.shared.table.find($0) } ?? .none
    }

    /// The text of a name of the OFX schema; empty for any other. Only for names of tables made for OFX.
    public var ofxText: String {
        OFXSchema.shared.isKnown(self) ? OFXSchema.shared.table.text(Int(id)) : ""
    }
}

/// Names ↔ small numbers, for one document.
public final class NameTable {
    /// Whether names are upper-cased (OFX) or kept as they are (XML).
    public let foldsCase: Bool
    @exclusivity(unchecked) private var storage: NameStorage
    @exclusivity(unchecked) private var short: ShortNames
    /// The names of the schema, in tables made for OFX that have no others.
    private static let shortOfSchema: ShortNames = {
        let short = ShortNames(foldsCase: true)
        let table = OFXSchema.shared.table
        for id in 0..<table.count { table.withBytes(id) { short.add($0, ElementName(id: UInt16(id))) } }
        return short
    }()

    /// A table for OFX (upper-cased, with the names of the schema) or for other XML (empty, case kept).
    public init(ofx: Bool, limit: Int = MarkupLimits().names) {
        foldsCase = ofx
        if ofx {
            short = Self.shortOfSchema
            storage = OFXSchema.shared.table
            storage.limit = min(limit, 60_000)
        } else {
            short = ShortNames(foldsCase: false)
            storage = NameStorage(foldsCase: false, limit: min(limit, 60_000))
        }
    }

    /// How many names there are.
    public var count: Int { storage.count }

    /// The text of a name; empty for `.none`.
    public func text(_ name: ElementName) -> String {
        Int(name.id) < storage.count ? storage.text(Int(name.id)) : ""
    }

    /// The name for a text, added when new; `.none` when the table is full.
    public func intern(_ text: String) -> ElementName {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { intern($0) }
    }

    /// One access to the class for the whole look-up: access checks cost more than the look-up itself.
    func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> ElementName {
        let known = storage.count
        let name = storage.intern(bytes)
        if storage.count > known { add(bytes, name) }
        return name
    }

    private func add(_ bytes: UnsafeBufferPointer<UInt8>, _ name: ElementName) {
        if foldsCase, short === Self.shortOfSchema { short = ShortNames(copying: short) }
        short.add(bytes, name)
    }

    /// The name of at most 16 bytes that is known already, its bytes in two words (little-endian, zero behind).
    @inline(__always)
    func known(_ low: UInt64, _ high: UInt64) -> ElementName? { short.find(low, high) }
}

/// The first few hundred names of at most 16 bytes, compared as two words.
///
/// Nobody changes one that several tables have.
///
/// Invariant: `slots` holds `ShortNames.size` slots until `deinit`; indices are masked to that.
private final class ShortNames: @unchecked Sendable {
    private struct Slot: BitwiseCopyable {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var id: UInt16 = 0
    }

    private static let bits = 10
    private static let size = 1 << bits
    private let slots: UnsafeMutablePointer<Slot>
    private let foldsCase: Bool
    private var count = 0

    init(foldsCase: Bool) {
        self.foldsCase = foldsCase
        slots = .allocate(capacity: Self.size)
        slots.initialize(repeating: Slot(), count: Self.size)
    }

    init(copying other: ShortNames) {
        foldsCase = other.foldsCase
        count = other.count
        slots = .allocate(capacity: Self.size)
        slots.initialize(from: other.slots, count: Self.size)
    }

    deinit { slots.deallocate() }

    /// Adds what may stand as the name of an element.
    func add(_ bytes: UnsafeBufferPointer<UInt8>, _ name: ElementName) {
        guard bytes.count <= 16, let first = bytes.first, NameByte.starts(first), count < Self.size / 2 else { return }
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            if index < 8 {
                words.0 |= UInt64(byte) << UInt64(index * 8)
            } else {
                words.1 |= UInt64(byte) << UInt64(index * 8 - 64)
            }
        }
        let (low, high) = foldsCase ? (Words.upper(words.0), Words.upper(words.1)) : words
        var slot = hash(low, high)
        while slots[slot].low != 0 { slot = (slot + 1) & (Self.size - 1) }
        slots[slot] = Slot(low: low, high: high, id: name.id)
        count += 1
    }

    @inline(__always)
    func find(_ low: UInt64, _ high: UInt64) -> ElementName? {
        let (low, high) = foldsCase ? (Words.upper(low), Words.upper(high)) : (low, high)
        if low == 0 { return nil }
        var slot = hash(low, high)
        while slots[slot].low != 0 {
            if slots[slot].low == low, slots[slot].high == high { return ElementName(id: slots[slot].id) }
            slot = (slot + 1) & (Self.size - 1)
        }
        return nil
    }

    @inline(__always)
    private func hash(_ low: UInt64, _ high: UInt64) -> Int {
        let mixed = (low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xFF51_AFD7_ED55_8CCD
        return Int(truncatingIfNeeded: mixed >> UInt64(64 - Self.bits))
    }
}

/// Names in the order in which they came.
struct NameStorage: Sendable {
    /// All names in one piece; name `id` is `starts[id]..<starts[id + 1]`.
    private var spelled: [UInt8] = []
    private var starts = [0]
    private var slots = [UInt16](repeating: .max, count: 4096)
    var limit: Int
    private let foldsCase: Bool

    var count: Int { starts.count - 1 }

    init(foldsCase: Bool, limit: Int) {
        self.foldsCase = foldsCase
        self.limit = limit
    }

    /// The name of these bytes, if it is known.
    func find(_ bytes: UnsafeBufferPointer<UInt8>) -> ElementName? {
        let id = slots[slot(of: bytes)]
        return id == .max ? nil : ElementName(id: id)
    }

    /// A name as a text.
    func text(_ id: Int) -> String { String(decoding: spelled[starts[id]..<starts[id + 1]], as: UTF8.self) }

    /// The bytes of a name.
    func withBytes(_ id: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        spelled.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[starts[id]..<starts[id + 1]])) }
    }

    /// Where the name stands, or would stand.
    private func slot(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var slot = hash(bytes) & (slots.count - 1)
        while slots[slot] != .max, !matches(Int(slots[slot]), bytes) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> ElementName {
        let slot = slot(of: bytes)
        if slots[slot] != .max { return ElementName(id: slots[slot]) }
        guard count < limit else { return .none }
        let id = UInt16(count)
        for byte in bytes { spelled.append(foldsCase ? upper(byte) : byte) }
        starts.append(spelled.count)
        slots[slot] = id
        if count * 2 > slots.count { grow() }
        return ElementName(id: id)
    }

    private func matches(_ id: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = starts[id]
        guard starts[id + 1] - start == bytes.count else { return false }
        for index in 0..<bytes.count
        where spelled[start + index] != (foldsCase ? upper(bytes[index]) : bytes[index]) {
            return false
        }
        return true
    }

    private func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var value: UInt32 = 2_166_136_261
        for byte in bytes { value = (value ^ UInt32(foldsCase ? upper(byte) : byte)) &* 16_777_619 }
        return Int(value ^ (value >> 15))
    }

    private mutating func grow() {
        slots = [UInt16](repeating: .max, count: slots.count * 2)
        for id in 0..<count {
            let name = Array(spelled[starts[id]..<starts[id + 1]])
            var slot = name.withUnsafeBufferPointer { hash($0) } & (slots.count - 1)
            while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt16(id)
        }
    }
}

@inline(__always)
func upper(_ byte: UInt8) -> UInt8 {
    byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte
}
