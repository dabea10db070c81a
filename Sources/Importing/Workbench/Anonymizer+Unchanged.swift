import Delimited
import OpenAlloc

// What the proof of an earlier copy found as it was.
extension Anonymizer {
    /// A cell's copy, in which numbers that an earlier copy had as they were are multiplied; prices stay.
    func remultiplied(_ made: String, slot: Int?, _ line: AnonymousLine) -> String {
        guard let numbers = unchanged.numbers[line.number] else { return made }
        if let slot, !unchanged.isOfPrices,
            flow.pricing.contains(slot) || Self.unscaled.contains(definition.variables.names[slot])
        {
            return made
        }
        var result = ""
        var rest = made[...]
        while let first = rest.first {
            // A currency's code may follow right behind.
            let head = rest.prefix { $0.isNumber || ".,'".contains($0) }
            if Self.mayBeginNumber(after: result), let run = NumberRun(head), run.isOne(of: numbers, reader),
                let scaled = run.scaled(scale, reader)
            {
                result += scaled
                rest = rest.dropFirst(run.text.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// Whether a number may begin there: neither within another one nor in a day such as `2026-01-20`.
    private static func mayBeginNumber(after text: String) -> Bool {
        guard let last = text.last else { return true }
        if last == "-" { return !(text.dropLast().last?.isNumber ?? false) }
        return !last.isNumber && !last.isLetter && !".,:/".contains(last)
    }
}
