import Delimited
import Markup
import OpenAlloc

/// The first pass.
final class FlexSurvey: FlexPass {
    private(set) var facts = FlexFacts()
    private var dates: FlexDates
    /// When the first statement says that it was made, or what it ends with.
    private var exportDates: [[UInt8]]?
    private var statementAccount: [UInt8] = []
    /// Whether rows may still tell how dates are meant.
    @exclusivity(unchecked) private var learnsDays = true
    let takesRows: Bool

    init(dates: FlexDates, takesRows: Bool = true) {
        self.dates = dates
        self.takesRows = takesRows
    }

    func statement(_ row: inout FlexRow, at position: MarkupPosition) {
        statementAccount = row.with(.accountId) { $0.array }
        facts.statementEnds.append(row.with(.toDate) { $0.array })
        learnDays(row, [.fromDate, .toDate, .whenGenerated])
        if exportDates == nil { exportDates = [.whenGenerated, .toDate].map { row.with($0) { $0.array } } }
        noteExport()
    }

    func list(_ element: String) { if element == "OpenPositions" { facts.listsPositions = true } }

    private func noteExport() {
        guard facts.exportedAt == nil, let exportDates else { return }
        dates.order = facts.days.order
        for text in exportDates {
            if case .value(let instant) = ByteView.with(text, { dates.read($0) }) {
                facts.exportedAt = instant
                return
            }
        }
    }

    private static let rowDates: [FlexAttribute] = [
        .dateTime, .reportDate, .tradeDate, .date, .settleDate, .settleDateTarget, .openDateTime, .fromDate, .toDate,
    ]

    private func learnDays(_ row: borrowing FlexRow, _ names: [FlexAttribute]) {
        guard facts.days.mayLearn else { return }
        for name in names { row.with(name) { facts.days.learn($0) } }
        learnsDays = facts.days.mayLearn
        if facts.days.order != nil { noteExport() }
    }

    /// Whether a sum in the base currency was met, of which nothing had been said.
    @exclusivity(unchecked) private var seeksBase = false

    /// Rates of rows show it.
    private func learnBase(_ row: borrowing FlexRow) {
        let account = row.accountKey(statementAccount)
        guard facts.baseCurrencies[account] == nil else { return }
        if row.isBaseSummary { seeksBase = true }
        guard seeksBase, !row.isBlank(.fxRateToBase), !row.isBaseSummary else { return }
        let currency = row.with(.currency) { $0.array }
        guard currency.count == 3 else { return }
        let isOne = row.with(.fxRateToBase) { OFXNumbers.withPoint.read($0) } == .value(.one, isPercent: false)
        facts.rates[account, default: [:]][currency] = isOne && facts.rates[account]?[currency] != false
    }

    func row(_ row: inout FlexRow, section: String) {
        learnDays(row, Self.rowDates)
        learnBase(row)
        switch row.element {
        case "OpenPosition", "CashReportCurrency", "FxPosition", "FxLot":
            facts.hasHoldings = true
            if !row.isBlank(.accountId) { facts.namedHoldings.insert(row.element) }
            let statement = facts.statementEnds.count - 1
            let key = row.holderKey(statementAccount)
            if statement >= 0, facts.holders[key]?.last != statement {
                facts.holders[key, default: []].append(statement)
            }
        default: break
        }
        switch row.element {
        case "Trade", "TradeConfirm":
            if row.isExecution { facts.hasExecutions = true }
            if row.says(.levelOfDetail, "ORDER") { facts.hasOrders = true }
            if row.isCancel { noteCancel(row) }
            if row.says(.transactionType, "DvpTrade"), !row.isBlank(.tradeID) {
                facts.deliveries.insert(row.key(FlexFacts.deliveryKey))
            }
            if row.tellsAnEnd { facts.bookings.formUnion(row.bookingKeys(statementAccount)) }
        case "Order": facts.hasOrders = true
        case "CashTransaction":
            facts.hasCash = true
            if row.isDetail { facts.hasCashDetail = true }
        case "OptionEAE":
            if let closing = row.closing {
                for key in row.bookingKeys(statementAccount) { facts.closings[key, default: []].insert(closing) }
            }
            guard row.says(.transactionType, "Cash Settlement") else { return }
            if case .value(let cash, _) = row.with(.proceeds, { OFXNumbers.withPoint.read($0) }), !cash.isZero {
                facts.hasSettlements = true
            }
        case "TransactionTax": facts.hasTaxSums = true
        case "SalesTax": facts.hasSalesTax = true
        case "DebitCardActivity": facts.hasCards = true
        case "CFDCharge": facts.hasCharges = true
        case "StatementOfFundsLine": facts.funds.learn(row, statementAccount)
        case "Transfer":
            guard let key = row.transferredCash(statementAccount) else { return }
            facts.transferredCash[key, default: 0] += 1
            if let key = row.identified(key) { facts.transfers.insert(key) }
        case "CorporateAction":
            facts.hasActions = true
            if row.isDetail { facts.hasActionDetail = true }
        case "CashReportCurrency":
            guard !row.isBlank(.endingCash) else { return }
            facts.hasCashReport = true
            if !row.isBaseSummary { facts.cashByCurrency.insert(row.accountKey(statementAccount)) }
        case "AccountInformation":
            facts.baseCurrencies[row.accountKey(statementAccount)] = row.with(.currency) { $0.array }
        case "OpenPosition":
            facts.listsPositions = true
            guard case .value(let units, _) = row.with(.position, { OFXNumbers.withPoint.read($0) }) else { return }
            let key = row.key(FlexFacts.positionKey, FlexKey(statement: facts.statementEnds.count - 1))
            if row.isLot {
                facts.lots[key] = (facts.lots[key] ?? .zero).adding(units)
            } else {
                facts.summaries[key] = (facts.summaries[key] ?? .zero).adding(units)
            }
        default: return
        }
    }

    /// The same cancel may stand several times in a report.
    private func noteCancel(_ row: borrowing FlexRow) {
        if row.hasIdentity, !cancels.insert(row.key(FlexMapper.identity, FlexKey(element: row.element))) { return }
        facts.cancels[row.cancelKey(statementAccount), default: 0] += 1
    }

    private let cancels = FlexSeenRows()

    /// What is to be learned of the rows of each shape, by its number.
    @exclusivity(unchecked) private var telling: [Telling] = []

    private enum Telling {
        case nothing
        /// A trade that may book what became of an option: the places of its type and notes, and of what it counts as.
        case trade(type: Int, notes: Int, level: Int, side: Int)
        case something
    }

    func meet(_ shape: FlexShape) {
        switch shape.element {
        case "Trade":
            telling.append(
                .trade(
                    type: shape.places[FlexAttribute.transactionType.rawValue],
                    notes: shape.places[FlexAttribute.notes.rawValue],
                    level: shape.places[FlexAttribute.levelOfDetail.rawValue],
                    side: shape.places[FlexAttribute.buySell.rawValue]))
        case "TradeConfirm", "CashTransaction", "CorporateAction", "CashReportCurrency", "OpenPosition",
            "AccountInformation", "TransactionTax", "SalesTax", "StatementOfFundsLine", "Transfer", "OptionEAE",
            "DebitCardActivity", "CFDCharge":
            telling.append(.something)
        case "Order":
            facts.hasOrders = true
            telling.append(.nothing)
        default: telling.append(.nothing)
        }
    }

    func take(_ row: MarkupRow) -> Bool {
        if learnsDays || seeksBase { return false }
        switch telling[row.shapeNumber] {
        case .nothing: return true
        case .something: return false
        case .trade(let type, let notes, let level, let side):
            let knowsExecutions = facts.hasExecutions
            let isQuiet = ByteView.with(row.bytes) { bytes in
                if !knowsExecutions, level >= 0, !bytes[row.range(level)].equalsIgnoringCase("EXECUTION") {
                    return false
                }
                if side >= 0, bytes[row.range(side)].count > FlexRow.longestSide { return false }
                let type = type < 0 ? ByteView.empty : bytes[row.range(type)]
                if type.suffix(6).equalsIgnoringCase("Cancel") || type.equalsIgnoringCase("DvpTrade") { return false }
                return !type.hasLetter("b") && (notes < 0 || !bytes[row.range(notes)].hasLetter("a", or: "e"))
            }
            if isQuiet { facts.hasExecutions = true }
            return isQuiet
        }
    }

    func learn(_ row: MarkupRow) {}

    func ended(_ position: MarkupPosition, endOffset: Int, path: [FlexContainer], isTruncated: Bool) {}
    func answer(_ element: String, _ text: String) {}
    func issue(_ issue: MarkupIssue, path: [FlexContainer]) {}
}

extension ByteView {
    /// Whether a small letter, or the capital of it, is there.
    fileprivate func hasLetter(_ letter: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
        let (first, second) = (UInt8(ascii: letter), UInt8(ascii: other ?? letter))
        for place in 0..<count where self[place] | 0x20 == first || self[place] | 0x20 == second { return true }
        return false
    }
}
