import Delimited
import Importing
import OpenAlloc

/// Whether units × price and costs come to the amount, for rows of a prepared class; the same rule as
/// `RecordChecks.check`, in whole numbers of one scale.
struct PriceCheck: BitwiseCopyable {
    private let units: Int
    private let price: Int
    private let amount: Int
    /// Whether the signs of the row are those of the cells.
    private let unitsSign: Int128
    private let amountSign: Int128
    private let priceSign: Int128
    /// The places of the costs, the first `costCount` of them.
    private var costs: InlineArray<3, Int> = [0, 0, 0]
    private var costCount = 0
    private let costsInAmount: Bool
    /// Whether the costs may also stand outside of the amount.
    private let allowsGross: Bool

    /// Nil where the row's numbers are not the cells' own.
    init?(_ row: TransactionRow, _ example: RecordClass.Example, _ values: ExampleValues) {
        guard let price = row.price, let source = row.sourcePrice, price == source, let amount = row.amount,
            let unitsPlace = values.number(row.units), let pricePlace = values.number(price),
            let amountPlace = values.number(amount), !price.isZero, !amount.isZero
        else { return nil }
        if let accrued = example.record[.accruedInterest], !accrued.isZero { return nil }
        for field in [Record.Number.commission, .fees, .tax] {
            guard let cost = example.record[field], !cost.isZero else { continue }
            guard let place = values.number(cost), !cost.isNegative else { return nil }
            costs[costCount] = place
            costCount += 1
        }
        self.units = unitsPlace
        self.price = pricePlace
        self.amount = amountPlace
        unitsSign = row.units.isNegative ? -1 : 1
        amountSign = amount.isNegative ? -1 : 1
        priceSign = price.isNegative ? -1 : 1
        costsInAmount = example.record.costsInAmount
        allowsGross = !example.record.costsInAmount || example.record.kind.shape == .reinvested
    }

    /// Whether a row adds up; false also where the numbers are too long to tell here.
    func passes(_ values: RowValues) -> Bool {
        let (units, price, amount) = (values.number(units), values.number(price), values.number(amount))
        let (unitScale, priceScale) = (Int(units.scale), Int(price.scale))
        let priceStep = max(priceScale, 2) + 1
        let unitStep = max(unitScale, 3) + 1
        var scale = max(Int(amount.scale), unitScale + priceScale, priceStep + unitScale, unitStep + priceScale)
        for index in 0..<costCount { scale = max(scale, Int(values.number(costs[index]).scale)) }
        guard scale <= 18 else { return false }
        let value = PriceCheck.product(units, price) * PriceCheck.power(scale - unitScale - priceScale)
        // Each term is below 10^36.
        guard value < PriceCheck.limit else { return false }
        var gross = PriceCheck.scaled(amount, scale) * amountSign + value * unitsSign * priceSign
        var net = gross
        for index in 0..<costCount { net += PriceCheck.scaled(values.number(costs[index]), scale) }
        let hundredth = PriceCheck.power(scale - 2)
        if costsInAmount, net.magnitude <= hundredth.magnitude { return true }
        var allowed = hundredth
        let (u, p) = (PriceCheck.magnitude(units), PriceCheck.magnitude(price))
        allowed += 5 * PriceCheck.power(scale - priceStep - unitScale) * u
        if unitScale > 0 { allowed += 5 * PriceCheck.power(scale - unitStep - priceScale) * p }
        if net.magnitude <= allowed.magnitude { return true }
        if !allowsGross { gross = net }
        return gross.magnitude <= allowed.magnitude
    }

    private static let limit: Int128 = 1_000_000_000_000_000_000_000_000_000_000_000_000

    @inline(__always)
    private static func magnitude(_ number: PlainDecimal) -> Int128 {
        Int128(truncatingIfNeeded: number.coefficient.magnitude)
    }

    @inline(__always)
    private static func product(_ left: PlainDecimal, _ right: PlainDecimal) -> Int128 {
        let wide = left.coefficient.magnitude.multipliedFullWidth(by: right.coefficient.magnitude)
        return Int128(truncatingIfNeeded: UInt128(wide.high) << 64 | UInt128(wide.low))
    }

    /// A magnitude at a scale of at most 18 places; below 10^36.
    @inline(__always)
    private static func scaled(_ number: PlainDecimal, _ scale: Int) -> Int128 {
        let wide = number.coefficient.magnitude.multipliedFullWidth(by: powers[scale - Int(number.scale)])
        return Int128(truncatingIfNeeded: UInt128(wide.high) << 64 | UInt128(wide.low))
    }

    @inline(__always)
    private static func power(_ exponent: Int) -> Int128 { Int128(truncatingIfNeeded: powers[exponent]) }

    /// 10^0 to 10^18.
    private static let powers: [UInt64] = {
        var powers: [UInt64] = [1]
        while powers.count < 19 { powers.append(powers[powers.count - 1] * 10) }
        return powers
    }()
}
