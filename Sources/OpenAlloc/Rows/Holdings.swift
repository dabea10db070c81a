// Positions and securities.

/// A position in an account, by lot where the lots are known.
public struct MHolding: AllocRow {
    /// The account.
    public var holdingAccountID: String = ""
    /// The security's symbol or other id; CORE for cash.
    public var holdingSecurityID: String = ""
    /// The lot, if any: what tells equal securities in one account apart.
    public var holdingLotID: String = ""
    /// How many units are held, negative when short.
    public var shareCount: ExactDecimal?
    /// Cost of one unit, in the row's currency.
    public var shareBasis: ExactDecimal?
    /// When the lot was acquired.
    public var acquiredAt: Instant?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MHolding>(
        .holding, "A position in an account, by lot where the lots are known",
        [
            Field("holdingAccountID", \.holdingAccountID, [.required, .key], "The account"),
            Field(
                "holdingSecurityID", \.holdingSecurityID, [.required, .key],
                "The security's symbol or other id; CORE for cash"),
            Field(
                "holdingLotID", \.holdingLotID, [.required, .key, .blankable],
                "The lot, if any: what tells equal securities in one account apart"),
            Field("shareCount", \.shareCount, .key, "How many units are held, negative when short"),
            Field("shareBasis", \.shareBasis, .key, "Cost of one unit, in the row's currency"),
            Field("acquiredAt", \.acquiredAt, .key, "When the lot was acquired"),
        ])
}

/// A security and its last known price.
public struct MSecurity: AllocRow {
    /// The security's symbol or other id.
    public var securityID: String = ""
    /// The asset class that it belongs to.
    public var securityAssetID: String = ""
    /// Price of one unit, in the row's currency.
    public var sharePrice: ExactDecimal?
    /// When that was the price.
    public var updatedAt: Instant?
    /// The index that it tracks, if any.
    public var securityTrackerID: String = ""

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MSecurity>(
        .security, "A security and its last known price",
        [
            Field("securityID", \.securityID, [.required, .key], "The security's symbol or other id"),
            Field("securityAssetID", \.securityAssetID, "The asset class that it belongs to"),
            Field("sharePrice", \.sharePrice, "Price of one unit, in the row's currency"),
            Field("updatedAt", \.updatedAt, "When that was the price"),
            Field("securityTrackerID", \.securityTrackerID, "The index that it tracks, if any"),
        ])
}
