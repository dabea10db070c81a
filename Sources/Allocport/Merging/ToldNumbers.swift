import OpenAlloc

/// Units and price of a row that is held against others, in 14 bytes. Units are exact; of a price the first nine or ten
/// digits tell enough, for prices are held to a thousandth.
struct ToldNumbers {
    private var unitsDigits: Int64 = 0
    private var priceDigits: Int32 = 0
    /// More than any scale where there is none.
    private var unitsScale = UInt8.max
    private var priceScale = UInt8.max

    /// Nil where the units have too many digits; a price that has is none.
    init?(units: ExactDecimal, price: ExactDecimal?) {
        self.units = units
        if unitsScale == .max { return nil }
        guard let price else { return }
        var (digits, scale) = (price.coefficient, price.scale)
        while scale > 0, Int32(exactly: digits) == nil { (digits, scale) = (digits / 10, scale - 1) }
        guard let short = Int32(exactly: digits) else { return }
        (priceDigits, priceScale) = (short, scale)
    }

    /// Of cash its amount; nil where there is none that is exact.
    var units: ExactDecimal? {
        get { ToldNumbers.number(unitsDigits, unitsScale) }
        set {
            let digits = newValue.flatMap { Int64(exactly: $0.coefficient) }
            (unitsDigits, unitsScale) = (digits ?? 0, digits == nil ? .max : newValue?.scale ?? .max)
        }
    }

    var price: ExactDecimal? { ToldNumbers.number(Int64(priceDigits), priceScale) }

    private static func number(_ digits: Int64, _ scale: UInt8) -> ExactDecimal? {
        scale == .max ? nil : ExactDecimal(coefficient: Int128(digits), scale: Int(scale))
    }
}
