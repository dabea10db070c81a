/// Arithmetic on digit strings, as taught at school: slow, obvious, and independent of the code under test.
struct Schoolbook: Equatable, CustomStringConvertible {
    /// Digits, least significant first, without zeros at the high end; empty is 0.
    var digits: [Int]
    /// Digits after the point.
    var scale: Int
    var isNegative: Bool

    init(digits: [Int], scale: Int, isNegative: Bool) {
        self.digits = digits
        self.scale = scale
        self.isNegative = isNegative
        normalize()
    }

    /// Reads `-12.340`.
    init(_ text: String) {
        let body = text.drop { $0 == "-" || $0 == "+" }
        let parts = body.split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts.count > 1 ? String(parts[1]) : ""
        let all = String(parts[0]) + decimals
        self.init(
            digits: all.reversed().compactMap { $0.wholeNumberValue }, scale: decimals.count,
            isNegative: text.hasPrefix("-"))
    }

    private mutating func normalize() {
        while scale > 0, let first = digits.first, first == 0 {
            digits.removeFirst()
            scale -= 1
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { (scale, isNegative) = (0, false) }
    }

    /// Whether 38 digits and 76 decimals are enough.
    var fits: Bool { digits.count <= 38 && scale <= 76 }

    var description: String {
        var padded = digits
        while padded.count <= scale { padded.append(0) }
        var text = isNegative ? "-" : ""
        for index in stride(from: padded.count - 1, through: 0, by: -1) {
            text += String(padded[index])
            if index == scale, scale > 0 { text += "." }
        }
        return text
    }

    private func shifted(to newScale: Int) -> [Int] { Array(repeating: 0, count: newScale - scale) + digits }

    private static func isLess(_ left: [Int], _ right: [Int]) -> Bool {
        for index in stride(from: max(left.count, right.count) - 1, through: 0, by: -1) {
            let (a, b) = (index < left.count ? left[index] : 0, index < right.count ? right[index] : 0)
            if a != b { return a < b }
        }
        return false
    }

    static func < (left: Schoolbook, right: Schoolbook) -> Bool {
        let difference = left + Schoolbook(digits: right.digits, scale: right.scale, isNegative: !right.isNegative)
        return difference.isNegative
    }

    static func + (left: Schoolbook, right: Schoolbook) -> Schoolbook {
        let scale = max(left.scale, right.scale)
        let (a, b) = (left.shifted(to: scale), right.shifted(to: scale))
        if left.isNegative == right.isNegative {
            return Schoolbook(digits: sum(a, b), scale: scale, isNegative: left.isNegative)
        }
        return isLess(a, b)
            ? Schoolbook(digits: difference(b, a), scale: scale, isNegative: right.isNegative)
            : Schoolbook(digits: difference(a, b), scale: scale, isNegative: left.isNegative)
    }

    static func * (left: Schoolbook, right: Schoolbook) -> Schoolbook {
        var product = Array(repeating: 0, count: left.digits.count + right.digits.count + 1)
        for (i, a) in left.digits.enumerated() {
            for (j, b) in right.digits.enumerated() { product[i + j] += a * b }
        }
        for index in 0..<(product.count - 1) {
            product[index + 1] += product[index] / 10
            product[index] %= 10
        }
        return Schoolbook(
            digits: product, scale: left.scale + right.scale, isNegative: left.isNegative != right.isNegative)
    }

    /// The quotient to `places` decimals, rounded half-even, and whether nothing was left over.
    func divided(by other: Schoolbook, places: Int) -> (value: Schoolbook, exact: Bool) {
        // self / other = (digits × 10^(places + other.scale − scale)) / other.digits / 10^places
        let shift = places + other.scale - scale
        let numerator = shift >= 0 ? Array(repeating: 0, count: shift) + digits : digits
        let divisor = shift >= 0 ? other.digits : Array(repeating: 0, count: -shift) + other.digits
        var quotient: [Int] = []
        var rest: [Int] = []
        for digit in numerator.reversed() {
            rest.insert(digit, at: 0)
            while rest.last == 0 { rest.removeLast() }
            var times = 0
            while !Self.isLess(rest, divisor) {
                rest = Self.difference(rest, divisor)
                while rest.last == 0 { rest.removeLast() }
                times += 1
            }
            quotient.insert(times, at: 0)
        }
        let twice = Self.sum(rest, rest)
        let isOdd = (quotient.first ?? 0) % 2 == 1
        let isHalf = !Self.isLess(twice, divisor) && !Self.isLess(divisor, twice)
        if Self.isLess(divisor, twice) || (isHalf && isOdd) { quotient = Self.sum(quotient, [1]) }
        let value = Schoolbook(digits: quotient, scale: places, isNegative: isNegative != other.isNegative)
        return (value, rest.isEmpty)
    }

    private static func sum(_ a: [Int], _ b: [Int]) -> [Int] {
        var result: [Int] = []
        var carry = 0
        for index in 0...max(a.count, b.count) {
            let column = (index < a.count ? a[index] : 0) + (index < b.count ? b[index] : 0) + carry
            result.append(column % 10)
            carry = column / 10
        }
        return result
    }

    private static func difference(_ a: [Int], _ b: [Int]) -> [Int] {
        var result: [Int] = []
        var borrow = 0
        for index in 0..<a.count {
            var column = a[index] - borrow - (index < b.count ? b[index] : 0)
            borrow = column < 0 ? 1 : 0
            if column < 0 { column += 10 }
            result.append(column)
        }
        return result
    }
}
