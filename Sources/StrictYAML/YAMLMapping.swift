/// A mapping being read: its values by key. A key that is not there is nil; a key without a value is a `.null` node,
/// which every typed read refuses.
public struct YAMLMapping: Sendable, Hashable {
    /// All entries, in the order of the text.
    public let entries: [YAMLEntry]
    /// Where the mapping starts.
    public let mark: YAMLMark

    /// The value of a key, nil if the key is not there.
    public subscript(key: String) -> YAMLNode? {
        entries.first { $0.key == key }?.value
    }

    /// The value of a key that must be there.
    ///
    /// - Throws: `missingKey` at the mapping's start.
    public func required(_ key: String) throws(YAMLError) -> YAMLNode {
        guard let node = self[key] else {
            throw YAMLError(.missingKey, "the key ‘\(key)’ is missing", hint: "add a line ‘\(key): …’", at: mark)
        }
        return node
    }

    /// The text of a key, nil if the key is not there. See `YAMLNode.string()`.
    public func string(_ key: String) throws(YAMLError) -> String? { try self[key]?.string() }

    /// The texts of a key, none if the key is not there. See `YAMLNode.stringList()`.
    public func stringList(_ key: String) throws(YAMLError) -> [String] { try self[key]?.stringList() ?? [] }

    /// The number of a key, nil if the key is not there. See `YAMLNode.int(in:)`.
    public func int(_ key: String, in range: ClosedRange<Int> = Int.min...Int.max) throws(YAMLError) -> Int? {
        try self[key]?.int(in: range)
    }

    /// The truth of a key, nil if the key is not there. See `YAMLNode.bool()`.
    public func bool(_ key: String) throws(YAMLError) -> Bool? { try self[key]?.bool() }

    /// The enumeration's case of a key, nil if the key is not there. See `YAMLNode.enum(of:)`.
    @inlinable
    public func `enum`<Word>(_ key: String, of type: Word.Type = Word.self) throws(YAMLError) -> Word?
    where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
        try self[key]?.enum(of: type)
    }
}
