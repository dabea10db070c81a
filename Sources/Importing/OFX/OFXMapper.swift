import Delimited
import Markup
import OpenAlloc

/// What an aggregate came to.
enum OFXVerdict {
    /// The first `count` records of the mapper.
    case accepted
    case skipped(String)
}

/// Aggregates → records. Directions come from the aggregate, magnitudes from the numbers; the sign of a number counts
/// only where the aggregate allows both.
struct OFXMapper {
    private(set) var facts: OFXFacts
    let options: ImportOptions
    var dates: OFXDates
    var fields = OFXFields()
    /// Reused for every unit; the first `count` are meant.
    var records = [Record(), Record()]
    var count = 0
    var warnings: [Finding] = []
    /// Whether the words of the unit's name or memo decided what it is, or could have.
    var asksWords = false
    /// Whether a mapping went by the contracts bought and sold in the whole statement.
    var asksOptionUnits = false
    /// The statement that the unit is in.
    var statement: Int? {
        didSet { if statement != oldValue { setFrame() } }
    }
    /// What every record of the statement says, written out once.
    private var frame = Frame()
    /// Statements whose holdings a later one says anew.
    private let superseded: (positions: Set<Int>, balances: Set<Int>)
    var hasOldPositions: Bool { statement.map { superseded.positions.contains($0) } ?? false }
    var hasOldBalances: Bool { statement.map { superseded.balances.contains($0) } ?? false }
    /// Serves for texts of two parts.
    var words: [UInt8] = []
    /// Where the unit stands.
    private(set) var place = 0

    init(facts: OFXFacts, options: ImportOptions, dates: OFXDates) {
        var facts = facts
        facts.securities.settle()
        self.facts = facts
        self.options = options
        self.dates = dates
        self.dates.order = facts.days.order
        superseded = facts.superseded()
    }

    /// Goes by other statements from now on.
    mutating func use(_ statements: [OFXStatement]) {
        facts.statements = statements
        setFrame()
    }

    /// Maps one aggregate into `records`.
    ///
    /// - Throws: the finding that rejects it.
    mutating func map(_ aggregate: MarkupAggregate) throws(Finding) -> OFXVerdict {
        fields.load(aggregate)
        place = aggregate.position.offset
        defer { fields.unload() }
        count = 0
        warnings.removeAll(keepingCapacity: true)
        asksWords = false
        let name = aggregate.name
        switch OFXName.role(name) {
        case .trade: return try trade(name)
        case .position: return try position(name)
        case .security: return try securities(aggregate)
        case .account: return try account()
        default: break
        }
        switch name {
        case OFXName.stmttrn, OFXName.invbanktran: return try bankTransaction()
        case OFXName.income: return try income()
        case OFXName.reinvest: return try reinvest()
        case OFXName.invexpense: return try expense(.fee, name)
        case OFXName.margininterest: return try expense(.marginInterest, name)
        case OFXName.retofcap: return try returnOfCapital()
        case OFXName.closureopt: return try closure()
        case OFXName.split: return try split()
        case OFXName.transfer: return try transfer()
        case OFXName.jrnlfund, OFXName.jrnlsec: return try journal()
        case OFXName.ledgerbal, OFXName.availbal: return try bankBalance(name)
        case OFXName.invbal: return try investmentBalance()
        default: return .skipped("balance.informational")
        }
    }

    var current: OFXStatement? { statement.map { facts.statements[$0] } }
    var sort: OFXStatement.Sort? { frame.sort }
    /// Whether the statement writes amounts and units without the customer's sign.
    var hasUnsignedAmounts: Bool {
        statement.map { facts.statements[$0].isUnsigned && !facts.statements[$0].signsExpenses } ?? false
    }
    /// The currency of the statement; empty when it names none.
    var ownCurrency: [UInt8] { frame.currency }
    /// Whether transactions of the file correct or undo others.
    var hasReferences: Bool { !facts.targets.isEmpty || !facts.corrected.isEmpty }

    private struct Frame {
        var sort: OFXStatement.Sort?
        var part = Record.AccountPart.main
        var account: [UInt8] = []
        var title: [UInt8] = []
        var kind: [UInt8] = []
        var institution: [UInt8] = []
        var currency: [UInt8] = []
        var isPlan = false
    }

    private mutating func setFrame() {
        frame = Frame()
        guard let current else { return }
        frame.sort = current.sort
        frame.part = current.part
        frame.account = current.account
        frame.title = current.title
        frame.kind = current.kind
        frame.institution = current.institution
        frame.currency = current.currency
        frame.isPlan = current.isPlan
    }

    // MARK: the record at hand

    /// The number of the record that `begin` made last.
    var last: Int { count - 1 }

    /// A new record of the statement's account and currency.
    mutating func begin(_ kind: RecordKind, _ action: ElementName? = nil) {
        if count == records.count { records.append(Record()) }
        records[count].reset()
        records[count].kind = kind
        count += 1
        setAccount()
        if let action { records[last].set(.sourceAction, action.ofxText) }
    }

    private mutating func setAccount() {
        let place = last
        if !frame.account.isEmpty {
            ByteView.with(frame.account) { records[place].set(.account, $0) }
            records[place].accountPart = frame.part
        } else if let account = options.account {
            records[place].set(.account, account)
        } else {
            records[place].set(.account, "ofx")
            records[place].isAccountAssumed = true
        }
        guard let sort = frame.sort else { return }
        ByteView.with(frame.title) { records[place].set(.accountTitle, $0) }
        ByteView.with(frame.kind) { records[place].set(.accountKind, $0) }
        ByteView.with(frame.institution) { records[place].set(.institution, $0) }
        records[place].canTrade = sort == .investment
        if frame.isPlan { records[place].isTaxable = false }
        if !frame.currency.isEmpty { ByteView.with(frame.currency) { records[place].set(.currency, $0) } }
    }

    mutating func set(_ text: Record.Text, from name: ElementName) {
        let place = last
        fields.with(name) { if !$0.isEmpty { records[place].set(text, $0) } }
    }

    // MARK: values, or why not

    func number(_ name: ElementName) throws(Finding) -> ExactDecimal? {
        let reading = fields.with(name) { facts.numbers.read($0) }
        switch reading {
        case .blank: return nil
        case .value(let value, _): return value
        case .invalid: throw finding(.numberInvalid, name, "this is not wholly a number", "Write it as 1234.56.")
        case .outOfRange:
            throw finding(.numberRange, name, "the number has more digits than can be kept exactly (38)", "Shorten it.")
        case .ambiguous:
            throw finding(
                .numberInvalid, name,
                "the mark may stand before decimals or thousands, and no number of the file says which",
                "Write it as 1234.56.")
        }
    }

    func required(_ name: ElementName) throws(Finding) -> ExactDecimal {
        if let value = try number(name) { return value }
        throw missing(name)
    }

    func missing(_ name: ElementName) -> Finding {
        let why = fields.has(name) ? "the element is blank" : "the element is missing"
        return finding(.fieldMissing, name, why, "Fill it in, then convert the reject file.")
    }

    mutating func date(_ name: ElementName) throws(Finding) -> Instant {
        let reading = fields.with(name) { dates.read($0) }
        switch reading {
        case .value(let instant): return instant
        case .blank: throw missing(name)
        case .invalid:
            if fields.with(name, { dates.isTooOld($0) }) {
                throw finding(.dateInvalid, name, "the date is before 1900", "Check the year.")
            }
            throw finding(
                .dateInvalid, name, "this is no date, or one that can be read in two ways", "Write it as YYYYMMDD.")
        }
    }

    /// A date that nothing depends on: what cannot be read is left out, with a warning.
    mutating func optionalDate(_ name: ElementName) -> Instant? {
        let reading = fields.with(name) { dates.read($0) }
        switch reading {
        case .value(let instant): return instant
        case .blank: return nil
        case .invalid:
            let isZero = fields.with(name) { view in !view.contains { $0 != 0x30 } }
            if !isZero {
                warnings.append(
                    finding(.dateInvalid, name, "this is no date; it was left out", "Write it as YYYYMMDD."))
            }
            return nil
        }
    }

    /// A finding about an element, with what tells the transaction from others.
    func finding(_ code: FindingCode, _ name: ElementName, _ reason: String, _ suggestion: String) -> Finding {
        var context: [String] = []
        if !fields.isBlank(OFXLeaf.fitid) { context.append("FITID " + fields.string(OFXLeaf.fitid)) }
        if let account = current?.account, !account.isEmpty {
            context.append("account …" + String(decoding: account.suffix(4), as: UTF8.self))
        }
        let tail = context.isEmpty ? "" : " (" + context.joined(separator: ", ") + ")"
        return Finding(
            code, column: name.ofxText, value: fields.string(name), reason: reason + tail, suggestion: suggestion)
    }

    // MARK: parts that many aggregates share

    /// FITID, dates, memo, lot and currency of an investment transaction.
    mutating func setTransaction() throws(Finding) {
        set(.sourceTxnID, from: OFXLeaf.fitid)
        records[last][.tradedAt] = try date(OFXLeaf.dttrade)
        records[last][.settledAt] = optionalDate(OFXLeaf.dtsettle)
        set(.description, from: OFXLeaf.memo)
        set(.lot, from: OFXLeaf.inv401ksource)
        try setCurrency()
    }

    /// CURRENCY says what the amounts are in; ORIGCURRENCY only what they were in before.
    mutating func setCurrency() throws(Finding) {
        guard fields.has(OFXName.currency) else { return }
        let code = statedCurrency
        if code.isEmpty { return }
        let place = last
        let isOther = ByteView.with(code) { view in
            records[place].set(.currency, view)
            return !view.equalsIgnoringCase(ownCurrency)
        }
        guard isOther else { return }
        let reading = fields.with(OFXLeaf.currate, inside: OFXName.currency) { facts.numbers.read($0) }
        if case .value(let rate, _) = reading, !rate.isZero { records[place][.exchangeRate] = rate }
    }

    /// CURSYM, or what some write in its place without it.
    private var statedCurrency: [UInt8] {
        let symbol = fields.with(OFXLeaf.cursym, inside: OFXName.currency) { OFXStatement.code($0) }
        if !symbol.isEmpty { return symbol }
        let code = fields.with(OFXName.currency) { OFXStatement.code($0) }
        return code.count == 3 && code.allSatisfy { ($0 | 0x20) &- UInt8(ascii: "a") < 26 } ? code : []
    }

    /// Between the parts of an account nothing of it changes. From a part to itself is no such move: E*Trade writes what
    /// came from another brokerage so. Where no part is named, nothing says that it stayed.
    private func journal() throws(Finding) -> OFXVerdict {
        let target = fields.with(OFXLeaf.subacctto) { $0.array }
        if target == fields.with(OFXLeaf.subacctfrom, { $0.array }) {
            throw finding(
                .actionUnknown, OFXLeaf.subacctto,
                target.isEmpty
                    ? "a journal that names no part of the account"
                    : "a journal from a part of the account to the same part",
                "If it came from another account or went there, write it as TRANSFER with TFERACTION.")
        }
        return .skipped("journal.internal")
    }

    /// The security of the aggregate; nil when it names none.
    mutating func setSecurity() -> OFXSecurity? {
        let place = last
        if fields.isBlank(OFXLeaf.uniqueid) {
            guard fields.has(OFXLeaf.ticker) else { return nil }
            set(.symbol, from: OFXLeaf.ticker)
            return OFXSecurity()
        }
        let known = fields.with(OFXLeaf.uniqueid) { id in
            fields.with(OFXLeaf.uniqueidtype) { facts.securities.find(id, type: $0) }
        }
        if let known {
            ByteView.with(known.symbol) { records[place].set(.symbol, $0) }
            if records[place].isBlank(.description) {
                ByteView.with(known.name) { records[place].set(.description, $0) }
            }
        } else {
            set(.symbol, from: OFXLeaf.uniqueid)
        }
        if fields.says(OFXLeaf.uniqueidtype, "CUSIP") { set(.cusip, from: OFXLeaf.uniqueid) }
        if fields.says(OFXLeaf.uniqueidtype, "ISIN") { set(.isin, from: OFXLeaf.uniqueid) }
        if fields.says(OFXLeaf.uniqueidtype, "SEDOL") { set(.sedol, from: OFXLeaf.uniqueid) }
        return known ?? OFXSecurity()
    }

    mutating func requiredSecurity() throws(Finding) -> OFXSecurity {
        if let security = setSecurity() { return security }
        throw finding(.securityMissing, OFXLeaf.uniqueid, "the transaction names no security", "Fill in SECID.")
    }

    /// The transaction of the same aggregate that this one undoes by its words, if the file has it.
    func undone(_ name: ElementName) -> OFXTarget? {
        guard !fields.isBlank(OFXLeaf.reversalfitid), let statement else { return nil }
        let reference = OFXReference(statement: statement, fitID: fields.with(OFXLeaf.reversalfitid) { $0.array })
        guard let found = facts.targets[reference], let target = found, target.name == name else { return nil }
        return target
    }

    /// Whether a transaction undoes another: what it refers to must be of the same direction, or be unknown while the
    /// signs are turned round.
    func isReversal(direction: Int, hasOppositeSigns: Bool) -> Bool {
        guard !fields.isBlank(OFXLeaf.reversalfitid), let statement else { return false }
        let reference = OFXReference(statement: statement, fitID: fields.with(OFXLeaf.reversalfitid) { $0.array })
        if direction != 0, let found = facts.targets[reference], let target = found, target.direction != 0 {
            return target.direction == direction
        }
        return hasOppositeSigns
    }
}
