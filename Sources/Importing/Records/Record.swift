public import Delimited
public import OpenAlloc

/// What an importer yields: brokerage-neutral, with everything the source says.
///
/// A record is a flat buffer that its producer reuses for every row: texts live in one byte array, numbers and
/// instants in fixed slots. `reset()` empties it without giving memory back.
public struct Record: Sendable {
    /// A text of the record.
    public enum Text: Int, Sendable, CaseIterable {
        case account, accountTitle, accountKind, institution
        /// The identifier that the source uses: ticker, option symbol or CUSIP.
        case symbol
        case isin, cusip, sedol
        /// The security's name, or the words of the transaction.
        case description
        case securityKind, assetID
        /// ISO 4217 code of `amount` and `price`.
        case currency
        /// ISO 4217 code of `price`, where it is another than that of `amount`.
        case priceCurrency
        case lot
        /// The source's own word for what happened.
        case sourceAction
        case sourceTxnID
    }

    /// An exact number of the record.
    public enum Number: Int, Sendable, CaseIterable {
        /// Shares, face value of a bond, or contracts; signed as the kind's shape says or as the source has it.
        case units
        /// For `priceUnit`, in `currency`.
        case price
        /// The price as the source states it, where that is not `price`.
        case sourcePrice
        /// Cash effect on the account, money in positive.
        case amount
        // Costs, positive when paid.
        case commission, fees, tax
        case accruedInterest
        /// Value of a whole position.
        case marketValue
        /// Cost of a whole position or closed lot.
        case costBasis
        /// Cost of one unit, in `priceUnit`.
        case unitCost
        /// Proceeds of a closed lot.
        case proceeds
        case gainShort, gainLong
        /// Units of the underlying in one contract.
        case multiplier
        case exchangeRate

        /// Costs are positive when paid, whatever sign the source prints.
        var isCost: Bool { self == .commission || self == .fees || self == .tax }

        /// A sum of money, which is never a percentage.
        var isSum: Bool {
            switch self {
            case .amount, .commission, .fees, .tax, .accruedInterest, .marketValue, .costBasis, .proceeds, .gainShort,
                .gainLong:
                true
            default: false
            }
        }

        /// A sum, or what one unit costs.
        var isMoney: Bool { isSum || self == .price || self == .unitCost }
    }

    /// A point in time of the record.
    public enum Moment: Int, Sendable, CaseIterable {
        /// When it was traded or took effect.
        case tradedAt
        case settledAt
        /// When a lot was acquired.
        case acquiredAt
        /// When `price` was current.
        case pricedAt
    }

    /// What a list of positions is whole for.
    public enum Coverage: String, Sendable, CaseIterable {
        /// All positions of the account.
        case account
        /// All positions of one security of it.
        case security
        /// All positions of the account on several days, which `pricedAt` names: the last day's count.
        case days
    }

    /// Which account a record is of where a bank keeps several under one number, by its type (OFX's ACCTTYPE: SAVINGS,
    /// MONEYMRKT, CREDITLINE, CD): `main` is the one that the number names if nothing else is said.
    public enum AccountPart: UInt8, Sendable, CaseIterable {
        case main, savings, moneyMarket, creditLine, certificateOfDeposit
    }

    /// What the record is.
    public var kind: RecordKind = .adjustment
    /// How `price` is stated.
    public var priceUnit: PriceUnit = .share
    /// What the source implies about tax on the account.
    public var isTaxable: Bool?
    /// What the source implies about trading in the account.
    public var canTrade: Bool?
    /// The event undoes an earlier one of this kind: signs of units and amount turn round.
    public var isReversal = false
    /// The account was named by neither the export nor its file name nor an option: it is the brokerage's slug.
    public var isAccountAssumed = false
    /// Rows of different parts of a number are never the same.
    public var accountPart = AccountPart.main
    /// What the list is whole for that a position stands in.
    public var covers = Coverage.account
    /// The commission, fees and tax are already inside `amount`.
    public var costsInAmount = true

    /// Gains are paid day by day (futures): `amount` is the cash effect with its own sign, not units × price.
    public var isMarkedToMarket = false

    /// `price` was worked out from other values of the source.
    public var isPriceDerived = false

    /// The source writes a minus before money that came in by the action's word; the word counts.
    public var isSignDropped = false

    /// Where a text stands in `storage`.
    private struct Place: Sendable, Hashable {
        var start: Int32 = 0
        var end: Int32 = 0
    }

    private var storage: [UInt8] = []
    private var texts = [Place](repeating: Place(), count: Text.allCases.count)
    private var numbers = [ExactDecimal?](repeating: nil, count: Number.allCases.count)
    private var moments = [Instant?](repeating: nil, count: Moment.allCases.count)

    /// An empty record.
    public init() { storage.reserveCapacity(512) }

    /// Empties the record, keeping its memory.
    public mutating func reset() {
        kind = .adjustment
        priceUnit = .share
        isTaxable = nil
        canTrade = nil
        isReversal = false
        isAccountAssumed = false
        accountPart = .main
        covers = .account
        costsInAmount = true
        isMarkedToMarket = false
        isPriceDerived = false
        isSignDropped = false
        storage.removeAll(keepingCapacity: true)
        for i in texts.indices { texts[i] = Place() }
        for i in numbers.indices { numbers[i] = nil }
        for i in moments.indices { moments[i] = nil }
    }

    /// A number of the record; nil when the source states none.
    public subscript(number: Number) -> ExactDecimal? {
        get { numbers[number.rawValue] }
        set { numbers[number.rawValue] = newValue }
    }

    /// A point in time of the record; nil when the source states none.
    public subscript(moment: Moment) -> Instant? {
        get { moments[moment.rawValue] }
        set { moments[moment.rawValue] = newValue }
    }

    /// Whether a text is absent or empty.
    public func isBlank(_ text: Text) -> Bool { texts[text.rawValue].start == texts[text.rawValue].end }

    /// The bytes (UTF-8) of a text; empty when the source has none.
    public func bytes(_ text: Text) -> ArraySlice<UInt8> {
        let r = texts[text.rawValue]
        return storage[Int(r.start)..<Int(r.end)]
    }

    /// Empties a text.
    public mutating func clear(_ text: Text) { texts[text.rawValue] = Place() }

    /// A text decoded; empty when the source has none. Allocates: not for the per-row path.
    public func string(_ text: Text) -> String { String(decoding: bytes(text), as: UTF8.self) }

    /// How many bytes all texts take.
    var textBytes: Int { storage.count }

    /// Forgets texts that were set after the mark, and all numbers and instants.
    mutating func rewind(to mark: Int) {
        storage.removeLast(storage.count - mark)
    }

    /// Becomes the same as another, in memory of its own that it has already.
    mutating func assign(_ other: borrowing Record) {
        (kind, priceUnit, isTaxable, canTrade) = (other.kind, other.priceUnit, other.isTaxable, other.canTrade)
        (isReversal, isAccountAssumed) = (other.isReversal, other.isAccountAssumed)
        (accountPart, covers, costsInAmount) = (other.accountPart, other.covers, other.costsInAmount)
        (isMarkedToMarket, isPriceDerived) = (other.isMarkedToMarket, other.isPriceDerived)
        isSignDropped = other.isSignDropped
        storage.removeAll(keepingCapacity: true)
        storage.append(contentsOf: other.storage)
        for i in texts.indices { texts[i] = other.texts[i] }
        for i in numbers.indices { numbers[i] = other.numbers[i] }
        for i in moments.indices { moments[i] = other.moments[i] }
    }

    /// Whether both differ in nothing but texts, and of those only in such as `words` has; of these both have the same.
    func hasForm(of other: borrowing Record, words: [Text]) -> Bool {
        guard kind == other.kind, priceUnit == other.priceUnit, isTaxable == other.isTaxable,
            canTrade == other.canTrade, isReversal == other.isReversal, isAccountAssumed == other.isAccountAssumed,
            accountPart == other.accountPart, covers == other.covers, costsInAmount == other.costsInAmount,
            isMarkedToMarket == other.isMarkedToMarket, isPriceDerived == other.isPriceDerived,
            isSignDropped == other.isSignDropped
        else { return false }
        for i in texts.indices where (texts[i].start == texts[i].end) != (other.texts[i].start == other.texts[i].end) {
            return false
        }
        for i in numbers.indices where numbers[i] != other.numbers[i] { return false }
        for i in moments.indices where moments[i] != other.moments[i] { return false }
        for text in Text.allCases where !words.contains(text) && bytes(text) != other.bytes(text) { return false }
        return true
    }

    /// The kind and the numbers, which are the same in all records of a form.
    func hashForm(into hasher: inout Hasher) {
        hasher.combine(kind)
        for number in numbers { hasher.combine(number) }
    }

    /// Sets a text from bytes of a buffer.
    public mutating func set(_ text: Text, _ view: ByteView) {
        let start = Int32(storage.count)
        view.withUnsafeBytes { storage.append(contentsOf: $0) }
        texts[text.rawValue] = Place(start: start, end: Int32(storage.count))
    }

    /// Sets a text from any bytes (UTF-8).
    public mutating func set(_ text: Text, utf8 bytes: some Sequence<UInt8>) {
        let start = Int32(storage.count)
        storage.append(contentsOf: bytes)
        texts[text.rawValue] = Place(start: start, end: Int32(storage.count))
    }

    /// Sets a text.
    public mutating func set(_ text: Text, _ string: String) { set(text, utf8: string.utf8) }
}
