/// The elements of OFX that readers ask for: a case's raw value is the id of its name in every OFX name table, so that
/// looking for one costs a comparison of two small numbers.
public enum OFXTag: UInt16, CaseIterable, Sendable {
    case accrdint, acctfrom, acctid, acctstmt, accttype, assetclass, availbal, availcash, avgcostbasis, balamt,
        ballist, bankacctfrom, bankacctinfo, bankid, banktranlist, banktranlistp, branchid, brokerid, buydebt, buymf,
        buyopt, buyother, buystock, buytype, ccacctfrom, ccacctinfo, ccstmtrs, closureopt, code, commission,
        correctaction, correctfitid, curdef, currate, currency, cursym, debtinfo, dtasof, dtposted, dtpriceasof,
        dtpurchase, dtserver, dtsettle, dttrade, fees, fitid, fraccash, heldinacct, income, incometype, inv401k,
        inv401kbal, inv401ksource, invacctfrom, invacctinfo, invbal, invbanktran, invexpense, invoolist, invposlist,
        invstmtrs, invtranlist, jrnlfund, jrnlsec, ledgerbal, load, marginbalance, margininterest, markdown, markup,
        memo, message, mfinfo, mktval, name, newunits, ofx, oldunits, optaction, optbuytype, optinfo, optselltype,
        org, origcurrency, otherinfo, payee, penalty, posdebt, posmf, posopt, posother, posstock, postype, reinvest,
        retofcap, reversalfitid, secinfo, seclist, secname, selldebt, sellmf, sellopt, sellother, sellreason,
        sellstock, selltype, severity, shperctrct, sonrs, split, statewithholding, status, stmtrs, stmttrn, stockinfo,
        subacctfrom, subacctsec, subacctto, taxes, tferaction, ticker, total, transfer, trnamt, trntype, uniqueid,
        uniqueidtype, unitprice, units, usproducttype, withholding

    /// The tags as they stand in a file, in the order of the cases: asking each case for its name takes longer at the start
    /// of a run than reading a small file does.
    static let texts: StaticString = """
        ACCRDINT ACCTFROM ACCTID ACCTSTMT ACCTTYPE ASSETCLASS AVAILBAL AVAILCASH AVGCOSTBASIS BALAMT BALLIST \
        BANKACCTFROM BANKACCTINFO BANKID BANKTRANLIST BANKTRANLISTP BRANCHID BROKERID BUYDEBT BUYMF BUYOPT BUYOTHER \
        BUYSTOCK BUYTYPE CCACCTFROM CCACCTINFO CCSTMTRS CLOSUREOPT CODE COMMISSION CORRECTACTION CORRECTFITID CURDEF \
        CURRATE CURRENCY CURSYM DEBTINFO DTASOF DTPOSTED DTPRICEASOF DTPURCHASE DTSERVER DTSETTLE DTTRADE FEES FITID \
        FRACCASH HELDINACCT INCOME INCOMETYPE INV401K INV401KBAL INV401KSOURCE INVACCTFROM INVACCTINFO INVBAL \
        INVBANKTRAN INVEXPENSE INVOOLIST INVPOSLIST INVSTMTRS INVTRANLIST JRNLFUND JRNLSEC LEDGERBAL LOAD \
        MARGINBALANCE MARGININTEREST MARKDOWN MARKUP MEMO MESSAGE MFINFO MKTVAL NAME NEWUNITS OFX OLDUNITS OPTACTION \
        OPTBUYTYPE OPTINFO OPTSELLTYPE ORG ORIGCURRENCY OTHERINFO PAYEE PENALTY POSDEBT POSMF POSOPT POSOTHER \
        POSSTOCK POSTYPE REINVEST RETOFCAP REVERSALFITID SECINFO SECLIST SECNAME SELLDEBT SELLMF SELLOPT SELLOTHER \
        SELLREASON SELLSTOCK SELLTYPE SEVERITY SHPERCTRCT SONRS SPLIT STATEWITHHOLDING STATUS STMTRS STMTTRN \
        STOCKINFO SUBACCTFROM SUBACCTSEC SUBACCTTO TAXES TFERACTION TICKER TOTAL TRANSFER TRNAMT TRNTYPE UNIQUEID \
        UNIQUEIDTYPE UNITPRICE UNITS USPRODUCTTYPE WITHHOLDING
        """
}

extension ElementName {
    /// The name of an element of OFX, in tables made for OFX.
    @inlinable
    public init(_ tag: OFXTag) { id = tag.rawValue }
}
