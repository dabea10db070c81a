import Delimited
import Markup
import OpenAlloc

/// Securities that move without a trade.
extension OFXMapper {
    /// The option leg of an expiry, assignment or exercise: the units that close it. The stock leg is a trade of its own.
    mutating func closure() throws(Finding) -> OFXVerdict {
        let kind: RecordKind
        let stated = try required(OFXLeaf.units)
        if fields.says(OFXLeaf.optaction, "EXERCISE") {
            kind = .exercised
        } else if fields.says(OFXLeaf.optaction, "ASSIGN") {
            kind = .assigned
        } else if fields.says(OFXLeaf.optaction, "EXPIRE") || fields.isBlank(OFXLeaf.optaction) {
            kind = .expired
        } else {
            throw finding(
                .actionUnknown, OFXLeaf.optaction, "no such way to close an option", "Use EXERCISE, ASSIGN or EXPIRE.")
        }
        begin(kind, OFXName.closureopt)
        try setTransaction()
        let security = try requiredSecurity()
        if stated.isZero { return .skipped("units.zero") }
        records[last].isReversal = isReversal(direction: 0, hasOppositeSigns: false)
        if kind != .expired, security.sort == .stock || security.sort == .fund {
            // Some write the shares that are delivered so, too: with the sign of what becomes of them.
            records[last][.units] = stated
            return .accepted
        }
        records[last][.multiplier] = multiplier(security)
        records[last].priceUnit = .contract
        // Only its holder exercises an option, only its writer is assigned; which side expires, the file must show.
        switch kind {
        case .exercised: records[last][.units] = -stated.magnitude
        case .assigned: records[last][.units] = stated.magnitude
        default: records[last][.units] = expired(stated)
        }
        return .accepted
    }

    private mutating func expired(_ units: ExactDecimal) -> ExactDecimal {
        if units.isNegative { return units }
        let id = fields.with(OFXLeaf.uniqueid) { foldedHash($0) }
        if fields.says(OFXLeaf.subacctsec, "SHORT") { return units }
        asksOptionUnits = true
        if let statement, let net = facts.statements[statement].optionUnits[id], net.signum == 1 { return -units }
        return units
    }

    /// Units added (or taken, in a reverse split), and the cash for fractions.
    mutating func split() throws(Finding) -> OFXVerdict {
        let old = try required(OFXLeaf.oldunits)
        let new = try required(OFXLeaf.newunits)
        begin(.split, OFXName.split)
        try setTransaction()
        _ = try requiredSecurity()
        guard let more = new.subtracting(old) else {
            throw finding(.numberRange, OFXLeaf.newunits, "the number has too many digits", "Shorten it.")
        }
        // What is owed splits, too.
        let isShort = fields.says(OFXLeaf.subacctsec, "SHORT") && !old.isNegative && !new.isNegative
        let difference = isShort ? -more : more
        records[last][.units] = difference
        let cash = try number(OFXLeaf.fraccash)
        if difference.isZero {
            guard let cash, !cash.isZero else { return .skipped("units.zero") }
            count = 0
        }
        if let cash, !cash.isZero {
            begin(.cashInLieu, OFXName.split)
            try setTransaction()
            _ = setSecurity()
            records[last][.amount] = cash
        }
        return .accepted
    }

    mutating func transfer() throws(Finding) -> OFXVerdict {
        let stated = try required(OFXLeaf.units)
        let isIn = fields.says(OFXLeaf.tferaction, "IN")
        let isOut = fields.says(OFXLeaf.tferaction, "OUT")
        if !isIn, !isOut, !fields.isBlank(OFXLeaf.tferaction) {
            throw finding(.actionUnknown, OFXLeaf.tferaction, "a transfer is IN or OUT", "Write IN or OUT.")
        }
        let isShort = fields.says(OFXLeaf.postype, "SHORT")
        // Units that leave may be written with a sign or without one; what comes in has none: some writers say IN always.
        let isContradicted = isIn && !isShort && stated.isNegative
        let isMarked = (isIn || isOut) && !isContradicted
        begin(isShort || !isMarked ? .shares : isIn ? .sharesIn : .sharesOut, OFXName.transfer)
        try setTransaction()
        let security = try requiredSecurity()
        if stated.isZero { return .skipped("units.zero") }
        if isMarked {
            records[last][.units] = isIn != isShort ? stated.magnitude : -stated.magnitude
        } else {
            records[last][.units] = stated
        }
        if isContradicted, fields.isBlank(OFXLeaf.reversalfitid) {
            warnings.append(
                finding(
                    .signContradicts, OFXLeaf.units, "units that come in have no sign; the sign counts",
                    "If they came in, remove the sign; if they left, write OUT."))
        }
        records[last].isReversal = isReversal(direction: 0, hasOppositeSigns: false)
        setPriceUnit(OFXName.transfer, security)
        if let price = try number(OFXLeaf.unitprice), price.signum == 1 { records[last][.price] = price }
        records[last][.unitCost] = try number(OFXLeaf.avgcostbasis)
        records[last][.acquiredAt] = optionalDate(OFXLeaf.dtpurchase)
        return .accepted
    }

    /// Income that bought units: two rows without cash effect.
    mutating func reinvest() throws(Finding) -> OFXVerdict {
        begin(.reinvestedIncome, OFXName.reinvest)
        try setTransaction()
        let security = try requiredSecurity()
        let stated = try required(OFXLeaf.units)
        let total = try number(OFXLeaf.total)
        if stated.isZero {
            guard let total, !total.isZero else { return .skipped("units.zero") }
            throw finding(.valueInvalid, OFXLeaf.units, "a reinvestment of no units has an amount", "Fill in UNITS.")
        }
        try setCosts()
        setPriceUnit(OFXName.reinvest, security)
        let units = stated.magnitude
        records[last].isReversal = isReversal(direction: 0, hasOppositeSigns: stated.isNegative)
        records[last][.units] = units
        var price = try number(OFXLeaf.unitprice)?.magnitude
        if price?.isZero == true { price = nil }
        if price == nil, total?.isZero != false { throw missing(OFXLeaf.total) }
        if let stated = price, let total, !total.isZero { price = fit(stated, units, total.magnitude) }
        records[last][.price] = price
        records[last][.amount] = total?.magnitude
        if stated.isNegative, let price, let total, isWhole(units, price, total.magnitude), undoes() {
            records[last].isReversal = true
        }
        giveCostsBack(of: last)
        return .accepted
    }
}
