/// Writes cells as RFC 4180 has them, so that any reader of it, and ours, gets the same bytes back.
public enum RFC4180 {
    /// Appends a cell, quoted where that is needed: it holds the delimiter, a quote, a CR or LF, begins or ends with a
    /// space or tab, or begins with a byte order mark.
    ///
    /// - Parameter csvSafe: whether a cell that a spreadsheet would run as a formula gets a single quote before it.
    @inlinable
    public static func appendCell(
        _ cell: ByteView, to output: inout [UInt8], delimiter: UInt8 = 0x2C, quote: UInt8 = 0x22, csvSafe: Bool = false
    ) {
        cell.withUnsafeBytes { bytes in
            append(bytes, to: &output, delimiter: delimiter, quote: quote, csvSafe: csvSafe)
        }
    }

    /// Appends a cell; as for a view.
    @inlinable
    public static func appendCell(
        _ cell: [UInt8], to output: inout [UInt8], delimiter: UInt8 = 0x2C, quote: UInt8 = 0x22, csvSafe: Bool = false
    ) {
        cell.withUnsafeBytes { bytes in
            append(bytes, to: &output, delimiter: delimiter, quote: quote, csvSafe: csvSafe)
        }
    }

    /// Appends a cell; as for a view.
    public static func appendCell(
        _ cell: String, to output: inout [UInt8], delimiter: UInt8 = 0x2C, quote: UInt8 = 0x22, csvSafe: Bool = false
    ) {
        var cell = cell
        cell.withUTF8 { bytes in
            append(UnsafeRawBufferPointer(bytes), to: &output, delimiter: delimiter, quote: quote, csvSafe: csvSafe)
        }
    }

    /// Appends a row with its line end. A row of one empty cell is written `""`, to differ from an empty line.
    public static func appendRow(
        _ cells: [[UInt8]], to output: inout [UInt8], dialect: Dialect = .csv, csvSafe: Bool = false
    ) {
        if cells.count == 1, cells[0].isEmpty { output += [dialect.quote, dialect.quote] }
        for (index, cell) in cells.enumerated() {
            if index > 0 { output.append(dialect.delimiter) }
            appendCell(cell, to: &output, delimiter: dialect.delimiter, quote: dialect.quote, csvSafe: csvSafe)
        }
        output += dialect.lineEnding.bytes
    }

    @usableFromInline
    static func append(
        _ cell: UnsafeRawBufferPointer, to output: inout [UInt8], delimiter: UInt8, quote: UInt8, csvSafe: Bool
    ) {
        let isRisky = csvSafe && isFormula(cell)
        guard needsQuotes(cell, delimiter: delimiter, quote: quote) else {
            if isRisky { output.append(0x27) }
            // All callers hold bytes as UInt8; typed so, they are appended in one piece.
            output.append(contentsOf: cell.assumingMemoryBound(to: UInt8.self))
            return
        }
        output.append(quote)
        if isRisky { output.append(0x27) }
        // In pieces that end with a quote, which then begins the next one, too.
        let bytes = cell.assumingMemoryBound(to: UInt8.self)
        var start = 0
        for place in 0..<bytes.count where bytes[place] == quote {
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...place]))
            start = place
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        output.append(quote)
    }

    /// Whether a cell must be quoted.
    static func needsQuotes(_ cell: UnsafeRawBufferPointer, delimiter: UInt8, quote: UInt8) -> Bool {
        guard let first = cell.first, let last = cell.last else { return false }
        if first == Ascii.space || first == Ascii.tab || last == Ascii.space || last == Ascii.tab { return true }
        if first == 0xEF, cell.starts(with: [0xEF, 0xBB, 0xBF]) { return true }
        var position = 0
        // Eight bytes at a time while none of them is special; what follows, one by one.
        let delimiters = SpecialBytes.repeated(delimiter)
        let quotes = SpecialBytes.repeated(quote)
        while position + 8 <= cell.count {
            let word = cell.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if SpecialBytes.flags(word, delimiters: delimiters, quotes: quotes) != 0 { break }
            position += 8
        }
        while position < cell.count {
            let byte = cell[position]
            if byte == delimiter || byte == quote || Ascii.isLineEnd(byte) { return true }
            position += 1
        }
        return false
    }

    /// Whether a spreadsheet would take a cell for a formula: it begins with `=`, `+`, `-`, `@`, a tab or a CR and is
    /// not just a number with its sign.
    static func isFormula(_ cell: UnsafeRawBufferPointer) -> Bool {
        guard let first = cell.first else { return false }
        switch first {
        case 0x3D, 0x40, Ascii.tab, Ascii.carriageReturn: return true
        case 0x2B, 0x2D: return !isNumber(UnsafeRawBufferPointer(rebasing: cell[1...]))
        default: return false
        }
    }

    /// Digits with a point or commas among them, nothing else, at least one digit.
    private static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var digits = 0
        for byte in bytes {
            if byte &- 0x30 < 10 {
                digits += 1
            } else if byte != 0x2E, byte != 0x2C {
                return false
            }
        }
        return digits > 0
    }
}

/// Builds rows in one byte buffer that is used again: cells, then the end of the row.
public struct DelimitedWriter: Sendable {
    /// The dialect that is written.
    public let dialect: Dialect
    /// Whether cells that a spreadsheet would run get a single quote before them.
    public let csvSafe: Bool
    /// What has been written and not been taken yet.
    public private(set) var bytes: [UInt8] = []
    private var isRowStart = true

    /// A writer with nothing written.
    public init(dialect: Dialect = .csv, csvSafe: Bool = false) {
        self.dialect = dialect
        self.csvSafe = csvSafe
    }

    /// Writes a cell.
    public mutating func cell(_ cell: ByteView) {
        separate(cell.isEmpty)
        RFC4180.appendCell(
            cell, to: &bytes, delimiter: dialect.delimiter, quote: dialect.quote, csvSafe: csvSafe)
    }

    /// Writes a cell.
    public mutating func cell(_ cell: [UInt8]) {
        separate(cell.isEmpty)
        RFC4180.appendCell(
            cell, to: &bytes, delimiter: dialect.delimiter, quote: dialect.quote, csvSafe: csvSafe)
    }

    /// Writes a cell.
    public mutating func cell(_ cell: String) {
        separate(cell.isEmpty)
        RFC4180.appendCell(
            cell, to: &bytes, delimiter: dialect.delimiter, quote: dialect.quote, csvSafe: csvSafe)
    }

    /// Ends the row. A row of one empty cell is written `""`, to differ from an empty line.
    public mutating func endRow() {
        if isLoneEmpty { bytes += [dialect.quote, dialect.quote] }
        bytes += dialect.lineEnding.bytes
        isRowStart = true
        isLoneEmpty = false
    }

    /// Forgets what was written and keeps the memory.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// The row has one cell so far, and that is empty.
    private var isLoneEmpty = false

    private mutating func separate(_ isEmpty: Bool) {
        if !isRowStart { bytes.append(dialect.delimiter) }
        isLoneEmpty = isRowStart && isEmpty
        isRowStart = false
    }
}
