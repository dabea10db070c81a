import Delimited
import Markup
import OpenAlloc

/// The first pass: what stands after the transactions and must be known before them.
/// One reading owns it and nothing re-enters it, so its accesses need no check at run time.
final class OFXSurvey: AggregateHandler {
    @exclusivity(unchecked) private(set) var facts: OFXFacts
    @exclusivity(unchecked) private var fields = OFXFields()
    @exclusivity(unchecked) private var dates: OFXDates
    @exclusivity(unchecked) private var institution: [UInt8] = []
    @exclusivity(unchecked) private var statement: Int?
    /// The last statement of each account, by the hash of its id.
    @exclusivity(unchecked) private var accounts: [UInt64: Int] = [:]
    @exclusivity(unchecked) private var statementCount = 0
    @exclusivity(unchecked) private var opening: ElementName?
    /// The second run looks for the transactions that others refer to.
    private let seeksTargets: Bool
    /// Off in tests that hold the short way of rows to the long one.
    let takesRows: Bool
    /// How many rows went the short way.
    @exclusivity(unchecked) private(set) var rowsTaken = 0

    init(dates: OFXDates, facts: OFXFacts = OFXFacts(), seeksTargets: Bool = false, takesRows: Bool = true) {
        self.takesRows = takesRows && !seeksTargets
        self.dates = dates
        self.facts = facts
        self.seeksTargets = seeksTargets
    }

    func header(_ header: OFXHeader, at position: MarkupPosition) {
        if facts.headerEnd == nil { facts.headerEnd = position.offset }
    }

    func enter(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
        let sort: OFXStatement.Sort
        switch name {
        case OFXName.stmtrs, OFXName.acctstmt: sort = .bank
        case OFXName.ccstmtrs: sort = .card
        case OFXName.invstmtrs: sort = .investment
        default: return
        }
        // ACCTSTMT of OFC holds the account and a STMTRS: both are one statement.
        guard opening == nil else { return }
        opening = name
        statement = statementCount
        statementCount += 1
        guard !seeksTargets else { return }
        var new = OFXStatement(sort)
        new.institution = institution
        facts.statements.append(new)
    }

    func leave(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
        if name == opening {
            statement = nil
            opening = nil
        }
    }

    /// What is learned of the rows of each shape, by its number.
    @exclusivity(unchecked) private var plans = FlatMemory<Unmanaged<OFXSurveyPlan>?>([])
    @exclusivity(unchecked) private var owned: [OFXSurveyPlan] = []

    /// Learns from a row, if it can tell no more than its numbers.
    func row(_ row: MarkupRow) -> Bool {
        if plans.count <= row.shapeNumber { makePlans(row) }
        guard let statement, let plan = plans[row.shapeNumber] else { return false }
        // `owned` keeps it for as long as the survey lives.
        let isTaken = plan._withUnsafeGuaranteedRef { plan in
            ByteView.with(row.bytes) { learn(row, $0, plan, statement) }
        }
        if isTaken { rowsTaken += 1 }
        return isTaken
    }

    @inline(__always)
    private func learn(_ row: MarkupRow, _ bytes: ByteView, _ plan: OFXSurveyPlan, _ statement: Int) -> Bool {
        if facts.numbers.mayLearn {
            let knowsPoint = facts.numbers.provesPoint
            for index in 0..<plan.numbers.count {
                let cell = bytes[row.range(plan.numbers[index])]
                // What has no comma can only prove the point.
                if !knowsPoint || !PlainNumber.isPlain(cell) { facts.numbers.learn(cell) }
            }
        }
        for index in 0..<plan.dates.count where !OFXDates.isCompact(bytes[row.range(plan.dates[index])]) {
            return false
        }
        guard plan.sign >= 0, !facts.statements[statement].isUnsigned else { return true }
        return plan.isQuiet(bytes[row.range(plan.sign)], isPadded: PlainNumber.isPadded(row))
    }

    @inline(never)
    private func makePlans(_ row: MarkupRow) {
        while plans.count <= row.shapeNumber {
            let plan = OFXSurveyPlan(row.shape(plans.count))
            if let plan { owned.append(plan) }
            plans.append(plan.map { .passUnretained($0) })
        }
    }

    func text(_ name: ElementName, _ text: Span<UInt8>) {}
    func issue(_ issue: MarkupIssue) {}

    func aggregate(_ aggregate: MarkupAggregate, path: [ElementName]) {
        let name = aggregate.name
        let range = aggregate.position.offset..<max(aggregate.position.offset, aggregate.endOffset)
        fields.load(aggregate)
        defer { fields.unload() }
        if seeksTargets { return seek(name) }
        let role = OFXName.role(name)
        learnDays(name, role)
        if role == .position || role == .balance { facts.hasHoldings = true }
        switch name {
        case OFXName.sonrs:
            // A sign-on that swallows rows is no part of what stands around others.
            signOn(OFXReading.holdsRows(aggregate) ? nil : range, isWhole: !aggregate.isTruncated)
        case OFXName.curdef:
            if let statement {
                facts.statements[statement].currency = fields.with(OFXName.curdef) { OFXStatement.code($0) }
            }
        case OFXLeaf.dtasof:
            if path.last == OFXName.invstmtrs, let statement { facts.statements[statement].asOf = date(OFXLeaf.dtasof) }
        case OFXName.inv401k, OFXName.inv401kbal:
            if let statement { facts.statements[statement].isPlan = true }
        case OFXName.ledgerbal: ledger()
        case OFXName.invbal, OFXName.availbal:
            learn(OFXLeaf.availcash)
            learn(OFXLeaf.balamt)
            guard let statement else { break }
            if name == OFXName.availbal, facts.statements[statement].isOfCredit { break }
            facts.statements[statement].hasBalance = true
            noteHeld(name == OFXName.availbal ? OFXLeaf.balamt : OFXLeaf.availcash, statement)
            if name == OFXName.availbal { facts.statements[statement].balanceAsOf = date(OFXLeaf.dtasof) }
        default:
            switch role {
            case .account: account(range)
            case .position: position()
            case .security: security(aggregate, range)
            default: transaction(name, at: range.lowerBound)
            }
        }
    }

    // MARK: dates

    /// Learns what stands first in dates, where they are written so.
    private func learnDays(_ name: ElementName, _ role: OFXName.Role) {
        switch role {
        case .trade, .other: learnDay(OFXLeaf.dttrade)
        case .balance, .position: learnDay(OFXLeaf.dtasof)
        default: break
        }
        // DTSTART and DTEND stand alone.
        learnDay(role == .none || name == OFXLeaf.dtasof ? name : OFXLeaf.dtposted)
    }

    private func learnDay(_ name: ElementName) {
        fields.with(name) { text in
            if !text.isEmpty, !OFXDates.isCompact(text), DayOrder.parts(text) != nil {
                facts.days.learn(text)
                dates.order = facts.days.order
            }
        }
    }

    // MARK: what the file is about

    private func signOn(_ range: Range<Int>?, isWhole: Bool) {
        institution = fields.with(OFXLeaf.org) { $0.array }
        if facts.signOnRange == nil { facts.signOnRange = range }
        if facts.exportedAt == nil, isWhole { facts.exportedAt = date(OFXLeaf.dtserver) }
    }

    private func date(_ name: ElementName) -> Instant? {
        if case .value(let instant) = fields.with(name, { dates.read($0) }) { return instant }
        return nil
    }

    private func account(_ range: Range<Int>) {
        guard let statement else { return }
        let type = fields.isBlank(OFXLeaf.accttype) ? OFXLeaf.usproducttype : OFXLeaf.accttype
        let account = fields.with(OFXLeaf.acctid) { $0.array }
        facts.statements[statement].account = account
        let hash = ByteView.with(account) { foldedHash($0) }
        if !account.isEmpty, accounts.updateValue(statement, forKey: hash).map({ $0 != statement }) ?? false {
            facts.repeatsAccounts = true
        }
        facts.statements[statement].accountType = fields.with(type) { $0.array }
        facts.statements[statement].broker =
            facts.statements[statement].sort == .bank
            ? fields.with(OFXLeaf.bankid) { $0.array + [0] } + fields.with(OFXLeaf.branchid) { $0.array }
            : fields.with(OFXLeaf.brokerid) { $0.array }
        facts.statements[statement].accountRange = range
        if fields.with(type, { OFXStatement.isTaxFree($0) }) { facts.statements[statement].isPlan = true }
    }

    private func ledger() {
        learn(OFXLeaf.balamt)
        guard let statement else { return }
        if !fields.isBlank(OFXLeaf.balamt) {
            facts.statements[statement].hasLedgerBalance = true
            facts.statements[statement].hasBalance = true
            noteHeld(OFXLeaf.balamt, statement)
        }
        if facts.statements[statement].asOf == nil { facts.statements[statement].asOf = date(OFXLeaf.dtasof) }
    }

    private func security(_ aggregate: MarkupAggregate, _ range: Range<Int>) {
        var listed = OFXListedSecurity(range: range)
        var isListed = false
        if let parts = aggregate.parts(at: OFXName.secinfo) {
            for part in parts {
                fields.load(part)
                isListed = add(part, &listed) || isListed
            }
        } else {
            isListed = add(aggregate, &listed)
        }
        if isListed, !aggregate.isTruncated { facts.securityRanges.append(listed) }
    }

    /// Whether it has an id.
    private func add(_ aggregate: MarkupAggregate, _ listed: inout OFXListedSecurity) -> Bool {
        let security = OFXSecurity(aggregate, fields, facts.numbers)
        if security.uniqueID.isEmpty { return false }
        facts.securities.add(security)
        switch fields.with(OFXLeaf.unitprice, { facts.numbers.read($0) }) {
        case .invalid, .outOfRange: listed.priceless = ByteView.with(security.uniqueID) { foldedHash($0) }
        case .value, .blank, .ambiguous: break
        }
        return true
    }

    private func noteHeld(_ name: ElementName, _ statement: Int) {
        let held = facts.statements[statement].held
        facts.statements[statement].held = fields.with(name) { (held &+ 1) &* 0x100_0000_01b3 ^ foldedHash($0) }
    }

    // MARK: numbers

    private func learn(_ name: ElementName) { fields.with(name) { facts.numbers.learn($0) } }

    private func number(_ name: ElementName) -> ExactDecimal? {
        if case .value(let value, _) = fields.with(name, { facts.numbers.read($0) }) { return value }
        return nil
    }

    private func position() {
        learn(OFXLeaf.units)
        learn(OFXLeaf.unitprice)
        learn(OFXLeaf.mktval)
        let id = fields.with(OFXLeaf.uniqueid) { foldedHash($0) }
        let price = number(OFXLeaf.unitprice)
        if price?.isZero == false { facts.priced.insert(id) }
        guard let statement else { return }
        noteHeld(OFXLeaf.uniqueid, statement)
        noteHeld(OFXLeaf.units, statement)
        if !facts.statements[statement].seen.insert(id).inserted { facts.statements[statement].repeated.insert(id) }
        guard let value = number(OFXLeaf.mktval) else { return }
        facts.statements[statement].positions.append((id, value, price == .one))
        facts.statements[statement].marketValue =
            facts.statements[statement].marketValue.adding(value) ?? facts.statements[statement].marketValue
    }

    private func transaction(_ name: ElementName, at position: Int) {
        if facts.numbers.mayLearn {
            learn(OFXLeaf.trnamt)
            learn(OFXLeaf.total)
            learn(OFXLeaf.units)
            learn(OFXLeaf.unitprice)
        }
        guard let statement else { return }
        if !fields.isBlank(OFXLeaf.inv401ksource) { facts.statements[statement].isPlan = true }
        note(OFXLeaf.correctfitid, isCorrection: true, statement, position)
        note(OFXLeaf.reversalfitid, isCorrection: false, statement, position)
        if name == OFXName.invexpense || name == OFXName.margininterest, number(OFXLeaf.total)?.isNegative == true {
            facts.statements[statement].signsExpenses = true
        }
        guard OFXName.role(name) == .trade, let units = number(OFXLeaf.units) else { return }
        let isBuy = OFXImporter.isBuy(name)
        let total = number(OFXLeaf.total)
        // Where both signs are turned round, they are signs.
        if isBuy ? total?.signum == 1 && !units.isNegative : units.signum == 1 && total?.isNegative != true,
            !facts.statements[statement].isUnsigned, fields.isBlank(OFXLeaf.reversalfitid)
        {
            facts.statements[statement].isUnsigned = true
        }
        guard name == OFXName.buyopt || name == OFXName.sellopt else { return }
        let id = fields.with(OFXLeaf.uniqueid) { foldedHash($0) }
        let known = facts.statements[statement].optionUnits[id] ?? .zero
        facts.statements[statement].optionUnits[id] = known.adding(isBuy ? units.magnitude : -units.magnitude)
    }

    // MARK: references

    private func note(_ name: ElementName, isCorrection: Bool, _ statement: Int, _ position: Int) {
        guard !fields.isBlank(name) else { return }
        let reference = OFXReference(statement: statement, fitID: fields.with(name) { $0.array })
        let own = fields.with(OFXLeaf.fitid) { $0.array }
        if own == reference.fitID {
            // A transaction that names itself corrects nothing, unless it says how: then it has taken that one's id.
            guard isCorrection, OFXMapper.corrects(fields) else { return }
            facts.targets[reference] = .some(nil)
            facts.namesakes[reference] = position
            return
        }
        facts.targets[reference] = .some(nil)
        guard isCorrection else { return }
        // The latest counts; of one day, the last in the file.
        let day = date(OFXLeaf.dtposted) ?? date(OFXLeaf.dttrade)
        if let day, let known = correctedAt[reference], day < known { return }
        correctedAt[reference] = day
        facts.corrected[reference] = own
    }

    @exclusivity(unchecked) private var correctedAt: [OFXReference: Instant] = [:]

    private func seek(_ name: ElementName) {
        guard let statement, !fields.isBlank(OFXLeaf.fitid), OFXName.role(name) != .position else { return }
        let reference = OFXReference(statement: statement, fitID: fields.with(OFXLeaf.fitid) { $0.array })
        guard let known = facts.targets[reference], known == nil else { return }
        if facts.namesakes[reference] != nil, OFXMapper.corrects(fields) { return }
        var target = OFXTarget(name: name)
        if OFXName.role(name) == .trade {
            target.direction = OFXImporter.isBuy(name) ? 1 : -1
        } else {
            target.direction = (number(OFXLeaf.total) ?? number(OFXLeaf.trnamt))?.signum ?? 0
        }
        if name == OFXName.split {
            let old = number(OFXLeaf.oldunits) ?? .zero
            target.sign = number(OFXLeaf.newunits)?.subtracting(old)?.signum ?? 0
        } else {
            target.sign = number(OFXLeaf.units)?.signum ?? 0
            if name == OFXName.transfer {
                target.sign = OFXTransfer(fields).direction(target.sign)
            }
        }
        facts.targets[reference] = .some(target)
    }
}

extension OFXImporter {
    /// Whether a trade's aggregate buys.
    static func isBuy(_ name: ElementName) -> Bool {
        switch name {
        case OFXName.buydebt, OFXName.buymf, OFXName.buyopt, OFXName.buyother, OFXName.buystock: true
        default: false
        }
    }
}
