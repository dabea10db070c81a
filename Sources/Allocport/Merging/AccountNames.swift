/// What names of accounts say of each other: old and new exports, and files of other kinds, mask one account differently.
struct AccountName: Hashable {
    let text: String
    /// Neither the file nor its name says which account it is: the brokerage stands for it.
    let isAssumed: Bool
    /// Letters and digits that are not masked.
    private let plain: String
    /// Digits at the end.
    private let tail: String
    /// Whether it has words.
    private let isTitle: Bool
    /// Whether more may stand before them: it is masked, or a title.
    private let isPart: Bool

    init(_ text: String, isAssumed: Bool) {
        self.text = text
        self.isAssumed = isAssumed
        let characters = Array(text.uppercased())
        tail = String(characters.reversed().prefix { $0.isNumber }.reversed())
        plain = String(characters.filter { $0.isLetter || $0.isNumber })
        let opening = characters.dropLast(tail.count)
        let isMasked =
            opening.contains { "*•·…#".contains($0) } || AccountName.hasRun(opening, "X")
            || AccountName.hasRun(opening, ".")
        let hasWords = opening.contains(" ") || !characters.contains(where: \.isNumber)
        isTitle = opening.filter(\.isLetter).count > 2 && hasWords
        // The last four digits alone are no whole number either.
        isPart = isMasked || isTitle || plain.count <= AccountName.mostTail
    }

    /// How sure it is that two names are one account's.
    enum Likeness: Comparable {
        /// A title may be any account's: nothing but equal rows would say so.
        case possible
        /// No name at all: of one brokerage, most people have one account.
        case unnamed
        /// The same digits stand at the end of both, one of which is masked.
        case likely
        case same
    }

    /// Nil where they are two accounts.
    func likeness(_ other: AccountName) -> Likeness? {
        if text == other.text { return .same }
        if isAssumed || other.isAssumed { return .unnamed }
        if plain == other.plain, !plain.isEmpty, !isPart { return .likely }
        guard isPart || other.isPart else { return nil }
        // A title without a number may be any account.
        if isTitle && tail.count < AccountName.leastTail || other.isTitle && other.tail.count < AccountName.leastTail {
            return .possible
        }
        let (short, long) = tail.count < other.tail.count ? (self, other) : (other, self)
        let isTold = short.isPart || short.tail == long.tail
        return isTold && short.tail.count >= AccountName.leastTail && long.tail.hasSuffix(short.tail) ? .likely : nil
    }

    private static let leastTail = 3, mostTail = 4

    private static func hasRun(_ characters: ArraySlice<Character>, _ character: Character) -> Bool {
        zip(characters, characters.dropFirst()).contains { $0 == character && $1 == character }
    }
}
