/// The elements of OFX that readers ask for: a case's raw value is the id of its name in every OFX name table, so that
/// looking for one costs a comparison of two small numbers.
public enum OFXTag: UInt16, CaseIterable, Sendable {
    case accrdint, acctfrom, acctid, acctstmt, accttype, assetclass, availbal, availcash, avgcostbasis, balamt,
        ballist, bankacctfrom, bankacctinfo, banktranlist, banktranlistp, brokerid, buydebt, buymf, buyopt, buyother,
        buystock, buytype, ccacctfrom, ccacctinfo, ccstmtrs, closureopt, code, commission, correctaction,
        correctfitid, curdef, currate, currency, cursym, debtinfo, dtasof, dtposted, dtpriceasof, dtpurchase,
        dtserver, dtsettle, dttrade, fees, fitid, fraccash, heldinacct, income, incometype, inv401k, inv401kbal,
        inv401ksource, invacctfrom, invacctinfo, invbal, invbanktran, invexpense, invoolist, invposlist, invstmtrs,
        invtranlist, jrnlfund, jrnlsec, ledgerbal, load, marginbalance, margininterest, markdown, markup, memo,
        message, mfinfo, mktval, name, newunits, ofx, oldunits, optaction, optbuytype, optinfo, optselltype, org,
        origcurrency, otherinfo, payee, penalty, posdebt, posmf, posopt, posother, posstock, postype, reinvest,
        retofcap, reversalfitid, secinfo, seclist, secname, selldebt, sellmf, sellopt, sellother, sellreason,
        sellstock, selltype, severity, shperctrct, sonrs, split, statewithholding, status, stmtrs, stmttrn, stockinfo,
        subacctsec, taxes, tferaction, ticker, total, transfer, trnamt, trntype, uniqueid, uniqueidtype, unitprice,
        units, usproducttype, withholding

    /// The tag as it stands in a file.
    public var text: String { String(describing: self).uppercased() }
}

extension ElementName {
    /// The name of an element of OFX, in tables made for OFX.
    @inlinable
    public init(_ tag: OFXTag) { id = tag.rawValue }
}
