import Delimited
import Markup
import OpenAlloc

/// Rows of a Flex report → records.
struct FlexMapper {
    let facts: FlexFacts
    let options: ImportOptions
    var dates: FlexDates
    let numbers = OFXNumbers.withPoint
    var row = FlexRow()
    /// Reused for every row; the first `count` are meant.
    var records = [Record(), Record(), Record()]
    var count = 0
    /// The statement at hand, by number.
    var statement = -1
    private let latestHolders: [FlexKey: (latest: Int, older: Set<Int>)]
    /// The account of the statement, for rows that name none.
    var statementAccount: [UInt8] = []
    /// Whether the row at hand is a line of a statement of funds that stands for other sections.
    var isOfFunds = false
    /// Whether what the trade at hand comes to was taken from its cost, with nothing to show what was realised.
    var isOfCost = false
    /// Whether the trade at hand ends an option for cash that no row of the report has.
    var isOfLostSettlement = false
    /// Cash that the transfers have and no line of the statement of funds has said yet.
    var transferredCash: [FlexKey: Int]
    /// Trades that were cancelled and not booked again yet.
    private var cancels: [FlexKey: Int]
    /// The rows that were there before.
    let seen = FlexSeenRows()

    init(facts: FlexFacts, options: ImportOptions, dates: FlexDates) {
        self.facts = facts
        transferredCash = facts.transferredCash
        cancels = facts.cancels
        self.options = options
        var dates = dates
        dates.order = facts.days.order
        latestHolders = facts.latestHolders(&dates)
        self.dates = dates
    }

    /// Whether a later statement says what the account holds: some queries have one for each day.
    var isSuperseded: Bool {
        guard !latestHolders.isEmpty, let known = latestHolders[row.holderKey(statementAccount)] else { return false }
        return known.latest != statement && known.older.contains(statement)
    }

    /// Maps the loaded row, which stands in `section`, into `records`.
    ///
    /// - Throws: the finding that rejects it.
    mutating func map(section: String) throws(Finding) -> OFXVerdict {
        if isRepeated() { return .skipped("row.repeated") }
        return try mapRow(section: section)
    }

    /// The same, of a row that was not there before.
    mutating func mapRow(section: String) throws(Finding) -> OFXVerdict {
        count = 0
        isOfCost = false
        isOfLostSettlement = false
        isOfFunds = row.element == "StatementOfFundsLine" && !(facts.hasTrades && facts.hasCash)
        if row.isOfNoAccount, facts.namedHoldings.contains(row.element) { return .skipped("level.notDetail") }
        switch row.element {
        case "Trade", "TradeConfirm", "Order", "SymbolSummary", "AssetSummary", "WashSale": return try trade()
        case "Lot": return .skipped("level.notExecution")
        case "TransferLot": return .skipped("level.notDetail")
        case "UnbookedTrade", "UnsettledTransfer": return .skipped("transaction.pending")
        case "CashTransaction": return try cashTransaction()
        case "Transfer": return try transfer()
        case "CorporateAction": return try corporateAction()
        case "OptionEAE": return try optionEAE()
        case "OpenPosition": return try openPosition()
        case "SecurityInfo": return try securityInfo()
        case "AccountInformation": return account()
        case "CashReportCurrency": return try cashReport()
        case "FxPosition", "FxLot": return try fxPosition()
        case "CFDCharge": return try charge()
        case "DebitCardActivity": return try cardActivity()
        case "SalesTax": return try salesTax()
        case "TransactionTax", "TransactionTaxDetail": return try transactionTax()
        case "StockGrantActivity": return try grant()
        case "TradeTransfer": return try tradeTransfer()
        case "StatementOfFundsLine": return try fundsLine()
        default:
            if FlexMapper.booked.contains(section) {
                throw Finding(
                    .actionUnknown, column: section, value: row.element,
                    reason: "no such element of this section is known", suggestion: "Report it, with an example.")
            }
            return .skipped(FlexMapper.informational.contains(section) ? "section.informational" : "section.unknown")
        }
    }

    /// Sections whose elements are read: one that is not known may be a row of them, misspelt.
    private static let booked: Set<String> = [
        "Trades", "TradeConfirms", "CashTransactions", "CorporateActions", "Transfers", "OptionEAE", "OpenPositions",
        "CashReport", "SecuritiesInfo", "FxPositions", "CFDCharges", "DebitCardActivities", "SalesTaxes",
        "StockGrantActivities", "StmtFunds", "TradeTransfers",
    ]

    /// Sections that say again, sum up or explain what others state.
    private static let informational: Set<String> = [
        "ConversionRates", "ChangeInNAV", "ChangeInDividendAccruals", "ChangeInPositionValues", "EquitySummaryInBase",
        "FIFOPerformanceSummaryInBase", "MTMPerformanceSummaryInBase", "MTDYTDPerformanceSummary", "InterestAccruals",
        "OpenDividendAccruals", "PriorPeriodPositions", "FxTransactions", "NetStockPositionSummary",
        "TierInterestDetails",
        "UnbundledCommissionDetails", "ComplexPositions", "TransactionTaxes", "ClientFees",
        "ClientFeesDetail", "FdicInsuredDepositsByBank", "HardToBorrowDetails", "HardToBorrowMarkupDetails",
        "IncentiveCouponAccrualDetails", "RoutingCommissions", "SLBActivities", "SLBCollaterals", "SLBFees",
        "SLBOpenContracts", "SoftDollars", "DepositsOnHold", "PendingExcercises",
    ]

    /// Some reports have one row several times.
    private mutating func isRepeated() -> Bool {
        guard row.hasIdentity, !seen.insert(row.key(FlexMapper.identity, FlexKey(element: row.element))) else {
            return false
        }
        return !isRebooked()
    }

    /// Whether a trade has the id of one that was cancelled. With ids of transactions the two differ.
    private mutating func isRebooked() -> Bool {
        guard !cancels.isEmpty, row.isBlank(.transactionID), !row.isCancel else { return false }
        let key = row.cancelKey(statementAccount)
        guard let left = cancels[key], left > 0 else { return false }
        cancels[key] = left - 1
        return true
    }

    /// What tells a row from all others.
    static let identity: [FlexAttribute] = [
        .accountId, .transactionID, .tradeID, .actionID, .ibExecID, .levelOfDetail, .conid, .symbol, .type, .buySell,
        .quantity, .amount, .currency, .dateTime, .cashTransfer, .openDateTime, .position, .transactionType,
    ]

    // MARK: the record at hand

    var last: Int { count - 1 }

    mutating func begin(_ kind: RecordKind) {
        if count == records.count { records.append(Record()) }
        records[count].reset()
        records[count].kind = kind
        count += 1
        let place = last
        row.with(.accountId) { if !$0.isEmpty { records[place].set(.account, $0) } }
        if records[place].isBlank(.account) {
            if !statementAccount.isEmpty {
                records[place].set(.account, utf8: statementAccount)
            } else if let account = options.account {
                records[place].set(.account, account)
            } else {
                records[place].set(.account, "ibkr")
                records[place].isAccountAssumed = true
            }
        }
        set(.accountTitle, .acctAlias)
        set(.currency, .currency)
        set(.description, .description)
        records[place].set(.institution, "Interactive Brokers")
        records[place].canTrade = true
    }

    mutating func set(_ text: Record.Text, _ name: FlexAttribute) {
        let place = last
        row.with(name) { if !$0.isEmpty { records[place].set(text, $0) } }
    }

    /// What identifies the security: symbol, else ISIN, CUSIP, IBKR's contract number, and what else there is; its name
    /// where a trade or a position has nothing else.
    mutating func setSecurity() {
        if let name = FlexRow.securityNames.first(where: { !row.isBlank($0) }) {
            set(.symbol, name)
        } else if row.isNamedByDescription {
            set(.symbol, .description)
        }
        set(.isin, .isin)
        set(.cusip, .cusip)
        set(.sedol, .sedol)
        if row.isBlank(.isin), row.says(.securityIDType, "ISIN") { set(.isin, .securityID) }
        if row.isBlank(.cusip), row.says(.securityIDType, "CUSIP") { set(.cusip, .securityID) }
        set(.securityKind, .assetCategory)
    }

    /// Percent of par for bonds; for contracts, the price of one unit of what they stand for.
    mutating func setPriceUnit() throws(Finding) {
        if row.says(.assetCategory, anyOf: ["BOND", "BILL"]) {
            records[last].priceUnit = .percentOfPar
            return
        }
        let stated = try number(.multiplier)
        if let stated, stated.signum == 1, stated != .one {
            records[last].priceUnit = .contract
            records[last][.multiplier] = stated
        } else if isOption, stated?.signum != 1 {
            records[last].priceUnit = .contract
            records[last][.multiplier] = 100
        }
    }

    /// Whether the row is of a contract of which nothing says how many pieces it has.
    func isOfUnknownSize() throws(Finding) -> Bool {
        guard row.says(.assetCategory, anyOf: ["FUT", "FOP", "FSOPT", "FSFOP"]) else { return false }
        return try number(.multiplier)?.signum != 1
    }

    func missingSize(_ reason: String) -> Finding {
        finding(.fieldMissing, .multiplier, reason, "Add the field Multiplier to the Flex query.")
    }

    /// Whether the row is of an option.
    var isOption: Bool {
        row.says(.assetCategory, anyOf: ["OPT", "FOP", "FSOPT", "FSFOP"]) || row.isOptionBySymbol
    }

    // MARK: values, or why not

    func number(_ name: FlexAttribute) throws(Finding) -> ExactDecimal? {
        switch row.with(name, { numbers.read($0) }) {
        case .blank: return nil
        case .value(let value, _): return value
        case .outOfRange:
            throw finding(.numberRange, name, "the number has more digits than can be kept exactly (38)", "Shorten it.")
        case .invalid, .ambiguous:
            throw finding(.numberInvalid, name, "this is not wholly a number", "Write it as 1234.56.")
        }
    }

    func required(_ name: FlexAttribute) throws(Finding) -> ExactDecimal {
        if let value = try number(name) { return value }
        throw missing(name)
    }

    func missing(_ name: FlexAttribute) -> Finding {
        finding(
            .fieldMissing, name, "the attribute is blank or missing", "Add the field to the Flex query, or fill it in.")
    }

    /// The first of these dates that is there.
    mutating func date(_ names: [FlexAttribute]) throws(Finding) -> Instant? {
        for name in names {
            switch row.with(name, { dates.read($0) }) {
            case .value(let instant): return instant
            case .blank: continue
            case .invalid:
                if row.says(name, "MULTI") { continue }
                if row.with(name, { dates.isTooOld($0) }) {
                    throw finding(.dateInvalid, name, "the date is before 1900", "Check the year.")
                }
                throw finding(
                    .dateInvalid, name, "this is no date, or one that can be read in two ways", "Write it as YYYYMMDD.")
            }
        }
        return nil
    }

    mutating func requiredDate(_ names: [FlexAttribute]) throws(Finding) -> Instant {
        if let date = try date(names) { return date }
        throw missing(names[0])
    }

    func finding(_ code: FindingCode, _ name: FlexAttribute, _ reason: String, _ suggestion: String) -> Finding {
        let id = row.isBlank(.transactionID) ? row.string(.tradeID) : row.string(.transactionID)
        let context = id.isEmpty ? row.element : "\(row.element), transactionID \(id)"
        return Finding(
            code, column: String(describing: name), value: row.string(name), reason: "\(reason) (\(context))",
            suggestion: suggestion)
    }
}

extension OFXNumbers {
    /// For sources whose decimal mark is known to be the point.
    static let withPoint: OFXNumbers = {
        var numbers = OFXNumbers()
        ByteView.with(Array("0.5".utf8)) { numbers.learn($0) }
        return numbers
    }()
}
