import Delimited

/// Currency codes (ISO 4217) and the signs that exports print for them.
public enum Currency {
    /// Whether a code is an ISO 4217 code of today or of the last forty years.
    public static func isKnown(_ code: String) -> Bool {
        guard let (pair, third) = places(code.utf8[...]) else { return false }
        return codes[pair] & third != 0
    }

    /// The same of bytes.
    static func isKnown(_ code: ByteView) -> Bool {
        guard code.count == 3 else { return false }
        var place = 0
        for index in 0..<3 {
            guard code[index] &- 0x41 < 26 else { return false }
            place = place * 26 + Int(code[index] - 0x41)
        }
        return codes[place / 26] & 1 << UInt32(place % 26) != 0
    }

    /// The code that a sign in a cell stands for; nil for signs that several currencies share beyond doubt.
    static func code(ofSign sign: String) -> String? {
        switch sign {
        case "$", "US$", "USD$": "USD"
        case "€": "EUR"
        case "£": "GBP"
        case "¥": "JPY"
        case "₹": "INR"
        case "C$", "CA$": "CAD"
        case "A$", "AU$": "AUD"
        case "NZ$": "NZD"
        case "HK$": "HKD"
        case "S$": "SGD"
        case "Fr.", "SFr.": "CHF"
        case "zł": "PLN"
        case "₪": "ILS"
        case "₩": "KRW"
        default: nil
        }
    }

    /// For each pair of capital letters a bit for each third with which they are a code.
    private static let codes: [UInt32] = {
        var known = [UInt32](repeating: 0, count: 26 * 26)
        let all = written.utf8
        var start = all.startIndex
        while let end = all.index(start, offsetBy: 3, limitedBy: all.endIndex) {
            if let (pair, third) = places(all[start..<end]) { known[pair] |= third }
            start = all.index(end, offsetBy: 1, limitedBy: all.endIndex) ?? all.endIndex
        }
        return known
    }()

    /// The place of a code and its bit; nil when it is not three capital letters.
    private static func places(_ code: Substring.UTF8View) -> (pair: Int, third: UInt32)? {
        guard code.count == 3, code.allSatisfy({ $0 &- 0x41 < 26 }) else { return nil }
        var place = 0
        for byte in code { place = place * 26 + Int(byte - 0x41) }
        return (place / 26, 1 << UInt32(place % 26))
    }

    private static let written = """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF \
        CHF CLP CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD \
        HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD \
        LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN \
        PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT \
        TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XAG XAU XCD XDR XOF XPF XPT YER ZAR ZMW ZWL \
        DEM FRF ITL ESP PTE NLG BEF ATS FIM IEP GRD EEK SKK SIT MTL CYP
        """
}
