/// A set of names of the OFX schema, a bit for each: making one, and asking it, needs no hashing.
public struct ElementNames: Sendable, ExpressibleByArrayLiteral {
    private var words: [UInt64] = []

    /// No names.
    public init() {}

    /// The elements of these names, between blanks; what the schema does not have is left out.
    public init(_ names: StaticString) {
        OFXSchema.words(of: names) { name, _ in
            if let known = OFXSchema.shared.table.find(name) { insert(known) }
        }
    }

    /// A set of names.
    public init(arrayLiteral elements: ElementName...) { for name in elements { insert(name) } }

    /// Whether a name is among them.
    public func contains(_ name: ElementName) -> Bool {
        let word = Int(name.id >> 6)
        return word < words.count && words[word] >> UInt64(name.id & 63) & 1 != 0
    }

    /// Whether none of these is among them.
    public func isDisjoint(with names: [ElementName]) -> Bool { !names.contains { contains($0) } }

    /// Adds a name of the schema.
    public mutating func insert(_ name: ElementName) {
        guard OFXSchema.shared.isKnown(name) else { return }
        let word = Int(name.id >> 6)
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(name.id & 63)
    }

    /// Adds all of another set.
    public mutating func formUnion(_ other: ElementNames) {
        while words.count < other.words.count { words.append(0) }
        for (index, word) in other.words.enumerated() { words[index] |= word }
    }

    /// Calls `body` with every name, in the order of their ids.
    public func forEach(_ body: (ElementName) -> Void) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                body(ElementName(id: UInt16(truncatingIfNeeded: index &* 64 &+ rest.trailingZeroBitCount)))
                rest &= rest &- 1
            }
        }
    }
}
