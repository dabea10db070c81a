/// One table of the openalloc model: its name, its columns in order, and what they mean.
public struct Schema: Sendable, Hashable, Identifiable {
    /// Which of the sixteen it is.
    public let id: SchemaID
    /// What a row stands for, in one sentence.
    public let description: String
    /// The columns of the model, in order.
    public let columns: [Column]
    /// Columns of our own, which stand after the model's so that its readers can ignore them.
    public let extendedColumns: [Column]

    /// All sixteen, in the model's order.
    public static let all: [Schema] = SchemaID.allCases.map(\.schema)

    /// The name: `openalloc/rebalance/allocation`.
    public var name: String { id.rawValue }
    /// The name for files: `openalloc.rebalance.allocation`.
    public var fileStem: String { id.fileStem }
    /// The columns that make up a row's key.
    public var keyColumns: [Column] { columns.filter(\.isKey) }
    /// The model's columns, then our own.
    public var allColumns: [Column] { columns + extendedColumns }

    /// The column of that exact name, the model's or our own.
    public func column(_ name: String) -> Column? {
        index(of: name).map { $0 < columns.count ? columns[$0] : extendedColumns[$0 - columns.count] }
    }

    /// The place of a column in ``allColumns``.
    public func index(of name: String) -> Int? {
        if let index = columns.firstIndex(where: { $0.name == name }) { return index }
        return extendedColumns.firstIndex { $0.name == name }.map { $0 + columns.count }
    }
}

extension Schema {
    /// Accounts.
    public static var account: Schema { SchemaID.account.schema }
    /// Target slices of strategies.
    public static var allocation: Schema { SchemaID.allocation.schema }
    /// Asset classes.
    public static var asset: Schema { SchemaID.asset.schema }
    /// Limits of an asset class in an account.
    public static var cap: Schema { SchemaID.cap.schema }
    /// Positions.
    public static var holding: Schema { SchemaID.holding.schema }
    /// Securities.
    public static var security: Schema { SchemaID.security.schema }
    /// Strategies.
    public static var strategy: Schema { SchemaID.strategy.schema }
    /// Indices that securities track.
    public static var tracker: Schema { SchemaID.tracker.schema }
    /// Events in accounts.
    public static var transaction: Schema { SchemaID.transaction.schema }
    /// The files that rows came from.
    public static var metaSource: Schema { SchemaID.metaSource.schema }
}
