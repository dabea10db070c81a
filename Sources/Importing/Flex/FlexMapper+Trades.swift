import Delimited
import Markup
import OpenAlloc

/// Trades.
extension FlexMapper {
    mutating func trade() throws(Finding) -> OFXVerdict {
        if !isCounted() {
            if row.element == "Trade" || row.element == "TradeConfirm" { try requireLevel(FlexRow.sums) }
            return .skipped("level.notExecution")
        }
        if row.says(.assetCategory, "CASH") || isPair { return try exchange() }
        let quantity = try required(.quantity)
        let isCancel = row.isCancel
        if quantity.isZero {
            for money in [FlexAttribute.netCash, .proceeds, .ibCommission, .taxes] {
                guard let amount = try number(money), !amount.isZero else { continue }
                throw finding(.valueInvalid, .quantity, "a trade of no units has an amount", "Fill in its quantity.")
            }
            return .skipped("units.zero")
        }
        let isBuy = try isPurchase(quantity)
        begin(try kind(isBuy: isBuy))
        setSecurity()
        try setPriceUnit()
        try setTrade()
        records[last].isReversal = isCancel
        if records[last].kind.shape == .optionClosed {
            records[last].isReversal = false
            records[last][.units] = isBuy != isCancel ? quantity.magnitude : -quantity.magnitude
            isOfLostSettlement = try isSettledInCash(records[last].kind)
            try setClosingCosts()
            return .accepted
        }
        // A minus before what is bought stays, to be judged with the money.
        records[last][.units] = isBuy != isCancel ? (isBuy ? quantity : quantity.magnitude) : -quantity.magnitude
        records[last][.price] = try number(.tradePrice)?.magnitude
        let trade = last
        try setMoney()
        if records[trade].isMarkedToMarket, let price = try priceBelowNothing(quantity) {
            records[trade][.price] = price
        }
        let isOfUnknownSize = try isOfUnknownSize()
        if isOfUnknownSize || (records[trade][.price] == nil && records[trade].isMarkedToMarket) {
            // The price is one of a piece, and only the money says how many a contract has; what is paid day by day says
            // nothing of either.
            var price = try unitPrice(of: .proceeds, quantity)
            if price == nil { price = try unitPrice(of: .tradeMoney, quantity) }
            if price == nil, !records[trade].isMarkedToMarket { price = paidPrice(of: trade, quantity) }
            if price != nil || records[trade][.price] == nil {
                try setUnitPrice(price, of: trade)
            } else if records[trade][.price]?.isZero == false, !row.says(.assetCategory, "FOP") {
                throw missingSize("neither a multiplier nor proceeds say what one contract costs")
            }
        }
        if records[trade][.price] == nil, records[trade][.amount] == nil { throw missing(.tradePrice) }
        return .accepted
    }

    /// Whether an option was exercised or assigned for cash that is said nowhere: what is delivered takes the cost with it
    /// and realises nothing.
    private func isSettledInCash(_ kind: RecordKind) throws(Finding) -> Bool {
        guard kind == .exercised || kind == .assigned, !facts.hasSettlements, !facts.funds.hasSettlements,
            let gain = try number(.fifoPnlRealized)
        else { return false }
        return !gain.isZero
    }

    /// Whether a trade buys, or takes back what bought; where it does not say, by the sign of its units.
    private func isPurchase(_ quantity: ExactDecimal) throws(Finding) -> Bool {
        if row.with(.buySell, { $0.prefix(3).equalsIgnoringCase("BUY") }) { return true }
        if row.with(.buySell, { $0.prefix(4).equalsIgnoringCase("SELL") }) { return false }
        if row.isBlank(.buySell) { return quantity.isNegative == row.isCancel }
        throw finding(.actionUnknown, .buySell, "a trade is BUY or SELL", "Write BUY or SELL.")
    }

    /// A price with its sign, where what is gross of it has the sign of the units: futures have been sold for less than
    /// nothing.
    private func priceBelowNothing(_ quantity: ExactDecimal) throws(Finding) -> ExactDecimal? {
        guard let price = try number(.tradePrice), price.isNegative else { return nil }
        var gross = try number(.proceeds)
        if gross == nil { gross = try number(.tradeMoney).map { -$0 } }
        return gross?.signum == quantity.signum ? price : nil
    }

    /// What one contract comes to by the gross amount; nil where there is none.
    func unitPrice(of gross: FlexAttribute, _ units: ExactDecimal) throws(Finding) -> ExactDecimal? {
        guard let gross = try number(gross)?.magnitude, !gross.isZero else { return nil }
        return gross.divided(by: units.magnitude)?.value
    }

    /// What one contract comes to by what was paid for it, but for its costs.
    private func paidPrice(of trade: Int, _ units: ExactDecimal) -> ExactDecimal? {
        var paid = records[trade][.amount]
        for cost in [Record.Number.commission, .tax] { paid = paid?.adding(records[trade][cost] ?? .zero) }
        guard let paid, !paid.isZero else { return nil }
        return paid.magnitude.divided(by: units.magnitude)?.value
    }

    mutating func setUnitPrice(_ price: ExactDecimal?, of trade: Int) throws(Finding) {
        guard let price else { throw missing(.tradePrice) }
        records[trade][.price] = price
        records[trade].priceUnit = .share
    }

    /// `EUR.USD` in USD, in a report that does not say what its trades are in.
    private var isPair: Bool {
        guard row.isBlank(.assetCategory), row.isBlank(.isin) else { return false }
        return row.with(row.pairName) { symbol in
            guard symbol.count == 7, symbol[3] == UInt8(ascii: "."),
                (0..<7).allSatisfy({ $0 == 3 || symbol[$0] &- 0x41 < 26 })
            else { return false }
            return row.with(.currency) { $0 == symbol[4..<7] }
        }
    }

    /// What it costs to close an option, whose units move without cash.
    mutating func setClosingCosts() throws(Finding) {
        if let tax = try number(.taxes), !tax.isZero {
            records[last][.tax] = -tax
            records[last].costsInAmount = false
        }
        guard let commission = try number(.ibCommission), !commission.isZero else { return }
        guard isCommissionOwn else { return try addCommission(commission) }
        records[last][.commission] = -commission
        records[last].costsInAmount = false
    }

    /// Whether the commission is in the currency of the trade.
    var isCommissionOwn: Bool {
        row.isBlank(.ibCommissionCurrency) || row.isBlank(.currency)
            || row.string(.ibCommissionCurrency) == row.string(.currency)
    }

    private mutating func setTrade() throws(Finding) {
        set(.sourceAction, row.isBlank(.buySell) ? .transactionType : .buySell)
        set(.sourceTxnID, row.isBlank(.tradeID) ? .transactionID : .tradeID)
        records[last][.tradedAt] = try tradedAt()
        records[last][.settledAt] = try date([.settleDateTarget, .settleDate])
    }

    /// DateTime; without it TradeDate, with TradeTime where that has its own field.
    private mutating func tradedAt() throws(Finding) -> Instant {
        if row.isBlank(.dateTime), !row.isBlank(.tradeTime), !row.isBlank(.tradeDate) {
            let text = row.with(.tradeDate) { $0.array } + [0x3B] + row.with(.tradeTime) { $0.array }
            if case .value(let instant) = ByteView.with(text, { dates.read($0) }) { return instant }
            throw finding(.dateInvalid, .tradeTime, "this is no time of day", "Write it as HHMMSS.")
        }
        return try requiredDate([.dateTime, .tradeDate, .date, .reportDate])
    }

    /// A row is passed over for its level only where that is one of those that others sum up or explain.
    func requireLevel(_ levels: [StaticString]) throws(Finding) {
        guard !row.says(.levelOfDetail, anyOf: levels) else { return }
        throw finding(
            .valueInvalid, .levelOfDetail, "no such level of detail is known",
            "Correct it; a row to be counted has EXECUTION or SUMMARY.")
    }

    /// Executions count once; orders and sums above them say the same again.
    private func isCounted() -> Bool {
        switch row.element {
        case "Trade", "TradeConfirm":
            row.isExecution || (!facts.hasExecutions && row.says(.levelOfDetail, "ORDER"))
        case "Order": !facts.hasExecutions
        default: false
        }
    }

    private func kind(isBuy: Bool) throws(Finding) -> RecordKind {
        var isEnding = isDerivative
        if !isEnding { isEnding = try isUnclassedEnd() }
        if isEnding {
            let isExpired = row.has(code: "Ep")
            let isExercised = row.has(code: "Ex") || row.has(code: "AEx") || row.has(code: "MEx")
            if isExpired || isExercised || row.has(code: "A") {
                // What ended for money was closed at a price.
                if try number(.proceeds)?.isZero == false { return tradeKind(isBuy: isBuy) }
                if isExpired { return .expired }
                return row.has(code: "A") ? .assigned : .exercised
            }
            if let closing = statedClosing { return closing }
        }
        return tradeKind(isBuy: isBuy)
    }

    /// Whether a row of no stated class is of a contract that ended, as the codes of its booking say then: what is
    /// delivered for one has a price, and shares do not run out.
    private func isUnclassedEnd() throws(Finding) -> Bool {
        guard row.isBlank(.assetCategory), row.tellsAnEnd else { return false }
        var isStated = false
        for money in [FlexAttribute.tradePrice, .proceeds, .tradeMoney] {
            guard let value = try number(money) else { continue }
            if !value.isZero { return false }
            isStated = true
        }
        return isStated
    }

    /// Whether the row is of what ends as an option does.
    var isDerivative: Bool { isOption || row.says(.assetCategory, anyOf: ["WAR", "IOPT"]) }

    private func tradeKind(isBuy: Bool) -> RecordKind {
        if isDerivative {
            if row.opensOrCloses("O") { return isBuy ? .buyToOpen : .sellToOpen }
            if row.opensOrCloses("C") { return isBuy ? .buyToClose : .sellToClose }
        }
        // Bought for a dividend, as the definitions for this broker's other formats have it.
        if isBuy, !isDerivative, row.has(code: "R") { return .reinvest }
        if !isBuy, row.opensOrCloses("O") { return .sellShort }
        if isBuy, row.opensOrCloses("C") { return .buyToCover }
        return isBuy ? .buy : .sell
    }

    /// What became of an option whose booking does not say it, where the section of such events has one and the same for it.
    private var statedClosing: RecordKind? {
        guard row.says(.transactionType, "BookTrade"),
            let kinds = row.bookingKeys(statementAccount).lazy.compactMap({ facts.closings[$0] }).first,
            kinds.count == 1
        else { return nil }
        return kinds.first
    }

    /// Net cash, or proceeds less the commission that is in the same currency. Costs are negative in Flex when paid.
    mutating func setMoney() throws(Finding) {
        let commission = try number(.ibCommission)
        let tax = try number(.taxes)
        let isOwnCurrency = isCommissionOwn
        if isOwnCurrency { records[last][.commission] = commission.map { -$0 } }
        records[last][.tax] = tax.map { -$0 }
        if let accrued = try number(.accruedInt), !accrued.isZero {
            records[last][.accruedInterest] = accrued.magnitude
        }
        // Gains of futures are paid day by day, of contracts for difference when they are closed: only the commission
        // and taxes are cash.
        var isFuture = row.says(.assetCategory, anyOf: ["FUT", "CFD", "FXCFD"])
        if !isFuture { isFuture = try isPaidByDay(commission) }
        records[last].isMarkedToMarket = isFuture
        if isFuture, row.isBlank(.netCash) {
            var paid: ExactDecimal? = isOwnCurrency ? commission : .zero
            if let tax, !tax.isZero { paid = (paid ?? .zero).adding(tax) }
            records[last][.amount] = paid
        } else if let net = try number(.netCash) {
            records[last][.amount] = net
            try setCharges(net)
        } else {
            try requireNoCharge()
            var amount = try number(.proceeds)
            if amount == nil { amount = try number(.tradeMoney).map { -$0 } }
            for cost in [isOwnCurrency ? commission : nil, tax] { amount = amount?.adding(cost ?? .zero) }
            if amount == nil, row.isBlank(.tradePrice) { amount = try cashByCost() }
            records[last][.amount] = amount
        }
        guard !isOwnCurrency, let commission, !commission.isZero else { return }
        try addCommission(commission)
    }

    /// The cost of what is bought, and of what is sold with a minus, is the cash that it takes but for what is realised.
    private mutating func cashByCost() throws(Finding) -> ExactDecimal? {
        guard let cost = try number(.cost), !cost.isZero else { return nil }
        isOfCost = true
        if let gain = try number(.fifoPnlRealized) { return gain.subtracting(cost) }
        // What opens a position realises nothing.
        let isBuy = records[last].kind.shape == .bought
        guard cost.isNegative != isBuy,
            row.says(.openCloseIndicator, "O") || (isBuy && row.isBlank(.openCloseIndicator))
        else { return nil }
        return -cost
    }

    /// Whether a contract is paid for as futures are: one of no stated class, whose cash is far from what it is worth, or
    /// an option in the style of futures, of which the commission alone is paid.
    private func isPaidByDay(_ commission: ExactDecimal?) throws(Finding) -> Bool {
        guard row.mayBePaidByDay, records[last].priceUnit == .contract,
            let net = try number(.netCash), let cash = net.subtracting(commission ?? .zero)?.magnitude
        else { return false }
        if !row.isBlank(.assetCategory) { return cash.isZero }
        guard let proceeds = try number(.proceeds) else { return false }
        return cash.multiplied(by: 2).map { $0 < proceeds.magnitude } ?? false
    }

    /// A commission in another currency is a cash effect of its own; it names the security that was traded, which a pair
    /// of currencies is not.
    private mutating func addCommission(_ commission: ExactDecimal, isOfPair: Bool = false) throws(Finding) {
        begin(.fee)
        if !isOfPair { setSecurity() }
        try setTrade()
        set(.currency, row.isBlank(.ibCommissionCurrency) ? .currency : .ibCommissionCurrency)
        records[last][.amount] = commission
    }

    /// `EUR.USD`: one currency in, the other out, and the commission. Some write the amounts without their signs.
    private mutating func exchange() throws(Finding) -> OFXVerdict {
        let stated = try required(.quantity)
        let isIn = try isPurchase(stated) != row.isCancel
        let quantity = isIn ? stated.magnitude : -stated.magnitude
        var proceeds = try number(.proceeds)
        if proceeds == nil { proceeds = try number(.tradeMoney).map { -$0 } }
        if proceeds == nil { proceeds = try required(.tradePrice).multiplied(by: -quantity) }
        guard let money = proceeds?.magnitude else { throw missing(.proceeds) }
        let base = row.with(row.pairName) { view in
            var end = 0
            while end < view.count, view[end] != UInt8(ascii: "."), view[end] != UInt8(ascii: "/") { end += 1 }
            return end < view.count ? view.prefix(end).array : []
        }
        guard base.count == 3 else {
            throw finding(
                .currencyUnknown, .symbol, "a currency pair is such as EUR.USD", "Write the pair with a point.")
        }
        begin(.currencyExchange)
        try setTrade()
        records[last].set(.currency, utf8: base)
        records[last][.amount] = quantity
        begin(.currencyExchange)
        try setTrade()
        records[last][.amount] = isIn ? -money : money
        if let commission = try number(.ibCommission), !commission.isZero {
            try addCommission(commission, isOfPair: true)
        }
        return .accepted
    }

    /// A trade that was made with another brokerage and is cleared by this one, or the other way round: units against
    /// money, each with its sign.
    mutating func tradeTransfer() throws(Finding) -> OFXVerdict {
        // The statement of funds has it, where it stands for trades.
        let isFunded = !facts.hasTrades && facts.funds.hasTrades && !facts.funds.areMixed
        if isFunded || (!row.isBlank(.tradeID) && facts.deliveries.contains(row.key(FlexFacts.deliveryKey))) {
            return .skipped("row.repeated")
        }
        let quantity = try required(.quantity)
        if quantity.isZero { return .skipped("units.zero") }
        begin(quantity.isNegative ? .sell : .buy)
        setSecurity()
        try setPriceUnit()
        try setTrade()
        records[last][.units] = quantity
        records[last][.price] = try number(.tradePrice)?.magnitude
        let trade = last
        try setMoney()
        if let amount = records[trade][.amount], amount.signum == quantity.signum {
            throw finding(
                .signContradicts, .quantity, "units and money go the same way, which no trade explains",
                "Correct the sign of the quantity.")
        }
        let away = try number(.awayBrokerCommission) ?? .zero
        if let fees = away.magnitude.adding(try number(.regulatoryFee)?.magnitude ?? .zero), !fees.isZero {
            records[trade][.fees] = fees
        }
        if records[trade][.price] == nil, records[trade][.amount] == nil { throw missing(.tradePrice) }
        return .accepted
    }
}
