import Delimited

/// What a definition writes for a column name: a name, or a template such as `Total {currency:code}`.
enum HeaderPattern: Sendable, Hashable {
    case name(HeaderName)
    case template(BoundTemplate)

    /// For messages.
    var text: String {
        switch self {
        case .name(let name): name.key
        case .template(let bound): bound.template.source
        }
    }

    /// Whether a header name is meant.
    func matches(_ candidate: HeaderName, _ cell: String) -> Bool {
        switch self {
        case .name(let name): name.key == candidate.key
        case .template(let bound): withView(cell) { bound.template.matches($0) }
        }
    }
}

/// A row that may be a header: its cells with their names, worked out once for all definitions.
struct HeaderCells: Sendable, Hashable {
    let cells: [String]
    let names: [HeaderName]
    let keys: Set<String>
    let hashes: NameHash

    init(_ cells: [String]) {
        self.cells = cells
        names = cells.map { HeaderName($0) }
        keys = Set(names.map(\.key))
        hashes = NameHash(names)
    }

    /// Whether a row looks like names rather than values: most cells that say something start with a letter.
    static func mayBe(_ cells: [String]) -> Bool {
        var filled = 0
        var values = 0
        for cell in cells {
            let text = cell.utf8.drop { isSpace($0) }
            guard let first = text.first else { continue }
            filled += 1
            if isDigit(first) || "$-+(.".utf8.contains(first) || isSign(text, first) { values += 1 }
        }
        return filled > 0 && values * 4 <= filled
    }

    /// `£`, `¥` or `€`, with a number behind it.
    private static func isSign(_ text: Substring.UTF8View, _ first: UInt8) -> Bool {
        guard first == 0xC2 || first == 0xE2 else { return false }
        let sign = ["\u{A3}", "\u{A5}", "\u{20AC}"].first { text.starts(with: $0.utf8) }
        return sign.flatMap { text.dropFirst($0.utf8.count).first }.map(isDigit) ?? false
    }
}

/// A column name as headers are compared: folded, without trailing decorations such as ` ($)`, ` (GBP)`, ` $` or ` *`.
struct HeaderName: Sendable, Hashable {
    /// The name that is compared.
    let key: String
    /// The name with its decorations, folded: of several columns with one key it tells which is meant.
    let full: String
    /// The currency that a decoration names: `Total (GBP)` → `GBP`.
    let currency: String?

    private static let longest = 512

    init(_ text: String) {
        if let plain = Self.plain(text) {
            key = plain
            full = plain
            currency = nil
            return
        }
        // A longer cell is no name; what is worked out of it only has to be unlike one.
        let text = text.utf8.count <= Self.longest ? text : String(text.prefix(Self.longest))
        var name = foldedWords(Self.withoutMarkup(text))
        full = name
        var currency: String?
        while let last = name.last {
            if last == ")", let open = name.lastIndex(of: "("), open > name.startIndex {
                let inner = String(name[name.index(after: open)..<name.index(before: name.endIndex)])
                guard let code = Self.currencyCode(inner), Self.isWritten(code, in: text) else { break }
                currency = code
                name = String(name[..<open])
            } else if "$#*€£:".contains(last), name.dropLast().last == " " {
                if let code = Self.currencyCode(String(last)) { currency = code }
                name.removeLast()
            } else if last == " " {
                name.removeLast()
            } else {
                break
            }
        }
        self.key = name
        self.currency = currency
    }

    /// The common case: ASCII letters, digits, single spaces and marks that are no decoration fold byte by byte.
    private static func plain(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard isPlain(bytes) else { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) { folded in
                for (place, byte) in bytes.enumerated() { folded[place] = asciiLower(byte) }
                return bytes.count
            }
        }
    }

    /// Whether a name folds byte by byte.
    static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count <= longest else { return false }
        var last = UInt8(ascii: " ")
        for byte in bytes {
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") else { return false }
            if byte == 0x20, last == 0x20 { return false }
            last = byte
        }
        if bytes.isEmpty { return true }
        switch last {
        case UInt8(ascii: ")"), UInt8(ascii: " "), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "*"),
            UInt8(ascii: ":"):
            return false
        default: return true
        }
    }

    /// NetBenefits writes `<span …>Date sold</span>` and `S&amp;P`.
    private static func withoutMarkup(_ text: String) -> String {
        guard text.contains("<") || text.contains("&") else { return text }
        var result = ""
        var inTag = false
        for character in text {
            if character == "<" {
                inTag = true
            } else if character == ">", inTag {
                inTag = false
            } else if !inTag {
                result.append(character)
            }
        }
        for (entity, character) in [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " ")] {
            while let range = result.firstRange(of: entity) { result.replaceSubrange(range, with: character) }
        }
        return result
    }

    /// Codes that are words too (`Shares (all)`) count only in capitals.
    private static func isWritten(_ code: String, in text: String) -> Bool {
        !["ALL", "TOP", "TRY", "CUP", "MAD", "PEN", "GEL", "BOB", "SOS", "LAK", "MOP"].contains(code)
            || text.contains("(" + code + ")")
    }

    private static func currencyCode(_ inner: String) -> String? {
        switch inner {
        case "$": return "USD"
        case "€": return "EUR"
        case "£": return "GBP"
        default:
            guard inner.count == 3, inner.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) else { return nil }
            let code = inner.uppercased()
            return Currency.isKnown(code) ? code : nil
        }
    }
}
