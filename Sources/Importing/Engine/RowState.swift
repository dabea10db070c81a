import Delimited
import OpenAlloc

/// The values of a definition's variables for one row, and those that hold from line to line.
///
/// - Invariant: views of cells are valid only while their record is; `beginRow` drops them. Context values and computed
///   texts live in arenas of this object.
final class RowState {
    /// What is known of a variable's number.
    private enum Known: UInt8 { case nothing, value, percent, blank, invalid, outOfRange, ambiguous, computed }

    @exclusivity(unchecked) private var texts: [ByteView]
    @exclusivity(unchecked) private var known: [Known]
    /// Numbers that were read or computed, valid as `known` says.
    @exclusivity(unchecked) private var numbers: [ExactDecimal]
    @exclusivity(unchecked) private var context: [ByteView]
    @exclusivity(unchecked) private var contextMemory: [ByteArena?]
    @exclusivity(unchecked) private var filled: [Int: (text: ByteView, arena: ByteArena)] = [:]
    private let scratch = ByteArena()
    @exclusivity(unchecked) private var words: [UInt8] = []
    let count: Int
    /// Changes whenever something that holds from line to line changes.
    @exclusivity(unchecked) private(set) var contextVersion = 0

    init(count: Int) {
        self.count = count
        texts = .init(repeating: .empty, count: count)
        known = .init(repeating: .nothing, count: count)
        numbers = .init(repeating: .zero, count: count)
        context = .init(repeating: .empty, count: count)
        contextMemory = .init(repeating: nil, count: count)
    }

    /// Starts a row: every variable has its context value, or none.
    func beginRow() {
        scratch.reset()
        for slot in 0..<count {
            texts[slot] = context[slot]
            known[slot] = .nothing
        }
    }

    /// Keeps a value from this line on.
    func setContext(_ slot: Int, _ view: ByteView) {
        if context[slot] == view { return }
        contextVersion += 1
        let arena = contextMemory[slot] ?? ByteArena()
        contextMemory[slot] = arena
        // The view may lie in the arena itself.
        let copy = scratch.copy(view)
        arena.reset()
        context[slot] = arena.copy(copy)
        set(slot, context[slot])
    }

    /// Keeps a cell for rows below that leave it out.
    func setFill(_ slot: Int, _ view: ByteView) {
        if let known = filled[slot], known.text == view { return }
        let arena = filled[slot]?.arena ?? ByteArena()
        let copy = scratch.copy(view)
        arena.reset()
        filled[slot] = (arena.copy(copy), arena)
    }

    /// A new header begins a new table: nothing of the one above holds there.
    func forgetFills() { if !filled.isEmpty { filled.removeAll() } }

    /// The last cell of a column above that was not left out.
    func filledText(_ slot: Int) -> ByteView { filled[slot]?.text ?? .empty }

    /// The value that holds from line to line; empty when there is none.
    func contextText(_ slot: Int) -> ByteView { context[slot] }

    /// Sets a variable for this row. The view must live as long as the row.
    func set(_ slot: Int, _ view: ByteView) {
        texts[slot] = view
        known[slot] = .nothing
    }

    /// Sets a variable to a computed number.
    func set(_ slot: Int, _ number: ExactDecimal) {
        known[slot] = .computed
        numbers[slot] = number
    }

    /// Sets a variable to a computed text.
    func set(_ slot: Int, copying bytes: [UInt8]) { set(slot, scratch.copy(bytes)) }

    /// Copies a view so that it lives as long as the row.
    func keep(_ view: ByteView) -> ByteView { scratch.copy(view) }

    /// The text of a variable; a computed number is printed.
    func text(_ slot: Int) -> ByteView {
        guard known[slot] == .computed else { return texts[slot] }
        var bytes: [UInt8] = []
        numbers[slot].append(to: &bytes)
        return scratch.copy(bytes)
    }

    /// Whether a variable has no text and no number.
    func isEmpty(_ slot: Int) -> Bool { known[slot] != .computed && texts[slot].isEmpty }

    /// The number that was computed for a variable; nil when its value is a text.
    func computed(_ slot: Int) -> ExactDecimal? { known[slot] == .computed ? numbers[slot] : nil }

    /// The number of a variable, read once a row.
    func number(_ slot: Int, _ reader: NumberReader, _ style: NumberStyle) -> NumberReading {
        switch known[slot] {
        case .computed, .value: return .value(numbers[slot], isPercent: false)
        case .percent: return .value(numbers[slot], isPercent: true)
        case .blank: return .blank
        case .invalid: return .invalid
        case .outOfRange: return .outOfRange
        case .ambiguous: return .ambiguous
        case .nothing: break
        }
        if texts[slot].isEmpty {
            known[slot] = .blank
            return .blank
        }
        let reading = reader.read(texts[slot], style)
        switch reading {
        case .value(let value, let isPercent):
            numbers[slot] = value
            known[slot] = isPercent ? .percent : .value
        case .blank: known[slot] = .blank
        case .invalid: known[slot] = .invalid
        case .outOfRange: known[slot] = .outOfRange
        case .ambiguous: known[slot] = .ambiguous
        }
        return reading
    }

    /// A snapshot of one variable, to be put back by `restore`.
    func saved(_ slot: Int) -> Saved {
        Saved(slot: slot, text: texts[slot], number: known[slot] == .computed ? numbers[slot] : nil)
    }

    /// Puts a variable back.
    func restore(_ saved: Saved) {
        set(saved.slot, saved.text)
        if let number = saved.number { set(saved.slot, number) }
    }

    struct Saved {
        let slot: Int
        let text: ByteView
        let number: ExactDecimal?
    }

    /// The text of a variable, folded as words are compared.
    func folded(_ slot: Int) -> [UInt8] {
        foldedWords(text(slot), into: &words)
        return words
    }
}
