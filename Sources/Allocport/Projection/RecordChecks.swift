import Delimited
import Importing
import OpenAlloc

/// The rules of section 11 that a record must pass, with small memories so that equal values are judged once.
struct RecordChecks {
    /// When the export was made.
    var exportedAt: Instant?
    private var lastCurrency: [UInt8] = []
    /// Identifiers that were found sound, the last of each kind, and all that were not.
    private var lastISIN: [UInt8] = []
    private var lastCUSIP: [UInt8] = []
    private var reported: Set<[UInt8]> = []
    let dayEnd: Instant?
    let oldest: Instant?
    var rowPlans: [SchemaID: RowPlan] = [:]

    /// Without an export date, this year stands for the newest plausible one and its century for the oldest.
    private static let plausibleYear = 2100
    private static let fallbackYear = 2026

    init(exportedAt: Instant?) {
        self.exportedAt = exportedAt
        // A date without a time stands at noon of its zone: a day's grace covers every zone and hour.
        dayEnd =
            exportedAt?.adding(seconds: 86_400)
            ?? CivilDate(year: RecordChecks.plausibleYear, month: 1, day: 1).map { Instant($0) }
        let year = exportedAt?.civil.date.year ?? RecordChecks.fallbackYear
        oldest = CivilDate(year: max(0, year - 100), month: 1, day: 1).map { Instant($0) }
    }

    /// What every record needs: an account, sound dates, a sound currency, sound identifiers.
    mutating func check(_ record: borrowing Record, _ warnings: inout Warnings) throws(Finding) {
        if record.isBlank(.account), record.kind.shape != .security {
            throw Finding(
                .accountMissing, column: "account", reason: "neither the line nor the file says which account it is",
                suggestion: "Name it with --account.")
        }
        try dates(record, &warnings)
        try names(record, &warnings)
        if record.kind.shape == .position {
            for finding in HoldingCheck.findings(record) { warnings.add(.amountMismatch, finding) }
        }
    }

    /// The currency and the identifiers.
    mutating func names(_ record: borrowing Record, _ warnings: inout Warnings) throws(Finding) {
        if RecordChecks.hasVaguePence(record) {
            throw Finding(
                .currencyUnknown, column: "currency", value: record.string(RecordChecks.moneyField(of: record)),
                reason: "these are pence, and it is not known which numbers of the line are pence, and which pounds",
                suggestion: "Write GBP, and divide by 100 what is pence.")
        }
        if let lost = RecordChecks.lostName(of: record) {
            throw Finding(
                .valueInvalid, column: lost == .isin ? "isin" : lost == .cusip ? "cusip" : "symbol",
                value: record.string(lost), reason: LostValue.reason, suggestion: LostValue.suggestion)
        }
        if RecordChecks.hasSlipped(record) {
            throw Finding(
                .valueInvalid, column: "symbol", value: record.string(.symbol), reason: SlippedName.reason,
                suggestion: SlippedName.suggestion)
        }
        if !record.isBlank(.currency) { try currency(record.bytes(.currency), &warnings) }
        // The row is in the price's currency then.
        if TransactionTable.isPriceOnly(record), !TransactionTable.isPence(record.bytes(.priceCurrency)) {
            try currency(record.bytes(.priceCurrency), &warnings)
        }
        if !record.isBlank(.isin) { isin(record.bytes(.isin), &warnings) }
        if !record.isBlank(.cusip), !RoundedNumber.isOne(record.bytes(.cusip)) {
            cusip(record.bytes(.cusip), &warnings)
        }
        // A field's name is made by reflection, which takes longer than all of these checks.
        for field in RoundedNumber.fields where RoundedNumber.isOne(record.bytes(field)) {
            rounded(record.bytes(field), column: "\(field)", &warnings)
        }
    }

    /// Whether there is nothing to be said of the currency and the identifiers.
    static func hasSoundNames(_ record: borrowing Record) -> Bool {
        !hasVaguePence(record) && lostName(of: record) == nil && !hasSlipped(record)
            && (record.isBlank(.currency) || isKnown(record.string(.currency)))
            && (record.isBlank(.isin) || isSound(isin: record.bytes(.isin)))
            && (record.isBlank(.cusip) || isSound(cusip: record.bytes(.cusip)))
            && RoundedNumber.fields.allSatisfy { !RoundedNumber.isOne(record.bytes($0)) }
    }

    /// Whether everything that is to be said of them was said.
    func haveSaidAll(of record: borrowing Record) -> Bool {
        func isReported(_ text: Record.Text) -> Bool { reported.contains(Array(record.bytes(text))) }
        return !RecordChecks.hasVaguePence(record) && RecordChecks.lostName(of: record) == nil
            && !RecordChecks.hasSlipped(record)
            && (record.isBlank(.currency) || RecordChecks.isKnown(record.string(.currency))
                || RecordChecks.mayBeCode(record.bytes(.currency)) && isReported(.currency))
            && (record.isBlank(.isin) || RecordChecks.isSound(isin: record.bytes(.isin)) || isReported(.isin))
            && (record.isBlank(.cusip) || RecordChecks.isSound(cusip: record.bytes(.cusip)) || isReported(.cusip))
            && RoundedNumber.fields.allSatisfy { !RoundedNumber.isOne(record.bytes($0)) || isReported($0) }
    }

    private static func isKnown(_ currency: String) -> Bool {
        Currency.isKnown(currency) || currency == "GBX" || currency == "GBp"
    }

    /// Whether it looks like a crypto asset's code.
    private static func mayBeCode(_ code: ArraySlice<UInt8>) -> Bool {
        // What has digits alone stands in the wrong column.
        code.count <= 10 && code.count >= 2 && code.allSatisfy { $0 &- 0x41 < 26 || $0 &- 0x30 < 10 }
            && code.contains { $0 &- 0x41 < 26 }
    }

    private static func isSound(isin text: ArraySlice<UInt8>) -> Bool {
        isSound(text, ByteView.with(Array(text)) { CheckDigit.isin($0) }, length: 12)
    }

    private static func isSound(cusip text: ArraySlice<UInt8>) -> Bool {
        isSound(text, ByteView.with(Array(text)) { CheckDigit.cusip($0) }, length: 9)
    }

    /// Whether an identifier has the check digit that it should have, or is one of another kind.
    private static func isSound(_ text: ArraySlice<UInt8>, _ digit: UInt8?, length: Int) -> Bool {
        guard let digit else { return false }
        return text.count != length || text[text.startIndex + length - 1] == digit
    }

    private func dates(_ record: borrowing Record, _ warnings: inout Warnings) throws(Finding) {
        switch record.kind.shape {
        case .position, .security, .account: break
        default:
            guard let date = record[.tradedAt] else {
                throw Finding(.fieldMissing, column: "date", reason: "the line has no date", suggestion: "Complete it.")
            }
            try judge(date, column: "date", &warnings)
        }
        if let acquired = record[.acquiredAt], let oldest, acquired < oldest { throw ancient("acquired", acquired) }
    }

    /// The times that are neither ancient nor after the export.
    var plausible: PlausibleTimes {
        PlausibleTimes(first: oldest?.secondsSince1970 ?? .min, end: dayEnd?.secondsSince1970 ?? .max)
    }

    /// Over a hundred years ago is an error, after the export a warning.
    func judge(_ date: Instant, column: String, _ warnings: inout Warnings) throws(Finding) {
        if let oldest, date < oldest { throw ancient(column, date) }
        if let dayEnd, date > dayEnd { warnings.add(.dateFuture, future(column, date)) }
    }

    private func ancient(_ column: String, _ date: Instant) -> Finding {
        Finding(
            .dateAncient, column: column, value: date.description, reason: "the date is over a hundred years old",
            suggestion: "Check the year.")
    }

    private func future(_ column: String, _ date: Instant) -> Finding {
        Finding(
            .dateFuture, column: column, value: date.description, reason: "the date is later than the export's own",
            suggestion: "Check the year and the order of day and month.")
    }

    /// Whether pence stand where it is not known which of the numbers they are.
    private static func hasVaguePence(_ record: borrowing Record) -> Bool {
        record.priceUnit != .minor && TransactionTable.isPence(record.bytes(moneyField(of: record)))
    }

    /// What should say which security it is, and is what a spreadsheet writes where it has lost a value.
    private static func lostName(of record: borrowing Record) -> Record.Text? {
        for field in securityNames {
            let text = record.bytes(field)
            // Few begin so.
            guard let first = text.first, first == UInt8(ascii: "#") || first == UInt8(ascii: "E") && text.count == 7
            else {
                continue
            }
            if LostValue.isOne(text) { return field }
        }
        return nil
    }

    /// Whether what should name a security is a number or a day; most symbols begin with a letter.
    private static func hasSlipped(_ record: borrowing Record) -> Bool {
        let text = record.bytes(.symbol)
        guard let first = text.first, first < UInt8(ascii: "A") else { return false }
        return SlippedName.isOne(text)
    }

    private static let securityNames = [Record.Text.symbol, .isin, .cusip]

    private static func moneyField(of record: borrowing Record) -> Record.Text {
        TransactionTable.isPriceOnly(record) ? .priceCurrency : .currency
    }

    /// ISO 4217 passes; what looks like a crypto asset's code passes with one warning a code; the rest is an error.
    mutating func currency(_ code: ArraySlice<UInt8>, _ warnings: inout Warnings) throws(Finding) {
        if code.elementsEqual(lastCurrency) { return }
        let text = String(decoding: code, as: UTF8.self)
        if !RecordChecks.isKnown(text) {
            let finding = Finding(
                .currencyUnknown, column: "currency", value: text, reason: "this is no ISO 4217 currency code",
                suggestion: "Use a code such as USD.")
            guard RecordChecks.mayBeCode(code) else { throw finding }
            if reported.insert(Array(code)).inserted { warnings.add(.currencyUnknown, finding) }
        }
        lastCurrency.removeAll(keepingCapacity: true)
        lastCurrency.append(contentsOf: code)
    }

    mutating func isin(_ text: ArraySlice<UInt8>, _ warnings: inout Warnings) {
        if text.elementsEqual(lastISIN) { return }
        let bytes = Array(text)
        if judge("isin", bytes, ByteView.with(bytes) { CheckDigit.isin($0) }, length: 12, &warnings) {
            lastISIN = bytes
        }
    }

    mutating func cusip(_ text: ArraySlice<UInt8>, _ warnings: inout Warnings) {
        if text.elementsEqual(lastCUSIP) { return }
        let bytes = Array(text)
        if judge("cusip", bytes, ByteView.with(bytes) { CheckDigit.cusip($0) }, length: 9, &warnings) {
            lastCUSIP = bytes
        }
    }

    /// An identifier that has lost its end is reported once an input.
    mutating func rounded(_ text: ArraySlice<UInt8>, column: String, _ warnings: inout Warnings) {
        guard RoundedNumber.isOne(text), reported.insert(Array(text)).inserted else { return }
        warnings.add(
            .idRounded,
            Finding(
                .idRounded, column: column, value: String(decoding: text, as: UTF8.self),
                reason: "a spreadsheet has rounded this number, so that several that begin alike are one",
                suggestion: "Convert the file as it was downloaded, not as a spreadsheet has saved it."))
    }

    /// Whether an identifier is sound; one that is not is reported once an input.
    private mutating func judge(
        _ column: String, _ text: [UInt8], _ digit: UInt8?, length: Int, _ warnings: inout Warnings
    ) -> Bool {
        if RecordChecks.isSound(text[...], digit, length: length) { return true }
        guard reported.insert(text).inserted else { return false }
        let reason: String
        if let digit {
            reason = "the check digit should be \(String(decoding: [digit], as: UTF8.self))"
        } else {
            reason = "this has not the form of \(column == "isin" ? "an ISIN" : "a CUSIP")"
        }
        warnings.add(
            .idCheckdigit,
            Finding(
                .idCheckdigit, column: column, value: String(decoding: text, as: UTF8.self), reason: reason,
                suggestion: digit == nil
                    ? "Check it against the brokerage's statement." : "Check the other characters."))
        return false
    }

    /// What a row needs: a security where the action calls for one, and an amount that adds up.
    mutating func check(_ row: TransactionRow, of record: borrowing Record, _ warnings: inout Warnings) throws(Finding)
    {
        try RecordChecks.requireSecurity(row, record)
        try RecordChecks.requireMoney(record)
        if RecordChecks.isTurned(row, record), let stated = record[.amount] {
            let reason =
                switch row.kind.shape {
                case .bought: "money does not come in when a security is bought"
                case .sold, .traded: "money does not go out when a security is sold"
                default: "the line has a minus before money that comes in by what it says"
                }
            warnings.add(
                .signContradicts,
                Finding(
                    .signContradicts, column: "amount",
                    value: (record.isSignDropped ? stated.negated : stated).description,
                    reason: reason + "; the action counts, not the sign",
                    suggestion: "Check whether the line takes an earlier one back."))
        }
        if row.action == .buysell, RecordChecks.areUnitsTurned(record) {
            warnings.add(.signContradicts, RecordChecks.turnedUnits(record))
        }
        guard RecordChecks.mustAddUp(row, record), let price = row.price, let source = row.sourcePrice,
            let amount = row.amount
        else { return }
        guard let difference = RecordChecks.mismatch(row, record, price: price, source: source, amount: amount) else {
            return
        }
        warnings.add(
            .amountMismatch,
            Finding(
                .amountMismatch, column: "amount", value: amount.description,
                reason: "units × price and costs differ from the amount by \(difference)",
                suggestion: "Check for a cost that the file does not state."))
    }

    /// Whether a purchase or sale has an amount of the other's sign, or money that comes in has a minus.
    static func isTurned(_ row: TransactionRow, _ record: borrowing Record) -> Bool {
        if record.isSignDropped { return true }
        guard let stated = record[.amount], var amount = row.amount else { return false }
        // What a small sale costs may turn its sign, too.
        if !record.costsInAmount, let costs = try? Money.costs(of: record) { amount = amount.adding(costs) ?? amount }
        switch row.kind.shape {
        case .bought, .sold: return stated.signum * amount.signum < 0
        // Its units say which it is; a purchase's amount without a sign is common, a minus is not printed for nothing.
        case .traded: return stated.isNegative && amount.signum > 0
        default: return false
        }
    }

    /// Whether units × price must come to the amount.
    static func mustAddUp(_ row: TransactionRow, _ record: borrowing Record) -> Bool {
        row.action == .buysell && row.kind.shape != .closedLot && !record.isPriceDerived
            && !record.isMarkedToMarket
            && row.price != nil && row.sourcePrice != nil && row.amount != nil
    }

    /// Most actions move a security, which must be named.
    static func requireSecurity(_ row: TransactionRow, _ record: borrowing Record) throws(Finding) {
        switch row.kind.shape {
        case .bought, .sold, .traded, .reinvested, .optionClosed, .shares, .closedLot:
            if record.isBlank(.symbol), record.isBlank(.isin), record.isBlank(.cusip) {
                throw Finding(
                    .securityMissing, column: "symbol", reason: "the line moves a security, but names none",
                    suggestion: "Fill in its symbol.")
            }
        default: return
        }
    }

    /// Nobody buys or sells at no price; what is redeemed may be paid in a line of its own.
    static func requireMoney(_ record: borrowing Record) throws(Finding) {
        switch record.kind {
        case .buy, .buyToCover, .buyToOpen, .buyToClose, .sell, .sellShort, .sellToOpen, .sellToClose, .trade:
            if record[.price] == nil, record[.amount] == nil {
                throw Finding(
                    .fieldMissing, column: "amount",
                    reason: "the line says neither the price nor the amount of the trade",
                    suggestion: "Fill in one of them.")
            }
        default: return
        }
    }

    private static func mismatch(
        _ row: TransactionRow, _ record: borrowing Record, price: ExactDecimal, source: ExactDecimal,
        amount: ExactDecimal
    ) -> ExactDecimal? {
        guard let costs = try? Money.costs(of: record) else { return nil }
        return mismatch(
            units: row.units, price: price, source: source, amount: amount, costs: costs,
            accrued: record[.accruedInterest]?.magnitude ?? .zero, allowsGross: allowsGross(record.kind))
    }

    /// Whether the costs may stand with the income that is reinvested.
    static func allowsGross(_ kind: RecordKind) -> Bool { kind.shape == .reinvested || kind == .reinvest }

    /// units × price ± costs ≠ amount beyond the rounding of what the source prints; nil when it adds up. What is
    /// reinvested may leave the costs to the income.
    static func mismatch(
        units: ExactDecimal, price: ExactDecimal, source: ExactDecimal, amount: ExactDecimal, costs: ExactDecimal,
        accrued: ExactDecimal, allowsGross: Bool
    ) -> ExactDecimal? {
        guard let value = units.multiplied(by: price), let gross = amount.adding(value) else { return nil }
        let difference = gross.adding(costs) ?? gross
        if difference.magnitude <= Money.hundredth { return nil }
        let allowed = tolerance(units, price: price, source: source)
        if difference.magnitude <= allowed || allowsGross && gross.magnitude <= allowed { return nil }
        let withInterest = difference.adding(units.isNegative ? -accrued : accrued) ?? difference
        return withInterest.magnitude <= allowed ? nil : difference.magnitude
    }

    /// 0.01, and half of the last printed digit of price and units. Prices print at least two decimals, shares three.
    static func tolerance(_ units: ExactDecimal, price: ExactDecimal, source: ExactDecimal) -> ExactDecimal {
        var total = Money.hundredth
        let priceStep = ExactDecimal(coefficient: 5, scale: max(Int(source.scale), 2) + 1) ?? .zero
        // The step in the source's price, as money for one unit.
        let factor = source.isZero ? nil : source == price ? .one : price.divided(by: source)?.value
        if let step = priceStep.multiplied(by: factor ?? .one)?.multiplied(by: units.magnitude) {
            total = total.adding(step) ?? total
        }
        guard units.scale > 0 else { return total }
        let unitStep = ExactDecimal(coefficient: 5, scale: max(Int(units.scale), 3) + 1) ?? .zero
        if let step = unitStep.multiplied(by: price.magnitude) { total = total.adding(step) ?? total }
        return total
    }
}

/// Times between two, in seconds since 1970.
struct PlausibleTimes: BitwiseCopyable, Sendable {
    var first = Int64.min
    var end = Int64.max

    @inline(__always)
    func contains(_ seconds: Int64) -> Bool { seconds >= first && seconds < end }
}
