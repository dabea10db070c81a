import Delimited
import Importing
import OpenAlloc

/// Writes openalloc/transaction as rows come, without anything in between: record → bytes.
struct TransactionTable {
    let columns: [Column]
    private let coreCount: Int
    private let writer: any TableWriter
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
        row.removeAll(keepingCapacity: true)
        writer.beginRow(&row)
        word(0, data.action.word)
        moment(1, record[.tradedAt])
        text(2, record.bytes(.account))
        text(3, data.hasSecurity ? TransactionTable.security(of: record) : [])
        text(4, record.bytes(.lot))
        number(5, data.units)
        number(6, data.price)
        number(7, data.gainShort)
        number(8, data.gainLong)
        if isExtended { extend(data, record, rowID: rowID, metaID: metaID, line: line) }
        writer.endRow(&row)
    }

    private mutating func extend(
        _ data: borrowing TransactionRow, _ record: borrowing Record, rowID: StableHash?, metaID: [UInt8], line: Int
    ) {
        string(9, data.kind.rawValue)
        text(10, TransactionTable.currency(of: record))
        number(11, data.amount)
        number(12, data.commission)
        number(13, data.fees)
        number(14, data.tax)
        number(15, data.accruedInterest)
        number(16, data.sourcePrice)
        if data.sourcePrice == nil { null(17) } else { string(17, record.priceUnit.rawValue) }
        moment(18, record[.settledAt])
        text(19, record.bytes(.isin))
        text(20, record.bytes(.cusip))
        text(21, record.bytes(.description))
        text(22, record.bytes(.sourceAction))
        text(23, record.bytes(.sourceTxnID))
        hex.removeAll(keepingCapacity: true)
        rowID?.appendHex(to: &hex)
        text(24, hex[...])
        text(25, metaID[...])
        number(26, ExactDecimal(line))
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
        // A line without an amount is in the currency of its price.
        let isPriceOnly =
            record[.amount] == nil && record[.price] != nil && record[.sourcePrice] == nil
            && !record.isBlank(.priceCurrency)
        return currency(record.bytes(isPriceOnly ? .priceCurrency : .currency))
    }

    static func currency(_ code: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard code.count == 3, code.last == 0x58 || code.last == 0x70 else { return code }
        return code.elementsEqual("GBX".utf8) || code.elementsEqual("GBp".utf8) ? pounds[...] : code
    }

    // MARK: cells

    private mutating func begin(_ index: Int) { row.append(contentsOf: openings[index]) }

    private mutating func text(_ index: Int, _ bytes: ArraySlice<UInt8>) {
        begin(index)
        if bytes.isEmpty {
            writer.null(&row)
        } else {
            bytes.withUnsafeBytes { writer.text($0, &row) }
        }
    }

    private mutating func string(_ index: Int, _ text: String) {
        begin(index)
        var text = text
        text.withUTF8 { writer.text(UnsafeRawBufferPointer($0), &row) }
    }

    private mutating func word(_ index: Int, _ word: StaticString) {
        begin(index)
        word.withUTF8Buffer { writer.text(UnsafeRawBufferPointer($0), &row) }
    }

    private mutating func number(_ index: Int, _ number: ExactDecimal?) {
        begin(index)
        if let number { writer.number(number, &row) } else { writer.null(&row) }
    }

    private mutating func moment(_ index: Int, _ moment: Instant?) {
        begin(index)
        if let moment { writer.moment(moment, &row) } else { writer.null(&row) }
    }

    private mutating func null(_ index: Int) {
        begin(index)
        writer.null(&row)
    }
}
