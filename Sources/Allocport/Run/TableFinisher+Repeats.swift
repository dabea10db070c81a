import Importing
import OpenAlloc

// What two inputs tell of one account, each in its own way, in words for people.
extension TableFinisher {
    /// Says of rows that two inputs tell that both count, and which input to leave out.
    func warnOfRepeats() {
        guard inputs.count > 1 else { return }
        let importers = plans.map(\.report.importer)
        if let told = state.told {
            for repeats in RepeatFinder(told: told, importers: importers).find() {
                warn(of: repeats, TableFinisher.counts(repeats), "told with the same day and amount")
            }
        }
        for repeats in RepeatedHoldings(state.positions, importers).find() {
            let count = repeats.holdings == 1 ? "1 holding" : "\(repeats.holdings) holdings"
            let advice = advice(ofHoldings: repeats.rows)
            warn(of: repeats.rows, count, "with the same units", isOne: repeats.holdings == 1, advice: advice)
        }
    }

    /// A file of positions alone can be left out without loss.
    private func advice(ofHoldings repeats: RepeatedRows) -> String {
        let lists = [repeats.side, repeats.other].filter {
            plans[$0.input].importer?.schemas.contains(.transaction) == false
        }
        guard lists.count == 1, let alone = lists.first else {
            return "If both are of one account, convert only one of them."
        }
        return "If both are of one account, convert without \(name(alone))."
    }

    private var inputs: [InputReport] { state.inputs }

    private func warn(
        of repeats: RepeatedRows, _ counts: String, _ how: String, isOne: Bool? = nil, advice: String? = nil
    ) {
        let other = inputs[repeats.other.input]
        let isOne = isOne ?? (repeats.trades + repeats.payments == 1)
        // What it means comes first: a terminal shows the beginning.
        var message = counts + (isOne ? " stands in " : " stand in ") + other.name
        message += isOne ? " as well and counts twice" : " as well and count twice"
        let (here, there) = (repeats.side.account, repeats.other.account)
        if here.text != there.text { message += ", of the account \(there.text), which is \(here.text) here" }
        message += ": \(how), but not as equal rows, as \(other.importer ?? "") reads it"
        state.inputs[repeats.side.input].warn(
            Issue(.repeats, message: message, suggestion: advice ?? self.advice(repeats)))
    }

    private static func counts(_ repeats: RepeatedRows) -> String {
        let trades = repeats.trades == 1 ? "1 trade" : "\(repeats.trades) trades"
        let payments = repeats.payments == 1 ? "1 payment" : "\(repeats.payments) payments"
        if repeats.payments == 0 { return trades }
        return repeats.trades == 0 ? payments : "\(trades) and \(payments)"
    }

    /// Which of the two to leave out: the one that tells nothing else.
    private func advice(_ repeats: RepeatedRows) -> String {
        let (side, other) = (name(repeats.side), name(repeats.other))
        let (here, there) = (repeats.side.account, repeats.other.account)
        let isOneKind = inputs[repeats.side.input].importer == inputs[repeats.other.input].importer
        let hasTable = [repeats.side, repeats.other].contains {
            inputs[$0.input].importer?.hasPrefix("openalloc.") ?? false
        }
        // By one name equal rows count once, and lots take the place of their sales; rows of a table stay as they are.
        if here.isAssumed != there.isAssumed, isOneKind || repeats.hasLots, !hasTable {
            return "If both are of one account, name it with --account, as openalloc.account.csv has it."
        }
        switch (repeats.side.more, repeats.other.more) {
        case (0, 0): return "Convert without \(side), or without \(other): both tell the same."
        case (0, _): return "Convert without \(side): \(other) tells all of it, and more."
        case (_, 0): return "Convert without \(other): \(side) tells all of it, and more."
        case (let here, let there):
            return "If both are of one account, convert only one of them: \(TableFinisher.entries(here)) only in "
                + "\(side), \(TableFinisher.entries(there)) only in \(other)."
        }
    }

    private static func entries(_ count: Int) -> String { count == 1 ? "1 entry stands" : "\(count) entries stand" }

    private func name(_ side: RepeatedRows.Side) -> String {
        let name = inputs[side.input].name
        switch side.inputCount {
        case ...1: return name
        case 2: return "\(name) and 1 other of its kind"
        default: return "\(name) and \(side.inputCount - 1) others of its kind"
        }
    }
}
