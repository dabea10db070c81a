import Delimited

/// Invented names and numbers in the place of real ones: the same for the same text everywhere in a file, different
/// for different ones, and of the same shape.
struct Pseudonyms {
    /// Differs from file to file, so that two files cannot be matched by what replaces what.
    let seed: UInt64
    /// Lower-cased words that are nobody's secret and stay.
    let plainWords: Set<String>
    /// Whether words are of a text that names people: then only what accounts are called is plain, and the words of the
    /// format itself, for many a word of the catalogue is a name, too (Grant, Mark, Price).
    var isOfPeople = false
    /// Lower-cased words of the format.
    var ownWords: Set<String> = []
    private var codes: [String: String] = [:]
    private var usedCodes: Set<String> = []
    private var parts: [String: String] = [:]
    private var usedParts: Set<String> = []
    private var words: [String: String] = [:]

    /// What is drawn is none of the original's own ids.
    init(seed: UInt64, plainWords: Set<String>, original: [UInt8]) {
        self.seed = seed
        var rest = original[...]
        while !rest.isEmpty {
            let run = rest.prefix { isLetter($0) || isDigit($0) }
            if run.count >= 4, run.count <= 64, run.contains(where: isDigit) {
                usedParts.insert(String(decoding: run, as: UTF8.self))
            }
            rest = rest.dropFirst(run.count + 1)
        }
        self.plainWords = plainWords.union(Self.common)
    }

    /// A number or id with other digits and letters: marks, zeros in front, `X` masks and plain words stay.
    mutating func code(_ text: String) -> String {
        if let known = codes[text] { return known }
        // Part by part: an id that two lines share out between them must come out as where it stands in one.
        var made = ""
        var rest = text[...]
        while let first = rest.first {
            let part = rest.prefix { Self.isMark($0) == Self.isMark(first) }
            rest = rest.dropFirst(part.count)
            made += Self.isMark(first) ? String(part) : self.part(String(part))
        }
        var attempt: UInt64 = 0
        while attempt < 64, made == text || usedCodes.contains(made) {
            attempt += 1
            made = replaced(text, attempt)
        }
        codes[text] = made
        usedCodes.insert(made)
        return made
    }

    private static func isMark(_ character: Character) -> Bool { !character.isLetter && !character.isNumber }

    /// A run of letters and digits; long ones come out different where they are different.
    private mutating func part(_ text: String) -> String {
        if let known = parts[text] { return known }
        var made = replaced(text, 0)
        var attempt: UInt64 = 0
        while attempt < 64, made == text || text.count >= 4 && usedParts.contains(made) {
            attempt += 1
            made = replaced(text, attempt)
        }
        parts[text] = made
        usedParts.insert(made)
        return made
    }

    private func replaced(_ text: String, _ attempt: UInt64) -> String {
        var state = seed ^ Self.hash(text) &+ attempt
        var result = ""
        var rest = text[...]
        while let first = rest.first {
            if first.isLetter {
                let word = rest.prefix { $0.isLetter }
                rest = rest.dropFirst(word.count)
                let isMask = word.allSatisfy { $0 == "X" || $0 == "x" } && word.count > 1
                if isMask || plainWords.contains(word.lowercased()) && word.count > 2 {
                    result += word
                } else {
                    for letter in word { result.append(Self.letter(letter, Self.next(&state))) }
                }
            } else {
                rest = rest.dropFirst()
                let isDigit = first.isASCII && first.isNumber && first != "0"
                result += isDigit ? String(1 + Self.next(&state) % 9) : String(first)
            }
        }
        return result
    }

    private static func letter(_ letter: Character, _ random: UInt64) -> Character {
        guard letter.isASCII else { return letter }
        let base: UInt8 = letter.isUppercase ? 0x41 : 0x61
        // Hexadecimal stays hexadecimal.
        let span: UInt64 = letter.lowercased() <= "f" ? 6 : 26
        return Character(Unicode.Scalar(base + UInt8(random % span)))
    }

    /// An invented word for one that is not plain, in its case.
    mutating func word(_ word: Substring) -> String {
        let lower = word.lowercased()
        if isPlain(lower) || word.count < 2 { return String(word) }
        var name = words[lower] ?? ""
        if name.isEmpty {
            let index = words.count
            name = Self.invented[index % Self.invented.count]
            if index >= Self.invented.count {
                name += Self.invented[(index / Self.invented.count) % Self.invented.count].lowercased()
            }
            words[lower] = name
        }
        if word.allSatisfy({ !$0.isLowercase }) { return name.uppercased() }
        return word.first?.isUppercase == true ? name : name.lowercased()
    }

    private func isPlain(_ word: String) -> Bool {
        isOfPeople ? Self.common.contains(word) || ownWords.contains(word) : plainWords.contains(word)
    }

    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// SplitMix64.
    static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    private static let invented = """
        Amber Birch Cedar Dahlia Elder Fennel Garnet Hazel Indigo Jasper Kelp Linden Maple Nettle Opal Poplar Quartz Rowan \
        Sorrel Thistle Umber Violet Willow Yarrow Zinnia Alder Basil Clover Dogwood Ember Fern Ginger Holly Iris Juniper \
        Larch Mallow Nutmeg Olive Pepper Ruby Sage Tansy Vervain Wicker Agate Beryl Coral Dill Flint
        """.split(separator: " ").map(String.init)

    private static let common: Set<String> = Set(
        """
        a an and at by for from in into of off on or out per the to via with no not is was as your you we our this that \
        account accounts acct ira roth sep simple traditional rollover individual joint trust custodial tod wros hsa \
        brokerage cash margin checking savings contributory inherited retirement plan taxable isa sipp depot konto \
        transfer payment deposit withdrawal direct debit credit wire ach check card fee fees tax interest dividend \
        dividends reinvestment reinvest buy bought sell sold short cover market limit order trade trades settled \
        pending total totals balance amount date quantity price value symbol description currency shares share units \
        fund funds stock bond option call put etf inc corp ltd plc llc co company class common ordinary usd eur gbp chf \
        cad aud jpy sek nok dkk und von zu der die das mit für auf aus de la le les du des et en el los y van het een \
        statement report history activity export transactions positions portfolio printed exported downloaded generated \
        am pm est edt et utc gmt cet
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
