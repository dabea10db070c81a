/// What a record is, in brokerage-neutral words. The raw value is written to the extended column `kind`.
///
/// The kinds follow the table "record kinds → openalloc/transaction" of the design, one word a business event.
public enum RecordKind: String, Sendable, Hashable, CaseIterable {
    // Trades, units bought.
    case buy, buyToCover, buyToOpen, buyToClose, reinvest
    // Trades, units sold.
    case sell, sellShort, sellToOpen, sellToClose, redemption, maturity
    /// A trade whose direction is the sign of its units.
    case trade
    /// One event without cash effect: income that bought units. Projects to two rows (income, buysell).
    case reinvestedIncome
    // The option leg that closes a contract.
    case expired, assigned, exercised
    // Income.
    case dividend, interest, capitalGainShort, capitalGainLong, income
    // Cash in or out of the account. `cash` takes the sign of its amount.
    case deposit, withdrawal, cash
    // Securities in or out of the account without a trade. `shares` takes the sign of its units.
    case sharesIn, sharesOut, shares, split, spinOff, merger, conversion
    // Other cash effects.
    case fee, tax, marginInterest, returnOfCapital, cashInLieu, adjustment, currencyExchange
    /// A closed lot of a realized-gain report.
    case closedLot
    // Not transactions.
    case position, security, account

    /// The shape that the projection gives to a kind.
    public enum Shape: Sendable, Hashable {
        case bought, sold, traded, reinvested, optionClosed, income, cash, shares, misc, closedLot
        case position, security, account
    }

    /// The shape that the projection gives to this kind.
    public var shape: Shape {
        switch self {
        case .buy, .buyToCover, .buyToOpen, .buyToClose, .reinvest: .bought
        case .sell, .sellShort, .sellToOpen, .sellToClose, .redemption, .maturity: .sold
        case .trade: .traded
        case .reinvestedIncome: .reinvested
        case .expired, .assigned, .exercised: .optionClosed
        case .dividend, .interest, .capitalGainShort, .capitalGainLong, .income: .income
        case .deposit, .withdrawal, .cash: .cash
        case .sharesIn, .sharesOut, .shares, .split, .spinOff, .merger, .conversion: .shares
        case .fee, .tax, .marginInterest, .returnOfCapital, .cashInLieu, .adjustment, .currencyExchange: .misc
        case .closedLot: .closedLot
        case .position: .position
        case .security: .security
        case .account: .account
        }
    }

    /// Whether units are bought or sold for money.
    var isTrade: Bool { shape == .bought || shape == .sold || shape == .traded }
}
