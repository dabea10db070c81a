import Delimited
import Markup
import OpenAlloc

/// A security as SECLIST describes it.
/// One object for each, for it is looked up for every transaction; once all are known, nobody changes it.
final class OFXSecurity {
    /// What sort of security its aggregate says it is.
    enum Sort: String, Sendable { case bond, fund, option, other, stock }

    var uniqueID: [UInt8] = []
    var idType: [UInt8] = []
    var ticker: [UInt8] = []
    /// What it is called in records; set once all securities are known.
    fileprivate(set) var symbol: [UInt8] = []
    var name: [UInt8] = []
    var sort = Sort.other
    /// The asset id that the asset class stands for.
    var assetID = ""
    /// Units of the underlying in one contract.
    var multiplier: ExactDecimal?

    init() {}

    /// The asset ids that OFX's asset classes stand for.
    static func assetID(_ assetClass: ByteView) -> String {
        let words: [(StaticString, String)] = [
            ("DOMESTICBOND", "Bond"), ("INTLBOND", "IntlBond"), ("LARGESTOCK", "LC"), ("SMALLSTOCK", "SC"),
            ("INTLSTOCK", "Intl"), ("MONEYMRKT", "Cash"),
        ]
        return words.first { assetClass.equalsIgnoringCase($0.0) }?.1 ?? ""
    }
}

/// The securities of an input by their ids.
struct OFXSecurityTable {
    private(set) var entries: [OFXSecurity] = []
    private var byID: [UInt64: [Int]] = [:]
    private var byTicker: [UInt64: [Int]] = [:]

    /// Adds a security; an id and type that is known already is not added again.
    mutating func add(_ security: OFXSecurity) {
        let hash = ByteView.with(security.uniqueID) { foldedHash($0) }
        let known = byID[hash] ?? []
        if known.contains(where: { entries[$0].uniqueID == security.uniqueID && entries[$0].idType == security.idType })
        {
            return
        }
        byID[hash, default: []].append(entries.count)
        if !security.ticker.isEmpty {
            byTicker[ByteView.with(security.ticker) { foldedHash($0) }, default: []].append(entries.count)
        }
        entries.append(security)
    }

    /// The security of an id: of that type if there is one, else of that id alone.
    func find(_ id: ByteView, type: ByteView) -> OFXSecurity? {
        guard let places = byID[foldedHash(id)] else { return nil }
        var fallback: OFXSecurity?
        for place in places where id.equalsIgnoringCase(entries[place].uniqueID) {
            if type.equalsIgnoringCase(entries[place].idType) { return entries[place] }
            if fallback == nil { fallback = entries[place] }
        }
        return fallback
    }

    /// Gives each security its symbol.
    mutating func settle() { for place in entries.indices { entries[place].symbol = symbol(of: entries[place]) } }

    /// The identifier to use: the ticker, unless another sort of security has the same one (an option listed under the
    /// ticker of its underlying); else the id itself.
    func symbol(of security: OFXSecurity) -> [UInt8] {
        guard !security.ticker.isEmpty else { return security.uniqueID }
        let others = byTicker[ByteView.with(security.ticker) { foldedHash($0) }] ?? []
        let isShared = others.contains {
            entries[$0].ticker == security.ticker && entries[$0].uniqueID != security.uniqueID
                && (entries[$0].sort == .option) != (security.sort == .option)
        }
        let isTwin = security.sort == .option && others.count > 1
        return security.sort == .option && (isShared || isTwin) ? security.uniqueID : security.ticker
    }
}

extension OFXSecurity {
    /// Reads an aggregate of SECLIST.
    convenience init(_ aggregate: MarkupAggregate, _ fields: OFXFields, _ numbers: OFXNumbers) {
        self.init()
        switch aggregate.name {
        case OFXName.debtinfo: sort = .bond
        case OFXName.mfinfo: sort = .fund
        case OFXName.optinfo: sort = .option
        case OFXName.stockinfo: sort = .stock
        default: sort = .other
        }
        // An option's underlying has a SECID too: only that of SECINFO is the option's own.
        uniqueID = fields.with(OFXLeaf.uniqueid, inside: OFXName.secinfo) { $0.array }
        idType = fields.with(OFXLeaf.uniqueidtype, inside: OFXName.secinfo) { $0.array }
        name = fields.with(OFXLeaf.secname) { $0.array }
        ticker = fields.with(OFXLeaf.ticker) { Self.ticker($0) }
        if ticker.isEmpty, ByteView.with(idType, { $0.equalsIgnoringCase("TICKER") }) {
            ticker = ByteView.with(uniqueID) { Self.ticker($0) }
        }
        assetID = fields.with(OFXLeaf.assetclass) { Self.assetID($0) }
        if case .value(let value, _) = fields.with(OFXLeaf.shperctrct, { numbers.read($0) }) { multiplier = value }
    }

    /// A ticker in upper case; empty for the words that mean none.
    static func ticker(_ text: ByteView) -> [UInt8] {
        let text = text.trimmed()
        for none in ["N/A", "NONE", "--", "-", "NULL"] where text.equalsIgnoringCase(Array(none.utf8)) { return [] }
        return text.array.map { $0 &- 0x61 < 26 ? $0 - 0x20 : $0 }
    }
}
