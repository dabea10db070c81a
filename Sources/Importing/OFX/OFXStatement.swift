import Delimited
import Markup
import OpenAlloc

/// What a first pass learns of one statement.
struct OFXStatement: Sendable {
    /// Which message set it is of.
    enum Sort: String, Sendable { case bank, card, investment }

    var sort: Sort
    var account: [UInt8] = []
    /// ACCTTYPE or USPRODUCTTYPE as the file has it.
    var accountType: [UInt8] = []
    /// The broker; of a bank its number and its branch's: two branches may give one number to two accounts.
    var broker: [UInt8] = []
    var institution: [UInt8] = []
    var currency: [UInt8] = []
    /// Where the account's aggregate stands in the source.
    var accountRange: Range<Int>?
    var asOf: Instant?

    /// The plan is a 401(k), an IRA or the like.
    var isPlan = false
    var hasLedgerBalance = false
    /// Whether it has a balance that may count, and the day of the balance where the statement says none.
    var hasBalance = false
    var balanceAsOf: Instant?
    /// What it says is held, as a hash.
    var held: UInt64 = 0
    /// The file writes amounts and units without the customer's sign.
    var isUnsigned = false
    /// An expense has a minus: then those without one are credits, whatever trades look like.
    var signsExpenses = false

    /// Positions that may carry the cash: id, value, whether a unit costs exactly 1.
    var positions: [(security: UInt64, value: ExactDecimal, isUnit: Bool)] = []
    var marketValue = ExactDecimal.zero
    /// Ids that stand in several positions.
    var repeated: Set<UInt64> = []
    var seen: Set<UInt64> = []
    /// Contracts bought less contracts sold, by id.
    var optionUnits: [UInt64: ExactDecimal] = [:]

    init(_ sort: Sort) { self.sort = sort }

    /// What is drawn from it is owed.
    var isCreditLine: Bool { ByteView.with(accountType) { $0.equalsIgnoringCase("CREDITLINE") } }

    /// Some banks, and most credit unions, give all accounts of a customer one number: the type tells them apart.
    var part: Record.AccountPart {
        guard sort == .bank else { return .main }
        return ByteView.with(accountType) { type in
            if type.equalsIgnoringCase("SAVINGS") { return .savings }
            if type.equalsIgnoringCase("MONEYMRKT") { return .moneyMarket }
            if type.equalsIgnoringCase("CREDITLINE") { return .creditLine }
            return type.equalsIgnoringCase("CD") ? .certificateOfDeposit : .main
        }
    }

    /// What is available is credit: the account is one of those that money is drawn from.
    var isOfCredit: Bool { sort == .card || isCreditLine }

    /// A currency's code; some write it in small letters. `GBp` is another unit than GBP and stays.
    static func code(_ view: ByteView) -> [UInt8] {
        let text = view.array
        guard text.count == 3, text.allSatisfy({ $0 &- UInt8(ascii: "a") < 26 }) else { return text }
        return text.map { $0 - 0x20 }
    }

    /// "ORG ACCTTYPE", "ORG BROKERID".
    var title: [UInt8] {
        var tail: [UInt8]
        switch sort {
        case .bank: tail = accountType
        case .card: tail = Array("CREDITCARD".utf8)
        case .investment: tail = accountType.isEmpty ? broker : accountType
        }
        if tail == institution { tail = [] }
        if institution.isEmpty { return tail }
        return tail.isEmpty ? institution : institution + [0x20] + tail
    }

    /// The word for the extended column.
    var kind: [UInt8] {
        switch sort {
        case .bank: accountType.isEmpty ? Array("BANK".utf8) : accountType
        case .card: Array("CREDITCARD".utf8)
        case .investment: accountType.isEmpty ? Array("INVESTMENT".utf8) : accountType
        }
    }

    /// Whether a product type or title names an account that is not taxed as it grows.
    static func isTaxFree(_ word: ByteView) -> Bool {
        let text = word.string.uppercased()
        return ["401", "403", "457", "IRA", "ROTH", "SEP", "SIMPLE", "KEOGH", "HSA", "529", "PENSION", "RETIREMENT"]
            .contains { mark in
                text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains { $0.hasPrefix(mark) }
            }
    }
}

/// What is known of a transaction that another one refers to.
struct OFXTarget: Sendable {
    /// 1: units or cash in, −1: out, 0: unknown.
    var direction = 0
    /// Its aggregate.
    var name: ElementName
    /// Of a split, a transfer or a closed option the sign of the units that it states or moves.
    var sign = 0
}

/// What the first pass learns.
struct OFXFacts {
    var exportedAt: Instant?
    var statements: [OFXStatement] = []
    var securities = OFXSecurityTable()
    var numbers = OFXNumbers()
    /// How dates such as 01/02/2025 are meant.
    var days = DayProof()
    /// Whether several statements are of one account.
    var repeatsAccounts = false
    /// Whether there are positions or balances.
    var hasHoldings = false
    /// Ids with a price in a position: it is newer than SECLIST's.
    var priced: Set<UInt64> = []
    /// SECLIST's aggregates in the source: those that a reject file may repeat.
    var securityRanges: [OFXListedSecurity] = []
    /// Where the sign-on and the header stand.
    var signOnRange: Range<Int>?
    var headerEnd: Int?
    /// What corrections and reversals refer to; nil until it is found.
    var targets: [OFXReference: OFXTarget?] = [:]
    /// Transactions that a correction replaces or deletes, with the FITID of the last one.
    var corrected: [OFXReference: [UInt8]] = [:]
    /// Where the last one stands of those that have the FITID of the transaction that they correct.
    var namesakes: [OFXReference: Int] = [:]
}

extension OFXFacts {
    /// The day that all statements are of; nil where they differ, or where one does not say.
    var listedAt: Instant? {
        let moments = statements.map { $0.asOf ?? $0.balanceAsOf }
        guard let first = moments.first, let first,
            moments.allSatisfy({ $0?.civil.date == first.civil.date })
        else { return nil }
        return first
    }

    /// The statements whose positions, and whose balances, a later statement of the same account says anew.
    func superseded() -> (positions: Set<Int>, balances: Set<Int>) {
        guard repeatsAccounts else { return ([], []) }
        return (older { !$0.seen.isEmpty }, older { $0.hasBalance })
    }

    /// Of the statements that have something and a day, all but the latest one of each account. Those of one day are one
    /// only if they say the same: accounts may have their number in common.
    private func older(_ has: (OFXStatement) -> Bool) -> Set<Int> {
        var latest: [[[UInt8]]: (statement: Int, day: Instant)] = [:]
        var older: Set<Int> = []
        for (index, statement) in statements.enumerated() where has(statement) && !statement.account.isEmpty {
            guard let day = statement.asOf ?? statement.balanceAsOf else { continue }
            let key = [
                Array(statement.sort.rawValue.utf8), statement.accountType, statement.currency, statement.broker,
                statement.account,
            ]
            if let known = latest[key] {
                if known.day > day || (known.day == day && statements[known.statement].held == statement.held) {
                    older.insert(index)
                    continue
                }
                if known.day == day { continue }
                older.insert(known.statement)
            }
            latest[key] = (index, day)
        }
        return older
    }
}

/// Where a security stands in SECLIST.
struct OFXListedSecurity: Sendable, Equatable {
    var range: Range<Int>
    /// The hash of its id, where its price cannot be read: unless a position has one, it will be rejected itself.
    var priceless: UInt64?
}

/// A transaction id within a statement.
struct OFXReference: Hashable, Sendable {
    var statement: Int
    var fitID: [UInt8]
}
