/// What a file's headers have that the definition does not know: columns that are new to it and that nothing uses.
struct HeaderDrift {
    /// A file of more headers, or of more new columns, is hardly one of this kind any more.
    private static let most = 64

    private(set) var texts: [String] = []
    private var headers: [TableBinding] = []
    private var names: Set<[String]> = []

    /// Notes a header that was bound.
    ///
    /// - Parameter line: where it stands, counted from 1; the file's first header is told without.
    mutating func note(_ binding: TableBinding, _ definition: Definition, line: Int) {
        guard headers.last !== binding, headers.count < Self.most, !headers.contains(where: { $0 === binding }) else {
            return
        }
        headers.append(binding)
        let table = definition.tables[binding.table]
        // What says nothing loses nothing.
        guard !table.emitsNothing else { return }
        for name in binding.unknown where !definition.knows(name, in: table) && texts.count < Self.most {
            guard names.insert([table.name, name]).inserted else { continue }
            let place = headers.count == 1 ? "" : " of the header in line \(line)"
            texts.append("the column ‘\(name)’\(place) is new to the definition and was not used")
        }
    }
}
