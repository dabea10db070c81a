import Delimited
import Markup
import OpenAlloc

/// Cash: income, expenses, and the transactions of banks and cards.
extension OFXMapper {
    mutating func income() throws(Finding) -> OFXVerdict {
        let total = try required(OFXLeaf.total)
        asksWords = fields.has(OFXLeaf.memo)
        begin(incomeKind(total), OFXName.income)
        try setTransaction()
        if records[last].kind != .cash { _ = setSecurity() }
        records[last].isReversal = !total.isNegative && isReversal(direction: 1, hasOppositeSigns: true)
        records[last][.amount] = total
        // TAXES has no place in INCOME; who writes it means what was withheld.
        records[last][.tax] = try sum([OFXLeaf.withholding, OFXLeaf.statewithholding, OFXLeaf.taxes])
        // TOTAL is what was paid; what was withheld is said beside it.
        records[last].costsInAmount = false
        return .accepted
    }

    func incomeKind(_ total: ExactDecimal) -> RecordKind {
        if says(anyOf: OFXWords.capital, in: OFXLeaf.memo) { return .returnOfCapital }
        // Interactive Brokers books as income what of a tax is given back.
        if endsWithStatesTax { return .tax }
        if fields.says(OFXLeaf.incometype, "MISC") {
            if says(anyOf: OFXWords.inLieu, in: OFXLeaf.memo) { return .cashInLieu }
            if fields.with(OFXLeaf.memo, { $0.prefix(12).equalsIgnoringCase(OFXWords.contribution) }) { return .cash }
            if total.isNegative, says(anyOf: OFXWords.tax, in: OFXLeaf.memo) { return .tax }
        }
        if fields.says(OFXLeaf.incometype, "DIV") { return .dividend }
        if fields.says(OFXLeaf.incometype, "INTEREST") { return .interest }
        if fields.says(OFXLeaf.incometype, "CGLONG") { return .capitalGainLong }
        if fields.says(OFXLeaf.incometype, "CGSHORT") { return .capitalGainShort }
        return .income
    }

    /// Whether an element's text has these words (lower case, ASCII), letters of any case.
    func says(_ words: String, in name: ElementName) -> Bool {
        var words = words
        return words.withUTF8 { needle in
            fields.with(name) { view in
                guard view.count >= needle.count else { return false }
                for start in 0...(view.count - needle.count) {
                    var length = 0
                    while length < needle.count, asciiLower(view[start + length]) == needle[length] { length += 1 }
                    if length == needle.count { return true }
                }
                return false
            }
        }
    }

    func says(anyOf words: [String], in name: ElementName) -> Bool { words.contains { says($0, in: name) } }

    /// INVEXPENSE and MARGININTEREST: negative as specified. A positive one is a credit, unless the file writes all
    /// amounts without a sign.
    mutating func expense(_ kind: RecordKind, _ name: ElementName) throws(Finding) -> OFXVerdict {
        let total = try required(OFXLeaf.total)
        asksWords = kind == .fee && fields.has(OFXLeaf.memo)
        begin(asksWords ? expenseKind(total) ?? kind : kind, name)
        try setTransaction()
        _ = setSecurity()
        let isUnsigned = hasUnsignedAmounts && fields.isBlank(OFXLeaf.reversalfitid)
        records[last][.amount] = isUnsigned ? -total.magnitude : total
        if total.signum == 1, !isUnsigned, fields.isBlank(OFXLeaf.reversalfitid) {
            warnings.append(
                finding(
                    .signContradicts, OFXLeaf.total, "an expense has a minus; the sign counts, as money that came back",
                    "If it was paid, write the minus."))
        }
        records[last].isReversal = total.isNegative && isReversal(direction: -1, hasOppositeSigns: true)
        return .accepted
    }

    /// Taxes, and income that is taken back: Interactive Brokers books both as expenses.
    private func expenseKind(_ total: ExactDecimal) -> RecordKind? {
        if says(anyOf: OFXWords.tax, in: OFXLeaf.memo) || says(OFXWords.withheld, in: OFXLeaf.memo) || endsWithTax {
            return .tax
        }
        guard total.isNegative, says("dividend", in: OFXLeaf.memo) else { return nil }
        // What who has sold short owes for it.
        if says("in lieu of dividend", in: OFXLeaf.memo) { return .income }
        guard says(anyOf: OFXWords.undone, in: OFXLeaf.memo) else { return nil }
        return says(anyOf: OFXWords.capital, in: OFXLeaf.memo) ? .returnOfCapital : .dividend
    }

    /// `… PER SHARE - US TAX`
    private var endsWithTax: Bool {
        fields.with(OFXLeaf.memo) { $0.trimmed().suffix(4).equalsIgnoringCase(" tax") }
    }

    /// The same, with the code of the state.
    private var endsWithStatesTax: Bool {
        fields.with(OFXLeaf.memo) { memo in
            let memo = memo.trimmed()
            return memo.count > 9 && memo.suffix(4).equalsIgnoringCase(" tax")
                && memo.suffix(9).prefix(3).equalsIgnoringCase(" - ")
        }
    }

    mutating func returnOfCapital() throws(Finding) -> OFXVerdict {
        let total = try required(OFXLeaf.total)
        begin(.returnOfCapital, OFXName.retofcap)
        try setTransaction()
        _ = setSecurity()
        records[last].isReversal = isReversal(direction: 1, hasOppositeSigns: true)
        // A sign without a word of what is undone stays: INCOME keeps it, too.
        records[last][.amount] = fields.isBlank(OFXLeaf.reversalfitid) ? total : total.magnitude
        return .accepted
    }

    // MARK: STMTTRN

    mutating func bankTransaction() throws(Finding) -> OFXVerdict {
        if let verdict = try correction() { return verdict }
        if isBalanceLine { return .skipped("balance.informational") }
        // Money that is held back is none that moved: what becomes of it is told again, with an id of its own.
        if fields.says(OFXLeaf.trntype, "HOLD") { return .skipped("transaction.pending") }
        let amount = try required(OFXLeaf.trnamt)
        begin(bankKind(amount), nil)
        set(.sourceAction, from: OFXLeaf.trntype)
        set(.sourceTxnID, from: OFXLeaf.fitid)
        records[last][.tradedAt] = try date(OFXLeaf.dtposted)
        setWords()
        set(.lot, from: OFXLeaf.inv401ksource)
        try setCurrency()
        records[last][.amount] = amount
        noteSign(of: amount)
        return .accepted
    }

    /// The amount's sign counts; some writers leave it out, or turn it round, and let the type say where money went.
    private mutating func noteSign(of amount: ExactDecimal) {
        let isOdd = amount.isNegative ? fields.says(OFXLeaf.trntype, "CREDIT") : fields.says(OFXLeaf.trntype, "DEBIT")
        guard isOdd, !amount.isZero else { return }
        warnings.append(
            finding(
                .signContradicts, OFXLeaf.trnamt,
                "the amount has not the sign that its type would have; the sign counts",
                "If the whole file is so, its writer leaves signs to the types: correct the amounts."))
    }

    /// Banks of Brazil put balances between the transactions: mostly without an id, Itaú with one.
    private var isBalanceLine: Bool {
        let hasNoID = fields.with(OFXLeaf.fitid) { OFXMapper.isNoID($0) }
        return [OFXLeaf.name, OFXLeaf.memo].contains { leaf in
            fields.with(leaf) { text in
                OFXWords.isBalance(text)
                    || (hasNoID && (text.equalsIgnoringCase("saldo") || text.prefix(6).equalsIgnoringCase("saldo ")))
            }
        }
    }

    /// Whether an id is blank, or nothing but zeros.
    @inline(__always)
    static func isNoID(_ text: ByteView) -> Bool {
        for place in 0..<text.count where text[place] != UInt8(ascii: "0") { return false }
        return true
    }

    /// NAME (of the payee, where it stands there), then MEMO where that says more.
    private mutating func setWords() {
        let place = last
        fields.with(OFXLeaf.name) { name in
            fields.with(OFXLeaf.memo) { memo in
                if name.isEmpty { return records[place].set(.description, memo) }
                records[place].set(.description, name)
                if !memo.isEmpty, memo != name {
                    words.removeAll(keepingCapacity: true)
                    name.withUnsafeBytes { words.append(contentsOf: $0) }
                    words.append(0x20)
                    memo.withUnsafeBytes { words.append(contentsOf: $0) }
                    ByteView.with(words) { records[place].set(.description, $0) }
                }
            }
        }
    }

    private mutating func bankKind(_ amount: ExactDecimal) -> RecordKind {
        let isCard = sort == .card
        if sort == .investment, [OFXLeaf.name, OFXLeaf.memo].contains(where: { says(OFXWords.exchange, in: $0) }) {
            asksWords = true
            return .currencyExchange
        }
        switch fields.with(OFXLeaf.trntype, { BankType($0) }) {
        case .interest:
            asksWords = sort == .investment && amount.isNegative
            let isBorrowed = isCard || current?.isCreditLine == true || (asksWords && saysMargin)
            return isBorrowed && amount.isNegative ? .marginInterest : .interest
        case .dividend: return .dividend
        case .fee: return .fee
        case .purchase: return .adjustment
        case .deposit:
            asksWords = amount.signum == 1 || sort == .investment
            if amount.signum == 1, let income = spokenIncome() { return income }
            return .cash
        case .other:
            asksWords = amount.signum == 1 || sort == .investment
            if amount.signum == 1, let income = spokenIncome() { return income }
            return spokenCost(amount, isOther: true) ?? .adjustment
        case .move:
            asksWords = sort == .investment
            return .cash
        case .payment:
            asksWords = sort == .investment
            return spokenCost(amount, isOther: false) ?? (isCard ? .adjustment : .cash)
        case nil: break
        }
        warnings.append(
            finding(
                .actionUnknown, OFXLeaf.trntype, "no such transaction type; it was taken for a miscellaneous flow",
                "Check the transaction."))
        return .adjustment
    }

    /// Interest, dividends and the like that are booked as deposits, by their words.
    private func spokenIncome() -> RecordKind? {
        // Interactive Brokers books so what of a dividend's tax is given back.
        if sort == .investment, endsWithStatesTax { return .tax }
        for leaf in [OFXLeaf.name, OFXLeaf.memo] {
            if sort == .investment, let kind = spokenProceeds(leaf) { return kind }
            if says("dividend", in: leaf) { return .dividend }
            if saysInterest(in: leaf), !says("charge", in: leaf) { return .interest }
            if says(anyOf: OFXWords.yield, in: leaf) || fields.with(leaf, { OFXWords.beginsWithYield($0) }) {
                return .interest
            }
        }
        return nil
    }

    /// What else a brokerage pays for a security, or gives back.
    private func spokenProceeds(_ leaf: ElementName) -> RecordKind? {
        if says(anyOf: OFXWords.inLieu, in: leaf) { return .cashInLieu }
        if says(anyOf: OFXWords.capital, in: leaf) { return .returnOfCapital }
        if says(anyOf: OFXWords.longGain, in: leaf) { return .capitalGainLong }
        if says(anyOf: OFXWords.shortGain, in: leaf) { return .capitalGainShort }
        if says(OFXWords.creditInterest, in: leaf) { return .interest }
        if saysTax(leaf) { return .tax }
        if fields.with(leaf, { OFXWords.saysFee($0) }), says("rebate", in: leaf) { return .fee }
        return nil
    }

    /// The word, but not in the name of an account that bears some.
    private func saysInterest(in name: ElementName) -> Bool {
        guard says("interest", in: name) else { return false }
        let others = ["pinterest", "interest checking", "interest savings", "interest bearing"]
        return fields.with(name) { text in
            OFXWords.count("interest", in: text) > others.reduce(0) { $0 + OFXWords.count($1, in: text) }
        }
    }

    private var saysMargin: Bool {
        [OFXLeaf.name, OFXLeaf.memo].contains { says(anyOf: OFXWords.marginInterest, in: $0) }
    }

    private func saysTax(_ leaf: ElementName) -> Bool {
        says(anyOf: OFXWords.tax, in: leaf) || says(OFXWords.withheld, in: leaf)
    }

    /// What a brokerage takes for itself or for the state and books as a payment, by its words.
    private func spokenCost(_ amount: ExactDecimal, isOther: Bool) -> RecordKind? {
        guard sort == .investment, amount.isNegative else { return nil }
        if endsWithStatesTax { return .tax }
        for leaf in [OFXLeaf.name, OFXLeaf.memo] {
            if saysTax(leaf) { return .tax }
            if says(anyOf: OFXWords.marginInterest, in: leaf) { return .marginInterest }
            let isFee = fields.with(leaf) { isOther ? OFXWords.saysFee($0) : OFXWords.beginsWithFee($0) }
            if isFee || says(anyOf: OFXWords.fees, in: leaf) { return .fee }
        }
        return nil
    }

    // MARK: corrections

    /// What corrections make of a transaction: nil when nothing.
    mutating func correction() throws(Finding) -> OFXVerdict? {
        guard let statement, hasReferences || !fields.isBlank(OFXLeaf.correctfitid) else { return nil }
        let own = OFXReference(statement: statement, fitID: fields.with(OFXLeaf.fitid) { $0.array })
        if !own.fitID.isEmpty, facts.corrected[own] != nil { return .skipped("correction.replaced") }
        if let last = facts.namesakes[own] { return try namesake(own, last) }
        guard !fields.isBlank(OFXLeaf.correctfitid) else { return nil }
        let reference = OFXReference(statement: statement, fitID: fields.with(OFXLeaf.correctfitid) { $0.array })
        if reference == own { return nil }
        guard let found = facts.targets[reference], found != nil else {
            // Some cards have an id of their own there, and nothing that is to be done with it.
            if fields.isBlank(OFXLeaf.correctaction) { return nil }
            throw unmatched
        }
        // Of several corrections of one transaction the latest counts.
        if let last = facts.corrected[reference], last != own.fitID { return .skipped("correction.replaced") }
        if fields.says(OFXLeaf.correctaction, "DELETE") { return .skipped("correction.applied") }
        if fields.says(OFXLeaf.correctaction, "REPLACE") || fields.isBlank(OFXLeaf.correctaction) { return nil }
        throw finding(
            .valueInvalid, OFXLeaf.correctaction, "a correction is REPLACE or DELETE", "Write REPLACE or DELETE.")
    }
}

/// Corrections that have taken the FITID of the transaction that they correct.
extension OFXMapper {
    /// Whether a transaction says how it corrects the one that has its own id.
    static func corrects(_ fields: borrowing OFXFields) -> Bool {
        let id = fields.with(OFXLeaf.correctfitid) { $0.array }
        return !id.isEmpty && id == fields.with(OFXLeaf.fitid) { $0.array }
            && (fields.says(OFXLeaf.correctaction, "REPLACE") || fields.says(OFXLeaf.correctaction, "DELETE"))
    }

    /// What they make of a transaction of that id; the last of them counts.
    private func namesake(_ own: OFXReference, _ last: Int) throws(Finding) -> OFXVerdict? {
        guard Self.corrects(fields), place == last else { return .skipped("correction.replaced") }
        guard fields.says(OFXLeaf.correctaction, "DELETE") else { return nil }
        guard let found = facts.targets[own], found != nil else { throw unmatched }
        return .skipped("correction.applied")
    }

    private var unmatched: Finding {
        finding(
            .correctionUnmatched, OFXLeaf.correctfitid, "the transaction that it corrects is not in the file",
            fields.says(OFXLeaf.correctaction, "DELETE")
                ? "Take the transaction out of the file that has it; nothing is to be done with this one."
                : "Take CORRECTFITID and CORRECTACTION out to keep this one, and the one that it corrects out of the "
                    + "file that has it.")
    }
}

/// What the types of bank transactions come to.
private enum BankType {
    case interest, dividend, fee, purchase, deposit, other, move, payment

    /// A word of OFX, or a number of OFC, the format before it.
    init?(_ text: ByteView) {
        if text.count <= 2, let number = Int(text.string) {
            let numbers: [BankType] = [
                .deposit, .payment, .interest, .dividend, .fee, .deposit, .payment, .move, .payment, .move, .payment,
                .deposit, .other,
            ]
            guard numbers.indices.contains(number) else { return nil }
            self = numbers[number]
            return
        }
        func says(_ word: StaticString) -> Bool { text.equalsIgnoringCase(word) }
        // Brazilian banks have words of their own, as have programs that write OFX.
        if says("OUT") || says("D") || says("WITHDRAWAL") {
            self = .payment
        } else if says("IN") || says("C") || says("DEPOSIT") {
            self = .deposit
        } else if says("PIX") {
            self = .move
        } else if says("DEBIT") || says("CHECK") || says("ATM") || says("CASH") || says("DIRECTDEBIT")
            || says("REPEATPMT")
        {
            self = .payment
        } else if says("CREDIT") || says("DEP") || says("DIRECTDEP") {
            self = .deposit
        } else if says("XFER") || says("PAYMENT") {
            self = .move
        } else if says("INT") {
            self = .interest
        } else if says("DIV") {
            self = .dividend
        } else if says("FEE") || says("SRVCHG") {
            self = .fee
        } else if says("POS") {
            self = .purchase
        } else if says("OTHER") {
            self = .other
        } else {
            return nil
        }
    }
}
