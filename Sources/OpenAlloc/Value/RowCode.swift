/// Why a value or a row is not what its schema asks for. The raw values are stable.
public enum RowCode: String, Error, Sendable, Hashable, CaseIterable {
    /// Not wholly a number.
    case numberInvalid = "number.invalid"
    /// A number that does not fit: never rounded.
    case numberRange = "number.range"
    /// Not RFC 3339, or a day that does not exist.
    case dateInvalid = "date.invalid"
    /// A required column is blank or absent.
    case fieldMissing = "field.missing"
    /// A `txnAction` that openalloc does not have.
    case actionUnknown = "action.unknown"
    /// Neither true nor false, no word of a choice, or a value of another type than the column's.
    case valueInvalid = "value.invalid"

    /// The reason in words.
    public var reason: String {
        switch self {
        case .numberInvalid: "this is not a plain number such as -1234.56"
        case .numberRange: "this number has more digits than can be kept exactly (38)"
        case .dateInvalid: "this is no date such as 2012-12-31T19:00:00Z or 2012-12-31"
        case .fieldMissing: "this column is required and blank"
        case .actionUnknown: "this is none of buysell, income, transfer, miscflow"
        case .valueInvalid: "this is not a value that the column can hold"
        }
    }
}
