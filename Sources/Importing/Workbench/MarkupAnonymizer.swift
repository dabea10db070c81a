import Delimited
import OpenAlloc

/// Makes a copy of an OFX or Flex export that can be shown to others: elements, securities and prices stay, accounts,
/// names, ids, days and amounts do not. Like ``Anonymizer``, it is to be believed only after an ``AnonymityProof``.
public struct MarkupAnonymizer {
    private let vocabulary: MarkupVocabulary
    private let scale: NumberScale
    private let dates: DateShift
    private let reader = NumberReader(blanks: ["-", "--", "n/a"])
    private var pseudonyms: Pseudonyms
    private var result: [UInt8] = []

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
        let end = input.name.lastIndex(of: ".").map { String(input.name[$0...]) } ?? ""
        return Anonymizer.Copy(
            bytes: isWide ? sample.encoding.byteOrderMark + sample.encoding.encode(maker.result) : maker.result,
            name: "anonymous" + end, days: maker.dates.days, factor: maker.scale.factor)
    }

    private init(_ bytes: [UInt8], _ vocabulary: MarkupVocabulary, _ words: Vocabulary, _ attempt: Int) {
        self.vocabulary = vocabulary
        var seed = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        (scale, dates) = Anonymizer.changes(&seed, attempt, patterns: [])
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
        for i in start..<bytes.count {
            if let open = quote {
                if bytes[i] == open { quote = nil }
            } else if bytes[i] == UInt8(ascii: ">") {
                return i
            } else if bytes[i] == UInt8(ascii: "\""), bytes[start..<i].contains(UInt8(ascii: "=")) {
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
        let attributes = Self.attributes(bytes)
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

    private static func attributes(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: ArraySlice<UInt8>)] {
        var found: [(String, ArraySlice<UInt8>)] = []
        var i = bytes.startIndex
        while let equals = bytes[i...].firstIndex(of: UInt8(ascii: "=")) {
            var start = equals
            while start > i, !isSpace(bytes[start - 1]) { start -= 1 }
            guard let open = bytes[(equals + 1)...].firstIndex(where: { !isSpace($0) }),
                bytes[open] == UInt8(ascii: "\"") || bytes[open] == UInt8(ascii: "'"),
                let close = bytes[(open + 1)...].firstIndex(of: bytes[open])
            else { break }
            found.append((String(decoding: bytes[start..<equals], as: UTF8.self), bytes[(open + 1)..<close]))
            i = close + 1
        }
        return found
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

    private mutating func replaced(
        _ bytes: ArraySlice<UInt8>, _ name: String, namesSecurity: Bool
    ) -> [UInt8] {
        let value = String(decoding: bytes, as: UTF8.self)
        guard !value.isEmpty, !withView(value, { reader.isBlank($0) }) else { return Array(bytes) }
        switch vocabulary.meaning(of: name, value, namesSecurity: namesSecurity) {
        case .kept: return Array(bytes)
        case .code: return Array(pseudonyms.code(value).utf8)
        case .date:
            if let made = moved(bytes) { return made }
            // A time of day alone names nobody.
            let isTime = value.utf8.count <= 8 && bytes.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ":") }
            return isTime ? Array(bytes) : Array(pseudonyms.code(value).utf8)
        case .amount:
            let style: NumberStyle = value.contains(",") && !value.contains(".") ? .eu : .us
            if let made = scale.scale(value, reader, style, mayGroup: false) { return Array(made.utf8) }
            return words(bytes)
        case .text: return words(bytes)
        }
    }

    /// `20240131…` or `2024-01-31…`: the day moves, what follows stays; nil when it is no such date.
    private func moved(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = bytes.prefix(10).filter { isDigit($0) }
        let hasDashes = bytes.dropFirst(4).first == UInt8(ascii: "-")
        let length = hasDashes ? 10 : 8
        guard bytes.count >= length, bytes.prefix(length).count(where: { isDigit($0) }) == 8 else { return nil }
        func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 * 10 + Int(digits[$1] &- 0x30) } }
        guard let day = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8)) else { return nil }
        if day.year < DateShift.firstYear { return Array(bytes) }
        guard let other = day.adding(days: dates.days)
        else { return nil }
        func padded(_ value: Int, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let parts = [padded(other.year, 4), padded(other.month, 2), padded(other.day, 2)]
        return Array(parts.joined(separator: hasDashes ? "-" : "").utf8) + bytes.dropFirst(length)
    }

    /// Words that are nobody's stay; entities and marks too; long numbers are codes.
    private mutating func words(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var made: [UInt8] = []
        var i = bytes.startIndex
        while i < bytes.endIndex {
            let byte = bytes[i]
            if byte == UInt8(ascii: "&"), let end = bytes[i...].prefix(10).firstIndex(of: UInt8(ascii: ";")) {
                made += bytes[i...end]
                i = end + 1
                continue
            }
            func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || byte >= 0x80 }
            let isRun = isWord(byte) ? isWord : isDigit(byte) ? { isDigit($0) } : { _ in false }
            let end = max(i + 1, bytes[i...].firstIndex { !isRun($0) } ?? bytes.endIndex)
            let text = String(decoding: bytes[i..<end], as: UTF8.self)
            if isWord(byte) {
                made += pseudonyms.word(text[...]).utf8
            } else if isDigit(byte), text.count >= 4 {
                made += pseudonyms.code(text).utf8
            } else {
                made += bytes[i..<end]
            }
            i = end
        }
        return made
    }
}
