import Delimited
import OpenAlloc

/// The values of a definition's variables for one row, and those that hold from line to line.
///
/// - Invariant: views of cells are valid only while their record is; `beginRow` drops them. Context values and computed
///   texts live in arenas of this object.
final class RowState {
    /// What is known of a variable's number.
    enum Known: UInt8 { case nothing, value, percent, blank, invalid, outOfRange, ambiguous, computed }

    /// What was found out of a variable's value in this row, so that no rule finds it out again.
    struct Facts: BitwiseCopyable {
        var number = Known.nothing
        /// Whether the value means "no value": 0 as long as nobody asked, then 1 for no and 2 for yes.
        var blank: UInt8 = 0
        /// Whether `folds` has the text as words are compared.
        var isFolded = false
    }

    @exclusivity(unchecked) private var texts: FlatMemory<ByteView>
    @exclusivity(unchecked) private var facts: FlatMemory<Facts>
    @exclusivity(unchecked) private var folds: FlatMemory<ByteView>
    /// Numbers that were read or computed, valid as `facts` say.
    @exclusivity(unchecked) private var numbers: [ExactDecimal]
    @exclusivity(unchecked) private var context: FlatMemory<ByteView>
    @exclusivity(unchecked) private var contextMemory: [ByteArena?]
    @exclusivity(unchecked) private var filled: [Int: (text: ByteView, arena: ByteArena)] = [:]
    /// A row that was put aside for another.
    @exclusivity(unchecked) private var asideTexts: FlatMemory<ByteView>
    @exclusivity(unchecked) private var asideFacts: FlatMemory<Facts>
    @exclusivity(unchecked) private var asideNumbers: [ExactDecimal]
    private let scratch = ByteArena()
    @exclusivity(unchecked) private var words: [UInt8] = []
    let count: Int
    /// Changes whenever something that holds from line to line changes.
    @exclusivity(unchecked) private(set) var contextVersion = 0
    /// Changes whenever memory of texts may be used again.
    @exclusivity(unchecked) private var stamp = 0
    @exclusivity(unchecked) private var known:
        (stamp: Int, address: UnsafeRawPointer?, count: Int, letters: Template.Letters) =
            (-1, nil, 0, .all)
    /// Changes whenever a variable does.
    @exclusivity(unchecked) private(set) var version = 0

    init(count: Int) {
        self.count = count
        texts = .init(repeating: .empty, count: count)
        facts = .init(repeating: Facts(), count: count)
        folds = .init(repeating: .empty, count: count)
        numbers = .init(repeating: .zero, count: count)
        context = .init(repeating: .empty, count: count)
        contextMemory = .init(repeating: nil, count: count)
        asideTexts = .init(repeating: .empty, count: count)
        asideFacts = .init(repeating: Facts(), count: count)
        asideNumbers = numbers
    }

    /// The letters of a text of this row, which is mostly the one that was asked for last.
    func letters(_ text: ByteView) -> Template.Letters {
        let address = text.withUnsafeBytes { $0.baseAddress }
        if known.stamp == stamp, known.address == address, known.count == text.count { return known.letters }
        let letters = Template.Letters(text)
        known = (stamp, address, text.count, letters)
        return letters
    }

    /// Starts a row: every variable has its context value, or none.
    func beginRow() {
        scratch.reset()
        version &+= 1
        stamp &+= 1
        texts.copyAll(from: context)
        facts.fill(with: Facts())
    }

    /// Puts the row aside: another is decided meanwhile, whose variables are set one by one.
    func putAside() {
        stamp &+= 1
        asideTexts.copyAll(from: texts)
        asideFacts.copyAll(from: facts)
        for slot in 0..<count where facts[slot].number == .computed { asideNumbers[slot] = numbers[slot] }
    }

    /// Takes the row up again that was put aside.
    func takeUp() {
        version &+= 1
        stamp &+= 1
        texts.copyAll(from: asideTexts)
        facts.fill(with: Facts())
        for slot in 0..<count where asideFacts[slot].number == .computed {
            facts[slot].number = .computed
            numbers[slot] = asideNumbers[slot]
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
    @inline(__always)
    func set(_ slot: Int, _ view: ByteView) {
        version &+= 1
        texts[slot] = view
        facts[slot] = Facts()
    }

    /// Sets a variable to a computed number.
    func set(_ slot: Int, _ number: ExactDecimal) {
        version &+= 1
        facts[slot] = Facts(number: .computed)
        numbers[slot] = number
    }

    /// Sets a variable to a computed text.
    func set(_ slot: Int, copying bytes: [UInt8]) { set(slot, scratch.copy(bytes)) }

    /// Copies a view so that it lives as long as the row.
    func keep(_ view: ByteView) -> ByteView { scratch.copy(view) }

    /// The text of a variable; a computed number is printed.
    @inline(__always)
    func text(_ slot: Int) -> ByteView {
        facts[slot].number == .computed ? printed(slot) : texts[slot]
    }

    private func printed(_ slot: Int) -> ByteView {
        words.removeAll(keepingCapacity: true)
        numbers[slot].append(to: &words)
        return scratch.copy(words)
    }

    /// Whether a variable has no text and no number.
    func isEmpty(_ slot: Int) -> Bool { facts[slot].number != .computed && texts[slot].isEmpty }

    /// Whether a variable says nothing, as the reader has it; asked once a row.
    @inline(__always)
    func isBlank(_ slot: Int, _ reader: NumberReader) -> Bool {
        let known = facts[slot].blank
        return known == 0 ? judgeBlank(slot, reader) : known == 2
    }

    private func judgeBlank(_ slot: Int, _ reader: NumberReader) -> Bool {
        let isBlank = isEmpty(slot) || reader.isBlank(text(slot))
        facts[slot].blank = isBlank ? 2 : 1
        return isBlank
    }

    /// The number that was computed for a variable; nil when its value is a text.
    func computed(_ slot: Int) -> ExactDecimal? { facts[slot].number == .computed ? numbers[slot] : nil }

    /// The currency that a cell names by a letter or sign beside its number; nil for numbers alone, and for a dollar
    /// sign, which many currencies share.
    func unit(_ slot: Int, _ reader: NumberReader) -> String? {
        guard facts[slot].number != .computed else { return nil }
        let text = texts[slot]
        guard let first = text.first, let last = text.last else { return nil }
        // Most numbers begin with a digit, or a minus before one, and end with one.
        if isDigit(last), isDigit(first) || first == UInt8(ascii: "-") && text.count > 1 && isDigit(text[1]) {
            return nil
        }
        let isWord = text.contains(where: isLetter)
        let isSign = text.contains(where: { $0 >= 0x80 }) && !text.contains(where: { $0 == UInt8(ascii: "$") })
        return isWord || isSign ? reader.currency(text) : nil
    }

    /// The number of a variable, read once a row.
    @inline(__always)
    func number(_ slot: Int, _ reader: NumberReader, _ style: NumberStyle) -> NumberReading {
        switch facts[slot].number {
        case .computed, .value: .value(numbers[slot], isPercent: false)
        case .percent: .value(numbers[slot], isPercent: true)
        case .blank: .blank
        case .invalid: .invalid
        case .outOfRange: .outOfRange
        case .ambiguous: .ambiguous
        case .nothing: read(slot, reader, style)
        }
    }

    private func read(_ slot: Int, _ reader: NumberReader, _ style: NumberStyle) -> NumberReading {
        if texts[slot].isEmpty {
            facts[slot].number = .blank
            return .blank
        }
        let reading = reader.read(texts[slot], style)
        switch reading {
        case .value(let value, let isPercent):
            numbers[slot] = value
            facts[slot].number = isPercent ? .percent : .value
        case .blank: facts[slot].number = .blank
        case .invalid: facts[slot].number = .invalid
        case .outOfRange: facts[slot].number = .outOfRange
        case .ambiguous: facts[slot].number = .ambiguous
        }
        return reading
    }

    /// A snapshot of one variable, to be put back by `restore`.
    func saved(_ slot: Int) -> Saved {
        Saved(slot: slot, text: texts[slot], number: facts[slot].number == .computed ? numbers[slot] : nil)
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
    func folded(_ slot: Int) -> [UInt8] { foldedText(slot).array }

    /// The same as a view that lives as long as the row; folded once a row.
    @inline(__always)
    func foldedText(_ slot: Int) -> ByteView { facts[slot].isFolded ? folds[slot] : fold(slot) }

    private func fold(_ slot: Int) -> ByteView {
        let text = text(slot)
        var fold = text
        if !isFolded(text) {
            foldedWords(text, into: &words)
            fold = scratch.copy(words)
        }
        folds[slot] = fold
        facts[slot].isFolded = true
        return fold
    }
}

/// Whether a text surely is as words are compared: ASCII without capitals, white space only as single spaces within.
private func isFolded(_ text: ByteView) -> Bool {
    var last = 0x20 as UInt8
    for place in 0..<text.count {
        let byte = text[place]
        guard byte >= 0x20, byte < 0x80, byte &- 0x41 >= 26, byte != 0x20 || last != 0x20 else { return false }
        last = byte
    }
    return text.isEmpty || last != 0x20
}
