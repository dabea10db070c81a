import Delimited
import Markup
import OpenAlloc

/// The ten aggregates that buy or sell.
extension OFXMapper {
    mutating func trade(_ name: ElementName) throws(Finding) -> OFXVerdict {
        let isBuy = OFXImporter.isBuy(name)
        begin(tradeKind(name, isBuy: isBuy), name)
        try setTransaction()
        let security = try requiredSecurity()
        let stated = try required(OFXLeaf.units)
        let total = try number(OFXLeaf.total)
        if total == nil, fields.has(OFXLeaf.total) { throw missing(OFXLeaf.total) }
        if stated.isZero {
            if total?.isZero != false { return .skipped("units.zero") }
            throw finding(.valueInvalid, OFXLeaf.units, "a trade of no units has an amount", "Fill in UNITS.")
        }
        let units = stated.magnitude
        let direction = isBuy ? 1 : -1
        records[last][.units] = isBuy ? units : -units
        try setCosts()
        setPriceUnit(name, security)
        var price = try number(OFXLeaf.unitprice)?.magnitude
        if price?.isZero == true { price = nil }
        let told = warnings.count
        let isOpposite = isBuy ? stated.isNegative : hasTurnedSigns(stated, total, price)
        records[last].isReversal =
            isReversal(direction: direction, hasOppositeSigns: isOpposite)
            || (hasTurnedSigns(stated, total, price) && undoes())
        if isBuy, stated.isNegative, warnings.count == told { tellTurnedUnits() }
        if price == nil, total == nil { throw missing(OFXLeaf.total) }
        if !isBuy, let costs = undeclaredCosts(units, price, total) {
            records[last][.fees] = (records[last][.fees] ?? .zero).adding(costs)
            warnings.append(
                finding(
                    .signContradicts, OFXLeaf.total,
                    "a sale has a minus, and more than it can bring: what is missing was taken for its costs",
                    "Check the transaction against the brokerage's statement."))
        } else if let stated = price, let total, !total.isZero {
            price =
                isBeforeConversion(stated, units, total.magnitude) ? nil : fit(stated, units, total.magnitude)
        }
        records[last][.price] = price
        if let price { try addMarkup(units, price, total) }
        records[last][.amount] = total.map { amount($0, isBuy: isBuy, units, price) }
        let trade = last
        if let accrued = try number(OFXLeaf.accrdint), !accrued.isZero {
            try addAccrued(accrued.magnitude, isBuy: isBuy)
        }
        giveCostsBack(of: trade)
        return .accepted
    }

    /// What a sale that takes money costs beyond what it declares: its amount has a minus and is more than units × price
    /// could bring, were the sign turned. Nil for others.
    private func undeclaredCosts(
        _ units: ExactDecimal, _ price: ExactDecimal?, _ total: ExactDecimal?
    ) -> ExactDecimal? {
        guard !records[last].isReversal, records[last].priceUnit == .share, let price, let total, total.isNegative,
            let gross = units.multiplied(by: price),
            let bound = gross.multiplied(by: ExactDecimal(coefficient: 101, scale: 2) ?? .one),
            bound < total.magnitude, let rest = residual(units, price, total), OFXMapper.fiveCents < rest
        else { return nil }
        return rest
    }

    /// What is undone gives its costs back.
    mutating func giveCostsBack(of place: Int) {
        guard records[place].isReversal else { return }
        for cost in [Record.Number.commission, .fees, .tax] { records[place][cost] = records[place][cost].map { -$0 } }
    }

    /// Whether units and amount both have the sign that a trade of the other direction would have, and are one event's:
    /// units × price is the amount. A sale may cost more than it brings.
    private func hasTurnedSigns(_ units: ExactDecimal, _ total: ExactDecimal?, _ price: ExactDecimal?) -> Bool {
        guard let total, let price else { return false }
        let isBuy = records[last].kind.shape == .bought
        guard isBuy ? units.isNegative && total.signum == 1 : units.signum == 1 && total.isNegative else {
            return false
        }
        if !isBuy, let rest = residual(units, price, total), rest.magnitude <= OFXMapper.fiveCents { return false }
        return isWhole(units.magnitude, price, total.magnitude)
    }

    /// Whether units × price and the declared costs make the amount, but for a hundredth of it.
    func isWhole(_ units: ExactDecimal, _ price: ExactDecimal, _ total: ExactDecimal) -> Bool {
        guard let rest = residual(units, price, total)?.magnitude,
            let bound = total.multiplied(by: ExactDecimal(coefficient: 1, scale: 2) ?? .zero)
        else { return false }
        return rest <= bound
    }

    static let fiveCents = ExactDecimal(coefficient: 5, scale: 2) ?? .zero

    /// Whether turned signs undo something though nothing is named: where the memo says so. Some writers turn them without
    /// meaning anything by it.
    mutating func undoes() -> Bool {
        guard fields.isBlank(OFXLeaf.reversalfitid) else { return false }
        if says(anyOf: OFXWords.undone, in: OFXLeaf.memo) { return true }
        warnings.append(
            finding(
                .signContradicts, OFXLeaf.units, "the signs are not those of such a transaction; they were passed over",
                "If it undoes another one, fill in REVERSALFITID."))
        return false
    }

    /// Units that come in by what the transaction is have a minus, and nothing is undone.
    mutating func tellTurnedUnits() {
        if records[last].isReversal { return }
        warnings.append(
            finding(
                .signContradicts, OFXLeaf.units, "units that are bought have a minus; it was passed over",
                "If it undoes another one, fill in REVERSALFITID."))
    }

    private func tradeKind(_ name: ElementName, isBuy: Bool) -> RecordKind {
        switch name {
        case OFXName.buyopt:
            // Where nothing says whether it opens, it is neither.
            fields.isBlank(OFXLeaf.optbuytype)
                ? .buy : fields.says(OFXLeaf.optbuytype, "BUYTOCLOSE") ? .buyToClose : .buyToOpen
        case OFXName.sellopt:
            fields.isBlank(OFXLeaf.optselltype)
                ? .sell : fields.says(OFXLeaf.optselltype, "SELLTOOPEN") ? .sellToOpen : .sellToClose
        case OFXName.selldebt:
            fields.says(OFXLeaf.sellreason, "MATURITY")
                ? .maturity : fields.says(OFXLeaf.sellreason, "CALL") ? .redemption : .sell
        default:
            if isBuy {
                fields.says(OFXLeaf.buytype, "BUYTOCOVER") ? .buyToCover : .buy
            } else {
                fields.says(OFXLeaf.selltype, "SELLSHORT") ? .sellShort : .sell
            }
        }
    }

    mutating func setCosts() throws(Finding) {
        records[last][.commission] = try number(OFXLeaf.commission)?.magnitude
        records[last][.fees] = try sum([OFXLeaf.fees, OFXLeaf.load, OFXLeaf.penalty])
        records[last][.tax] = try sum([OFXLeaf.taxes, OFXLeaf.withholding, OFXLeaf.statewithholding])
    }

    func sum(_ names: [ElementName]) throws(Finding) -> ExactDecimal? {
        var total: ExactDecimal?
        for name in names {
            guard let value = try number(name)?.magnitude else { continue }
            total = (total ?? .zero).adding(value)
        }
        return total
    }

    /// Bonds are priced in percent of par, options for one unit of the underlying.
    mutating func setPriceUnit(_ name: ElementName, _ security: OFXSecurity) {
        let isOption =
            name == OFXName.buyopt || name == OFXName.sellopt || name == OFXName.posopt || name == OFXName.closureopt
        let isDebt = name == OFXName.buydebt || name == OFXName.selldebt || name == OFXName.posdebt
        if isOption || (security.sort == .option && !isDebt) {
            records[last].priceUnit = .contract
            records[last][.multiplier] = multiplier(security)
        } else if isDebt || security.sort == .bond {
            records[last].priceUnit = .percentOfPar
        }
    }

    /// SHPERCTRCT, of the transaction or else of the security; some write 0.
    func multiplier(_ security: OFXSecurity) -> ExactDecimal {
        if case .value(let own, _) = fields.with(OFXLeaf.shperctrct, { facts.numbers.read($0) }), own.signum == 1 {
            return own
        }
        if let listed = security.multiplier, listed.signum == 1 { return listed }
        return 100
    }

    /// The price, if units × price is near the amount in some unit of price: that unit becomes the record's. If it is near
    /// in none, nil: the price will be derived from the amount.
    mutating func fit(_ price: ExactDecimal, _ units: ExactDecimal, _ total: ExactDecimal) -> ExactDecimal? {
        let unit = records[last].priceUnit
        let costs = [Record.Number.commission, .fees, .tax].reduce(ExactDecimal.zero) {
            $0.adding(records[last][$1] ?? .zero) ?? $0
        }
        let isBuy = records[last].kind.shape == .bought
        let gross = total.adding(isBuy ? -costs : costs)?.magnitude ?? total
        func isNear(_ unit: PriceUnit, within factor: ExactDecimal) -> Bool {
            guard let value = units.multiplied(by: price),
                let money = OFXMapper.money(value, unit, records[last][.multiplier])
            else {
                return false
            }
            return OFXMapper.isNear(money, total, within: factor) || OFXMapper.isNear(money, gross, within: factor)
        }
        if isNear(unit, within: 5) { return price }
        // Another unit must fit much better than the declared one may.
        let tenth = ExactDecimal(coefficient: 11, scale: 1) ?? .one
        var others: [PriceUnit] = [.share, .percentOfPar]
        if unit == .contract { others.append(.contract) }
        if let better = others.first(where: { $0 != unit && isNear($0, within: tenth) }) {
            records[last].priceUnit = better
            warnings.append(
                finding(
                    .amountMismatch, OFXLeaf.unitprice,
                    "the price is not in the unit that OFX asks for; the amount shows which it is in",
                    "Nothing needs to be done if units × price is right."))
            return price
        }
        warnings.append(
            finding(
                .amountMismatch, OFXLeaf.unitprice,
                "units × price is far from the amount; the price was derived from the amount",
                "Check the transaction against the brokerage's statement."))
        return nil
    }

    /// Whether the price is in the currency of ORIGCURRENCY, while the amount was converted from it. Then the amount gives
    /// the price.
    mutating func isBeforeConversion(_ price: ExactDecimal, _ units: ExactDecimal, _ total: ExactDecimal) -> Bool {
        guard converted(price, units, total) != nil else { return false }
        let place = last
        records[place][.sourcePrice] = price
        fields.with(OFXLeaf.cursym, inside: OFXName.origcurrency) { view in
            ByteView.with(OFXStatement.code(view)) { records[place].set(.priceCurrency, $0) }
        }
        return true
    }

    /// A price by the rate of ORIGCURRENCY, if only that makes the amount.
    func converted(_ price: ExactDecimal, _ units: ExactDecimal, _ total: ExactDecimal) -> ExactDecimal? {
        guard
            case .value(let rate, _) = fields.with(
                OFXLeaf.currate, inside: OFXName.origcurrency, { facts.numbers.read($0) }),
            rate.signum == 1, rate != .one, let plain = residual(units, price, total)?.magnitude,
            let converted = price.multiplied(by: rate), let rest = residual(units, converted, total)?.magnitude,
            let bound = total.multiplied(by: ExactDecimal(coefficient: 1, scale: 2) ?? .zero),
            rest <= bound, plain > bound
        else { return nil }
        return converted
    }

    static func money(_ value: ExactDecimal, _ unit: PriceUnit, _ multiplier: ExactDecimal?) -> ExactDecimal? {
        switch unit {
        case .share: value
        case .percentOfPar, .minor: ExactDecimal(coefficient: 1, scale: 2).flatMap { value.multiplied(by: $0) }
        case .contract: value.multiplied(by: multiplier ?? 100)
        }
    }

    /// Within a factor.
    static func isNear(_ left: ExactDecimal, _ right: ExactDecimal, within factor: ExactDecimal) -> Bool {
        guard let more = left.multiplied(by: factor), let other = right.multiplied(by: factor) else { return false }
        return more >= right && other >= left
    }

    /// MARKUP and MARKDOWN are the dealer's part, for each unit as specified, or as one amount; they count as fees where
    /// the amount shows that they were added to units × price.
    private mutating func addMarkup(_ units: ExactDecimal, _ price: ExactDecimal, _ total: ExactDecimal?)
        throws(Finding)
    {
        guard let total = total?.magnitude, let markup = try dealerPart(), !markup.isZero,
            let rest = residual(units, price, total),
            let product = units.multiplied(by: markup.magnitude),
            let each = OFXMapper.money(product, records[last].priceUnit, records[last][.multiplier])
        else { return }
        let hundredth = ExactDecimal(coefficient: 1, scale: 2) ?? .zero
        for candidate in [each, markup.magnitude] {
            guard let difference = rest.subtracting(candidate), difference.magnitude <= hundredth else { continue }
            records[last][.fees] = (records[last][.fees] ?? .zero).adding(candidate)
            return
        }
    }

    private func dealerPart() throws(Finding) -> ExactDecimal? {
        if let markup = try number(OFXLeaf.markup) { return markup }
        return try number(OFXLeaf.markdown)
    }

    /// What the amount has beyond units × price and the declared costs: positive when more is paid or less received.
    private func residual(_ units: ExactDecimal, _ price: ExactDecimal, _ total: ExactDecimal) -> ExactDecimal? {
        guard let product = units.multiplied(by: price),
            let value = OFXMapper.money(product, records[last].priceUnit, records[last][.multiplier])
        else { return nil }
        let isBuy = records[last].kind.shape == .bought
        var rest = isBuy ? total.subtracting(value) : value.subtracting(total)
        for cost in [Record.Number.commission, .fees, .tax] {
            rest = rest?.subtracting(records[last][cost] ?? .zero)
        }
        return rest
    }

    /// Money out for a purchase, in for a sale; a sale's costs may be more than its proceeds.
    private func amount(_ total: ExactDecimal, isBuy: Bool, _ units: ExactDecimal, _ price: ExactDecimal?)
        -> ExactDecimal
    {
        let isReversal = records[last].isReversal
        if isBuy { return isReversal ? total.magnitude : -total.magnitude }
        if total.isNegative, let price, let rest = residual(units, price, total),
            rest.magnitude <= OFXMapper.fiveCents
        {
            return isReversal ? -total : total
        }
        return isReversal ? -total.magnitude : total.magnitude
    }

    /// Accrued interest is not in TOTAL, as specified: it becomes a record of its own. Where the amount shows that a writer
    /// put it in, the trade keeps it.
    private mutating func addAccrued(_ accrued: ExactDecimal, isBuy: Bool) throws(Finding) {
        let trade = last
        if let units = records[trade][.units]?.magnitude, let price = records[trade][.price],
            let total = records[trade][.amount]?.magnitude, let rest = residual(units, price, total)
        {
            let difference = rest.adding(isBuy ? -accrued : accrued)
            if let difference, difference.magnitude <= (ExactDecimal(coefficient: 1, scale: 2) ?? .zero) {
                records[trade][.accruedInterest] = accrued
                return
            }
        }
        let isReversal = records[trade].isReversal
        let word = records[trade].string(.sourceAction)
        begin(.interest, nil)
        records[last].set(.sourceAction, word)
        try setTransaction()
        _ = setSecurity()
        records[last][.amount] = isBuy != isReversal ? -accrued : accrued
        records[last][.accruedInterest] = accrued
    }
}
