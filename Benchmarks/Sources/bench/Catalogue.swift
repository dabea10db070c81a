/// The samples of all definitions, blown up: their rows again and again, with other digits in the decimals.
///
/// What comes of it is odder than what people download: a sample has one of each kind of row. Rows that the sample has to
/// show how they are rejected come once; a few more are where digits no longer fit together.
enum Catalogue {
    /// Samples whose rows are no table of text in lines.
    private static let endings = [".csv", ".CSV", ".txt"]

    /// Writes all samples below `samples` into folders of a folder, of so many bytes together.
    static func write(_ folder: String, of samples: String, bytes: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        mkdir(folder, 0o755)
        let script = "cd \"$0\" && find . -path '*/expected' -prune -o -type f -print | LC_ALL=C sort"
        let found = (Child.text(["sh", "-c", script, samples], in: folder) ?? "").split(separator: "\n")
        // A sample of a file that is refused has no tables.
        let paths = found.map(String.init).filter { path in
            endings.contains { path.hasSuffix($0) } && Catalogue.hasTables("\(samples)/\(parent(path))/expected")
        }
        for path in paths {
            let rejects = rejectedLines("\(samples)/\(parent(path))/expected/rejects.csv")
            guard let sample = Sample(lines: Child.bytes(of: "\(samples)/\(path)"), but: rejects) else { continue }
            _ = Child.run(["mkdir", "-p", "\(folder)/\(parent(path))"])
            sample.write("\(folder)/\(path)", bytes: bytes / paths.count, &random)
        }
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// The numbers of the lines that a list of rejects names.
    private static func rejectedLines(_ path: String) -> Set<Int> {
        Set(
            Child.read(path).split(separator: "\n").compactMap { line in
                let cells = line.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false)
                return cells.count == 4 && cells[0].utf8.count == 32 ? Int(cells[2]) : nil
            })
    }

    private static func hasTables(_ folder: String) -> Bool {
        ["transaction", "holding", "security", "allocation"].contains { name in
            access("\(folder)/openalloc.\(name).csv", R_OK) == 0
        }
    }
}

/// The lines of a sample: some before its rows, the rows, some behind them.
private struct Sample {
    private let opening: [[UInt8]]
    private let rows: [[UInt8]]
    private let closing: [[UInt8]]

    /// Nil for a text in which no rows are found.
    init?(lines bytes: [UInt8], but rejects: Set<Int>) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        let marks: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]
        let counts = marks.map { mark in lines.reduce(0) { $0 + $1.count { $0 == mark } } }
        guard let most = counts.max(), most > 0, let mark = counts.firstIndex(of: most).map({ marks[$0] }) else {
            return nil
        }
        let cells = lines.map { line in line.count { $0 == mark } }
        let widest = cells.max() ?? 0
        let wide = cells.indices.filter { cells[$0] * 10 >= widest * 7 }
        guard let header = wide.first, let last = wide.last, last > header else { return nil }
        opening = Array(lines[...last])
        rows = wide.dropFirst().filter { !rejects.contains($0 + 1) }.map { lines[$0] }
        if rows.isEmpty { return nil }
        closing = Array(lines[(last + 1)...])
    }

    func write(_ path: String, bytes: Int, _ random: inout SeededGenerator) {
        var file = OutputFile(path)
        for line in opening { file.write(line: line) }
        while file.count < bytes {
            for row in rows { file.write(line: Sample.varied(row, &random)) }
        }
        for line in closing { file.write(line: line) }
        file.finish()
    }

    /// The row with other digits in its decimals; dates, times and numbers of three decimals after a comma stay.
    private static func varied(_ row: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var row = row
        var place = 0
        while place < row.count {
            guard isDigit(row[place]), place == 0 || !isJoined(row[place - 1]) else {
                place += 1
                continue
            }
            let first = place
            while place < row.count, isDigit(row[place]) { place += 1 }
            guard place + 1 < row.count, row[place] == 0x2E || row[place] == 0x2C, isDigit(row[place + 1]) else {
                continue
            }
            let mark = place
            place += 1
            while place < row.count, isDigit(row[place]) { place += 1 }
            // A comma between digits may part thousands, or cells.
            let isComma = row[mark] == 0x2C
            if place < row.count, isJoined(row[place]) || isComma { continue }
            if isComma, place - mark == 4 || !row.contains(0x22) && !row.contains(0x3B) { continue }
            for index in first + 1..<place where index != mark { row[index] = 0x30 + UInt8(random.pick(0..<10)) }
        }
        return row
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Whether a byte next to digits makes them part of a date, a time or a longer number.
    private static func isJoined(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == 0x2E || byte == 0x2F || byte == 0x3A
    }
}

extension OutputFile {
    /// Writes a line.
    fileprivate mutating func write(line: [UInt8]) { write(bytes: line + [0x0A]) }
}
