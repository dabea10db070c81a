import Importing
import OpenAlloc

/// Holds closed lots against the sales that they close: where the lots of an account, security and day add up to the
/// sales', they stand in the sales' place.
struct LotMatcher {
    /// A sale that was written and may be taken out again.
    struct Sale {
        var key: StableHash
        var units: ExactDecimal
        /// Where its row stands in the spool.
        var offset: Int
        var length: Int
        /// The unit that it came from.
        var unit: Int
        var input: Int
    }

    private struct Lots {
        var units: ExactDecimal?
        var input: Int
        var line: Int
        var label: String
    }

    private(set) var sales: [Sale] = []
    private var lots: [StableHash: Lots] = [:]

    mutating func take(_ sale: Sale) { sales.append(sale) }

    /// Takes a closed lot; `label` names its security and day in a warning.
    mutating func take(
        lot key: StableHash, units: ExactDecimal, input: Int, line: Int, label: @autoclosure () -> String
    ) {
        if let known = lots[key] {
            lots[key]?.units = known.units?.adding(units)
        } else {
            lots[key] = Lots(units: units, input: input, line: line, label: label())
        }
    }

    /// The sales whose place lots take, and a warning for each group that does not add up.
    func settle() -> (replaced: [Sale], warnings: [(input: Int, line: Int, finding: Finding)]) {
        if lots.isEmpty { return ([], []) }
        var sums: [StableHash: ExactDecimal?] = [:]
        for sale in sales where lots[sale.key] != nil {
            sums[sale.key] = .some((sums[sale.key] ?? .zero)?.adding(sale.units))
        }
        var replaced: Set<StableHash> = []
        var warnings: [(input: Int, line: Int, finding: Finding)] = []
        for (key, sum) in sums {
            guard let lot = lots[key] else { continue }
            if let sum, sum == lot.units {
                replaced.insert(key)
                continue
            }
            let finding = Finding(
                .lotMismatch, column: "units", value: lot.units?.description ?? "",
                reason: "the lots of \(lot.label) do not add up to the sales of that day; both stand",
                suggestion: "Download both reports for the same days.")
            warnings.append((lot.input, lot.line, finding))
        }
        warnings.sort { ($0.input, $0.line, $0.finding.reason) < ($1.input, $1.line, $1.finding.reason) }
        return (sales.filter { replaced.contains($0.key) }, warnings)
    }
}
