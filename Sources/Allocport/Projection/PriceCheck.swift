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
    private let unitsSign: Int
    private let amountSign: Int
    private let priceSign: Int
    /// The places of the costs, the first `costCount` of them.
    private var costs: InlineArray<3, Int> = [0, 0, 0]
    private var costCount = 0
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
        allowsGross = RecordChecks.allowsGross(example.record.kind)
    }

    /// Whether units × price is the amount within a hundredth, where that is quickly told; more than that is allowed.
    @inline(__always)
    func isExact(_ values: RowValues) -> Bool {
        let (units, price, amount) = (values.number(units), values.number(price), values.number(amount))
        let scale = Int(units.scale) &+ Int(price.scale)
        let step = scale &- Int(amount.scale)
        guard costCount == 0, step >= 0, scale >= 2, scale <= 18 else { return false }
        let (value, isTooLarge) = units.coefficient.magnitude.multipliedReportingOverflow(
            by: price.coefficient.magnitude)
        let (paid, isTooMuch) = amount.coefficient.magnitude.multipliedReportingOverflow(by: PriceCheck.powers[step])
        guard !isTooLarge, !isTooMuch, value < 1 << 62, paid < 1 << 62 else { return false }
        let isOpposite = (unitsSign * priceSign < 0) != (amountSign < 0)
        let difference =
            isOpposite ? (Int64(bitPattern: value) &- Int64(bitPattern: paid)).magnitude : value &+ paid
        return difference <= PriceCheck.powers[scale &- 2]
    }

    /// Whether a row adds up; nil where the numbers are too long to tell here.
    @inline(never)
    func verdict(_ values: RowValues) -> Bool? { sum(values, as: Int64.self) ?? wideVerdict(values) }

    @inline(never)
    private func wideVerdict(_ values: RowValues) -> Bool? { sum(values, as: Int128.self) }

    /// The same in whole numbers of one width; nil where it is too narrow.
    @inline(__always)
    private func sum<Whole: FixedWidthInteger & SignedInteger>(_ values: RowValues, as _: Whole.Type) -> Bool? {
        let (units, price, amount) = (values.number(units), values.number(price), values.number(amount))
        let (unitScale, priceScale) = (Int(units.scale), Int(price.scale))
        let priceStep = max(priceScale, 2) + 1
        let unitStep = max(unitScale, 3) + 1
        var scale = max(Int(amount.scale), unitScale + priceScale, priceStep + unitScale, unitStep + priceScale)
        for index in 0..<costCount { scale = max(scale, Int(values.number(costs[index]).scale)) }
        guard scale <= 18 else { return nil }
        var sum = Sum<Whole>()
        let (u, p) = (PriceCheck.magnitude(units, Whole.self), PriceCheck.magnitude(price, Whole.self))
        let value = sum.product(sum.product(u, p), PriceCheck.power(scale - unitScale - priceScale))
        let signed = unitsSign * priceSign < 0 ? 0 - value : value
        let paid = PriceCheck.scaled(amount, scale, &sum)
        let gross = sum.total(signed, amountSign < 0 ? 0 - paid : paid)
        var net = gross
        for index in 0..<costCount {
            net = sum.total(net, PriceCheck.scaled(values.number(costs[index]), scale, &sum))
        }
        let hundredth: Whole = PriceCheck.power(scale - 2)
        // What is allowed is more than that in any case.
        if !sum.isTooNarrow, net.magnitude <= hundredth.magnitude { return true }
        var allowed = sum.product(sum.product(5, PriceCheck.power(scale - priceStep - unitScale)), u)
        if unitScale > 0 {
            let step = sum.product(sum.product(5, PriceCheck.power(scale - unitStep - priceScale)), p)
            allowed = sum.total(allowed, step)
        }
        allowed = sum.total(allowed, hundredth)
        if sum.isTooNarrow { return nil }
        if net.magnitude <= allowed.magnitude { return true }
        return allowsGross && gross.magnitude <= allowed.magnitude
    }

    /// Adds and multiplies, and remembers whether a result did not fit.
    private struct Sum<Whole: FixedWidthInteger & SignedInteger> {
        var isTooNarrow = false

        @inline(__always)
        mutating func product(_ left: Whole, _ right: Whole) -> Whole {
            let (value, overflow) = left.multipliedReportingOverflow(by: right)
            if overflow || value == .min { isTooNarrow = true }
            return overflow || value == .min ? 0 : value
        }

        @inline(__always)
        mutating func total(_ left: Whole, _ right: Whole) -> Whole {
            let (value, overflow) = left.addingReportingOverflow(right)
            if overflow { isTooNarrow = true }
            return value
        }
    }

    @inline(__always)
    private static func magnitude<Whole: FixedWidthInteger>(_ number: PlainDecimal, _: Whole.Type) -> Whole {
        Whole(truncatingIfNeeded: number.coefficient.magnitude)
    }

    /// A magnitude at a scale of at most 18 places.
    @inline(__always)
    private static func scaled<Whole>(_ number: PlainDecimal, _ scale: Int, _ sum: inout Sum<Whole>) -> Whole {
        sum.product(magnitude(number, Whole.self), power(scale - Int(number.scale)))
    }

    @inline(__always)
    private static func power<Whole: FixedWidthInteger>(_ exponent: Int) -> Whole {
        Whole(truncatingIfNeeded: powers[exponent])
    }

    /// 10^0 to 10^18; a literal, so that nothing is asked before it is read.
    private static let powers: [UInt64] = [
        1, 10, 100, 1000, 10000, 100000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
    ]
}
