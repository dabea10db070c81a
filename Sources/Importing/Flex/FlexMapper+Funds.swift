import Delimited
import Markup
import OpenAlloc

/// Lines of the statement of funds, where they say what no other section does.
extension FlexMapper {
    mutating func fundsLine() throws(Finding) -> OFXVerdict {
        // What is paid for an option's delivery stands nowhere else, unless the section of such events says it.
        let isSettlement = row.with(.activityDescription) { $0.prefix(22).equalsIgnoringCase("option cash settlement") }
        if isSettlement ? facts.hasSettlements : facts.hasTrades && facts.hasCash {
            return .skipped("section.informational")
        }
        if facts.funds.nameAccounts, row.isOfNoAccount { return .skipped("level.notDetail") }
        if facts.funds.areMixed { return .skipped("level.missing") }
        if row.isBaseSummary, facts.funds.areByCurrency { return .skipped("level.base") }
        if isBalanceLine { return .skipped("balance.informational") }
        let code = row.fundsCode
        if !isSettlement, isElsewhere(code) { return .skipped("section.informational") }
        let amount = try fundsAmount()
        // Beside trades, which have the units, the line counts for its cash alone; so does one without units.
        var isCashAlone = isSettlement
        if isSettlement, !facts.hasTrades { isCashAlone = (try number(.tradeQuantity) ?? .zero).isZero }
        if !isCashAlone, let kind = tradeKind(code) {
            return kind.shape == .optionClosed ? try fundsClosing(kind, amount) : try fundsTrade(amount, kind)
        }
        if amount.isZero { return .skipped("amount.zero") }
        switch code {
        case "CORP":
            throw finding(
                .fieldMissing, .activityCode, "the line has the cash of a corporate action without its units",
                "Add the section Corporate Actions to the Flex query.")
        default: break
        }
        let kind = isSettlement ? .adjustment : try fundsKind(code)
        if kind == .cash, isTransferred(amount) { return .skipped("row.repeated") }
        begin(kind)
        if kind != .currencyExchange { setSecurity() }
        try setFunds(amount)
        return .accepted
    }

    /// What the account holds before the first line and after the last one.
    private var isBalanceLine: Bool {
        let words = row.string(.description).lowercased() + "|" + row.string(.activityDescription).lowercased()
        return words.contains("starting balance") || words.contains("ending balance")
    }

    /// Whether another section of the report has what a line says.
    private func isElsewhere(_ code: String) -> Bool {
        switch code {
        case "BUY", "SELL", "SHORT", "COVER", "DIVR", "EXE", "ASSIGN", "EXP", "FOREX", "TTAX":
            facts.hasTrades || (code == "TTAX" && facts.hasTaxSums)
        case "CORP": facts.hasActions
        case "STAX": facts.hasSalesTax
        case "DCARD": facts.hasCards
        case "CFD": facts.hasCharges
        // What the change of rates does to cash moves none.
        case "ADJ": facts.hasCash || row.string(.activityDescription).lowercased().contains("translation")
        default: facts.hasCash
        }
    }

    /// AMOUNT; else what is in one of the columns DEBIT and CREDIT.
    private func fundsAmount() throws(Finding) -> ExactDecimal {
        if let amount = try number(.amount) { return amount }
        let debit = try number(.debit)
        let credit = try number(.credit)
        if debit == nil, credit == nil { throw missing(.amount) }
        guard let sum = (credit ?? .zero).subtracting((debit ?? .zero).magnitude) else { throw missing(.amount) }
        return sum
    }

    private func fundsKind(_ code: String) throws(Finding) -> RecordKind {
        let words = row.string(.activityDescription).lowercased()
        switch code {
        case "DIV": return row.with(.activityDescription, FlexWords.returnCapital) ? .returnOfCapital : .dividend
        case "PIL": return .income
        case "FRTAX", "STAX", "TTAX": return .tax
        case "CINT", "INTR", "INTP": return .interest
        case "DINT": return .marginInterest
        case "DEP", "WITH", "DCARD": return .cash
        case "OFEE", "MFEE", "SCOM", "CFD": return .fee
        case "FOREX": return words.hasPrefix("commission") ? .fee : .currencyExchange
        case "ADJ": return .adjustment
        case "":
            if ["electronic fund transfer", "cash transfer"].contains(words) || words.hasPrefix("disbursement ") {
                return .cash
            }
            throw missing(.activityCode)
        default:
            throw finding(
                .actionUnknown, .activityCode, "no such activity of the statement of funds is known",
                "Report it, with an example.")
        }
    }

    /// What a line with units is; nil for those that only move cash.
    private func tradeKind(_ code: String) -> RecordKind? {
        switch code {
        case "BUY": return .buy
        case "SELL": return .sell
        case "DIVR": return .reinvest
        case "SHORT": return isOption ? .sellToOpen : .sellShort
        case "COVER": return isOption ? .buyToClose : .buyToCover
        case "EXE", "ASSIGN", "EXP": break
        default: return nil
        }
        if isDerivative { return code == "EXE" ? .exercised : code == "ASSIGN" ? .assigned : .expired }
        // What an option delivers.
        if row.says(.buySell, anyOf: ["BUY", "SELL"]) { return row.says(.buySell, "BUY") ? .buy : .sell }
        return row.with(.tradeQuantity) { $0.first == UInt8(ascii: "-") } ? .sell : .buy
    }

    /// Whether the transfers have that cash: each of theirs stands for one line.
    private mutating func isTransferred(_ amount: ExactDecimal) -> Bool {
        let key = row.cashKey(amount, statementAccount)
        guard let left = transferredCash[key], left > 0 else { return false }
        transferredCash[key] = left - 1
        return true
    }

    private mutating func setFunds(_ amount: ExactDecimal) throws(Finding) {
        // The security's name is beside what happened.
        if !row.isBlank(.activityDescription) { set(.description, .activityDescription) }
        try setBaseCurrency()
        set(.sourceAction, .activityCode)
        set(.sourceTxnID, row.isBlank(.tradeID) ? .transactionID : .tradeID)
        records[last][.tradedAt] = try requiredDate([.date, .reportDate, .settleDate])
        records[last][.settledAt] = try date([.settleDate])
        records[last][.amount] = amount
    }

    /// A purchase or a sale: net amount, units and costs.
    private mutating func fundsTrade(_ amount: ExactDecimal, _ kind: RecordKind) throws(Finding) -> OFXVerdict {
        let isBuy = kind.shape == .bought
        let quantity = try required(.tradeQuantity)
        if quantity.isZero {
            if amount.isZero { return .skipped("units.zero") }
            throw finding(.valueInvalid, .tradeQuantity, "a trade of no units has an amount", "Fill in its quantity.")
        }
        // A cancelled trade has both signs turned round.
        let isCancel = isBuy ? quantity.isNegative && amount.signum == 1 : quantity.signum == 1 && amount.isNegative
        begin(kind)
        setSecurity()
        try setPriceUnit()
        try setFunds(amount)
        set(.description, .description)
        records[last].isReversal = isCancel
        records[last].isMarkedToMarket = row.says(.assetCategory, anyOf: ["FUT", "CFD", "FXCFD"])
        let units = quantity.magnitude
        // A minus before what is bought stays, to be told.
        records[last][.units] = isBuy != isCancel ? (isBuy ? quantity : units) : -units
        records[last][.commission] = try number(.tradeCommission).map { -$0 }
        records[last][.tax] = try number(.tradeTax).map { -$0 }
        records[last][.price] = try fundsPrice(units)
        if records[last][.price] == nil, records[last].isMarkedToMarket {
            try setUnitPrice(unitPrice(of: .tradeGross, units), of: last)
        }
        if records[last][.price] == nil, amount.isZero { throw missing(.tradePrice) }
        return .accepted
    }

    /// The units that close an option. What a line has beyond their costs is what was paid for its delivery.
    private mutating func fundsClosing(_ kind: RecordKind, _ amount: ExactDecimal) throws(Finding) -> OFXVerdict {
        let quantity = try required(.tradeQuantity)
        if quantity.isZero { throw missing(.tradeQuantity) }
        begin(kind)
        setSecurity()
        try setPriceUnit()
        try setFunds(amount)
        set(.description, .description)
        records[last][.amount] = nil
        records[last][.units] = quantity
        let commission = try number(.tradeCommission) ?? .zero
        let tax = try number(.tradeTax) ?? .zero
        if !commission.isZero { records[last][.commission] = -commission }
        if !tax.isZero { records[last][.tax] = -tax }
        records[last].costsInAmount = false
        guard let rest = amount.subtracting(commission)?.subtracting(tax), !rest.isZero else { return .accepted }
        begin(.adjustment)
        setSecurity()
        try setFunds(rest)
        return .accepted
    }

    /// The price, where it gives the gross amount: an order's line has none, and a line in the base currency that of another
    /// currency. Else the amount gives it.
    private func fundsPrice(_ units: ExactDecimal) throws(Finding) -> ExactDecimal? {
        guard let price = try number(.tradePrice)?.magnitude, !price.isZero else { return nil }
        guard let gross = try number(.tradeGross)?.magnitude, !gross.isZero else {
            return row.isBaseSummary ? nil : price
        }
        guard let product = units.multiplied(by: price),
            let money = OFXMapper.money(product, records[last].priceUnit, records[last][.multiplier]),
            let difference = money.subtracting(gross)?.magnitude,
            let bound = gross.multiplied(by: ExactDecimal(coefficient: 1, scale: 4) ?? .zero)
        else { return nil }
        let cent = ExactDecimal(coefficient: 1, scale: 2) ?? .zero
        return difference <= (bound < cent ? cent : bound) ? price : nil
    }
}
