import OpenAlloc

/// Writes the rows of one table in one format. A new output format is one type of this kind.
///
/// Rows are separate pieces: each ends in one line feed and has no other outside of quoted cells, so that a row can be
/// taken out of a file that is written already. What stands before, between and after rows is added around them.
protocol TableWriter: Sendable {
    /// What stands before the first row.
    func opening(_ columns: [Column]) -> [UInt8]
    /// What stands between two rows besides the line feed; empty for all formats but one.
    var separator: [UInt8] { get }
    /// What stands after the last row.
    var closing: [UInt8] { get }
    /// Begins a row.
    func beginRow(_ out: inout [UInt8])
    /// Begins a cell; one call of the others follows.
    func beginCell(_ column: Column, isFirst: Bool, _ out: inout [UInt8])
    /// A text (UTF-8).
    func text(_ bytes: UnsafeRawBufferPointer, _ out: inout [UInt8])
    /// What parts cells in which a text mostly stands as it is (`PlainCell`); nil in formats that write all texts otherwise.
    var delimiterOfPlainTexts: UInt8? { get }
    /// A number.
    func number(_ number: ExactDecimal, _ out: inout [UInt8])
    /// A moment.
    func moment(_ moment: Instant, _ out: inout [UInt8])
    /// True or false.
    func flag(_ flag: Bool, _ out: inout [UInt8])
    /// Nothing.
    func null(_ out: inout [UInt8])
    /// Ends a row with its line feed.
    func endRow(_ out: inout [UInt8])
}

extension TableWriter {
    var separator: [UInt8] { [] }
    var closing: [UInt8] { [] }
    var delimiterOfPlainTexts: UInt8? { nil }

    /// Any value of a row.
    func value(_ value: AllocValue, _ out: inout [UInt8]) {
        switch value {
        case .null: null(&out)
        case .string(let text):
            var text = text
            text.withUTF8 { self.text(UnsafeRawBufferPointer($0), &out) }
        case .decimal(let value): number(value, &out)
        case .int(let value): number(ExactDecimal(value), &out)
        case .bool(let value): flag(value, &out)
        case .date(let value): moment(value, &out)
        }
    }

    /// A whole row; values that are missing at the end count as null.
    func row(_ columns: [Column], _ values: [AllocValue], _ out: inout [UInt8]) {
        beginRow(&out)
        for (index, column) in columns.enumerated() {
            beginCell(column, isFirst: index == 0, &out)
            value(index < values.count ? values[index] : .null, &out)
        }
        endRow(&out)
    }
}

extension RunOptions {
    /// The writer that the options ask for.
    var tableWriter: any TableWriter {
        switch format {
        case .csv: DelimitedTableWriter(delimiter: 0x2C, csvSafe: csvSafe)
        case .tsv: DelimitedTableWriter(delimiter: 0x09, csvSafe: csvSafe)
        case .json: JSONTableWriter(isLines: false)
        case .ndjson: JSONTableWriter(isLines: true)
        }
    }
}
