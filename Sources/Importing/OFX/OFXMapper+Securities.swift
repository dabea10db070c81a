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
        let undone = undone(OFXName.closureopt)
        if kind != .expired, security.sort == .stock || security.sort == .fund {
            // Some write the shares that are delivered so, too: with the sign of what becomes of them.
            records[last][.units] = stated
            records[last].isReversal = undone.map { $0.sign == stated.signum } ?? false
            return .accepted
        }
        records[last][.multiplier] = multiplier(security)
        records[last].priceUnit = .contract
        // Only its holder exercises an option, only its writer is assigned; which side expires, the file must show.
        records[last].isReversal = undone != nil || (kind != .expired && namesAnother)
        switch kind {
        case .exercised: records[last][.units] = -stated.magnitude
        case .assigned: records[last][.units] = stated.magnitude
        default:
            // What an expiry that is undone took away is what it takes by its own sign.
            if let undone {
                records[last][.units] = expired(undone.sign < 0 ? -stated.magnitude : stated.magnitude)
            } else {
                records[last][.units] = namesAnother ? stated : expired(stated)
            }
        }
        return .accepted
    }

    /// Whether it is said to undo another one, be it in the file or not.
    private var namesAnother: Bool {
        let id = fields.with(OFXLeaf.reversalfitid) { $0.array }
        return !id.isEmpty && id != fields.with(OFXLeaf.fitid) { $0.array }
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
        let undoes = undone(OFXName.split).map { $0.sign == more.signum } ?? false
        records[last].isReversal = undoes
        if !difference.isZero { try checkRatio(old, new) }
        let cash = try number(OFXLeaf.fraccash)
        if difference.isZero {
            try requireUnits(new)
            guard let cash, !cash.isZero else { return .skipped("units.zero") }
            count = 0
        }
        if let cash, !cash.isZero {
            begin(.cashInLieu, OFXName.split)
            try setTransaction()
            _ = setSecurity()
            records[last][.amount] = cash
            records[last].isReversal = undoes
        }
        return .accepted
    }

    /// The ratio must lead from the units before to the units after, but for a fraction that is paid out; a split that is
    /// undone has it the other way round. Units that it brought look like units after it: only the ratio shows them.
    private mutating func checkRatio(_ old: ExactDecimal, _ new: ExactDecimal) throws(Finding) {
        guard !old.isZero, !new.isZero,
            case .value(let to, _) = fields.with(ElementName.ofx("NUMERATOR"), { facts.numbers.read($0) }),
            case .value(let from, _) = fields.with(ElementName.ofx("DENOMINATOR"), { facts.numbers.read($0) }),
            to.signum == 1, from.signum == 1, to != from
        else { return }
        func leads(_ after: ExactDecimal?) -> Bool {
            guard let after else { return false }
            return [(to, from), (from, to)].contains { to, from in
                guard let left = after.magnitude.multiplied(by: from), let right = old.magnitude.multiplied(by: to),
                    let rest = left.subtracting(right)?.magnitude
                else { return false }
                return rest <= from
            }
        }
        if leads(new) { return }
        if leads(old.adding(new)) {
            throw finding(
                .valueInvalid, OFXLeaf.newunits,
                "a split of \(to) for \(from) does not make \(new) of \(old): these may be the units that it brought",
                "Write in NEWUNITS how many there were after it.")
        }
        warnings.append(
            finding(
                .amountMismatch, OFXLeaf.newunits, "a split of \(to) for \(from) does not make \(new) of \(old)",
                "Check the split against the brokerage's statement."))
    }

    /// A ratio alone does not say how many units a split brought.
    private func requireUnits(_ new: ExactDecimal) throws(Finding) {
        guard new.isZero, let to = try number(ElementName.ofx("NUMERATOR")),
            let from = try number(ElementName.ofx("DENOMINATOR")),
            !to.isZero, !from.isZero, to != from
        else { return }
        throw finding(
            .valueInvalid, OFXLeaf.newunits, "a split of \(to) for \(from) has no units before and after it",
            "Fill in OLDUNITS and NEWUNITS.")
    }

    mutating func transfer() throws(Finding) -> OFXVerdict {
        let stated = try required(OFXLeaf.units)
        let action = OFXTransfer(fields)
        let (isIn, isOut, isShort) = (action.isIn, action.isOut, action.isShort)
        if !isIn, !isOut, !fields.isBlank(OFXLeaf.tferaction) {
            throw finding(.actionUnknown, OFXLeaf.tferaction, "a transfer is IN or OUT", "Write IN or OUT.")
        }
        // Units that leave may be written with a sign or without one; what comes in has none: some writers say IN always.
        let isContradicted = isIn && !isShort && stated.isNegative
        let isMarked = (isIn || isOut) && !isContradicted
        asksWords = fields.has(OFXLeaf.memo)
        let kind: RecordKind = isShort || !isMarked ? .shares : isIn ? .sharesIn : .sharesOut
        begin(asksWords ? eventKind() ?? kind : kind, OFXName.transfer)
        try setTransaction()
        let security = try requiredSecurity()
        if stated.isZero { return .skipped("units.zero") }
        // Fidelity books as a transfer what becomes of an option.
        if security.sort == .option, let end = endKind() { records[last].kind = end }
        let direction = action.direction(stated.signum)
        records[last][.units] = direction < 0 ? -stated.magnitude : stated.magnitude
        if isContradicted, fields.isBlank(OFXLeaf.reversalfitid) {
            warnings.append(
                finding(
                    .signContradicts, OFXLeaf.units, "units that come in have no sign; the sign counts",
                    "If they came in, remove the sign; if they left, write OUT."))
        }
        records[last].isReversal = undone(OFXName.transfer).map { $0.sign == direction } ?? false
        setPriceUnit(OFXName.transfer, security)
        if let price = try number(OFXLeaf.unitprice), price.signum == 1 { records[last][.price] = price }
        records[last][.unitCost] = try number(OFXLeaf.avgcostbasis)
        records[last][.acquiredAt] = optionalDate(OFXLeaf.dtpurchase)
        return .accepted
    }

    /// What a company does to its shares, which the memo of a transfer says.
    private func eventKind() -> RecordKind? {
        if says(anyOf: OFXWords.splits, in: OFXLeaf.memo) { return .split }
        if says(OFXWords.spinOff, in: OFXLeaf.memo) { return .spinOff }
        // Vanguard, and what ofxstatement makes of Schwab's actions, begin with it.
        if begins(with: "reverse split") || begins(with: "stock split") { return .split }
        if begins(with: "spin-off") { return .spinOff }
        return says(anyOf: OFXWords.mergers, in: OFXLeaf.memo) ? .merger : nil
    }

    /// `EXPIRED  PUT (SMPL)`
    private func endKind() -> RecordKind? {
        if begins(with: "expired") { return .expired }
        if begins(with: "assigned") { return .assigned }
        return begins(with: "exercised") ? .exercised : nil
    }

    private func begins(with words: StaticString) -> Bool {
        fields.with(OFXLeaf.memo) { $0.prefix(words.utf8CodeUnitCount).equalsIgnoringCase(words) }
    }

    /// Income that bought units: two rows without cash effect. Who calls it a distribution tells the income of its own, as
    /// INCOME, and here what was bought with it.
    mutating func reinvest() throws(Finding) -> OFXVerdict {
        asksWords = fields.has(OFXLeaf.memo)
        let isFromIncome = begins(with: OFXWords.fromIncome)
        begin(isFromIncome ? .reinvest : .reinvestedIncome, OFXName.reinvest)
        try setTransaction()
        let security = try requiredSecurity()
        let stated = try required(OFXLeaf.units)
        let total = try number(OFXLeaf.total)
        if stated.isZero {
            guard let total, !total.isZero else { return .skipped("units.zero") }
            return try payOut(total)
        }
        try setCosts()
        setPriceUnit(OFXName.reinvest, security)
        let units = stated.magnitude
        records[last].isReversal =
            undone(OFXName.reinvest) != nil || isReversal(direction: 0, hasOppositeSigns: stated.isNegative)
        records[last][.units] = units
        var price = try number(OFXLeaf.unitprice)?.magnitude
        if price?.isZero == true { price = nil }
        if price == nil, total?.isZero != false { throw missing(OFXLeaf.total) }
        if let stated = price, let total, !total.isZero {
            price =
                isBeforeConversion(stated, units, total.magnitude) ? nil : fit(stated, units, total.magnitude)
        }
        records[last][.price] = price
        records[last][.amount] = total?.magnitude
        let told = warnings.count
        if !records[last].isReversal, stated.isNegative, let price, let total, isWhole(units, price, total.magnitude),
            undoes()
        {
            records[last].isReversal = true
        }
        if stated.isNegative, warnings.count == told { tellTurnedUnits() }
        // What is bought takes the money, which the income brought.
        if isFromIncome, !records[last].isReversal { records[last][.amount] = total.map { -$0.magnitude } }
        giveCostsBack(of: last)
        return .accepted
    }

    /// T. Rowe Price books as a reinvestment of no units what it pays out: with the minus that a reinvestment has.
    private mutating func payOut(_ total: ExactDecimal) throws(Finding) -> OFXVerdict {
        guard fields.isBlank(OFXLeaf.reversalfitid) else {
            throw finding(.valueInvalid, OFXLeaf.units, "a reinvestment of no units has an amount", "Fill in UNITS.")
        }
        _ = try number(OFXLeaf.unitprice)
        try setCosts()
        records[last].costsInAmount = false
        records[last].kind = incomeKind(total.magnitude)
        records[last][.amount] = total.magnitude
        warnings.append(
            finding(
                .amountMismatch, OFXLeaf.units, "nothing was bought with the income; it was taken for paid out",
                "If it was reinvested, fill in UNITS."))
        return .accepted
    }
}

/// Which way the units of a TRANSFER go.
struct OFXTransfer {
    let isIn: Bool
    let isOut: Bool
    let isShort: Bool

    init(_ fields: borrowing OFXFields) {
        isIn = fields.says(OFXLeaf.tferaction, "IN")
        isOut = fields.says(OFXLeaf.tferaction, "OUT")
        isShort = fields.says(OFXLeaf.postype, "SHORT")
    }

    /// The sign of what moves: that of TFERACTION, turned round where units are owed; that of the units where it says
    /// nothing, or where units that come in have a minus.
    func direction(_ sign: Int) -> Int {
        if sign == 0 || (!isIn && !isOut) || (isIn && !isShort && sign < 0) { return sign }
        return isIn != isShort ? 1 : -1
    }
}
