/// What belongs to a schema.
public protocol AllocBase: Sendable {
    /// The schema.
    static var schema: Schema { get }
}

/// What has a key that tells it from its fellows.
public protocol AllocKeyed: AllocBase {
    /// The key's type.
    associatedtype Key: Hashable & Sendable
    /// The values of the key columns; texts compare trimmed and case-folded.
    var primaryKey: Key { get }
    /// The key of a row that says nothing.
    static var emptyKey: Key { get }
}

/// What has named columns.
public protocol AllocAttributable {
    /// The schema's own columns, in order.
    static var attributes: [Column] { get }
}

/// What can be made from rows of text.
public protocol AllocRowed: AllocBase {
    /// A row as a file has it: texts by column name.
    typealias RawRow = [String: String]
    /// A row whose values have their columns' types, by column name.
    typealias DecodedRow = [String: AllocValue]

    /// Makes a row of typed values.
    ///
    /// - Throws: ``RowError`` when a required value is missing or a value has the wrong type.
    init(from row: DecodedRow) throws(RowError)
    /// Takes over every value that `row` has; what it leaves out or blank stays as it is.
    ///
    /// - Throws: ``RowError`` when a value has the wrong type; nothing is changed then.
    mutating func update(from row: DecodedRow) throws(RowError)
    /// Types the values of rows of text. Rows that cannot be are added to `rejectedRows`, each with its reason.
    static func decode(_ rawRows: [RawRow], rejectedRows: inout [RejectedRow]) -> [DecodedRow]
}

/// A typed row of one of the sixteen schemas: everything derives from its ``table``.
public protocol AllocRow: AllocKeyed, AllocRowed, AllocAttributable, Identifiable, Hashable
where Key == RowKey<Self>, ID == RowKey<Self> {
    /// The one declaration of the schema and its columns.
    static var table: RowTable<Self> { get }
    /// A row that says nothing.
    init()
}

/// Why a row is not one of its schema.
public struct RowError: Error, Sendable, Hashable {
    /// The code.
    public let code: RowCode
    /// The column's name.
    public let column: String
    /// The value's text; blank when there is none.
    public let value: String
    /// The reason in words.
    public var reason: String { code.reason }

    /// Names the column and the value that broke a rule.
    public init(_ code: RowCode, column: String, value: String) {
        self.code = code
        self.column = column
        self.value = value
    }
}

/// A row of text that could not be decoded.
public struct RejectedRow: Sendable, Hashable {
    /// The row as it was.
    public let rawRow: [String: String]
    /// Its place among the rows that were decoded, from 0.
    public let index: Int
    /// The first thing that is wrong with it.
    public let error: RowError
    /// The column's name.
    public var column: String { error.column }
    /// The code.
    public var code: RowCode { error.code }
    /// The reason in words.
    public var reason: String { error.reason }
}
