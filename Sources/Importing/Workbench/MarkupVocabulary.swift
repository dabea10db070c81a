/// What the names of OFX elements and Flex attributes say of their values.
enum MarkupVocabulary {
    case ofx, flex

    enum Meaning { case kept, code, date, amount, text }

    /// Words that stay in texts, besides those of the catalogue.
    var plainWords: Set<String> {
        OFXWords.parts.union([
            "ach", "atm", "pos", "electronic", "received", "paid", "from", "to", "disbursement", "fund", "receipts",
            "cancelled", "canceled", "cancellation", "reversed", "reversal", "reverse", "starting", "ending", "balance",
            "translations", "fees", "rebate", "long", "short", "term", "spin", "off",
        ])
    }

    /// What becomes of a value; what is not known is never taken for harmless.
    func meaning(of name: String, _ value: String, namesSecurity: Bool) -> Meaning {
        switch self {
        // A day that stands for none moves no more than a blank.
        case .ofx: name == "DTPRICEASOF" && value.hasPrefix("19900101") ? .kept : Self.element(name)
        case .flex: Self.attribute(name, value, namesSecurity: namesSecurity)
        }
    }

    /// Whether the importer learns from dates of that name what stands first in `01/02/2025`.
    func showsDayOrder(_ name: String) -> Bool {
        switch self {
        case .ofx: ["DTPOSTED", "DTTRADE", "DTASOF", "DTSTART", "DTEND"].contains(name)
        case .flex: Self.orderAttributes.contains(name)
        }
    }

    // MARK: OFX

    private static func element(_ name: String) -> Meaning {
        if kept.contains(name) { return .kept }
        if amounts.contains(name) { return .amount }
        if codes.contains(name) || name.hasSuffix("ID") || name.hasPrefix("ACCT") || name.hasSuffix("NUM") {
            return .code
        }
        return name.hasPrefix("DT") || name.hasSuffix("DATE") ? .date : .text
    }

    /// Enumerations, securities, prices and rates.
    private static let kept: Set<String> = Set(
        """
        CODE SEVERITY LANGUAGE ORG FID INTU.BID BROKERID CURDEF CURSYM CURRATE TRNTYPE ACCTTYPE UNIQUEID UNIQUEIDTYPE \
        SECNAME TICKER RATING FIID UNITPRICE STRIKEPRICE PARVALUE SHPERCTRCT SECURED SUBACCTSEC SUBACCTFUND SUBACCTFROM \
        SUBACCTTO INV401KSOURCE BUYTYPE SELLTYPE OPTBUYTYPE OPTSELLTYPE OPTACTION OPTTYPE INCOMETYPE TFERACTION POSTYPE \
        HELDINACCT NUMERATOR DENOMINATOR TAXEXEMPT SELLREASON STOCKTYPE MFTYPE DEBTTYPE DEBTCLASS COUPONRT COUPONFREQ \
        DTEXPIRE DTMAT DTCOUPON DTCALL CALLTYPE CALLPRICE YIELD YIELDTOCALL YIELDTOMAT ASSETCLASS FIASSETCLASS PERCENT \
        REINVDIV REINVCG TYPEDESC AVGCOSTBASIS BALTYPE RELTYPE RELSECNAME CORRECTACTION PAYROLLSOURCE USPRODUCTTYPE \
        INVACCTTYPE OPTLEVEL MKTGINFO PRIORYEARCONTRIB UNITTYPE DURATION RESTRICTION UNITUSER TYPEDESC
        """.split(separator: " ").map(String.init))

    private static let amounts: Set<String> = Set(
        """
        TRNAMT TOTAL UNITS COMMISSION TAXES FEES LOAD WITHHOLDING STATEWITHHOLDING PENALTY BALAMT AVAILCASH MARGINBALANCE \
        SHORTBALANCE BUYPOWER MKTVAL GAIN ACCRDINT FRACCASH OLDUNITS NEWUNITS MARKDOWN MARKUP LOANPRINCIPAL LOANINTEREST \
        VALUE UNITSSTREET UNITSUSER CASHBAL CREDITLIMIT PRINAMT LIMITPRICE MARGINBAL
        """.split(separator: " ").map(String.init))

    private static let codes: Set<String> = [
        "INTU.USERID", "FITID", "REFNUM", "CHECKNUM", "SIC", "CLTCOOKIE", "TOKEN", "CLIENTUID", "BRANCHID", "ACCTKEY",
        "PHONE", "POSTALCODE", "SESSCOOKIE", "ACCESSKEY", "USERKEY",
    ]

    // MARK: Flex

    private static func attribute(_ name: String, _ value: String, namesSecurity: Bool) -> Meaning {
        // `Disbursement Initiated by` names who asked for it.
        if name == "activityDescription", value.lowercased().hasPrefix("disbursement ") { return .text }
        if keptAttributes.contains(name) { return .kept }
        let lower = name.lowercased()
        if ["description", "issuer"].contains(lower), namesSecurity { return .kept }
        if secretAttributes.contains(lower) || lower.hasSuffix("id") || lower.hasSuffix("ids") { return .code }
        if lower.contains("date") || lower.contains("time") || lower.hasPrefix("when") { return .date }
        let isNumber =
            value.utf8.contains { isDigitByte($0) }
            && value.utf8.allSatisfy { isDigitByte($0) || "+-.,eE".utf8.contains($0) }
        if isNumber { return rates.contains { lower.contains($0) } ? .kept : .amount }
        return .text
    }

    private static func isDigitByte(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static let keptAttributes: Set<String> = Set(
        """
        type count currency assetCategory subCategory symbol conid underlyingConid underlyingSymbol isin cusip sedol figi \
        securityID securityIDType underlyingSecurityID multiplier strike expiry putCall buySell openCloseIndicator notes \
        code transactionType levelOfDetail listingExchange underlyingListingExchange exchange orderType side direction \
        ibCommissionCurrency currencyPrimary toCurrency fromCurrency functionalCurrency accountType customerType \
        principalAdjustFactor issueDate maturity deliveryMonth period baseCurrency reportType version encoding \
        positionAction commodityType fineness activityCode activityDescription settlementPolicyMethod tradingPermissions \
        actionID actionId issuerCountryCode putOrCall deliveryType accountCapabilities marginType
        """.split(separator: " ").map(String.init))

    private static let orderAttributes: Set<String> = [
        "dateTime", "reportDate", "tradeDate", "date", "settleDate", "settleDateTarget", "openDateTime", "fromDate",
        "toDate", "whenGenerated",
    ]

    private static let secretAttributes: Set<String> = [
        "accountid", "acctalias", "accountalias", "traderid", "clientreference", "orderreference", "model", "rtn",
        "primaryemail", "name", "fromacct", "toacct", "account", "serialnumber", "xferaccount", "deliveringbroker",
        "contraaccount", "contra", "volatilityorderlink",
    ]

    private static let rates = [
        "price", "rate", "percent", "factor", "strike", "multiplier", "weight", "coupon", "per",
    ]
}
