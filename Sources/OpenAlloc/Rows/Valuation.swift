// The worth of a portfolio over time.

/// A moment at which a portfolio was valued.
public struct MValuationSnapshot: AllocRow {
    /// The snapshot's id.
    public var valuationSnapshotID: String = ""
    /// When the portfolio was valued.
    public var capturedAt: Instant?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MValuationSnapshot>(
        .valuationSnapshot, "A moment at which a portfolio was valued",
        [
            Field("valuationSnapshotID", \.valuationSnapshotID, [.required, .key], "The snapshot's id"),
            Field("capturedAt", \.capturedAt, .required, "When the portfolio was valued"),
        ])
}

/// An asset class in an account at a snapshot.
public struct MValuationPosition: AllocRow {
    /// The snapshot.
    public var valuationPositionSnapshotID: String = ""
    /// The account.
    public var valuationPositionAccountID: String = ""
    /// The asset class.
    public var valuationPositionAssetID: String = ""
    /// Total cost of the position.
    public var totalBasis: ExactDecimal?
    /// Value of the position at the snapshot.
    public var marketValue: ExactDecimal?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MValuationPosition>(
        .valuationPosition, "An asset class in an account at a snapshot",
        [
            Field("valuationPositionSnapshotID", \.valuationPositionSnapshotID, [.required, .key], "The snapshot"),
            Field("valuationPositionAccountID", \.valuationPositionAccountID, [.required, .key], "The account"),
            Field("valuationPositionAssetID", \.valuationPositionAssetID, [.required, .key], "The asset class"),
            Field("totalBasis", \.totalBasis, .required, "Total cost of the position"),
            Field("marketValue", \.marketValue, .required, "Value of the position at the snapshot"),
        ])
}

/// Cash that flowed into or out of an asset class in an account.
public struct MValuationCashflow: AllocRow {
    /// When it flowed.
    public var valuationCashflowTransactedAt: Instant?
    /// The account.
    public var valuationCashflowAccountID: String = ""
    /// The asset class.
    public var valuationCashflowAssetID: String = ""
    /// The amount of money, negative when it left.
    public var amount: ExactDecimal?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MValuationCashflow>(
        .valuationCashflow, "Cash that flowed into or out of an asset class in an account",
        [
            Field(
                "valuationCashflowTransactedAt", \.valuationCashflowTransactedAt, [.required, .key], "When it flowed"),
            Field("valuationCashflowAccountID", \.valuationCashflowAccountID, [.required, .key], "The account"),
            Field("valuationCashflowAssetID", \.valuationCashflowAssetID, [.required, .key], "The asset class"),
            Field("amount", \.amount, .required, "The amount of money, negative when it left"),
        ])
}
