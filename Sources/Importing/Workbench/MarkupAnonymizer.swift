import Delimited
import OpenAlloc

/// Makes a copy of an OFX or Flex export that can be shown to others: elements, securities and prices stay, accounts,
/// names, ids, days and amounts do not. Like ``Anonymizer``, it is to be believed only after an ``AnonymityProof``.
public struct MarkupAnonymizer {
    private let vocabulary: MarkupVocabulary
    private let scale: NumberScale
    private var dates: DateMove
    /// Dates that show what stands first in dates such as `01/02/2025`.
    private var ordered: Set<SeparatedDate> = []
    private let reader = NumberReader(blanks: ["-", "--", "n/a"])
    private var pseudonyms: Pseudonyms
    private var result: [UInt8] = []
    /// The units of the position at hand, and whether one costs 1.
    private var held = (units: "", isMoney: false)

    /// Copies an input; nil when it is neither OFX nor Flex, or no text of single bytes.
    ///
    /// - Parameters:
    ///   - words: the catalogue, whose words are nobody's secret.
    ///   - attempt: which of several factors is used.
    /// - Throws: what reading throws.
    public static func copy(
        _ input: any InputSource, vocabulary words: Vocabulary, attempt: Int
    ) throws(InputError) -> Anonymizer.Copy? {
        let sample = try InputSample(input)
        guard sample.format == .ofx || sample.format == .flex else { return nil }
        let raw = try input.bytes(at: 0, count: input.byteCount)
        // A text of two bytes a letter has zeros: it is replaced as UTF-8 and written as it was.
        let isWide = sample.encoding == .utf16LE || sample.encoding == .utf16BE
        let bytes = isWide ? TextDecoder.decode(raw, as: sample.encoding) : raw
        guard !bytes.prefix(64).contains(0) else { return nil }
        var maker = MarkupAnonymizer(bytes, sample.format == .flex ? .flex : .ofx, words, attempt)
        maker.rewrite(bytes)
        let first = maker.dates.days
        maker.dates = DateMove(maker.ordered, days: first)
        if maker.dates.order != nil || maker.dates.days != first {
            // Only now it is known what the dates say.
            maker.result = []
            maker.rewrite(bytes)
        }
        let end = input.name.lastIndex(of: ".").map { String(input.name[$0...]) } ?? ""
        return Anonymizer.Copy(
            bytes: isWide ? sample.encoding.byteOrderMark + sample.encoding.encode(maker.result) : maker.result,
            name: "anonymous" + end, days: maker.dates.days, factor: maker.scale.factor)
    }

    private init(_ bytes: [UInt8], _ vocabulary: MarkupVocabulary, _ words: Vocabulary, _ attempt: Int) {
        self.vocabulary = vocabulary
        var seed = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let changes = Anonymizer.changes(&seed, attempt, patterns: [])
        scale = changes.0
        dates = DateMove([], days: changes.1.days)
        pseudonyms = Pseudonyms(
            seed: seed, plainWords: words.words.union(vocabulary.plainWords), original: bytes)
        result.reserveCapacity(bytes.count + bytes.count / 8)
    }

    // MARK: The file

    private mutating func rewrite(_ bytes: [UInt8]) {
        var i = bytes.firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        header(bytes[..<i])
        var element: String?
        while i < bytes.count {
            guard bytes[i] == UInt8(ascii: "<") else {
                let end = bytes[i...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                text(bytes[i..<end], of: element)
                i = end
                continue
            }
            if bytes[i...].starts(with: Self.dataStart) {
                let start = i + Self.dataStart.count
                let end = Self.find(Self.dataEnd, in: bytes, from: start) ?? bytes.count
                result += bytes[i..<start]
                text(bytes[start..<end], of: element)
                i = end
                element = nil
                continue
            }
            let isComment = bytes[i...].starts(with: Self.commentStart)
            let close =
                isComment
                ? Self.find(Self.commentEnd, in: bytes, from: i).map { $0 + 2 } : Self.tagEnd(bytes, from: i)
            let end = min(bytes.count, (close ?? bytes.count - 1) + 1)
            if isComment {
                // Nobody knows what a person wrote there; the lines are kept, for they are counted.
                result += Self.commentStart + bytes[i..<end].filter { $0 == 0x0A || $0 == 0x0D } + Self.commentEnd
            } else {
                element = tag(bytes[i..<end])
            }
            i = end
        }
    }

    private static let dataStart = Array("<![CDATA[".utf8)
    private static let dataEnd = Array("]]>".utf8)
    private static let commentStart = Array("<!--".utf8)
    private static let commentEnd = Array("-->".utf8)

    private static func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var i = start
        while i + wanted.count <= bytes.count {
            if bytes[i] == wanted[0], bytes[i..<i + wanted.count].elementsEqual(wanted) { return i }
            i += 1
        }
        return nil
    }

    /// The `>` of a tag, which is none inside of quotes.
    private static func tagEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        var quote: UInt8?
        var hasValue = false
        for i in start..<bytes.count {
            if bytes[i] == UInt8(ascii: "=") { hasValue = true }
            if let open = quote {
                if bytes[i] == open { quote = nil }
            } else if bytes[i] == UInt8(ascii: ">") {
                return i
            } else if bytes[i] == UInt8(ascii: "\""), hasValue {
                quote = bytes[i]
            }
        }
        return nil
    }

    /// OFX 1: `KEY:VALUE` lines; the file ids may be somebody's.
    private mutating func header(_ bytes: ArraySlice<UInt8>) {
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if line.offset > 0 { result.append(0x0A) }
            let text = String(decoding: line.element, as: UTF8.self)
            if let colon = text.firstIndex(of: ":"), text.contains("FILEUID"), !text.contains("NONE") {
                result += text[...colon].utf8
                result += pseudonyms.code(String(text[text.index(after: colon)...])).utf8
            } else {
                result += line.element
            }
        }
    }

    // MARK: Elements and attributes

    /// Writes a tag; the name of the element that it opens.
    private mutating func tag(_ bytes: ArraySlice<UInt8>) -> String? {
        let name = bytes.dropFirst().prefix { !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        let attributes = TagAttributes.of(bytes)
        let namesSecurity = attributes.contains { !$0.value.isEmpty && ["symbol", "conid"].contains($0.name) }
        var place = bytes.startIndex
        for attribute in attributes {
            result += bytes[place..<attribute.value.startIndex]
            // The declarations say how the file is written, and beside that only ids.
            if name.first == UInt8(ascii: "?"), !attribute.name.uppercased().hasSuffix("UID") {
                result += attribute.value
            } else {
                result += replaced(attribute.value, attribute.name, namesSecurity: namesSecurity)
            }
            place = attribute.value.endIndex
        }
        result += bytes[place...]
        let isOpening = !name.isEmpty && bytes.dropFirst().first != UInt8(ascii: "?")
        return isOpening ? String(decoding: name, as: UTF8.self).uppercased() : nil
    }

    private mutating func text(_ bytes: ArraySlice<UInt8>, of element: String?) {
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let element,
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else {
            result += bytes
            return
        }
        result += bytes[..<first]
        result += replaced(bytes[first...last], element, namesSecurity: false)
        result += bytes[(last + 1)...]
    }

    // MARK: Values

    /// What a value is. Of what costs 1 a unit, some banks state the cost of the whole as that of a unit: it is an amount.
    private mutating func meaning(
        of name: String, _ value: String, namesSecurity: Bool
    ) -> MarkupVocabulary.Meaning {
        switch name {
        case "UNITS": held = (value, false)
        case "UNITPRICE": held.isMoney = ExactDecimal(exactly: value) == 1
        case "AVGCOSTBASIS" where held.isMoney && value == held.units: return .amount
        default: break
        }
        return vocabulary.meaning(of: name, value, namesSecurity: namesSecurity)
    }

    private mutating func replaced(
        _ bytes: ArraySlice<UInt8>, _ name: String, namesSecurity: Bool
    ) -> [UInt8] {
        let value = String(decoding: bytes, as: UTF8.self)
        if vocabulary.showsDayOrder(name), let date = SeparatedDate(bytes) { ordered.insert(date) }
        guard !value.isEmpty, !withView(value, { reader.isBlank($0) }) else { return Array(bytes) }
        switch meaning(of: name, value, namesSecurity: namesSecurity) {
        case .kept: return Array(bytes)
        case .code: return Array(pseudonyms.code(value).utf8)
        case .date:
            if let made = moved(bytes) { return made }
            // A time of day alone names nobody.
            let isTime = value.utf8.count <= 8 && bytes.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ":") }
            return isTime ? Array(bytes) : Array(pseudonyms.code(value).utf8)
        case .amount:
            let hasPoint = value.contains(".") || !value.contains(",")
            for style in hasPoint ? [NumberStyle.us, .eu] : [.eu] {
                if let made = scale.scale(value, reader, style, mayGroup: false) { return Array(made.utf8) }
            }
            // A currency sign that is not known, say.
            if let start = value.firstIndex(where: \.isNumber), let run = NumberRun(value[start...]),
                let made = run.scaled(scale, reader)
            {
                return Array((value[..<start] + made + value[start...].dropFirst(run.text.count)).utf8)
            }
            // What is no number stays none, and says no digit of the amount.
            return words(bytes, shortest: 1)
        case .text: return words(bytes)
        }
    }

    /// A date with what follows it: the day moves, the rest stays; nil when it is no date.
    private func moved(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        if let date = SeparatedDate(bytes) {
            if let day = date.date(dates.order), day.year < DateShift.firstYear { return Array(bytes) }
            return date.moved(by: dates.days, dates.order).map { $0 + bytes.dropFirst(date.length) }
        }
        let digits = Array(bytes.prefix(8))
        guard digits.count == 8, digits.allSatisfy({ isDigit($0) }) else { return nil }
        func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 * 10 + Int(digits[$1] &- 0x30) } }
        guard let day = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8)) else { return nil }
        if day.year < DateShift.firstYear { return Array(bytes) }
        guard let other = day.adding(days: dates.days) else { return nil }
        let written = String(other.year * 10_000 + other.month * 100 + other.day)
        return Array(written.utf8) + bytes.dropFirst(8)
    }

    /// Words that are nobody's stay; entities and marks too; long numbers are codes.
    ///
    /// - Parameter shortest: how many digits such a number has at least.
    private mutating func words(_ bytes: ArraySlice<UInt8>, shortest: Int = 4) -> [UInt8] {
        var made: [UInt8] = []
        var i = bytes.startIndex
        while i < bytes.endIndex {
            let byte = bytes[i]
            if byte == UInt8(ascii: "&"), let end = bytes[i...].prefix(10).firstIndex(of: UInt8(ascii: ";")) {
                made += bytes[i...end]
                i = end + 1
                continue
            }
            let isStart = i == bytes.startIndex || !isDigit(bytes[i - 1])
            if isDigit(byte), isStart, let date = SeparatedDate(bytes[i...]), date.date(dates.order) != nil,
                let day = date.moved(by: dates.days, dates.order)
            {
                made += day
                i += date.length
                continue
            }
            if isDigit(byte), isStart, shortest > 1,
                let run = NumberRun(Substring(String(decoding: bytes[i...].prefix(40), as: UTF8.self))), run.hasMark,
                let amount = run.scaled(scale, reader)
            {
                made += amount.utf8
                i += run.text.utf8.count
                continue
            }
            func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || byte >= 0x80 }
            let isRun = isWord(byte) ? isWord : isDigit(byte) ? { isDigit($0) } : { _ in false }
            let end = max(i + 1, bytes[i...].firstIndex { !isRun($0) } ?? bytes.endIndex)
            let text = String(decoding: bytes[i..<end], as: UTF8.self)
            if isWord(byte) {
                made += pseudonyms.word(text[...]).utf8
            } else if isDigit(byte), text.count >= shortest {
                made += pseudonyms.code(text).utf8
            } else {
                made += bytes[i..<end]
            }
            i = end
        }
        return made
    }
}
