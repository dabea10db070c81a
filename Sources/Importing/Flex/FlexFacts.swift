import Delimited
import Markup
import OpenAlloc

/// What a first pass learns of a Flex report.
struct FlexFacts: Equatable {
    var exportedAt: Instant?
    /// The kind of trade rows that count: executions, or orders where the query has no executions.
    var hasExecutions = false
    var hasOrders = false
    var hasCash = false
    /// Details make the sums above them superfluous.
    var hasCashDetail = false
    var hasActionDetail = false
    /// Sums make the details below them superfluous.
    var hasTaxSums = false
    /// Other sections that say what lines of the statement of funds say.
    var hasActions = false
    var hasSalesTax = false
    var hasCards = false
    var hasCharges = false
    var transferredCash: [FlexKey: Int] = [:]
    /// The same of transfers with an id, by it, too.
    var transfers: Set<FlexKey> = []
    /// Trades against payment that the trades have themselves, by their ids.
    var deliveries: Set<FlexKey> = []
    /// How often a trade was cancelled, by what it shares with the one that took its place.
    var cancels: [FlexKey: Int] = [:]
    /// What the statement of funds has.
    var funds = FlexFunds()
    var hasCashReport = false
    /// Accounts whose cash is reported by currency, and the base currencies of accounts.
    var cashByCurrency: Set<FlexKey> = []
    var baseCurrencies: [FlexKey: [UInt8]] = [:]
    /// The currencies of an account's rows behind a sum in a base currency that nothing named, and whether each of them
    /// always has the rate 1.
    var rates: [FlexKey: [[UInt8]: Bool]] = [:]
    /// How dates such as 01/02/2025 are meant.
    var days = DayProof()
    /// There may be positions or balances.
    var hasHoldings = false
    /// The report has a list of positions, be it empty. Where it has none, its cash says nothing of securities.
    var listsPositions = false
    /// Elements of holdings of which a row names its account: one of the account "-" beside it is a sum over accounts.
    var namedHoldings: Set<String> = []
    /// Bookings of options that the trades have, by account, contract and day.
    var bookings: Set<FlexKey> = []
    /// What became of options, by the same, and whether cash stands for what they would deliver.
    var closings: [FlexKey: Set<RecordKind>] = [:]
    var hasSettlements = false
    /// When each statement ends, as it says, and the statements that have holdings of an account and of one element.
    var statementEnds: [[UInt8]] = []
    var holders: [FlexKey: [Int]] = [:]
    /// Units by statement and position: of its summary row and of its lots.
    var summaries: [FlexKey: ExactDecimal] = [:]
    var lots: [FlexKey: ExactDecimal] = [:]

    /// Whether there are trades, but in the statement of funds.
    var hasTrades: Bool { hasExecutions || hasOrders }

    /// The base currency of an account: what the report says, else the one that always has the rate 1.
    func base(of account: FlexKey) -> [UInt8]? {
        if let stated = baseCurrencies[account], !stated.isEmpty { return stated }
        guard let known = rates[account]?.filter(\.value), known.count == 1 else { return nil }
        return known.first?.key
    }

    static let deliveryKey: [FlexAttribute] = [.conid, .tradeID]
    static let positionKey: [FlexAttribute] = [.accountId, .conid, .symbol, .side]

    /// The statements whose holdings count, where an account has some in several: the latest. Those of statements that say
    /// no day count beside it.
    func latestHolders(_ dates: inout FlexDates) -> [FlexKey: (latest: Int, older: Set<Int>)] {
        var latest: [FlexKey: (latest: Int, older: Set<Int>)] = [:]
        for (key, statements) in holders where statements.count > 1 {
            var dated: [(statement: Int, end: Instant)] = []
            for statement in statements {
                if case .value(let end) = ByteView.with(statementEnds[statement], { dates.read($0) }) {
                    dated.append((statement, end))
                }
            }
            // Of those of one day, the first.
            guard let last = dated.map(\.end).max(), let first = dated.first(where: { $0.end == last }) else {
                continue
            }
            latest[key] = (first.statement, Set(dated.map(\.statement)))
        }
        return latest
    }

    /// The last day that the statements tell of: what they hold is of its end.
    func lastEnd(_ dates: FlexDates) -> Instant? {
        var dates = dates
        dates.order = days.order
        var last: Instant?
        for text in statementEnds {
            guard case .value(let end) = ByteView.with(text, { dates.read($0) }) else { continue }
            last = max(last ?? end, end)
        }
        return last
    }

    /// Whether a position's lots add up to it, so that they can stand in its place.
    func standsInLots(_ key: FlexKey) -> Bool {
        guard let lots = lots[key] else { return false }
        return summaries[key].map { $0 == lots } ?? true
    }
}
