/// Which variable names fill which fields of a record.
enum RecordField {
    /// Whether a variable of a name fills nothing, and the engine asks nothing of it.
    static func isNone(_ name: String) -> Bool {
        texts[name] == nil && numbers[name] == nil && moments[name] == nil
            && !["symbol", "isTaxable", "canTrade", "time", "exported"].contains(name)
    }

    static let texts: [String: Record.Text] = [
        "account": .account, "accountTitle": .accountTitle, "accountKind": .accountKind, "isin": .isin, "cusip": .cusip,
        "sedol": .sedol, "description": .description, "securityKind": .securityKind, "assetID": .assetID, "lot": .lot,
        "priceCurrency": .priceCurrency,
        "action": .sourceAction, "id": .sourceTxnID, "currency": .currency,
    ]

    static let numbers: [String: Record.Number] = [
        "units": .units, "price": .price, "amount": .amount, "commission": .commission, "fees": .fees, "tax": .tax,
        "accrued": .accruedInterest, "marketValue": .marketValue, "costBasis": .costBasis, "unitCost": .unitCost,
        "proceeds": .proceeds, "gainShort": .gainShort, "gainLong": .gainLong, "multiplier": .multiplier,
        "exchangeRate": .exchangeRate,
    ]

    static let moments: [String: Record.Moment] = [
        "date": .tradedAt, "settled": .settledAt, "acquired": .acquiredAt, "priced": .pricedAt,
    ]

    /// All names that fill a field, and those that the engine itself reads.
    static let all: Set<String> =
        Set(texts.keys).union(numbers.keys).union(moments.keys)
        .union(["symbol", "time", "exported", "isTaxable", "canTrade"])
}
