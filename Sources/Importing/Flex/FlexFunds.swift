import Delimited
import Markup
import OpenAlloc

/// What a first pass learns of the statement of funds, which has each movement of cash once more: it is read for what no
/// other section of the report has.
struct FlexFunds: Equatable {
    /// There are lines in the currencies in which cash moved, which make those in the base currency superfluous.
    private(set) var areByCurrency = false
    /// There are purchases or sales.
    private(set) var hasTrades = false
    /// There is cash that stands for what options would deliver.
    private(set) var hasSettlements = false
    /// What became of options, by account, contract and units.
    private(set) var bookings: Set<FlexKey> = []
    /// There are lines that name their account, which make sums over accounts superfluous: those have "-" in its place.
    private(set) var nameAccounts = false
    /// The lines do not say which of them repeat others in the base currency.
    private(set) var areMixed = false
    /// The currency of each transaction whose line does not say what detail it is.
    private var currencies: [FlexKey: FlexKey] = [:]

    mutating func learn(_ row: FlexRow, _ statementAccount: [UInt8]) {
        if !row.isBlank(.accountId) { nameAccounts = true }
        if !row.isBaseSummary { areByCurrency = true }
        if row.with(.activityDescription, { $0.prefix(22).equalsIgnoringCase("option cash settlement") }) {
            hasSettlements = true
        }
        if row.isBlank(.activityCode)
            ? ["BUY", "SELL"].contains(row.fundsCode)
            : row.says(.activityCode, anyOf: ["BUY", "SELL", "SHORT", "COVER", "DIVR"])
        {
            hasTrades = true
        }
        if row.says(.activityCode, anyOf: ["EXE", "ASSIGN", "EXP"]) {
            hasTrades = true
            bookings.formUnion(row.bookingKeys(statementAccount, units: .tradeQuantity))
        }
        guard row.isBlank(.levelOfDetail), !row.isBlank(.transactionID) else { return }
        let currency = row.key([.currency])
        let known = currencies.updateValue(currency, forKey: row.key([.accountId, .transactionID]))
        if let known, known != currency { areMixed = true }
    }

    /// What is said of a report whose statement of funds stands for sections that it has not.
    func standsIn(for facts: FlexFacts) -> Finding {
        let missing = [facts.hasTrades ? nil : "Trades", facts.hasCash ? nil : "Cash Transactions"].compactMap { $0 }
        return Finding(
            .fieldMissing, column: "StmtFunds",
            reason: "the report has no rows in " + missing.joined(separator: " and ")
                + ": its statement of funds stands for them, which has no movements without cash"
                + (areByCurrency ? "" : " and is in the base currency"),
            suggestion: "Add these sections to the Flex query.")
    }
}

extension FlexRow {
    /// What a line of the statement of funds is; where the query leaves the code out, by its words.
    var fundsCode: String {
        if !isBlank(.activityCode) { return string(.activityCode).uppercased() }
        let words = string(.activityDescription).lowercased()
        if words.hasPrefix("buy ") { return "BUY" }
        if words.hasPrefix("sell ") { return "SELL" }
        // `Withholding @ 20% on Credit Interest for Jan-2025`: what is kept of interest names it.
        if words.hasSuffix(" tax") || words.hasPrefix("withholding @") { return "FRTAX" }
        if words.contains("payment in lieu of dividend") { return "PIL" }
        if words.contains("cash dividend") { return "DIV" }
        if words.contains("credit interest") { return "CINT" }
        if words.contains("debit interest") { return "DINT" }
        if words.hasPrefix("bond coupon payment") { return "INTR" }
        if words.hasPrefix("purchase accrued interest") { return "INTP" }
        if words.contains(" from forex trade") { return "FOREX" }
        return ""
    }

    /// The account, currency and amount of cash that a transfer moves; nil where it moves none.
    func transferredCash(_ statementAccount: [UInt8]) -> FlexKey? {
        if says(.levelOfDetail, anyOf: ["LOT", "TRANSFER_LOT", "CURRENCY"]) { return nil }
        guard case .value(let cash, _) = with(.cashTransfer, { OFXNumbers.withPoint.read($0) }), !cash.isZero else {
            return nil
        }
        return cashKey(cash, statementAccount)
    }

    /// A key with the row's id; nil where it has none.
    func identified(_ key: FlexKey) -> FlexKey? {
        if isBlank(.transactionID) { return nil }
        var key = key
        with(.transactionID) { key.add($0, at: 3) }
        return key
    }

    /// A movement of cash: account, currency, amount.
    func cashKey(_ amount: ExactDecimal, _ statementAccount: [UInt8]) -> FlexKey {
        var key = FlexKey()
        with(.accountId) { own in
            if own.isEmpty { ByteView.with(statementAccount) { key.add($0, at: 0) } } else { key.add(own, at: 0) }
        }
        with(.currency) { key.add($0, at: 1) }
        ByteView.with(Array(amount.description.utf8)) { key.add($0, at: 2) }
        return key
    }
}
