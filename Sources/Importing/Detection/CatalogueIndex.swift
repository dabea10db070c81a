/// Where the whole catalogue requires each name: a header is looked up once, not held against every definition.
///
/// `CatalogueIndex.swift` in Sources/embed-definitions writes it, and says how. Of what it is, `NameIndex` is the plain
/// twin for one definition: a test holds them to each other.
public struct CatalogueIndex: Sendable {
    private let text: StaticString

    /// An index that the build has written.
    public init(_ text: StaticString) { self.text = text }

    /// What a sample's headers are to each of the definitions, by their numbers.
    struct Finding {
        /// Whether one of the headers has all required names of a table.
        var fits: [Bool]
        /// How much of what a table requires the nearest header has; nil where none has anything.
        var nearest: [EmbeddedImporter.Nearness?]
    }

    /// The names that are folded when they are asked for.
    var lateNames: [String] {
        text.withUTF8Buffer { bytes in
            var names: [String] = []
            IndexReader(bytes).forEachLateName { name, _ in names.append(String(decoding: name, as: UTF8.self)) }
            return names
        }
    }

    /// Holds the headers of a sample against the first `count` definitions.
    func find(_ headers: [HeaderCells], _ names: HeaderNames, count: Int) -> Finding {
        var finding = Finding(
            fits: .init(repeating: false, count: count), nearest: .init(repeating: nil, count: count))
        text.withUTF8Buffer { bytes in
            let index = IndexReader(bytes)
            if !headers.isEmpty { index.addUnconditional(to: &finding) }
            var late: [(headers: HeaderNames.Mask, uses: Range<Int>)] = []
            index.forEachLateName { name, uses in
                let mask = names.mask(ofName: name)
                if !mask.isEmpty { late.append((mask, uses)) }
            }
            var tally = TableTally(index)
            for (number, header) in headers.prefix(HeaderNames.Mask.capacity).enumerated() {
                for hash in header.hashes { tally.add(index.uses(of: hash)) }
                for (mask, uses) in late where mask.contains(number) { tally.add(uses) }
                let isNear = number < HeaderNames.maximumNear && names.near >> UInt64(number) & 1 == 1
                tally.settle(header: number, isNear: isNear, into: &finding)
            }
        }
        return finding
    }
}

/// Reads an index within its bytes, whatever they are: beyond its end stand zeros.
private struct IndexReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    let tableCount: Int
    private let nameCount: Int
    private let lateCount: Int
    private let usesBegin: Int
    private let lateBegin: Int

    private static let headBytes = 12
    private static let tableBytes = 3
    private static let nameBytes = 11
    static let useBytes = 3

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        func head(_ place: Int, _ count: Int) -> Int { IndexReader.number(bytes, at: place, count) }
        tableCount = head(0, 2)
        nameCount = head(2, 2)
        lateCount = head(4, 2)
        usesBegin = head(6, 3)
        lateBegin = head(9, 3)
    }

    @inline(__always)
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ count: Int) -> Int {
        guard place >= 0, place + count <= bytes.count else { return 0 }
        var number = 0
        for byte in 0..<count { number |= Int(bytes[place + byte]) << (7 * byte) }
        return number
    }

    @inline(__always)
    private func number(at place: Int, _ count: Int) -> Int { IndexReader.number(bytes, at: place, count) }

    /// The definition of a table, and how many columns it requires.
    @inline(__always)
    func table(_ table: Int) -> (definition: Int, columns: Int) {
        let place = IndexReader.headBytes + table * IndexReader.tableBytes
        return (number(at: place, 2), number(at: place + 2, 1))
    }

    /// Which of its definition's tables a table is.
    func place(of table: Int) -> Int {
        var first = table
        while first > 0, self.table(first - 1).definition == self.table(table).definition { first -= 1 }
        return table - first
    }

    /// The table and the column that stand at a use.
    @inline(__always)
    func use(at place: Int) -> (table: Int, column: Int) { (number(at: place, 2), number(at: place + 2, 1)) }

    /// Where the uses of a name stand.
    func uses(of hash: UInt64) -> Range<Int> {
        let names = IndexReader.headBytes + tableCount * IndexReader.tableBytes
        var (low, high) = (0, nameCount)
        while low < high {
            let middle = (low + high) / 2
            if self.hash(at: names + middle * IndexReader.nameBytes) < hash { low = middle + 1 } else { high = middle }
        }
        let place = names + low * IndexReader.nameBytes
        guard low < nameCount, self.hash(at: place) == hash else { return 0..<0 }
        let begin = number(at: place + 8, 3)
        let end = low + 1 < nameCount ? number(at: place + IndexReader.nameBytes + 8, 3) : lateBegin
        return begin..<max(begin, end)
    }

    private func hash(at place: Int) -> UInt64 {
        guard place + 8 <= bytes.count else { return .max }
        var hash: UInt64 = 0
        for byte in 0..<8 { hash |= UInt64(bytes[place + byte]) << UInt64(8 * byte) }
        return hash
    }

    /// The names that are folded now, and where their uses stand.
    func forEachLateName(_ body: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Void) {
        var place = lateBegin
        for _ in 0..<lateCount {
            let end = min(place + 2 + number(at: place, 2), bytes.count)
            guard place + 2 <= end else { return }
            let begin = end + 2
            let uses = begin..<(begin + number(at: end, 2) * IndexReader.useBytes)
            body(UnsafeBufferPointer(rebasing: bytes[(place + 2)..<end]), uses)
            place = uses.upperBound
        }
    }

    /// Tables that require nothing that is found by plain names fit every header.
    func addUnconditional(to finding: inout CatalogueIndex.Finding) {
        for number in 0..<tableCount {
            let table = table(number)
            if table.columns == 0, table.definition < finding.fits.count { finding.fits[table.definition] = true }
        }
    }
}

/// Which required columns of each table a header has.
private struct TableTally {
    private let index: IndexReader
    /// By table a bit for each column that is there.
    private var columns: [UInt64]
    private var touched: [Int] = []

    init(_ index: IndexReader) {
        self.index = index
        columns = [UInt64](repeating: 0, count: index.tableCount)
    }

    mutating func add(_ uses: Range<Int>) {
        var place = uses.lowerBound
        while place < uses.upperBound {
            let (table, column) = index.use(at: place)
            place += IndexReader.useBytes
            guard table < columns.count else { continue }
            if columns[table] == 0 { touched.append(table) }
            columns[table] |= 1 << UInt64(column)
        }
    }

    /// Notes what the header has, and forgets it.
    mutating func settle(header: Int, isNear: Bool, into finding: inout CatalogueIndex.Finding) {
        // Of equally near tables the first counts.
        touched.sort()
        for number in touched {
            let (definition, count) = index.table(number)
            let missing = count - columns[number].nonzeroBitCount
            columns[number] = 0
            guard definition < finding.fits.count else { continue }
            if missing == 0 { finding.fits[definition] = true }
            guard isNear else { continue }
            // A later header, or table of the header, must be nearer.
            if let best = finding.nearest[definition], best.missing * count <= missing * best.required { continue }
            finding.nearest[definition] = (missing, count, index.place(of: number), header)
        }
        touched.removeAll(keepingCapacity: true)
    }
}
