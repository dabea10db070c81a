public import Delimited

/// A whole delimited export as cells, for tools that look at all of it before they say anything.
public struct Sheet: Sendable {
    /// One record.
    struct Line: Sendable {
        /// 1-based physical line.
        let number: Int
        let cells: [String]
        /// How many cells say something.
        let filled: Int
        /// Set when it looks like names rather than values.
        let header: HeaderCells?

        var isBlank: Bool { filled == 0 }
        /// The first cell that says something.
        var first: String { cells.first { !$0.trimmingSpaces.isEmpty }?.trimmingSpaces ?? "" }
        /// A cell, trimmed; empty beyond the last.
        func cell(_ index: Int) -> String { index < cells.count ? cells[index].trimmingSpaces : "" }
    }

    /// The file's name.
    public let name: String
    /// The encoding that was recognised.
    public let encoding: TextEncoding
    /// The dialect that was recognised.
    public let dialect: Dialect
    let lines: [Line]

    /// So many bytes are looked at.
    static let maximumBytes = 64 << 20

    /// Reads an input; nil when it is no delimited text.
    ///
    /// - Throws: what reading throws.
    public init?(_ input: any InputSource) throws(InputError) {
        try self.init(input, InputSample(input))
    }

    /// The same of an input that was looked at.
    ///
    /// - Throws: what reading throws.
    public init?(_ input: any InputSource, _ sample: InputSample) throws(InputError) {
        guard sample.format == .delimited else { return nil }
        name = input.name
        encoding = sample.encoding
        dialect = sample.dialect
        let count = min(input.byteCount, Self.maximumBytes)
        let bytes = try input.bytes(at: 0, count: count)
        let text = TextDecoder.decode(bytes, as: sample.encoding, isWhole: count == input.byteCount)
        var lines: [Line] = []
        var reader = DelimitedReader(dialect: sample.dialect)
        reader.read(text) { (record: borrowing RecordView) in
            let cells = DefinitionRun.cells(of: record)
            let filled = cells.count { !$0.trimmingSpaces.isEmpty }
            let mayBe = filled > 1 && HeaderCells.mayBe(cells)
            lines.append(
                Line(number: record.line, cells: cells, filled: filled, header: mayBe ? HeaderCells(cells) : nil))
        }
        self.lines = lines
    }
}

/// A table found in a sheet: its header and the lines below it, up to the next header.
struct FoundTable: Sendable {
    let header: Sheet.Line
    /// Lines that look like rows.
    var rows: [Sheet.Line] = []
    /// Lines between rows that are none, each with whether rows follow.
    var others: [(line: Sheet.Line, isLast: Bool)] = []

    /// The tables of a sheet. Headers are lines of names that the vocabulary knows, or the line of names that is
    /// followed by most lines of values.
    static func find(in sheet: Sheet, _ vocabulary: Vocabulary) -> [FoundTable] {
        var headers: [Int] = []
        var best: (index: Int, score: Int)?
        for (index, line) in sheet.lines.enumerated() {
            guard let header = line.header else { continue }
            let known = header.keys.count { vocabulary.columns[$0] != nil || vocabulary.unused.contains($0) }
            let follows = sheet.lines[(index + 1)...].prefix(40).count {
                $0.filled * 2 >= line.filled && $0.header == nil
            }
            let score = known * 6 + line.filled * 2 + min(follows, 10) * 2
            if index < 200, known > 0 || follows > 0, score > best?.score ?? 0 { best = (index, score) }
            if known >= 4, known * 2 >= line.filled { headers.append(index) }
        }
        guard let best else { return [] }
        if !headers.contains(best.index) { headers = (headers + [best.index]).sorted() }
        headers = headers.filter {
            $0 >= best.index || sheet.lines[$0].header?.keys != sheet.lines[best.index].header?.keys
        }
        var tables: [FoundTable] = []
        for (place, index) in headers.enumerated() {
            let end = place + 1 < headers.count ? headers[place + 1] : sheet.lines.count
            // Names over two lines: the lower ones stand above the rows.
            if tables.isEmpty, end == index + 1, end < sheet.lines.count { continue }
            var table = FoundTable(header: sheet.lines[index])
            table.take(sheet.lines[(index + 1)..<end])
            // The same header again is the same table.
            if let known = tables.firstIndex(where: { $0.header.header?.keys == table.header.header?.keys }) {
                // What stands between two parts of it is at its end no more.
                for place in tables[known].others.indices { tables[known].others[place].isLast = false }
                tables[known].rows += table.rows
                tables[known].others += table.others
            } else {
                tables.append(table)
            }
        }
        return tables
    }

    private mutating func take(_ lines: ArraySlice<Sheet.Line>) {
        let filled = lines.filter { !$0.isBlank }.map(\.filled).sorted()
        guard !filled.isEmpty else { return }
        let usual = filled.reversed().first { $0 <= header.cells.count } ?? header.filled
        func isRow(_ line: Sheet.Line) -> Bool { line.filled * 3 >= min(usual, header.filled) && line.filled > 1 }
        let last = lines.lastIndex(where: isRow) ?? lines.startIndex
        for (index, line) in zip(lines.indices, lines) where !line.isBlank {
            if isRow(line) { rows.append(line) } else { others.append((line, index > last)) }
        }
    }
}
