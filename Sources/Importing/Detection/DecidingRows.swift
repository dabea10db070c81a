import Delimited

/// Which rows below a header may change what an importer says of an input: `Importer.examine` and `Importer.context`.
///
/// All others are plain: they begin with a digit, do not look like names, and no rule for lines speaks of them.
public struct DecidingRows: Sendable {
    /// A column whose word tells what a row is, and how such words begin, by byte; 0 stands for a blank cell.
    private struct Kind: Sendable {
        var column: Int
        var openings: [Bool]
    }

    /// By first byte: whether a line that begins so may decide.
    private var openings = [Bool](repeating: false, count: 256)
    private var kinds: [Kind] = []
    /// Of rows of values that begin with a digit: how the second cells begin of those that may decide all the same, by byte,
    /// empty if none do; nil when it is not the second cell alone that decides.
    private(set) var seconds: [Bool]?
    /// The definitions that look at the input's name.
    private(set) var named: [DefinitionImporter] = []
    /// Whether all rows decide when the input was exported.
    private(set) var areContext = false

    /// None decides.
    public static let none = DecidingRows()

    private init() {}

    /// Of a definition whose header an input has.
    init(_ importer: DefinitionImporter) {
        let definition = importer.definition
        for byte in openings.indices {
            openings[byte] = importer.binder.lineFilter.mayBegin(with: UInt8(truncatingIfNeeded: byte))
        }
        add(lines: definition.detectLines.map(\.template))
        if let layout = definition.layout { add(kind: layout.kind, layout.kinds.words) }
        if !definition.files.isEmpty { named = [importer] }
        areContext = definition.layout != nil || definition.tables.contains { $0.captures != nil }
    }

    /// Of a definition that only looks for lines, and for words in the column that tells what rows are.
    init(lines: [Template], kind: (column: Int, words: [[UInt8]])?) {
        add(lines: lines)
        if let kind { add(kind: kind.column, kind.words) }
    }

    private mutating func add(lines: [Template]) {
        for line in lines {
            guard let first = line.opening else {
                // It may match whatever stands in front.
                for byte in openings.indices { openings[byte] = true }
                return
            }
            DecidingRows.add(first, to: &openings)
        }
    }

    private mutating func add(kind column: Int, _ words: [[UInt8]]) {
        var kind = Kind(column: column, openings: [Bool](repeating: true, count: 256))
        // Only of letters and digits the first byte stays what it is, but for its case.
        for byte in 0..<UInt8(0x80) where isLetter(byte) || isDigit(byte) { kind.openings[Int(byte)] = false }
        kind.openings[0] = words.contains([])
        for word in words { if let first = word.first { DecidingRows.add(first, to: &kind.openings) } }
        kinds.append(kind)
    }

    private static func add(_ byte: UInt8, to openings: inout [Bool]) {
        openings[Int(byte)] = true
        if isLetter(byte) {
            openings[Int(byte & 0xDF)] = true
            openings[Int(byte | 0x20)] = true
        }
    }

    /// Adds what another importer looks at.
    mutating func formUnion(_ other: DecidingRows) {
        for byte in openings.indices where other.openings[byte] { openings[byte] = true }
        kinds += other.kinds
        named += other.named
        seconds = decidingSeconds()
    }

    private func decidingSeconds() -> [Bool]? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        if digits.contains(where: { openings[Int($0)] }) { return nil }
        var seconds: [Bool] = []
        for kind in kinds {
            switch kind.column {
            case 0: if digits.contains(where: { kind.openings[Int($0)] }) { return nil }
            // Blank cells are not looked at many bytes at a time.
            case 1 where kind.openings[0]: return nil
            case 1: seconds = seconds.isEmpty ? kind.openings : zip(seconds, kind.openings).map { $0 || $1 }
            default: return nil
            }
        }
        return seconds
    }

    /// Whether a row decides nothing.
    @inline(__always)
    func isPlain(_ record: borrowing CleanRecord) -> Bool {
        let first = record.opening(0)
        guard isDigit(first), !openings[Int(first)] else { return false }
        for kind in kinds where kind.column < record.count {
            if kind.openings[Int(record.opening(kind.column))] { return false }
        }
        return HeaderCells.areValues(record)
    }
}

/// Looks through the rows of small inputs. It belongs to one thread.
public final class PlainRowScanner {
    private var block = ByteBlock(capacity: 1 << 15)
    private var blocks = BlockReader(dialect: .csv)
    private var dialect = Dialect.csv

    /// A scanner that has seen nothing.
    public init() {}

    /// Whether all lines, the first of which begins a record, are plain rows.
    func arePlain(_ lines: UnsafeRawBufferPointer, _ dialect: Dialect, _ rows: DecidingRows) -> Bool {
        if lines.isEmpty { return true }
        // Most small files have nothing else, which is told many bytes at a time.
        if let seconds = rows.seconds, ValueLines.areSure(lines, dialect, butForSeconds: seconds) { return true }
        if block.capacity <= lines.count { block = ByteBlock(capacity: 2 * lines.count) }
        if self.dialect != dialect {
            self.dialect = dialect
            blocks = BlockReader(dialect: dialect)
        }
        block.removeAll()
        block.tail.copyMemory(from: lines)
        block.advance(by: lines.count)
        // The last line need not end.
        if lines.last != UInt8(ascii: "\n") {
            block.tail.copyBytes(from: CollectionOfOne(UInt8(ascii: "\n")))
            block.advance(by: 1)
        }
        var arePlain = true
        blocks.read(block, line: 1) { (record: borrowing CleanRecord) -> Bool in
            arePlain && rows.isPlain(record)
        } leave: { _ in
            arePlain = false
        }
        return arePlain
    }
}
