import Markup
import OpenAlloc

/// What a survey of a large file will probably find, by its begin and its end: between them mostly stands one list of
/// transactions, of which a few tell what all do. Whoever goes by it must check it, and find the statements in between
/// (`OFXTrial`).
struct OFXGuess {
    var facts: OFXFacts

    /// Whether an input is so large.
    static func isWorthwhile(_ input: any InputSource, _ options: ImportOptions) -> Bool {
        input.byteCount >= 16 * max(1, options.guessBytes)
    }

    /// Nil where begin and end tell too little.
    init?(_ input: any InputSource, _ options: ImportOptions, _ dates: OFXDates) {
        let bytes = max(1, options.guessBytes)
        guard Self.isWorthwhile(input, options), let head = try? input.bytes(at: 0, count: bytes),
            let headEnd = RowMark.last(in: head)
        else { return nil }
        // Positions and securities stand behind the transactions, and may be many.
        for count in [bytes, 8 * bytes] {
            let tailStart = input.byteCount - count
            guard let tail = try? input.bytes(at: tailStart, count: count) else { return nil }
            guard let start = RowMark.first(in: tail) else { continue }
            self.init(head[..<headEnd], tail[start...], tailStart: tailStart + start, dates)
            return
        }
        return nil
    }

    /// The guess by two parts of a file that would make one if nothing stood between them.
    private init?(_ head: ArraySlice<UInt8>, _ tail: ArraySlice<UInt8>, tailStart: Int, _ dates: OFXDates) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.count + tail.count)
        bytes.append(contentsOf: head)
        bytes.append(contentsOf: tail)
        var source = BytesSource(bytes)
        var survey = OFXSurvey(dates: dates)
        let plan = try? MarkupDocument.plan(&source) {
            survey = OFXSurvey(dates: dates)
            return OFXImporter.reader(survey)
        }
        guard let plan, plan.isTrusted, survey.facts.isGuessable else { return nil }
        facts = survey.facts
        facts.move(from: head.count, by: tailStart - head.count)
    }
}

/// Where transactions begin, by the bytes alone.
private enum RowMark {
    private static let names =
        """
        BUYDEBT BUYMF BUYOPT BUYOTHER BUYSTOCK SELLDEBT SELLMF SELLOPT SELLOTHER SELLSTOCK CLOSUREOPT INCOME INVEXPENSE \
        JRNLFUND JRNLSEC MARGININTEREST REINVEST RETOFCAP SPLIT TRANSFER INVBANKTRAN STMTTRN
        """.utf8.split(separator: 0x20)
    private static let around = Array("<INVBANKTRAN>".utf8)

    static func first(in bytes: [UInt8]) -> Int? { bytes.indices.first { isMark(bytes, $0) } }
    static func last(in bytes: [UInt8]) -> Int? { bytes.indices.last { isMark(bytes, $0) } }

    private static func isMark(_ bytes: [UInt8], _ start: Int) -> Bool {
        guard bytes[start] == 0x3C, let end = bytes[start...].prefix(18).firstIndex(of: 0x3E),
            names.contains(where: { $0.elementsEqual(bytes[start + 1..<end]) })
        else { return false }
        // A STMTTRN may be a part of what stands around it.
        var before = start
        while before > 0, bytes[before - 1] <= 0x20 { before -= 1 }
        return before < around.count || !bytes[before - around.count..<before].elementsEqual(around)
    }
}

extension OFXFacts {
    /// Whether rows may be made by facts that are not known for certain: they refer to no others, and a point is the
    /// decimal mark, and no date depends on what others show.
    var isGuessable: Bool {
        targets.isEmpty && corrected.isEmpty && numbers.provesPoint && days.isOpen != true && !repeatsAccounts
    }

    /// Moves what stands from a byte on by so many.
    fileprivate mutating func move(from start: Int, by count: Int) {
        func moved(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound < start ? range : range.lowerBound + count..<range.upperBound + count
        }
        for index in securityRanges.indices { securityRanges[index].range = moved(securityRanges[index].range) }
        signOnRange = signOnRange.map(moved)
        headerEnd = headerEnd.map { $0 < start ? $0 : $0 + count }
        for index in statements.indices { statements[index].accountRange = statements[index].accountRange.map(moved) }
    }

    /// Whether facts that are still being learned may come to be the same as others, as far as can be seen cheaply.
    func mayBecome(_ other: OFXFacts) -> Bool {
        guard targets.isEmpty, corrected.isEmpty, days.isOpen != true, !repeatsAccounts,
            statements.count <= other.statements.count,
            !numbers.provesComma || other.numbers.provesComma, !hasHoldings || other.hasHoldings
        else { return false }
        guard let last = statements.last else { return true }
        let others = other.statements[statements.count - 1]
        return (!last.isUnsigned || others.isUnsigned) && (!last.isPlan || others.isPlan)
            && (!last.signsExpenses || others.signsExpenses)
    }

    /// Whether rows come out the same by other facts, but for what `OFXMapper.asksOptionUnits` is about.
    func isSame(as other: OFXFacts) -> Bool {
        exportedAt == other.exportedAt && statements.elementsEqual(other.statements) { $0.isSame(as: $1) }
            && securities.entries.elementsEqual(other.securities.entries) { $0.isSame(as: $1) }
            && numbers.provesPoint == other.numbers.provesPoint && numbers.provesComma == other.numbers.provesComma
            && priced == other.priced && hasHoldings == other.hasHoldings && securityRanges == other.securityRanges
            && signOnRange == other.signOnRange && headerEnd == other.headerEnd
            && targets.isEmpty && other.targets.isEmpty && corrected.isEmpty && other.corrected.isEmpty
    }
}

extension OFXStatement {
    /// Whether what stands above a statement's transactions is the same.
    func beginsLike(_ other: OFXStatement) -> Bool {
        sort == other.sort && account == other.account && accountType == other.accountType && broker == other.broker
            && institution == other.institution && currency == other.currency
    }

    /// The statement, of which the beginning was read, if it ends like another one without positions.
    func ending(like other: OFXStatement) -> OFXStatement {
        var statement = self
        guard sort == other.sort, sort != .investment else { return self }
        statement.hasLedgerBalance = hasLedgerBalance || other.hasLedgerBalance
        statement.asOf = asOf ?? other.asOf
        return statement
    }

    /// Whether everything but the contracts is the same.
    func isSame(as other: OFXStatement) -> Bool {
        sort == other.sort && account == other.account && accountType == other.accountType && broker == other.broker
            && institution == other.institution && currency == other.currency && accountRange == other.accountRange
            && asOf == other.asOf && isPlan == other.isPlan && hasLedgerBalance == other.hasLedgerBalance
            && isUnsigned == other.isUnsigned && signsExpenses == other.signsExpenses
            && positions.elementsEqual(other.positions) { $0 == $1 }
            && marketValue == other.marketValue && repeated == other.repeated && seen == other.seen
    }
}

extension OFXSecurity {
    /// Whether it says the same; its symbol follows from that.
    fileprivate func isSame(as other: OFXSecurity) -> Bool {
        uniqueID == other.uniqueID && idType == other.idType && ticker == other.ticker && name == other.name
            && sort == other.sort && assetID == other.assetID && multiplier == other.multiplier
    }
}
