/// The columns that stand after the model's own, each declared once. New ones are added at the end.
enum ExtendedColumns {
    static func of(_ id: SchemaID) -> [Column] {
        switch id {
        case .transaction: transaction
        case .holding: holding
        case .security: security
        case .account: account
        default: []
        }
    }

    private static let currency = Column(
        "currency", .string, "ISO 4217 code of the currency that the row's amounts are in")
    private static let isin = Column("isin", .string, "ISIN (ISO 6166) of the security")
    private static let cusip = Column("cusip", .string, "CUSIP of the security")
    private static let rowID = Column(
        "rowID", .string, "Stable id of the row: a hash of what it says and its occurrence")
    private static let sourceMetaID = Column("sourceMetaID", .string, "The input that the row came from")
    private static let sourceLine = Column(
        "sourceLine", .int, "Line of that input where the row's source begins, from 1")

    private static let transaction: [Column] = [
        Column("kind", .string, "What happened, in finer terms than txnAction"),
        currency,
        Column("amount", .double, "Net effect on the account's cash, negative when cash leaves"),
        Column("commission", .double, "Commission included in the amount"),
        Column("fees", .double, "Other fees included in the amount"),
        Column("tax", .double, "Tax withheld, included in the amount"),
        Column("accruedInterest", .double, "Accrued interest paid or received with a bond"),
        Column("sourcePrice", .double, "The price as the source states it"),
        Column(
            "priceUnit", .string, allowedValues: PriceUnit.allCases.map(\.rawValue), "What sourcePrice is the price of"),
        Column("settledAt", .date, "When cash and security changed hands"),
        isin, cusip,
        Column("description", .string, "The source's own description"),
        Column("sourceAction", .string, "The source's own word for the action"),
        Column("sourceTxnID", .string, "The source's own id of the transaction"),
        rowID, sourceMetaID, sourceLine,
    ]

    private static let holding: [Column] = [
        currency,
        Column("marketValue", .double, "Value of the position at the source's last price"),
        Column("costBasis", .double, "Total cost of the position"),
        isin, cusip,
        Column("description", .string, "The source's own description"),
        rowID, sourceMetaID, sourceLine,
    ]

    private static let security: [Column] = [
        currency,
        Column("title", .string, "The security's name"),
        isin, cusip,
        Column("kind", .string, "What sort of security it is"),
        sourceMetaID, sourceLine,
    ]

    private static let account: [Column] = [
        currency,
        Column("institution", .string, "Who keeps the account"),
        Column("kind", .string, "What sort of account it is"),
        sourceMetaID, sourceLine,
        Column("isActive", .bool, "Whether the account is in use; older openalloc tables have it"),
    ]
}

/// What a source's price is the price of.
public enum PriceUnit: String, Sendable, Hashable, CaseIterable {
    /// One share or unit, in the row's currency.
    case share
    /// 100 of face value, as bonds are quoted.
    case percentOfPar
    /// One unit of the underlying; a contract is worth that times its multiplier.
    case contract
    /// One share, in hundredths of the currency (pence, cents).
    case minor
}
