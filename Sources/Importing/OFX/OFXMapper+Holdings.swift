import Delimited
import Markup
import OpenAlloc

/// Positions, balances, securities and accounts.
extension OFXMapper {
    mutating func position(_ name: ElementName) throws(Finding) -> OFXVerdict {
        let stated = try required(OFXLeaf.units)
        if hasOldPositions { return .skipped("position.superseded") }
        begin(.position)
        let security = try requiredSecurity()
        try setCurrency()
        let isShort = fields.says(OFXLeaf.postype, "SHORT")
        let units = isShort ? -stated.magnitude : stated
        records[last][.units] = units
        setPriceUnit(name, security)
        var price = try number(OFXLeaf.unitprice)?.magnitude
        if price?.isZero == true { price = nil }
        let value = try number(OFXLeaf.mktval)
        if let stated = price, let value, !value.isZero, !units.isZero {
            price =
                converted(stated, units.magnitude, value.magnitude)
                ?? fit(stated, units.magnitude, value.magnitude)
        }
        records[last][.price] = price
        records[last][.marketValue] = value.map { units.isNegative ? -$0.magnitude : $0 }
        records[last][.pricedAt] = priceDay()
        records[last].set(.securityKind, kind(name, security))
        records[last].set(.assetID, security.assetID)
        if let cost = try number(OFXLeaf.avgcostbasis) { setCost(cost, units, price, value) }
        setLot()
        return .accepted
    }

    /// DTPRICEASOF; Firstrade writes the first day of 1990 there, before there was OFX: then the statement's day.
    private mutating func priceDay() -> Instant? {
        let isFiller = fields.with(OFXLeaf.dtpriceasof) { $0.prefix(8).equalsIgnoringCase("19900101") }
        return isFiller ? current?.asOf : optionalDate(OFXLeaf.dtpriceasof)
    }

    /// AVGCOSTBASIS is the cost of one unit; of a bond in percent of par or in money, whichever is near the price. Where
    /// it is far from the price and near the value, it is the cost of all.
    private mutating func setCost(
        _ cost: ExactDecimal, _ units: ExactDecimal, _ price: ExactDecimal?, _ value: ExactDecimal?
    ) {
        // Some write what is owed with a minus.
        let cost = units.isNegative ? cost.magnitude : cost
        let unit = records[last].priceUnit
        if let price, let value, let money = OFXMapper.money(price, unit, records[last][.multiplier]),
            let scaled = OFXMapper.money(cost, unit, records[last][.multiplier]),
            !OFXMapper.isNear(scaled, money, within: price == .one ? 2 : 20),
            unit == .share || !OFXMapper.isNear(cost, money, within: 5),
            OFXMapper.isNear(cost, value.magnitude, within: 5)
        {
            records[last][.costBasis] = units.isNegative ? -cost : cost
            warnings.append(
                finding(
                    .amountMismatch, OFXLeaf.avgcostbasis,
                    "the cost is far from the price of one and near the value of all: it was taken for that of all",
                    "Check the cost against the brokerage's statement."))
            return
        }
        if unit != .share, let price, let money = OFXMapper.money(price, unit, records[last][.multiplier]),
            let scaled = OFXMapper.money(cost, unit, records[last][.multiplier]),
            !OFXMapper.isNear(scaled, money, within: 5), OFXMapper.isNear(cost, money, within: 5)
        {
            records[last][.costBasis] = cost.multiplied(by: units)
            return
        }
        records[last][.unitCost] = cost
    }

    /// What tells positions in one security apart.
    private mutating func setLot() {
        if !fields.isBlank(OFXLeaf.inv401ksource) { return set(.lot, from: OFXLeaf.inv401ksource) }
        let id = fields.with(OFXLeaf.uniqueid) { foldedHash($0) }
        if let statement, facts.statements[statement].repeated.contains(id) { set(.lot, from: OFXLeaf.heldinacct) }
    }

    private func kind(_ name: ElementName, _ security: OFXSecurity) -> String {
        if !security.uniqueID.isEmpty { return security.sort.rawValue }
        return switch name {
        case OFXName.posdebt: "bond"
        case OFXName.posopt: "option"
        case ElementName.ofx("POSMF"): "fund"
        case ElementName.ofx("POSSTOCK"): "stock"
        default: "other"
        }
    }

    // MARK: balances

    mutating func bankBalance(_ name: ElementName) throws(Finding) -> OFXVerdict {
        guard let current else { return .skipped("balance.outside") }
        // Some write the elements whether they know the balance or not.
        let isBlank = fields.isBlank(OFXLeaf.balamt)
        if isBlank, fields.has(OFXLeaf.balamt) || !fields.has(OFXLeaf.dtasof) { return .skipped("balance.blank") }
        // What a card or a credit line has left to draw is nobody's cash.
        if name == OFXName.availbal, current.hasLedgerBalance || current.isOfCredit {
            return .skipped("balance.informational")
        }
        if hasOldBalances { return .skipped("balance.superseded") }
        try cash(required(OFXLeaf.balamt), asOf: optionalDate(OFXLeaf.dtasof))
        return .accepted
    }

    mutating func investmentBalance() throws(Finding) -> OFXVerdict {
        guard let current else { return .skipped("balance.outside") }
        if hasOldBalances { return .skipped("balance.superseded") }
        if let margin = try number(OFXLeaf.marginbalance), margin.isNegative {
            warnings.append(
                finding(
                    .amountMismatch, OFXLeaf.marginbalance,
                    "the margin balance is reported beside the cash, not added to it", ""))
        }
        guard let amount = try availableCash() else { return .skipped("balance.blank") }
        if !amount.isZero {
            // Some put the value of the whole account there.
            if isWhole(amount, current) { return .skipped("cash.isMarketValue") }
            if carries(amount, current) { return .skipped("cash.inFund") }
        }
        try cash(amount, asOf: current.asOf)
        return .accepted
    }

    /// Whether it is what all positions are worth, but for the cents that each of them is rounded by.
    private func isWhole(_ amount: ExactDecimal, _ statement: OFXStatement) -> Bool {
        guard let rest = amount.subtracting(statement.marketValue)?.magnitude,
            let cents = ExactDecimal(coefficient: Int128(statement.positions.count), scale: 2)
        else { return false }
        return rest.isZero || (rest <= cents && cents < amount.magnitude)
    }

    /// AVAILCASH; without it the balance that some name as the cash among others.
    private func availableCash() throws(Finding) -> ExactDecimal? {
        if let cash = try number(OFXLeaf.availcash) { return cash }
        let reading = fields.with(
            ElementName.ofx("VALUE"), inside: ElementName.ofx("BAL"), where: OFXLeaf.name,
            is: ["cash", "ending cash", "cash balance"]
        ) { facts.numbers.read($0) }
        if case .value(let cash, _) = reading { return cash }
        return nil
    }

    /// Whether a money-market position is that cash, or all of them together are.
    private func carries(_ amount: ExactDecimal, _ statement: OFXStatement) -> Bool {
        let hundredth = ExactDecimal(coefficient: 1, scale: 2) ?? .zero
        func isAmount(_ value: ExactDecimal?) -> Bool {
            value?.subtracting(amount).map { $0.magnitude <= hundredth } ?? false
        }
        let known = moneyMarket
        let funds = statement.positions.filter { $0.isUnit || known.contains($0.security) }.map(\.value)
        return funds.contains { isAmount($0) }
            || isAmount(funds.reduce(ExactDecimal.zero as ExactDecimal?) { sum, value in sum?.adding(value) })
    }

    private var moneyMarket: Set<UInt64> {
        Set(
            facts.securities.entries.filter { $0.assetID == "Cash" }.map {
                ByteView.with($0.uniqueID) { foldedHash($0) }
            })
    }

    private mutating func cash(_ amount: ExactDecimal, asOf: Instant?) throws(Finding) {
        begin(.position)
        records[last].set(.symbol, "CORE")
        records[last].set(.securityKind, "cash")
        records[last][.units] = amount
        records[last][.price] = .one
        records[last][.unitCost] = .one
        records[last][.marketValue] = amount
        records[last][.pricedAt] = asOf
    }

    // MARK: securities and accounts

    /// Some writers put all securities into one aggregate.
    mutating func securities(_ aggregate: MarkupAggregate) throws(Finding) -> OFXVerdict {
        guard let parts = aggregate.parts(at: OFXName.secinfo) else { return try security(aggregate) }
        for part in parts {
            fields.load(part)
            _ = try security(part)
        }
        return .accepted
    }

    private mutating func security(_ aggregate: MarkupAggregate) throws(Finding) -> OFXVerdict {
        let listed = OFXSecurity(aggregate, fields, facts.numbers)
        if listed.uniqueID.isEmpty {
            throw finding(.securityMissing, OFXLeaf.uniqueid, "the security has no id", "Fill in SECID.")
        }
        begin(.security)
        records[last].reset()
        records[last].kind = .security
        records[last].set(.symbol, utf8: facts.securities.symbol(of: listed))
        records[last].set(.description, utf8: listed.name)
        let type = String(decoding: listed.idType, as: UTF8.self).uppercased()
        if type == "CUSIP" { records[last].set(.cusip, utf8: listed.uniqueID) }
        if type == "ISIN" { records[last].set(.isin, utf8: listed.uniqueID) }
        if type == "SEDOL" { records[last].set(.sedol, utf8: listed.uniqueID) }
        records[last].set(.securityKind, listed.sort.rawValue)
        records[last].set(.assetID, listed.assetID)
        if listed.sort == .bond { records[last].priceUnit = .percentOfPar }
        if listed.sort == .option {
            records[last].priceUnit = .contract
            records[last][.multiplier] = multiplier(listed)
        }
        try setCurrency()
        if !facts.priced.contains(ByteView.with(listed.uniqueID) { foldedHash($0) }) { try setListedPrice() }
        return .accepted
    }

    private mutating func setListedPrice() throws(Finding) {
        guard let price = try number(OFXLeaf.unitprice), price.signum == 1 else { return }
        records[last][.price] = price
        records[last][.pricedAt] = optionalDate(OFXLeaf.dtasof)
    }

    /// The account of the statement, or one that a list of accounts names.
    mutating func account() throws(Finding) -> OFXVerdict {
        if fields.with(
            OFXLeaf.acctid, { id in id.indices.contains { id[$0] == UInt8(ascii: "<") || id[$0] == UInt8(ascii: ">") } }
        ) {
            throw finding(
                .markupMalformed, OFXLeaf.acctid, "no id has a mark of a tag (< or >): the next tag has lost its own",
                "Put it back: the rows of this statement stand in an account that is not theirs.")
        }
        if fields.isBlank(OFXLeaf.acctid), options.account == nil { return .skipped("account.blank") }
        begin(.account)
        if statement == nil { setListedAccount() }
        return .accepted
    }

    private mutating func setListedAccount() {
        set(.account, from: OFXLeaf.acctid)
        records[last].isAccountAssumed = false
        let type = fields.isBlank(OFXLeaf.accttype) ? OFXLeaf.usproducttype : OFXLeaf.accttype
        set(.accountKind, from: type)
        set(.accountTitle, from: fields.isBlank(type) ? OFXLeaf.brokerid : type)
        let isInvestment = fields.has(OFXLeaf.brokerid)
        records[last].canTrade = isInvestment
        if fields.with(type, { OFXStatement.isTaxFree($0) }) { records[last].isTaxable = false }
    }
}
