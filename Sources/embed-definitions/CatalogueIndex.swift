import StrictYAML

/// What detection must know of the whole catalogue to tell from a header which tables may be meant, without looking at
/// each: for every name of a required column where it is required. `CatalogueIndex` in Sources/Importing reads it.
///
/// All numbers are of seven bits a byte, the lower first; places are counted from the beginning.
///
/// | part | what is in it |
/// |---|---|
/// | head | the numbers of tables, of names and of late names, 2 bytes each; where uses and late names begin, 3 each |
/// | tables | for each the number of its definition, 2 bytes, and how many columns it requires, 1 |
/// | names | in the order of their hashes: the hash, 8 bytes, and where its uses begin, 3 |
/// | uses | for each the number of its table, 2 bytes, and of the column in it, 1; those of a name end where the next's begin |
/// | late names | names that are folded when they are asked for: length, 2 bytes, text; count of uses, 2 bytes, the uses |
struct CatalogueIndexWriter {
    /// Columns that a table may require: a header has a bit for each.
    static let mostColumns = 64

    private struct Use { var table: Int, column: Int }

    private var tables: [(definition: Int, columns: Int)] = []
    private var uses: [UInt64: [Use]] = [:]
    private var late: [String: [Use]] = [:]

    /// Adds a definition.
    mutating func add(_ root: YAMLNode, number: Int) throws {
        for table in try requiredNames(of: root) {
            guard table.count <= Self.mostColumns else { throw TooLong(text: table[0][0]) }
            for (column, names) in table.enumerated() {
                let use = Use(table: tables.count, column: column)
                for name in names where !name.isEmpty {
                    if let hash = hash(name) {
                        uses[hash, default: []].append(use)
                    } else {
                        late[name, default: []].append(use)
                    }
                }
            }
            tables.append((number, table.count))
        }
    }

    /// The whole as text.
    func text() throws -> String {
        let names = uses.sorted { $0.key < $1.key }
        let usesBegin = 12 + tables.count * 3 + names.count * 11
        let lateBegin = usesBegin + names.reduce(0) { $0 + $1.value.count } * 3
        var bytes: [UInt8] = []
        func put(_ number: Int, _ count: Int) throws {
            guard number < 1 << (7 * count) else { throw TooLong(text: "the catalogue") }
            for place in 0..<count { bytes.append(UInt8(number >> (7 * place) & 0x7F)) }
        }
        func put(_ uses: [Use]) throws {
            for use in uses {
                try put(use.table, 2)
                try put(use.column, 1)
            }
        }
        for count in [tables.count, names.count, late.count] { try put(count, 2) }
        for place in [usesBegin, lateBegin] { try put(place, 3) }
        for table in tables {
            try put(table.definition, 2)
            try put(table.columns, 1)
        }
        var place = usesBegin
        for (hash, uses) in names {
            bytes += hashBytes(hash)
            try put(place, 3)
            place += uses.count * 3
        }
        for (_, uses) in names { try put(uses) }
        for (name, uses) in late.sorted(by: { $0.key < $1.key }) {
            try put(name.utf8.count, 2)
            bytes += name.utf8
            try put(uses.count, 2)
            try put(uses)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
