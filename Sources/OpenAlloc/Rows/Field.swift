/// A property type that a column can have.
public protocol AllocCell: Sendable, Hashable {
    /// The column's type.
    static var columnType: Column.ValueType { get }
    /// The words that are allowed, where the type is a choice; else empty.
    static var allowedValues: [String] { get }
    /// The property's value as a cell.
    var allocValue: AllocValue { get }
    /// The property's value for a cell of the right type; `nil` for another type.
    init?(allocValue: AllocValue)
}

extension AllocCell {
    /// No choice.
    public static var allowedValues: [String] { [] }
}

extension String: AllocCell {
    /// Text.
    public static var columnType: Column.ValueType { .string }
    /// The text.
    public var allocValue: AllocValue { .string(self) }
    /// Text; null is the empty text.
    public init?(allocValue: AllocValue) {
        switch allocValue {
        case .string(let text): self = text
        case .null: self = ""
        default: return nil
        }
    }
}

/// What an optional property can wrap.
public protocol AllocScalar: Sendable, Hashable {
    /// The column's type.
    static var columnType: Column.ValueType { get }
    /// The words that are allowed, where the type is a choice; else empty.
    static var allowedValues: [String] { get }
    /// The value as a cell.
    var allocValue: AllocValue { get }
    /// The value of a cell of the right type; `nil` for another type.
    init?(allocValue: AllocValue)
}

extension AllocScalar {
    /// No choice.
    public static var allowedValues: [String] { [] }
}

extension Optional: AllocCell where Wrapped: AllocScalar {
    /// The wrapped type's.
    public static var columnType: Column.ValueType { Wrapped.columnType }
    /// The wrapped type's.
    public static var allowedValues: [String] { Wrapped.allowedValues }
    /// The value, or null.
    public var allocValue: AllocValue { map(\.allocValue) ?? .null }
    /// The value, or none for null and the empty text.
    public init?(allocValue: AllocValue) {
        if allocValue.isBlank {
            self = .none
            return
        }
        guard let value = Wrapped(allocValue: allocValue) else { return nil }
        self = value
    }
}

extension ExactDecimal: AllocScalar {
    /// A number.
    public static var columnType: Column.ValueType { .double }
    /// The number.
    public var allocValue: AllocValue { .decimal(self) }
    /// A number, whole or not.
    public init?(allocValue: AllocValue) {
        switch allocValue {
        case .decimal(let number): self = number
        case .int(let number): self.init(number)
        default: return nil
        }
    }
}

extension Int: AllocScalar {
    /// A whole number.
    public static var columnType: Column.ValueType { .int }
    /// The number.
    public var allocValue: AllocValue { .int(self) }
    /// A whole number.
    public init?(allocValue: AllocValue) {
        guard case .int(let number) = allocValue else { return nil }
        self = number
    }
}

extension Bool: AllocScalar {
    /// True or false.
    public static var columnType: Column.ValueType { .bool }
    /// The flag.
    public var allocValue: AllocValue { .bool(self) }
    /// True or false.
    public init?(allocValue: AllocValue) {
        guard case .bool(let flag) = allocValue else { return nil }
        self = flag
    }
}

extension Instant: AllocScalar {
    /// A moment.
    public static var columnType: Column.ValueType { .date }
    /// The moment.
    public var allocValue: AllocValue { .date(self) }
    /// A moment.
    public init?(allocValue: AllocValue) {
        guard case .date(let moment) = allocValue else { return nil }
        self = moment
    }
}

extension AllocScalar where Self: RawRepresentable<String> & CaseIterable {
    /// Text, as a choice.
    public static var columnType: Column.ValueType { .string }
    /// The cases' words.
    public static var allowedValues: [String] { allCases.map(\.rawValue) }
    /// The case's word.
    public var allocValue: AllocValue { .string(rawValue) }
    /// The case of that word.
    public init?(allocValue: AllocValue) {
        guard case .string(let word) = allocValue else { return nil }
        self.init(rawValue: word)
    }
}

/// A column and the property that holds it: the one declaration that headers, coding, keys and descriptors derive from.
public struct Field<Row: Sendable>: Sendable {
    /// The column.
    public let column: Column
    /// Reads the property.
    public let get: @Sendable (Row) -> AllocValue
    /// Writes the property; false when the value has another type.
    public let set: @Sendable (inout Row, AllocValue) -> Bool

    /// Declares a column by the property that holds it; the property's type is the column's.
    public init<Cell: AllocCell>(
        _ name: String, _ path: any WritableKeyPath<Row, Cell> & Sendable, _ flags: Column.Flags,
        _ description: String
    ) {
        column = Column(name, Cell.columnType, flags, allowedValues: Cell.allowedValues, description)
        if let offset = MemoryLayout<Row>.offset(of: path) {
            // The offset is that of a stored property of type `Cell`, so that a `Cell` lies there in every row. Reading
            // it in place is some times faster than a key path, which is walked anew on each call.
            get = { row in
                withUnsafeBytes(of: row) { bytes in
                    guard let base = bytes.baseAddress else { return .null }
                    return (base + offset).assumingMemoryBound(to: Cell.self).pointee.allocValue
                }
            }
        } else {
            get = { $0[keyPath: path].allocValue }
        }
        set = { row, value in
            guard let cell = Cell(allocValue: value) else { return false }
            row[keyPath: path] = cell
            return true
        }
    }

    /// Declares a column that a row may leave out and that is not part of the key.
    public init<Cell: AllocCell>(
        _ name: String, _ path: any WritableKeyPath<Row, Cell> & Sendable, _ description: String
    ) {
        self.init(name, path, [], description)
    }
}

/// A schema and its fields, declared together.
public struct RowTable<Row: Sendable>: Sendable {
    /// The schema that the fields make.
    public let schema: Schema
    /// One field for each of the schema's own columns, in order.
    public let fields: [Field<Row>]
    /// Those of the key, in order.
    public let keyFields: [Field<Row>]

    /// The fields' readers alone, which loops copy at less cost than whole fields.
    let getters: [@Sendable (Row) -> AllocValue]
    /// The readers of the key's fields alone.
    let keyGetters: [@Sendable (Row) -> AllocValue]
    /// What stands before each value in a JSON object: `{"name":` or `,"name":`.
    let jsonHeads: [[UInt8]]

    /// Declares a schema.
    public init(_ id: SchemaID, _ description: String, _ fields: [Field<Row>]) {
        self.fields = fields
        keyGetters = fields.filter(\.column.isKey).map(\.get)
        getters = fields.map(\.get)
        jsonHeads = fields.enumerated().map { index, field in
            var head: [UInt8] = [index == 0 ? 0x7B : 0x2C]
            JSONWriter.append(string: field.column.name, to: &head)
            return head + [0x3A]
        }
        keyFields = fields.filter(\.column.isKey)
        schema = Schema(
            id: id, description: description, columns: fields.map(\.column), extendedColumns: ExtendedColumns.of(id))
    }
}
