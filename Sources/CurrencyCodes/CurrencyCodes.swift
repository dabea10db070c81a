/// Which codes are currencies: ISO 4217, of today and of the last forty years.
///
/// The build asks too, of the names of columns (`Total (GBP)`).
public enum CurrencyCodes {
    /// Whether three capital letters are a code; false for anything else.
    public static func contain(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        let places = (Int(first) - 0x41, Int(second) - 0x41, Int(third) - 0x41)
        guard 0..<26 ~= places.0, 0..<26 ~= places.1, 0..<26 ~= places.2 else { return false }
        return pairs[places.0 * 26 + places.1] >> UInt32(places.2) & 1 == 1
    }

    /// For each pair of letters a bit for each third with which they are a code.
    private static let pairs: [UInt32] = {
        var pairs = [UInt32](repeating: 0, count: 26 * 26)
        var place = 0
        var bit: UInt32 = 0
        // Three letters and a space.
        for (index, byte) in written.utf8.enumerated() {
            let letter = Int(byte) - 0x41
            switch index & 3 {
            case 0: place = letter * 26
            case 1: place += letter
            case 2: bit = 1 << UInt32(letter)
            default: break
            }
            if index & 3 == 2 { pairs[place] |= bit }
        }
        return pairs
    }()

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
