import Delimited
import Markup
import OpenAlloc

/// The attributes that mean something here; their place in the list is their id in the reader's name table.
enum FlexAttribute: Int, CaseIterable {
    case accountId, acctAlias, accountType, customerType, currency, fxRateToBase, assetCategory, symbol, description,
        conid
    case isin, cusip, sedol, securityID, securityIDType, multiplier, levelOfDetail, transactionID, tradeID, actionID,
        ibExecID
    case reportDate, dateTime, tradeDate, tradeTime, date, settleDate, settleDateTarget
    case quantity, tradePrice, tradeMoney, proceeds, taxes, ibCommission, ibCommissionCurrency, netCash, accruedInt,
        buySell
    case openCloseIndicator, notes, transactionType, amount, type, direction, transferPrice, cashTransfer
    case position, markPrice, positionValue, costBasisPrice, costBasisMoney, fifoPnlUnrealized, side, openDateTime,
        originatingTransactionID
    case endingCash, toDate, fromDate, whenGenerated, fxCurrency, actionDescription, code
    case total, received, paid, status, postingDate, transactionDateTime, merchantNameLocation
    case salesTax, taxableDescription, taxAmount, taxDescription, source, activityDescription
    case activityCode, tradeQuantity, tradeGross, tradeCommission, tradeTax, debit, credit
    case awayBrokerCommission, regulatoryFee, cost, fifoPnlRealized, tradeCharge, otherTax, figi

    /// What trade confirmations, and a few other writers, call the same.
    static let others: [(String, FlexAttribute)] = [
        ("price", .tradePrice), ("commission", .ibCommission), ("commissionCurrency", .ibCommissionCurrency),
        ("commisionsAndTax", .ibCommission), ("commissionsAndTax", .ibCommission), ("tax", .taxes),
        ("execID", .ibExecID), ("accountAlias", .acctAlias), ("activityDescription", .description),
    ]
}

/// The attributes by the names of a report; where a row has two names of one, the usual one counts.
struct FlexNames {
    private var usual: [ElementName: FlexAttribute] = [:]
    private var others: [ElementName: FlexAttribute] = [:]

    init(_ names: NameTable) {
        for attribute in FlexAttribute.allCases { usual[names.intern(String(describing: attribute))] = attribute }
        for (name, attribute) in FlexAttribute.others { others[names.intern(name)] = attribute }
    }

    /// Notes where each attribute of a row stands.
    func place(_ count: Int, _ name: (Int) -> ElementName, into places: inout [Int]) {
        var hasOthers = false
        for index in 0..<count {
            let name = name(index)
            if let attribute = usual[name] {
                if places[attribute.rawValue] < 0 { places[attribute.rawValue] = index }
                // A name of its own, which may stand for the description, too.
                if attribute == .activityDescription { hasOthers = true }
            } else if others[name] != nil {
                hasOthers = true
            }
        }
        guard hasOthers else { return }
        for index in 0..<count {
            if let attribute = others[name(index)], places[attribute.rawValue] < 0 {
                places[attribute.rawValue] = index
            }
        }
    }
}

/// Rows whose names and quotes are the same, byte for byte.
final class FlexShape: Sendable {
    let element: String
    /// The place of each attribute's value in a row; −1 where it has none.
    let places: [Int]

    init(_ shape: RowShape, element: String, _ names: FlexNames) {
        self.element = element
        var places = [Int](repeating: -1, count: FlexAttribute.allCases.count)
        names.place(shape.names.count, { shape.names[$0] }, into: &places)
        self.places = places
    }
}

/// One row: an element with its attributes.
struct FlexRow {
    /// The element's name, as the source has it.
    var element = ""
    private var attributes = MarkupAttributes()
    private var places = [Int](repeating: -1, count: FlexAttribute.allCases.count)
    /// The row itself, where it goes the short way; then `shape` says where its values are.
    private var tag: MarkupRow?
    private var shape: FlexShape?

    /// Takes a row. `unload()` must follow before the reader goes on, or its buffers are copied.
    mutating func load(
        _ element: String, _ attributes: borrowing MarkupAttributes, _ names: FlexNames
    ) {
        self.element = element
        let own = copy attributes
        self.attributes = own
        for place in places.indices { places[place] = -1 }
        names.place(own.count, { own.name(at: $0) }, into: &places)
    }

    /// Takes a made-up row: `places` says where the value of each attribute stands among these.
    mutating func load(_ element: String, _ attributes: MarkupAttributes, places: [Int]) {
        self.element = element
        self.attributes = attributes
        self.places = places
    }

    /// Takes a row of a known shape.
    mutating func load(_ row: MarkupRow, _ shape: FlexShape) {
        element = shape.element
        tag = row
        self.shape = shape
    }

    /// Lets go of the attributes.
    mutating func unload() {
        if tag != nil {
            tag = nil
        } else {
            attributes = MarkupAttributes()
        }
    }

    /// Gives the value of an attribute; empty when it is absent or one of the words for nothing.
    func with<R>(_ name: FlexAttribute, _ body: (ByteView) -> R) -> R {
        if let tag, let shape {
            let place = shape.places[name.rawValue]
            guard place >= 0 else { return body(.empty) }
            return ByteView.with(tag.bytes) { body(Self.said($0[tag.range(place)])) }
        }
        let place = places[name.rawValue]
        guard place >= 0 else { return body(.empty) }
        let range = attributes.valueRange(at: place)
        return ByteView.with(attributes.utf8) { body(Self.said($0[range])) }
    }

    /// What a value says.
    @inline(__always)
    static func said(_ value: ByteView) -> ByteView {
        guard let first = value.first, let last = value.last else { return value }
        let isWhole = first &- 0x21 < 0xA1 && last &- 0x21 < 0x5F
        let mayBeNothing = value.count <= 3 && (first == UInt8(ascii: "-") || first | 0x20 == UInt8(ascii: "n"))
        if isWhole, !mayBeNothing { return value }
        return saidSlowly(value)
    }

    @inline(never)
    private static func saidSlowly(_ value: ByteView) -> ByteView {
        let value = value.trimmed()
        if value.count > 3 || value.isEmpty { return value }
        let isNothing =
            value.equalsIgnoringCase("--") || value.equalsIgnoringCase("-") || value.equalsIgnoringCase("N/A")
        return isNothing ? value.prefix(0) : value
    }

    /// Whether its money is in pence: they have a currency of their own, in which the row says nothing else.
    var isInPence: Bool {
        says(.currency, "GBX") || with(.currency) { $0.equalsIgnoringCase("GBP") && $0[2] == UInt8(ascii: "p") }
    }

    func isBlank(_ name: FlexAttribute) -> Bool { with(name) { $0.isEmpty } }
    func string(_ name: FlexAttribute) -> String { with(name) { $0.string } }

    func says(_ name: FlexAttribute, _ word: StaticString) -> Bool { with(name) { $0.equalsIgnoringCase(word) } }
    func says(_ name: FlexAttribute, anyOf words: [StaticString]) -> Bool {
        with(name) { view in words.contains { view.equalsIgnoringCase($0) } }
    }

    /// Whether a trade is one of those of which orders and sums say the same again.
    var isExecution: Bool { isBlank(.levelOfDetail) || says(.levelOfDetail, anyOf: ["EXECUTION", "TRADE"]) }

    /// Levels of trades that say again what executions do.
    static let sums: [StaticString] = [
        "ORDER", "SYMBOL_SUMMARY", "ASSET_SUMMARY", "CLOSED_LOT", "WASH_SALE", "LOT", "SUMMARY", "CURRENCY",
        "BASE_SUMMARY", "UNBOOKED",
    ]

    /// Whether a row is one of those that the sums beside them say again.
    var isDetail: Bool { (isBlank(.levelOfDetail) && !isUnnamedSum) || says(.levelOfDetail, "DETAIL") }

    /// Whether a row that does not say its level sums up others: such a sum is of the account "-", and has no id.
    var isUnnamedSum: Bool {
        guard isBlank(.levelOfDetail), isBlank(.accountId), isBlank(.transactionID) else { return false }
        return has(.accountId) || has(.transactionID)
    }

    /// Whether a position is a lot; where the level is not said, the moment tells at which only a lot was opened.
    var isLot: Bool { says(.levelOfDetail, "LOT") || (isBlank(.levelOfDetail) && !isBlank(.openDateTime)) }

    /// Whether the class of a trade is left out though it is none of shares: futures cannot be told from them.
    var isUnclassed: Bool {
        (element == "Trade" || element == "TradeConfirm") && isBlank(.assetCategory) && !isBlank(.multiplier)
            && !says(.multiplier, "1") && !isOptionBySymbol
    }

    /// What names a security in itself.
    static let securityNames: [FlexAttribute] = [.symbol, .isin, .cusip, .securityID, .conid, .sedol, .figi]

    /// Rows whose description is the name of what they are of; that of others tells what happened.
    private static let described: Set<String> = ["Trade", "TradeConfirm", "Order", "OpenPosition", "OptionEAE"]

    /// Whether nothing but the description names the security: the query leaves all else out.
    var isNamedByDescription: Bool {
        FlexRow.securityNames.allSatisfy { isBlank($0) } && FlexRow.described.contains(element)
            && !isBlank(.description)
    }

    /// Where a pair of currencies stands: its description is the same as its symbol.
    var pairName: FlexAttribute { isBlank(.symbol) ? .description : .symbol }

    /// Whether a row has the field of its account, and nothing in it.
    var isOfNoAccount: Bool { isBlank(.accountId) && has(.accountId) }

    /// Whether an attribute is there and has a value, be it one of the words for nothing.
    func has(_ name: FlexAttribute) -> Bool {
        if tag != nil, let shape { return shape.places[name.rawValue] >= 0 }
        return places[name.rawValue] >= 0
    }

    /// Whether cash is said in the base currency, of all currencies.
    var isBaseSummary: Bool { says(.levelOfDetail, "BaseCurrency") || says(.currency, "BASE_SUMMARY") }

    /// Whether a list of codes such as `A;P` has one.
    func has(code: StaticString) -> Bool {
        // Others than trades have no notes.
        with(["TradeConfirm", "Transfer", "CorporateAction"].contains(element) ? .code : .notes) { view in
            var start = 0
            for place in 0...view.count where place == view.count || view[place] == UInt8(ascii: ";") {
                if view[start..<place].trimmed().equalsIgnoringCase(code) { return true }
                start = place + 1
            }
            return false
        }
    }

    /// Whether it says that a contract was exercised, assigned or ran out, or is a booking that may be of one that was.
    var tellsAnEnd: Bool {
        has(code: "Ep") || has(code: "A") || has(code: "Ex") || has(code: "AEx") || has(code: "MEx")
            || says(.transactionType, "BookTrade")
    }

    /// Whether what its money comes to tells if it is paid for as futures are: contracts of no stated class, and options
    /// in the style of futures.
    var mayBePaidByDay: Bool { isBlank(.assetCategory) || says(.assetCategory, anyOf: ["FSOPT", "FSFOP"]) }

    /// Whether a row of no stated class has the symbol of an option (`SMPL  260821C00030000`): the day on which it ends,
    /// C or P, and the price in thousandths; or, without any id, the name of one.
    var isOptionBySymbol: Bool {
        guard isBlank(.assetCategory) else { return false }
        if isNamedByDescription { return with(.description) { FlexWords.isOption($0) } }
        return with(.symbol) { symbol in
            guard (16...21).contains(symbol.count) else { return false }
            let start = symbol.count - 15
            guard symbol[start + 6] == UInt8(ascii: "C") || symbol[start + 6] == UInt8(ascii: "P") else { return false }
            return (start..<symbol.count).allSatisfy { $0 == start + 6 || isDigit(symbol[$0]) }
        }
    }

    /// The account and the kind of holding.
    func holderKey(_ statementAccount: [UInt8]) -> FlexKey {
        var key = FlexKey(element: element)
        with(.accountId) { own in
            if own.isEmpty { ByteView.with(statementAccount) { key.add($0, at: 0) } } else { key.add(own, at: 0) }
        }
        return key
    }

    /// The account of a row, which is the statement's where the row leaves it out.
    func accountKey(_ statementAccount: [UInt8]) -> FlexKey {
        var key = FlexKey()
        with(.accountId) { own in
            if own.isEmpty { ByteView.with(statementAccount) { key.add($0, at: 0) } } else { key.add(own, at: 0) }
        }
        return key
    }

    /// Whether it says which row it is.
    var hasIdentity: Bool { !isBlank(.transactionID) || !isBlank(.tradeID) }

    /// `BUY` or `SELL`; a cancel has a word more.
    static let longestSide = 4

    /// Whether a trade takes an earlier one back: it says so beside its side, by its type, or by a code where the sign of
    /// its units is not that of its side.
    var isCancel: Bool {
        if with(.buySell, { $0.count > FlexRow.longestSide })
            || says(.transactionType, anyOf: ["TradeCancel", "FracShareCancel"])
        {
            return true
        }
        guard has(code: "Ca") else { return false }
        let isNegative = with(.quantity) { $0.first == UInt8(ascii: "-") }
        return isNegative ? says(.buySell, "BUY") : says(.buySell, "SELL")
    }

    /// What a trade, its cancel, and the one that takes its place have in common: account, contract, time, side, and units
    /// without their sign.
    func cancelKey(_ statementAccount: [UInt8]) -> FlexKey {
        var key = accountKey(statementAccount)
        for (place, name) in [FlexAttribute.conid, .symbol, isBlank(.dateTime) ? .tradeDate : .dateTime].enumerated() {
            with(name) { key.add($0, at: 1 + place) }
        }
        with(.buySell) { key.add($0.prefix(3), at: 4) }
        with(.quantity) { units in key.add(units.first == UInt8(ascii: "-") ? units.dropFirst() : units, at: 5) }
        return key
    }

    /// A hash over some attributes, 128 bits: equal rows are told by it alone.
    func key(_ names: [FlexAttribute], _ start: FlexKey = FlexKey()) -> FlexKey {
        var key = start
        for index in names.indices { with(names[index]) { key.add($0, at: index) } }
        return key
    }

    /// By what a booking of an option is known in another section, which may leave fields out: the contract's id, its
    /// symbol, its description.
    func bookingKeys(_ statementAccount: [UInt8], units: FlexAttribute = .quantity) -> [FlexKey] {
        var keys: [FlexKey] = []
        for (place, name) in [FlexAttribute.conid, .symbol, .description].enumerated() where !isBlank(name) {
            var key = accountKey(statementAccount)
            with(name) { key.add($0, at: 1 + place) }
            with(units) { key.add($0, at: 4) }
            keys.append(key)
        }
        return keys
    }
}

extension FlexRow {
    /// Whether a trade opens (`O`) or closes (`C`) a position, and does not do both; confirmations say it among their codes.
    func opensOrCloses(_ word: StaticString) -> Bool {
        if !isBlank(.openCloseIndicator) || element != "TradeConfirm" { return says(.openCloseIndicator, word) }
        return has(code: word) && !(has(code: "O") && has(code: "C"))
    }

    /// How a row of the section of options says that one was closed; nil for what it says else.
    var closing: RecordKind? {
        if says(.transactionType, anyOf: ["expiration", "expire"]) { return .expired }
        if says(.transactionType, anyOf: ["assignment", "assign"]) { return .assigned }
        return says(.transactionType, "exercise") ? .exercised : nil
    }
}
