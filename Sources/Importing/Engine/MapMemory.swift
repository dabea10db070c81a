import Delimited

/// What value tables with wild cards said of the texts that were asked for last: many rows have few of them, such as the
/// titles of accounts, and each would be held against all patterns.
final class MapMemory {
    private struct Entry {
        let table: Int
        let text: [UInt8]
        let value: [UInt8]?
    }

    @exclusivity(unchecked) private var entries: [Entry] = []
    @exclusivity(unchecked) private var next = 0
    @exclusivity(unchecked) private var folded: [UInt8] = []
    private static let most = 8

    /// The value of a text; nil when the table has none.
    func value(of text: ByteView, in map: ValueMap, _ table: Int) -> [UInt8]? {
        if map.patterns.isEmpty { return lookUp(text, map) }
        for index in entries.indices where entries[index].table == table {
            let isSame = entries[index].text.withUnsafeBytes { known in
                text.withUnsafeBytes { $0.count == known.count && $0.elementsEqual(known) }
            }
            if isSame { return entries[index].value }
        }
        let entry = Entry(table: table, text: text.array, value: lookUp(text, map))
        if entries.count < MapMemory.most {
            entries.append(entry)
        } else {
            entries[next] = entry
            next = (next + 1) % MapMemory.most
        }
        return entry.value
    }

    private func lookUp(_ text: ByteView, _ map: ValueMap) -> [UInt8]? {
        foldedWords(text, into: &folded)
        return map.value(text, folded: folded)
    }
}
