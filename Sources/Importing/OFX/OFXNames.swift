import Markup

/// The elements of OFX that mean something here, looked up once.
enum OFXName {
    static let trades = ElementNames(
        "BUYDEBT BUYMF BUYOPT BUYOTHER BUYSTOCK SELLDEBT SELLMF SELLOPT SELLOTHER SELLSTOCK")
    static let others = ElementNames(
        "CLOSUREOPT INCOME INVEXPENSE JRNLFUND JRNLSEC MARGININTEREST REINVEST RETOFCAP SPLIT TRANSFER INVBANKTRAN")
    static let positions = ElementNames("POSDEBT POSMF POSOPT POSOTHER POSSTOCK")
    static let securities = ElementNames("DEBTINFO MFINFO OPTINFO OTHERINFO STOCKINFO")
    static let accounts = ElementNames(
        "ACCTFROM BANKACCTFROM CCACCTFROM INVACCTFROM BANKACCTINFO CCACCTINFO INVACCTINFO")
    static let balances = ElementNames("LEDGERBAL AVAILBAL INVBAL BALLIST INV401KBAL INV401K PRINBAL REWARDINFO")
    static let statements = ElementNames("STMTRS CCSTMTRS INVSTMTRS ACCTSTMT")
    /// What stands directly in these is a unit, known or not.
    static let lists = ElementNames(
        "INVTRANLIST BANKTRANLIST BANKTRANLISTP INVPOSLIST INVOOLIST SECLIST LOANTRANLIST AMRTTRANLIST")
    /// Leaves of which a transaction or a position has one at most.
    static let single = ElementNames(
        "FITID TRNTYPE DTPOSTED TRNAMT DTTRADE UNIQUEID UNITS UNITPRICE TOTAL TFERACTION OLDUNITS NEWUNITS MKTVAL")
    /// Elements that are gathered whole wherever they stand.
    static let chosen: ElementNames = {
        var names = ElementNames("STMTTRN SONRS STATUS CURDEF DTASOF")
        for others in [trades, others, positions, securities, accounts, balances] { names.formUnion(others) }
        return names
    }()

    /// What an aggregate is, for choosing without a look at sets.
    enum Role: UInt8 { case none, trade, other, position, security, account, balance, small }

    private static let roles: [Role] = {
        var roles: [Role] = []
        let sets = [
            (trades, Role.trade), (others, .other), (positions, .position), (securities, .security),
            (accounts, .account), (balances, .balance), (chosen, .small),
        ]
        for (names, role) in sets {
            names.forEach { name in
                while roles.count <= Int(name.id) { roles.append(.none) }
                if roles[Int(name.id)] == .none { roles[Int(name.id)] = role }
            }
        }
        return roles
    }()

    /// What an element is; `.none` unless it is gathered whole wherever it stands.
    static func role(_ name: ElementName) -> Role { Int(name.id) < roles.count ? roles[Int(name.id)] : .none }

    static var ofx: ElementName { ElementName(.ofx) }
    static var sonrs: ElementName { ElementName(.sonrs) }
    static var status: ElementName { ElementName(.status) }
    static var curdef: ElementName { ElementName(.curdef) }
    static var stmtrs: ElementName { ElementName(.stmtrs) }
    static var ccstmtrs: ElementName { ElementName(.ccstmtrs) }
    static var invstmtrs: ElementName { ElementName(.invstmtrs) }
    static var banktranlistp: ElementName { ElementName(.banktranlistp) }
    static var invoolist: ElementName { ElementName(.invoolist) }
    static var seclist: ElementName { ElementName(.seclist) }
    static var invtranlist: ElementName { ElementName(.invtranlist) }
    static var banktranlist: ElementName { ElementName(.banktranlist) }
    static var invposlist: ElementName { ElementName(.invposlist) }
    static var stmttrn: ElementName { ElementName(.stmttrn) }
    static var invbanktran: ElementName { ElementName(.invbanktran) }
    static var secinfo: ElementName { ElementName(.secinfo) }
    static var payee: ElementName { ElementName(.payee) }
    static var currency: ElementName { ElementName(.currency) }
    static var origcurrency: ElementName { ElementName(.origcurrency) }
    static var acctstmt: ElementName { ElementName(.acctstmt) }
    static var acctfrom: ElementName { ElementName(.acctfrom) }

    static var buydebt: ElementName { ElementName(.buydebt) }
    static var buymf: ElementName { ElementName(.buymf) }
    static var buyopt: ElementName { ElementName(.buyopt) }
    static var buyother: ElementName { ElementName(.buyother) }
    static var buystock: ElementName { ElementName(.buystock) }
    static var selldebt: ElementName { ElementName(.selldebt) }
    static var sellmf: ElementName { ElementName(.sellmf) }
    static var sellopt: ElementName { ElementName(.sellopt) }
    static var sellother: ElementName { ElementName(.sellother) }
    static var sellstock: ElementName { ElementName(.sellstock) }
    static var closureopt: ElementName { ElementName(.closureopt) }
    static var income: ElementName { ElementName(.income) }
    static var invexpense: ElementName { ElementName(.invexpense) }
    static var jrnlfund: ElementName { ElementName(.jrnlfund) }
    static var jrnlsec: ElementName { ElementName(.jrnlsec) }
    static var margininterest: ElementName { ElementName(.margininterest) }
    static var reinvest: ElementName { ElementName(.reinvest) }
    static var retofcap: ElementName { ElementName(.retofcap) }
    static var split: ElementName { ElementName(.split) }
    static var transfer: ElementName { ElementName(.transfer) }
    static var posdebt: ElementName { ElementName(.posdebt) }
    static var posopt: ElementName { ElementName(.posopt) }
    static var debtinfo: ElementName { ElementName(.debtinfo) }
    static var mfinfo: ElementName { ElementName(.mfinfo) }
    static var optinfo: ElementName { ElementName(.optinfo) }
    static var stockinfo: ElementName { ElementName(.stockinfo) }
    static var ledgerbal: ElementName { ElementName(.ledgerbal) }
    static var availbal: ElementName { ElementName(.availbal) }
    static var invbal: ElementName { ElementName(.invbal) }
    static var ballist: ElementName { ElementName(.ballist) }
    static var inv401k: ElementName { ElementName(.inv401k) }
    static var inv401kbal: ElementName { ElementName(.inv401kbal) }
    static var bankacctfrom: ElementName { ElementName(.bankacctfrom) }
    static var ccacctfrom: ElementName { ElementName(.ccacctfrom) }
    static var invacctfrom: ElementName { ElementName(.invacctfrom) }
}

/// Leaves of OFX that carry a value.
enum OFXLeaf {
    static var acctid: ElementName { ElementName(.acctid) }
    static var accttype: ElementName { ElementName(.accttype) }
    static var bankid: ElementName { ElementName(.bankid) }
    static var branchid: ElementName { ElementName(.branchid) }
    static var brokerid: ElementName { ElementName(.brokerid) }
    static var usproducttype: ElementName { ElementName(.usproducttype) }
    static var org: ElementName { ElementName(.org) }
    static var dtserver: ElementName { ElementName(.dtserver) }
    static var dtasof: ElementName { ElementName(.dtasof) }
    static var code: ElementName { ElementName(.code) }
    static var severity: ElementName { ElementName(.severity) }
    static var message: ElementName { ElementName(.message) }
    static var fitid: ElementName { ElementName(.fitid) }
    static var correctfitid: ElementName { ElementName(.correctfitid) }
    static var correctaction: ElementName { ElementName(.correctaction) }
    static var reversalfitid: ElementName { ElementName(.reversalfitid) }
    static var dttrade: ElementName { ElementName(.dttrade) }
    static var dtsettle: ElementName { ElementName(.dtsettle) }
    static var dtposted: ElementName { ElementName(.dtposted) }
    static var dtpriceasof: ElementName { ElementName(.dtpriceasof) }
    static var dtpurchase: ElementName { ElementName(.dtpurchase) }
    static var trntype: ElementName { ElementName(.trntype) }
    static var trnamt: ElementName { ElementName(.trnamt) }
    static var name: ElementName { ElementName(.name) }
    static var memo: ElementName { ElementName(.memo) }
    static var uniqueid: ElementName { ElementName(.uniqueid) }
    static var uniqueidtype: ElementName { ElementName(.uniqueidtype) }
    static var units: ElementName { ElementName(.units) }
    static var unitprice: ElementName { ElementName(.unitprice) }
    static var total: ElementName { ElementName(.total) }
    static var commission: ElementName { ElementName(.commission) }
    static var fees: ElementName { ElementName(.fees) }
    static var load: ElementName { ElementName(.load) }
    static var penalty: ElementName { ElementName(.penalty) }
    static var taxes: ElementName { ElementName(.taxes) }
    static var withholding: ElementName { ElementName(.withholding) }
    static var statewithholding: ElementName { ElementName(.statewithholding) }
    static var markup: ElementName { ElementName(.markup) }
    static var markdown: ElementName { ElementName(.markdown) }
    static var accrdint: ElementName { ElementName(.accrdint) }
    static var cursym: ElementName { ElementName(.cursym) }
    static var currate: ElementName { ElementName(.currate) }
    static var subacctsec: ElementName { ElementName(.subacctsec) }
    static var subacctto: ElementName { ElementName(.subacctto) }
    static var subacctfrom: ElementName { ElementName(.subacctfrom) }
    static var inv401ksource: ElementName { ElementName(.inv401ksource) }
    static var buytype: ElementName { ElementName(.buytype) }
    static var selltype: ElementName { ElementName(.selltype) }
    static var optbuytype: ElementName { ElementName(.optbuytype) }
    static var optselltype: ElementName { ElementName(.optselltype) }
    static var optaction: ElementName { ElementName(.optaction) }
    static var sellreason: ElementName { ElementName(.sellreason) }
    static var shperctrct: ElementName { ElementName(.shperctrct) }
    static var incometype: ElementName { ElementName(.incometype) }
    static var oldunits: ElementName { ElementName(.oldunits) }
    static var newunits: ElementName { ElementName(.newunits) }
    static var fraccash: ElementName { ElementName(.fraccash) }
    static var tferaction: ElementName { ElementName(.tferaction) }
    static var postype: ElementName { ElementName(.postype) }
    static var avgcostbasis: ElementName { ElementName(.avgcostbasis) }
    static var heldinacct: ElementName { ElementName(.heldinacct) }
    static var mktval: ElementName { ElementName(.mktval) }
    static var availcash: ElementName { ElementName(.availcash) }
    static var marginbalance: ElementName { ElementName(.marginbalance) }
    static var balamt: ElementName { ElementName(.balamt) }
    static var secname: ElementName { ElementName(.secname) }
    static var ticker: ElementName { ElementName(.ticker) }
    static var assetclass: ElementName { ElementName(.assetclass) }
}

extension [ElementName] {
    /// Whether no name stands twice; rows have few.
    var areDistinct: Bool { indices.allSatisfy { !self[..<$0].contains(self[$0]) } }
}
