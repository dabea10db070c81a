// Events in accounts.

/// An event in an account.
public struct MTransaction: AllocRow {
    /// What moves the shares of a transaction.
    public enum Action: String, AllocScalar, CaseIterable {
        /// A trade.
        case buysell
        /// Income from a security or from cash.
        case income
        /// Securities or cash that enter or leave without a trade.
        case transfer
        /// Fees, taxes, adjustments and other flows.
        case miscflow
    }

    /// What moves the shares: a trade, income, a transfer or another flow.
    public var txnAction: Action?
    /// When it happened.
    public var txnTransactedAt: Instant?
    /// The account.
    public var txnAccountID: String = ""
    /// The security's symbol or other id; blank for cash.
    public var txnSecurityID: String = ""
    /// The lot; blank if none.
    public var txnLotID: String = ""
    /// Units that enter the account, negative when they leave; an amount of cash where there are no units.
    public var txnShareCount: ExactDecimal?
    /// Price of one unit, in the row's currency; units times price is money; 1 for cash.
    public var txnSharePrice: ExactDecimal?
    /// Gain realized on shares held for the short term.
    public var realizedGainShort: ExactDecimal?
    /// Gain realized on shares held for the long term.
    public var realizedGainLong: ExactDecimal?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MTransaction>(
        .transaction, "An event in an account",
        [
            Field(
                "txnAction", \.txnAction, [.required, .key],
                "What moves the shares: a trade, income, a transfer or another flow"),
            Field("txnTransactedAt", \.txnTransactedAt, [.required, .key], "When it happened"),
            Field("txnAccountID", \.txnAccountID, [.required, .key], "The account"),
            Field(
                "txnSecurityID", \.txnSecurityID, [.required, .key, .blankable],
                "The security's symbol or other id; blank for cash"),
            Field("txnLotID", \.txnLotID, [.required, .key, .blankable], "The lot; blank if none"),
            Field(
                "txnShareCount", \.txnShareCount, [.required, .key],
                "Units that enter the account, negative when they leave; an amount of cash where there are no units"),
            Field(
                "txnSharePrice", \.txnSharePrice,
                "Price of one unit, in the row's currency; units times price is money; 1 for cash"),
            Field("realizedGainShort", \.realizedGainShort, "Gain realized on shares held for the short term"),
            Field("realizedGainLong", \.realizedGainLong, "Gain realized on shares held for the long term"),
        ])
}
