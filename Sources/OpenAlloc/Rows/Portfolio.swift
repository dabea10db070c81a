// Accounts, strategies and what they are made of.

/// An account at a brokerage or bank.
public struct MAccount: AllocRow {
    /// The account's number or name at its institution.
    public var accountID: String = ""
    /// A name for people.
    public var title: String = ""
    /// Whether gains and income in the account are taxed as they arise.
    public var isTaxable: Bool?
    /// Whether securities can be bought and sold in the account.
    public var canTrade: Bool?
    /// The strategy that the account follows.
    public var accountStrategyID: String = ""

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MAccount>(
        .account, "An account at a brokerage or bank",
        [
            Field("accountID", \.accountID, [.required, .key], "The account's number or name at its institution"),
            Field("title", \.title, "A name for people"),
            Field("isTaxable", \.isTaxable, "Whether gains and income in the account are taxed as they arise"),
            Field("canTrade", \.canTrade, "Whether securities can be bought and sold in the account"),
            Field("accountStrategyID", \.accountStrategyID, "The strategy that the account follows"),
        ])
}

/// A slice of a strategy: the share of an asset class.
public struct MAllocation: AllocRow {
    /// The strategy.
    public var allocationStrategyID: String = ""
    /// The asset class.
    public var allocationAssetID: String = ""
    /// The target share of the strategy, 1 for all of it.
    public var targetPct: ExactDecimal?
    /// Whether the share stays as it is when others change.
    public var isLocked: Bool?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MAllocation>(
        .allocation, "A slice of a strategy: the share of an asset class",
        [
            Field("allocationStrategyID", \.allocationStrategyID, [.required, .key], "The strategy"),
            Field("allocationAssetID", \.allocationAssetID, [.required, .key], "The asset class"),
            Field("targetPct", \.targetPct, "The target share of the strategy, 1 for all of it"),
            Field("isLocked", \.isLocked, "Whether the share stays as it is when others change"),
        ])
}

/// An asset class.
public struct MAsset: AllocRow {
    /// The asset class's id.
    public var assetID: String = ""
    /// A name for people.
    public var title: String = ""
    /// The color that charts show it in.
    public var colorCode: Int?
    /// The wider asset class that it belongs to.
    public var parentAssetID: String = ""

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MAsset>(
        .asset, "An asset class",
        [
            Field("assetID", \.assetID, [.required, .key], "The asset class's id"),
            Field("title", \.title, "A name for people"),
            Field("colorCode", \.colorCode, "The color that charts show it in"),
            Field("parentAssetID", \.parentAssetID, "The wider asset class that it belongs to"),
        ])
}

/// A limit of an asset class in an account.
public struct MCap: AllocRow {
    /// The account.
    public var capAccountID: String = ""
    /// The asset class.
    public var capAssetID: String = ""
    /// The most of the account that the asset class may take, 1 for all of it.
    public var limitPct: ExactDecimal?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MCap>(
        .cap, "A limit of an asset class in an account",
        [
            Field("capAccountID", \.capAccountID, [.required, .key], "The account"),
            Field("capAssetID", \.capAssetID, [.required, .key], "The asset class"),
            Field("limitPct", \.limitPct, "The most of the account that the asset class may take, 1 for all of it"),
        ])
}

/// A strategy: a set of target slices.
public struct MStrategy: AllocRow {
    /// The strategy's id.
    public var strategyID: String = ""
    /// A name for people.
    public var title: String = ""

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MStrategy>(
        .strategy, "A strategy: a set of target slices",
        [
            Field("strategyID", \.strategyID, [.required, .key], "The strategy's id"),
            Field("title", \.title, "A name for people"),
        ])
}

/// An index that securities track, so that they can stand in for each other.
public struct MTracker: AllocRow {
    /// The index's id.
    public var trackerID: String = ""
    /// A name for people.
    public var title: String = ""

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MTracker>(
        .tracker, "An index that securities track, so that they can stand in for each other",
        [
            Field("trackerID", \.trackerID, [.required, .key], "The index's id"),
            Field("title", \.title, "A name for people"),
        ])
}
