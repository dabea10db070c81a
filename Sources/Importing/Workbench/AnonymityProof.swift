import Delimited
import OpenAlloc

/// Holds what became of an export against what became of its anonymous copy, line by line.
public struct AnonymityProof: Sendable {
    /// Lines by verdict, of the input and of the copy.
    public private(set) var verdicts: [(verdict: String, original: Int, copy: Int)] = []
    /// Records that were compared field by field.
    public private(set) var records = 0
    /// What differs, in words without values; empty when the copy is proven.
    public private(set) var differences: [String] = []
    /// By line, the magnitudes of sums and units that the copy has as they were.
    private(set) var unchanged: [Int: [ExactDecimal]] = [:]

    /// Reads both by the importer and compares.
    ///
    /// - Throws: what reading throws.
    public init(
        _ original: any InputSource, _ copy: any InputSource, by importer: any Importer, days: Int, factor: Int
    ) throws(InputError) {
        let first = ProofUnits()
        try Self.read(original, importer, into: first)
        let second = ProofComparison(first, days: days, factor: factor)
        try Self.read(copy, importer, into: second)
        verdicts = second.verdicts
        records = second.records
        differences = second.differences
        unchanged = second.unchanged
        if first.count != second.count { differences.insert("\(first.count) units became \(second.count)", at: 0) }
    }

    /// Whether nothing differs.
    public var holds: Bool { differences.isEmpty }

    private static func read(
        _ input: any InputSource, _ importer: any Importer, into sink: any RecordSink
    ) throws(InputError) {
        let sample = try InputSample(input, for: importer)
        let context = try importer.context(of: input, sample: sample, options: ImportOptions())
        try importer.read(input, sample: sample, context: context, options: ImportOptions(), into: sink)
    }

    /// Texts that stay as they are.
    static let identity: [Record.Text] = [.symbol, .isin, .cusip, .currency]

    /// The first field that is neither as it was nor changed as all others are.
    static func difference(_ a: Record, _ b: Record, days: Int, factor: Int) -> String? {
        if a.kind != b.kind { return "what it is" }
        if a.priceUnit != b.priceUnit { return "the unit of the price" }
        if a.isReversal != b.isReversal || a.isTaxable != b.isTaxable { return "a mark" }
        for field in Record.Text.allCases where a.isBlank(field) != b.isBlank(field) { return "\(field)" }
        for field in identity where a.bytes(field) != b.bytes(field) {
            // A description may stand for a security that has no symbol.
            guard field == .symbol else { return "\(field)" }
            if a.bytes(.symbol) != a.bytes(.description), !isMoved(a.bytes(.symbol), b.bytes(.symbol), days) {
                return "\(field)"
            }
        }
        for field in Record.Number.allCases where !same(a[field], b[field], factor, isScaled: isScaled(field)) {
            return "\(field)"
        }
        for field in Record.Moment.allCases {
            guard let x = a[field], let y = b[field] else {
                if (a[field] == nil) != (b[field] == nil) { return "\(field)" }
                continue
            }
            if x.secondsSince1970 == y.secondsSince1970, x.secondsSince1970 < Self.firstMoved { continue }
            // The clock may be set differently on the other day.
            let moved = y.secondsSince1970 - x.secondsSince1970 - Int64(days) * 86_400
            if abs(moved) > 7200 { return "\(field)" }
        }
        return nil
    }

    /// The magnitudes of sums and units that are as they were.
    static func unchanged(_ a: Record, _ b: Record) -> [ExactDecimal] {
        Record.Number.allCases.compactMap { field in
            guard isScaled(field), let value = a[field], value == b[field], !isConstant(value) else { return nil }
            return value.magnitude
        }
    }

    /// Whether a number may be the definition's: no number, or a power of ten.
    private static func isConstant(_ value: ExactDecimal) -> Bool {
        var rest = value.coefficient.magnitude
        while rest > 1, rest.isMultiple(of: 10) { rest /= 10 }
        return rest <= 1
    }

    /// Whether two names differ in nothing but a day, moved as all days are: `US SAVINGS BOND 05-01-2022`.
    private static func isMoved(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>, _ days: Int) -> Bool {
        let old = a.split(separator: 0x20)
        let new = b.split(separator: 0x20)
        return old.count == new.count
            && zip(old, new).allSatisfy { x, y in
                let text = String(decoding: x, as: UTF8.self)
                return x == y
                    || DateGuess.patterns.contains { guess in
                        DateShift(days: days, patterns: [guess.pattern]).shift(text)
                            == String(decoding: y, as: UTF8.self)
                    }
            }
    }

    /// 1910-01-02: earlier days stand for none and are not moved.
    private static let firstMoved: Int64 = -1_893_369_600

    private static func isScaled(_ field: Record.Number) -> Bool {
        switch field {
        case .price, .sourcePrice, .unitCost, .multiplier, .exchangeRate: false
        default: true
        }
    }

    private static func same(_ a: ExactDecimal?, _ b: ExactDecimal?, _ factor: Int, isScaled: Bool) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        let wanted = isScaled ? a.multiplied(by: ExactDecimal(factor)) : a
        guard let wanted, let difference = wanted.subtracting(b)?.magnitude else { return false }
        if difference.isZero { return true }
        // A quotient that does not end is rounded, in the copy at another place; a constant of the definition stays.
        guard let bound = ExactDecimal(coefficient: 1, scale: 8)?.multiplied(by: wanted.magnitude) else { return false }
        return difference < bound || isScaled && a == b && isConstant(a)
    }
}
