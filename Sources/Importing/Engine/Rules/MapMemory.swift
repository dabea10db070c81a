import Delimited

/// The value tables of a definition, and what those with wild cards said of the texts that were asked for last: many rows
/// have few of them, such as the titles of accounts, and each would be held against all patterns.
final class MapMemory {
    private final class Entry {
        @exclusivity(unchecked) var table = -1
        @exclusivity(unchecked) var text: [UInt8] = []
        @exclusivity(unchecked) var value: [UInt8]?
    }

    private final class Table {
        let map: ValueMap
        init(_ map: ValueMap) { self.map = map }
    }

    private let tables: [Table]
    @exclusivity(unchecked) private var entries: [Entry] = []
    @exclusivity(unchecked) private var next = 0
    @exclusivity(unchecked) private var folded: [UInt8] = []
    private static let most = 8

    init(_ maps: [ValueMap]) { tables = maps.map { Table($0) } }

    /// The value of a text; nil when the table has none.
    func value(of text: ByteView, in table: Int, letters: () -> Template.Letters) -> [UInt8]? {
        let map = tables[table]
        if map.map.patterns.isEmpty { return exact(text, map) }
        for index in entries.indices where entries[index].table == table {
            if text == entries[index].text { return entries[index].value }
        }
        let value = exact(text, map) ?? matched(text, map, letters())
        if entries.count < MapMemory.most { entries.append(Entry()) }
        let entry = entries[next]
        next = (next + 1) % MapMemory.most
        entry.table = table
        entry.text.removeAll(keepingCapacity: true)
        text.withUnsafeBytes { entry.text.append(contentsOf: $0) }
        entry.value = value
        return value
    }

    private func exact(_ text: ByteView, _ table: Table) -> [UInt8]? {
        foldedWords(text, into: &folded)
        return table.map.values[folded]
    }

    private func matched(_ text: ByteView, _ table: Table, _ letters: Template.Letters) -> [UInt8]? {
        for index in table.map.patterns.indices where table.map.patterns[index].template.mayMatch(letters) {
            if table.map.patterns[index].template.matches(text) { return table.map.patterns[index].value }
        }
        return nil
    }
}
