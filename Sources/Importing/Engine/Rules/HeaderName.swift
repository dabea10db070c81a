import Delimited
import Synchronization

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
    /// The rows that were looked at last: each comes again when the input is read, and in other inputs.
    private static let known = Mutex(HeaderMemory())

    let cells: [String]
    let names: [HeaderName]
    let keys: Set<String>
    /// Of each name; see `HeaderNames`.
    let hashes: [UInt64]

    init(_ cells: [String]) {
        self.cells = cells
        names = cells.map { HeaderName($0) }
        keys = Set(names.map(\.key))
        hashes = names.map { name in
            var key = name.key
            return key.withUTF8 { NameHash.of($0) }
        }
    }

    /// The cells with their names.
    static func of(_ cells: [String]) -> HeaderCells {
        if let known = known.withLock({ $0.find(cells) }) { return known }
        let fresh = HeaderCells(cells)
        known.withLock { $0.keep(fresh) }
        return fresh
    }

    /// Whether cells look like names rather than values: most that say something start with a letter.
    static func mayBe(_ cells: [String]) -> Bool {
        var tally = Tally()
        for cell in cells { withView(cell) { tally.take($0) } }
        return tally.areNames
    }

    /// The same of a row.
    static func mayBe<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> Bool {
        var tally = Tally()
        for index in 0..<record.count { tally.take(record.cell(index).unwrappedFormula()) }
        return tally.areNames
    }

    /// Whether a row surely does not look like names; cells in rare shapes are taken for such.
    @inline(__always)
    static func areValues(_ record: borrowing CleanRecord) -> Bool {
        record.opensOften(with: HeaderCells.valueOpenings)
    }

    /// Digits and `- + ( .`, as `Tally` has them: a bit for each byte below 64. A name may follow `$`.
    private static var valueOpenings: UInt64 { 0x03FF_6900_0000_0000 }

    /// Cells that say something, and those that begin as values do.
    private struct Tally {
        private var filled = 0
        private var values = 0

        var areNames: Bool { filled > 0 && values * 4 <= filled }

        @inline(__always)
        mutating func take(_ cell: ByteView) {
            guard let first = cell.first else { return }
            if isLetter(first) {
                filled += 1
            } else if isDigit(first) {
                filled += 1
                values += 1
            } else {
                takeOther(cell)
            }
        }

        private mutating func takeOther(_ cell: ByteView) {
            var place = 0
            while place < cell.count, isSpace(cell[place]) { place += 1 }
            guard place < cell.count else { return }
            filled += 1
            switch cell[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "("), UInt8(ascii: "."):
                values += 1
            case UInt8(ascii: "$"):
                // `$ Cost` is a name.
                let rest = cell.dropFirst(place + 1)
                let next = rest.indices.first { !isSpace(rest[$0]) }
                if next.map({ !isLetter(rest[$0]) }) ?? true { values += 1 }
            case 0xC2, 0xE2:
                if Tally.isSign(cell.dropFirst(place)) { values += 1 }
            default: break
            }
        }

        /// `£`, `¥` or `€`, with a number behind it.
        private static func isSign(_ text: ByteView) -> Bool {
            for sign in ["\u{A3}", "\u{A5}", "\u{20AC}"] where withView(sign, { text.hasPrefix($0) }) {
                return text.dropFirst(sign.utf8.count).first.map(isDigit) ?? false
            }
            return false
        }
    }
}

/// Headers that may come again, by what their cells say: the last, and some of usual size before it.
private struct HeaderMemory {
    private var last: HeaderCells?
    private var usual: [HeaderCells] = []
    /// Where the next one goes.
    private var next = 0

    /// So many, of so few cells and bytes.
    private static let most = 64, mostCells = 256, mostBytes = 1 << 13

    mutating func find(_ cells: [String]) -> HeaderCells? {
        if let last, last.cells == cells { return last }
        guard let known = usual.first(where: { $0.cells == cells }) else { return nil }
        last = known
        return known
    }

    mutating func keep(_ header: HeaderCells) {
        last = header
        let cells = header.cells
        guard cells.count <= Self.mostCells, cells.reduce(0, { $0 + $1.utf8.count }) <= Self.mostBytes else { return }
        if usual.count < Self.most { usual.append(header) } else { usual[next] = header }
        next = (next + 1) % Self.most
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
            self.init(key: plain, full: plain, currency: nil)
        } else {
            self = Self.decorated(text) ?? Self.folded(text)
        }
    }

    private init(key: String, full: String, currency: String?) {
        self.key = key
        self.full = full
        self.currency = currency
    }

    /// A name of any script.
    static func folded(_ text: String) -> HeaderName {
        // A longer cell is no name; what is worked out of it only has to be unlike one.
        let text = text.utf8.count <= Self.longest ? text : String(text.prefix(Self.longest))
        var name = foldedWords(Self.withPlainApostrophes(Self.withoutMarkup(text)))
        let full = name
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
        return HeaderName(key: name, full: full, currency: currency)
    }

    /// The same for plain names with decorations, byte by byte; nil for other texts.
    static func decorated(_ text: String) -> HeaderName? {
        guard text.utf8.count <= longest else { return nil }
        var name: [UInt8] = []
        var folder = NameFolder()
        for byte in text.utf8 {
            guard let folded = folder.fold(byte) else { return nil }
            if byte == 0x20, name.last ?? 0x20 == 0x20 { continue }
            name.append(folded)
        }
        if name.last == 0x20 { name.removeLast() }
        let full = String(decoding: name, as: UTF8.self)
        var currency: String?
        while let last = name.last {
            let isSet = name.count > 1 && name[name.count - 2] == 0x20
            if last == UInt8(ascii: ")"), let open = name.lastIndex(of: UInt8(ascii: "(")), open > 0 {
                let inner = String(decoding: name[(open + 1)..<(name.count - 1)], as: UTF8.self)
                guard let code = currencyCode(inner), isWritten(code, in: text) else { break }
                currency = code
                name.removeSubrange(open...)
            } else if isSet, "$#*:".utf8.contains(last) {
                if last == UInt8(ascii: "$") { currency = "USD" }
                name.removeLast()
            } else if last == 0x20 {
                name.removeLast()
            } else {
                break
            }
        }
        return HeaderName(key: String(decoding: name, as: UTF8.self), full: full, currency: currency)
    }

    /// The common case: letters, digits, single spaces and marks that are no decoration fold byte by byte.
    private static func plain(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= longest else { return nil }
            var isPlain = true
            let folded = String(unsafeUninitializedCapacity: bytes.count) { folded in
                isPlain = fold(bytes, into: folded)
                return isPlain ? bytes.count : 0
            }
            return isPlain ? folded : nil
        }
    }

    /// Whether a name folds byte by byte; `folded` has as much room as it has bytes.
    private static func fold(
        _ bytes: UnsafeBufferPointer<UInt8>, into folded: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        var last = UInt8(ascii: " ")
        var folder = NameFolder()
        for (place, byte) in bytes.enumerated() {
            guard let small = folder.fold(byte), byte != 0x20 || last != 0x20 else { return false }
            folded[place] = small
            last = byte
        }
        switch last {
        case UInt8(ascii: ")"), UInt8(ascii: " "), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "*"),
            UInt8(ascii: ":"):
            return bytes.isEmpty
        default: return true
        }
    }

    /// A word processor makes `Date d’opération` of `Date d'opération`.
    private static func withPlainApostrophes(_ text: String) -> String {
        // They begin with these bytes, which few names have.
        guard text.utf8.contains(where: { $0 == 0xE2 || $0 == 0xCA }) else { return text }
        let curly: Set<Character> = ["\u{2019}", "\u{2018}", "\u{02BC}"]
        guard text.contains(where: curly.contains) else { return text }
        return String(text.map { curly.contains($0) ? "'" : $0 })
    }

    /// NetBenefits writes `<span …>Date sold</span>` and `S&amp;P`.
    private static func withoutMarkup(_ text: String) -> String {
        // An ampersand opens an entity only where a semicolon ends one.
        let bytes = text.utf8
        guard
            bytes.contains(UInt8(ascii: "<"))
                || bytes.contains(UInt8(ascii: "&")) && bytes.contains(UInt8(ascii: ";"))
        else { return text }
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

/// Folds bytes of names that need no more: printable ASCII that is no markup, and the letters of Latin-1.
private struct NameFolder {
    private var isSecond = false
    private var hasAmpersand = false

    /// The byte in small letters; nil where the name is another.
    @inline(__always)
    mutating func fold(_ byte: UInt8) -> UInt8? {
        if isSecond {
            isSecond = false
            // U+00C0 to U+00DE without the sign of multiplication have their small letters 32 further.
            return byte < 0x9F && byte != 0x97 ? byte | 0x20 : byte
        }
        if byte == 0xC3 {
            isSecond = true
            return byte
        }
        // A semicolon may end an entity, where an ampersand came before it.
        if byte == UInt8(ascii: "&") { hasAmpersand = true }
        guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "<"), !(hasAmpersand && byte == UInt8(ascii: ";")) else {
            return nil
        }
        return asciiLower(byte)
    }
}
