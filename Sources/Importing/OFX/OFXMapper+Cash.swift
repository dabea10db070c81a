import Delimited
import Markup
import OpenAlloc

/// Cash: income, expenses, and the transactions of banks and cards.
extension OFXMapper {
    mutating func income() throws(Finding) -> OFXVerdict {
        let total = try required(OFXLeaf.total)
        begin(incomeKind(), OFXName.income)
        try setTransaction()
        _ = setSecurity()
        records[last].isReversal = !total.isNegative && isReversal(direction: 1, hasOppositeSigns: true)
        records[last][.amount] = total
        records[last][.tax] = try number(OFXLeaf.withholding)?.magnitude
        // TOTAL is what was paid; what was withheld is said beside it.
        records[last].costsInAmount = false
        return .accepted
    }

    private func incomeKind() -> RecordKind {
        for words in ["return of capital", "ret cap", "returnofcapital"] where says(words, in: OFXLeaf.memo) {
            return .returnOfCapital
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

    /// INVEXPENSE and MARGININTEREST: negative as specified. A positive one is a credit, unless the file writes all
    /// amounts without a sign.
    mutating func expense(_ kind: RecordKind, _ name: ElementName) throws(Finding) -> OFXVerdict {
        let total = try required(OFXLeaf.total)
        begin(kind, name)
        try setTransaction()
        _ = setSecurity()
        let isUnsigned = current?.isUnsigned == true && fields.isBlank(OFXLeaf.reversalfitid)
        records[last][.amount] = isUnsigned ? -total.magnitude : total
        records[last].isReversal = total.isNegative && isReversal(direction: -1, hasOppositeSigns: true)
        return .accepted
    }

    mutating func returnOfCapital() throws(Finding) -> OFXVerdict {
        let total = try required(OFXLeaf.total)
        begin(.returnOfCapital, OFXName.retofcap)
        try setTransaction()
        _ = setSecurity()
        records[last].isReversal = isReversal(direction: 1, hasOppositeSigns: true)
        records[last][.amount] = total.magnitude
        return .accepted
    }

    // MARK: STMTTRN

    mutating func bankTransaction(_ name: ElementName) throws(Finding) -> OFXVerdict {
        if let verdict = try correction() { return verdict }
        let amount = try required(OFXLeaf.trnamt)
        begin(bankKind(name, amount), nil)
        set(.sourceAction, from: OFXLeaf.trntype)
        set(.sourceTxnID, from: OFXLeaf.fitid)
        records[last][.tradedAt] = try date(OFXLeaf.dtposted)
        setWords()
        set(.lot, from: OFXLeaf.inv401ksource)
        try setCurrency()
        records[last][.amount] = amount
        return .accepted
    }

    /// NAME (of the payee, where it stands there), then MEMO where that says more.
    private mutating func setWords() {
        var words = fields.with(OFXLeaf.name) { $0.array }
        let memo = fields.with(OFXLeaf.memo) { $0.array }
        if words.isEmpty {
            words = memo
        } else if !memo.isEmpty, memo != words {
            words.append(0x20)
            words += memo
        }
        records[last].set(.description, utf8: words)
    }

    private mutating func bankKind(_ name: ElementName, _ amount: ExactDecimal) -> RecordKind {
        let isCard = current?.sort == .card
        let number = oldType()
        func any(_ types: [StaticString]) -> Bool {
            types.contains { fields.says(OFXLeaf.trntype, $0) || number == String(describing: $0) }
        }
        if any(["INT"]) { return isCard && amount.isNegative ? .marginInterest : .interest }
        if any(["DIV"]) { return .dividend }
        if any(["FEE", "SRVCHG"]) { return .fee }
        if any(["POS"]) { return .adjustment }
        if any(["CREDIT", "DEP", "DIRECTDEP", "OTHER"]), amount.signum == 1, let income = spokenIncome() {
            return income
        }
        if any(["OTHER"]) { return .adjustment }
        if any(["XFER", "DEP", "DIRECTDEP", "PAYMENT"]) { return .cash }
        if any(["CREDIT"]) { return .cash }
        if any(["DIRECTDEBIT", "CASH", "CHECK", "ATM", "REPEATPMT", "DEBIT"]) { return isCard ? .adjustment : .cash }
        warnings.append(
            finding(
                .actionUnknown, OFXLeaf.trntype, "no such transaction type; it was taken for a miscellaneous flow",
                "Check the transaction."))
        return .adjustment
    }

    /// The word for a number of OFC, the format before OFX.
    private func oldType() -> String? {
        let words = [
            "CREDIT", "DEBIT", "INT", "DIV", "SRVCHG", "DEP", "ATM", "XFER", "CHECK", "PAYMENT", "CASH", "DIRECTDEP",
            "OTHER",
        ]
        return fields.with(OFXLeaf.trntype) { view in
            guard view.count <= 2, !view.isEmpty, let number = Int(view.string), words.indices.contains(number) else {
                return nil
            }
            return words[number]
        }
    }

    /// Interest and dividends that are booked as deposits, by their words.
    private func spokenIncome() -> RecordKind? {
        for leaf in [OFXLeaf.name, OFXLeaf.memo] {
            if says("dividend", in: leaf) { return .dividend }
            if says("interest", in: leaf), !says("charge", in: leaf), !says("pinterest", in: leaf) { return .interest }
        }
        return nil
    }

    // MARK: corrections

    /// What corrections make of a transaction: nil when nothing.
    mutating func correction() throws(Finding) -> OFXVerdict? {
        guard let statement else { return nil }
        let own = OFXReference(statement: statement, fitID: fields.with(OFXLeaf.fitid) { $0.array })
        if !own.fitID.isEmpty, facts.corrected.contains(own) { return .skipped("correction.replaced") }
        guard !fields.isBlank(OFXLeaf.correctfitid) else { return nil }
        let reference = OFXReference(statement: statement, fitID: fields.with(OFXLeaf.correctfitid) { $0.array })
        if reference == own { return nil }
        guard let found = facts.targets[reference], found != nil else {
            throw finding(
                .correctionUnmatched, OFXLeaf.correctfitid, "the transaction that it corrects is not in the file",
                "Convert the file that has it, and apply the correction there.")
        }
        if fields.says(OFXLeaf.correctaction, "DELETE") { return .skipped("correction.applied") }
        if fields.says(OFXLeaf.correctaction, "REPLACE") || fields.isBlank(OFXLeaf.correctaction) { return nil }
        throw finding(
            .valueInvalid, OFXLeaf.correctaction, "a correction is REPLACE or DELETE", "Write REPLACE or DELETE.")
    }
}
