import CurrencyCodes
import Delimited

/// Currency codes (ISO 4217) and the signs that exports print for them.
public enum Currency {
    /// Whether a code is an ISO 4217 code of today or of the last forty years.
    public static func isKnown(_ code: String) -> Bool {
        var code = code
        return code.withUTF8 { $0.count == 3 && CurrencyCodes.contain($0[0], $0[1], $0[2]) }
    }

    /// The same of bytes.
    static func isKnown(_ code: ByteView) -> Bool {
        code.count == 3 && CurrencyCodes.contain(code[0], code[1], code[2])
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
}
