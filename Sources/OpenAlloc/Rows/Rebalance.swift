// What rebalancing asks for.

/// A target amount of an asset class in an account.
public struct MRebalanceAllocation: AllocRow {
    /// The account.
    public var allocationAccountID: String = ""
    /// The asset class.
    public var allocationAssetID: String = ""
    /// The amount of money that the asset class is to have.
    public var amount: ExactDecimal?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MRebalanceAllocation>(
        .rebalanceAllocation, "A target amount of an asset class in an account",
        [
            Field("allocationAccountID", \.allocationAccountID, [.required, .key], "The account"),
            Field("allocationAssetID", \.allocationAssetID, [.required, .key], "The asset class"),
            Field("amount", \.amount, .required, "The amount of money that the asset class is to have"),
        ])
}

/// A purchase that rebalancing needs.
public struct MRebalancePurchase: AllocRow {
    /// The account.
    public var purchaseAccountID: String = ""
    /// The asset class to buy.
    public var purchaseAssetID: String = ""
    /// The amount of money to spend.
    public var amount: ExactDecimal?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MRebalancePurchase>(
        .rebalancePurchase, "A purchase that rebalancing needs",
        [
            Field("purchaseAccountID", \.purchaseAccountID, [.required, .key], "The account"),
            Field("purchaseAssetID", \.purchaseAssetID, [.required, .key], "The asset class to buy"),
            Field("amount", \.amount, .required, "The amount of money to spend"),
        ])
}

/// A sale that rebalancing needs.
public struct MRebalanceSale: AllocRow {
    /// The account.
    public var saleAccountID: String = ""
    /// The security to sell.
    public var saleSecurityID: String = ""
    /// The lot to sell; blank if none.
    public var saleLotID: String = ""
    /// The amount of money to raise.
    public var amount: ExactDecimal?
    /// How many units to sell.
    public var shareCount: ExactDecimal?
    /// Whether to sell the whole position.
    public var liquidateAll: Bool?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MRebalanceSale>(
        .rebalanceSale, "A sale that rebalancing needs",
        [
            Field("saleAccountID", \.saleAccountID, [.required, .key], "The account"),
            Field("saleSecurityID", \.saleSecurityID, [.required, .key], "The security to sell"),
            Field("saleLotID", \.saleLotID, [.required, .key, .blankable], "The lot to sell; blank if none"),
            Field("amount", \.amount, .required, "The amount of money to raise"),
            Field("shareCount", \.shareCount, "How many units to sell"),
            Field("liquidateAll", \.liquidateAll, "Whether to sell the whole position"),
        ])
}
