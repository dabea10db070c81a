// Trees put together of several texts.
extension YAMLNode {
    /// The same tree, every mark of it in the text of this number.
    public func inSource(_ source: UInt16) -> YAMLNode {
        let value: Value =
            switch value {
            case .sequence(let items): .sequence(items.map { $0.inSource(source) })
            case .mapping(let entries):
                .mapping(
                    entries.map {
                        YAMLEntry(
                            key: $0.key, keyMark: $0.keyMark.inSource(source), value: $0.value.inSource(source))
                    })
            default: value
            }
        return YAMLNode(value, at: mark.inSource(source))
    }

    /// This node with what another adds to it: of two mappings all keys, of two lists the items of both, this node's
    /// first. Where the two have different values for one thing, this node's stands.
    ///
    /// - Throws: `YAMLError` where one has a list and the other a mapping: what the other says would be lost.
    public func merged(with other: YAMLNode) throws(YAMLError) -> YAMLNode {
        switch (value, other.value) {
        case (.mapping(var entries), .mapping(let others)):
            for entry in others {
                if let place = entries.firstIndex(where: { $0.key == entry.key }) {
                    let own = entries[place]
                    entries[place] = YAMLEntry(
                        key: own.key, keyMark: own.keyMark, value: try own.value.merged(with: entry.value))
                } else {
                    entries.append(entry)
                }
            }
            return YAMLNode(.mapping(entries), at: mark)
        case (.sequence(let items), .sequence(let others)): return YAMLNode(.sequence(items + others), at: mark)
        case (.mapping, .sequence):
            throw wrongValue("this is a mapping, and a list in what it is put together with", hint: "write a list here")
        case (.sequence, .mapping):
            throw wrongValue("this is a list, and a mapping in what it is put together with", hint: "write a mapping")
        default: return self
        }
    }
}

extension YAMLMark {
    fileprivate func inSource(_ source: UInt16) -> YAMLMark { YAMLMark(line: line, column: column, source: source) }
}
