import Importing
import OpenAlloc

/// A row of openalloc/transaction that a record became, besides the texts, which stay in the record.
struct TransactionRow {
    /// The model's four actions.
    enum Action: UInt8 {
        case buysell, income, transfer, miscflow

        /// The word in the table.
        var word: StaticString {
            switch self {
            case .buysell: "buysell"
            case .income: "income"
            case .transfer: "transfer"
            case .miscflow: "miscflow"
            }
        }
    }

    var action: Action
    /// The kind as the row has it; differs from the record's for rows that are split off.
    var kind: RecordKind
    /// Index of the record in its unit.
    var record: Int
    var units: ExactDecimal
    var price: ExactDecimal?
    /// Whether the security is named.
    var hasSecurity = true
    var gainShort: ExactDecimal?
    var gainLong: ExactDecimal?
    var amount: ExactDecimal?
    var commission: ExactDecimal?
    var fees: ExactDecimal?
    var tax: ExactDecimal?
    var accruedInterest: ExactDecimal?
    /// The price as the source has it; nil marks a derived one.
    var sourcePrice: ExactDecimal?

    init(_ action: Action, _ kind: RecordKind, record: Int, units: ExactDecimal) {
        self.action = action
        self.kind = kind
        self.record = record
        self.units = units
    }
}
