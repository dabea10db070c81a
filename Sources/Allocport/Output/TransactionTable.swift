import Delimited
import Importing
import OpenAlloc

/// Writes openalloc/transaction as rows come, without anything in between: record → bytes.
struct TransactionTable {
    let columns: [Column]
    private let coreCount: Int
    private let writer: any TableWriter
    /// The same, where it is the one of most runs.
    private let delimited: DelimitedTableWriter?
    /// What stands before each cell.
    private let openings: [[UInt8]]
    /// The row that is being built; used again for every row.
    private(set) var row: [UInt8] = []
    private var hex: [UInt8] = []

    init(writer: any TableWriter, extended: Bool) {
        let schema = Schema.transaction
        columns = extended ? schema.allColumns : schema.columns
        coreCount = schema.columns.count
        self.writer = writer
        delimited = writer as? DelimitedTableWriter
        openings = columns.enumerated().map { index, column in
            var bytes: [UInt8] = []
            writer.beginCell(column, isFirst: index == 0, &bytes)
            return bytes
        }
    }

    /// Whether rows carry our own columns.
    var isExtended: Bool { columns.count > coreCount }

    /// Builds the bytes of a row in `row`.
    mutating func build(
        _ data: borrowing TransactionRow, _ record: borrowing Record, rowID: StableHash?, metaID: [UInt8], line: Int
    ) {
        begin(data, record)
        complete(data, record, rowID: rowID, metaID: metaID, line: line)
    }

    /// Writes the model's columns of a row, which may still be left where it is.
    mutating func begin(_ data: borrowing TransactionRow, _ record: borrowing Record) {
        row.removeAll(keepingCapacity: true)
        if let delimited {
            core(data, record, delimited)
        } else {
            writer.beginRow(&row)
            core(data, record, writer)
        }
    }

    /// Writes what is left of a row that was begun.
    mutating func complete(
        _ data: borrowing TransactionRow, _ record: borrowing Record, rowID: StableHash?, metaID: [UInt8], line: Int
    ) {
        if let delimited {
            if isExtended { extend(data, record, rowID: rowID, metaID: metaID, line: line, delimited) }
            delimited.endRow(&row)
        } else {
            if isExtended { extend(data, record, rowID: rowID, metaID: metaID, line: line, writer) }
            writer.endRow(&row)
        }
    }

    private mutating func core(
        _ data: borrowing TransactionRow, _ record: borrowing Record, _ writer: some TableWriter
    ) {
        word(0, data.action.word, writer)
        moment(1, record[.tradedAt], writer)
        text(2, record.bytes(.account), writer)
        text(3, data.hasSecurity ? TransactionTable.security(of: record) : [], writer)
        text(4, record.bytes(.lot), writer)
        number(5, data.units, writer)
        number(6, data.price, writer)
        number(7, data.gainShort, writer)
        number(8, data.gainLong, writer)
    }

    private mutating func extend(
        _ data: borrowing TransactionRow, _ record: borrowing Record, rowID: StableHash?, metaID: [UInt8], line: Int,
        _ writer: some TableWriter
    ) {
        string(9, data.kind.rawValue, writer)
        text(10, TransactionTable.currency(of: record), writer)
        number(11, data.amount, writer)
        number(12, data.commission, writer)
        number(13, data.fees, writer)
        number(14, data.tax, writer)
        number(15, data.accruedInterest, writer)
        number(16, data.sourcePrice, writer)
        if data.sourcePrice == nil { null(17, writer) } else { string(17, record.priceUnit.rawValue, writer) }
        moment(18, record[.settledAt], writer)
        text(19, record.bytes(.isin), writer)
        text(20, record.bytes(.cusip), writer)
        text(21, record.bytes(.description), writer)
        text(22, record.bytes(.sourceAction), writer)
        text(23, record.bytes(.sourceTxnID), writer)
        hex.removeAll(keepingCapacity: true)
        rowID?.appendHex(to: &hex)
        text(24, hex[...], writer)
        text(25, metaID[...], writer)
        number(26, ExactDecimal(line), writer)
    }

    /// Builds the bytes of a row that stands as it is.
    mutating func build(verbatim values: [AllocValue]) {
        row.removeAll(keepingCapacity: true)
        writer.row(columns, values, &row)
    }

    /// The identifier of a record's security: the source's own, else ISIN, else CUSIP.
    static func security(of record: borrowing Record) -> ArraySlice<UInt8> {
        if !record.isBlank(.symbol) { return record.bytes(.symbol) }
        return record.isBlank(.isin) ? record.bytes(.cusip) : record.bytes(.isin)
    }

    private static let pounds = Array("GBP".utf8)

    /// The currency of a row's amounts: pence are a way to print pounds.
    static func currency(of record: borrowing Record) -> ArraySlice<UInt8> {
        currency(record.bytes(isPriceOnly(record) ? .priceCurrency : .currency))
    }

    /// A line without an amount is in the currency of its price.
    static func isPriceOnly(_ record: borrowing Record) -> Bool {
        record[.amount] == nil && record[.price] != nil && record[.sourcePrice] == nil
            && !record.isBlank(.priceCurrency)
    }

    static func currency(_ code: ArraySlice<UInt8>) -> ArraySlice<UInt8> { isPence(code) ? pounds[...] : code }

    /// Whether a code is one of those for pence.
    static func isPence(_ code: ArraySlice<UInt8>) -> Bool {
        guard code.count == 3, code.last == 0x58 || code.last == 0x70 else { return false }
        return code.elementsEqual("GBX".utf8) || code.elementsEqual("GBp".utf8)
    }

    // MARK: cells

    private mutating func begin(_ index: Int) {
        if let delimited {
            if index > 0 { row.append(delimited.delimiter) }
        } else {
            row.append(contentsOf: openings[index])
        }
    }

    private mutating func text(_ index: Int, _ bytes: ArraySlice<UInt8>, _ writer: some TableWriter) {
        begin(index)
        if bytes.isEmpty {
            writer.null(&row)
        } else {
            bytes.withUnsafeBytes { writer.text($0, &row) }
        }
    }

    private mutating func string(_ index: Int, _ text: String, _ writer: some TableWriter) {
        begin(index)
        var text = text
        text.withUTF8 { writer.text(UnsafeRawBufferPointer($0), &row) }
    }

    private mutating func word(_ index: Int, _ word: StaticString, _ writer: some TableWriter) {
        begin(index)
        word.withUTF8Buffer { writer.text(UnsafeRawBufferPointer($0), &row) }
    }

    private mutating func number(_ index: Int, _ number: ExactDecimal?, _ writer: some TableWriter) {
        begin(index)
        if let number { writer.number(number, &row) } else { writer.null(&row) }
    }

    private mutating func moment(_ index: Int, _ moment: Instant?, _ writer: some TableWriter) {
        begin(index)
        if let moment { writer.moment(moment, &row) } else { writer.null(&row) }
    }

    private mutating func null(_ index: Int, _ writer: some TableWriter) {
        begin(index)
        writer.null(&row)
    }
}
