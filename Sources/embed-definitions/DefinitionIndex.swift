import CurrencyCodes
import StrictYAML

/// Why a definition has no index.
struct TooLong: Error, CustomStringConvertible {
    let text: String
    var description: String { "‘\(text.prefix(40))…’ is too long, or there are too many of its kind" }
}

/// What detection must know of a definition: whether it is a fallback, its aliases, patterns of lines of which one must
/// be there, where lines say what they are and which words say that one is a header, and for each table the names of its
/// required columns. `NameIndex` in Sources/Importing reads it.
///
/// A number is two bytes of seven bits, the lower first; a text is its length and its bytes; a list its count and its
/// items. A fallback begins with 1, any other with 0. The aliases and the patterns are lists of texts. The layout is the
/// numbers of the columns of section and kind, from 1, and the list of the words, or 0 where there is none. The tables
/// are a list; a table is the list of its columns; a column is its first name, for people, and the list of its names as
/// they are compared: 0 and the eight bytes of a hash or, where that is not told here, the name itself. A column that is
/// not found by plain names is left out: it may be there.
func index(of node: YAMLNode) throws -> String {
    let root = try node.mapping()
    var index = IndexWriter()
    try index.number(root.bool("fallback") == true ? 1 : 0, of: "fallback")
    try index.list(root.stringList("aliases")) { try $0.text($1) }
    try index.list(root["detect"]?.mapping().stringList("line") ?? []) { try $0.text($1) }
    try index.layout(root["layout"]?.mapping())
    try index.list(requiredNames(of: node)) { index, table in
        try index.list(table) { index, names in
            try index.text(names[0])
            try index.list(names.filter { !$0.isEmpty }) { try $0.name($1) }
        }
    }
    return String(decoding: index.bytes, as: UTF8.self)
}

/// For each table of a definition the names of each required column.
func requiredNames(of definition: YAMLNode) throws -> [[[String]]] {
    try (definition.mapping()["tables"]?.sequence() ?? []).map { table in
        // Names are compared folded; what stands in parentheses may mean another thing in small letters.
        try requiredNames(of: table.mapping()).map { $0.map { $0.contains("(") ? $0 : $0.lowercased() } }
    }
}

/// For each required column of a table its names.
private func requiredNames(of table: YAMLMapping) throws -> [[String]] {
    let columns = try table["columns"]?.mapping()
    var result: [[String]] = []
    for variable in try table.stringList("require") {
        guard let column = columns?[variable] else { continue }
        var names: [String] = []
        if case .mapping = column.value {
            names = try column.mapping().stringList("names")
        } else {
            names = try column.stringList()
        }
        if !names.isEmpty, !names.contains(where: { $0.contains("{") }) { result.append(names) }
    }
    return result
}

/// A hash as text: eight bytes, the lowest first, none with its highest bit.
func hashBytes(_ hash: UInt64) -> [UInt8] { (0..<8).map { UInt8(hash >> (8 * UInt64($0)) & 0x7F) } }

private struct IndexWriter {
    var bytes: [UInt8] = []

    mutating func number(_ value: Int, of text: String) throws {
        guard value < 1 << 14 else { throw TooLong(text: text) }
        bytes += [UInt8(value & 0x7F), UInt8(value >> 7)]
    }

    mutating func text(_ text: String) throws {
        try number(text.utf8.count, of: text)
        bytes += text.utf8
    }

    mutating func list<Item>(_ items: [Item], _ write: (inout IndexWriter, Item) throws -> Void) throws {
        try number(items.count, of: "\(items)")
        for item in items { try write(&self, item) }
    }

    mutating func layout(_ layout: YAMLMapping?) throws {
        guard let layout else { return try number(0, of: "layout") }
        try number(layout.required("section").int(in: 1...64), of: "section")
        try number(layout.required("kind").int(in: 1...64), of: "kind")
        let kinds = try layout.required("kinds").mapping().entries
        try list(kinds.filter { try $0.value.string() == "header" }) { try $0.text($1.key) }
    }

    mutating func name(_ name: String) throws {
        guard let hash = hash(name) else { return try text(name) }
        try number(0, of: name)
        bytes += hashBytes(hash)
    }
}

/// The hash (FNV-1a of the folded name) as `NameHash` in Sources/Importing has it; nil where how a name folds is not
/// told here. `PreparedDefinitionTests` holds it to what headers fold to.
func hash(_ name: String) -> UInt64? {
    guard let key = folded(name) else { return nil }
    let hash = key.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return max(1, hash & 0x7F7F_7F7F_7F7F_7F7F)
}

/// A name as headers are compared, in small letters and without decorations; nil where that takes more than is known
/// here: markup, codes that are words too, letters of other forms.
private func folded(_ written: String) -> String? {
    guard written.utf8.count <= 512 else { return nil }
    // A word processor's apostrophes are taken for the plain one.
    let apostrophes: Set<Character> = ["\u{2019}", "\u{2018}", "\u{2BC}"]
    let name = String(written.map { apostrophes.contains($0) ? "'" : $0 })
    guard name.allSatisfy(foldsAlone), !name.contains("<"), !(name.contains("&") && name.contains(";")) else {
        return nil
    }
    return undecorated(name.split(separator: " ").joined(separator: " ").lowercased())
}

/// Whether a character folds by itself: letters, with marks above or below, to small ones, signs to themselves. Spaces of
/// other widths and what is not seen fold to something else.
private func foldsAlone(_ character: Character) -> Bool {
    var rest = character.unicodeScalars[...]
    let first = rest.removeFirst()
    if first.properties.isAlphabetic {
        return first != "\u{2BC}"
            && rest.allSatisfy { $0.properties.isAlphabetic || $0.properties.generalCategory == .nonspacingMark }
    }
    switch first.properties.generalCategory {
    case .decimalNumber, .otherNumber, .currencySymbol, .mathSymbol, .modifierSymbol, .otherSymbol,
        .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .otherPunctuation:
        return rest.isEmpty
    default: return character == " "
    }
}

/// A folded name without ` (GBP)`, ` ($)`, ` *` and the like at its end.
private func undecorated(_ folded: String) -> String? {
    var name = folded
    while let last = name.last {
        if last == ")", let open = name.lastIndex(of: "("), open > name.startIndex {
            let inner = Array(name[name.index(after: open)...].dropLast().uppercased().utf8)
            let isCode = inner.count == 3 && CurrencyCodes.contain(inner[0], inner[1], inner[2])
            // Some codes count in capitals only.
            if isCode, words.contains(String(decoding: inner, as: UTF8.self)) { return nil }
            guard isCode || ["$", "€", "£"].contains(String(decoding: inner, as: UTF8.self)) else { break }
            name = String(name[..<open])
        } else if "$#*€£:".contains(last), name.dropLast().last == " " {
            name.removeLast()
        } else if last == " " {
            name.removeLast()
        } else {
            break
        }
    }
    return name
}

/// Codes that are words too, as in `Shares (all)`; `HeaderName` knows them.
private let words: Set = ["ALL", "TOP", "TRY", "CUP", "MAD", "PEN", "GEL", "BOB", "SOS", "LAK", "MOP"]
