/// What a file name says: account, date, title, by the definition's templates. Never a requirement.
enum FileNameContext {
    /// Without its extension, a browser's ` (1)` and a desktop's ` - Copy`.
    static func stem(_ name: String) -> String { original(downloaded(name)) }

    private static func downloaded(_ name: String) -> String {
        if let plain = plainStem(name) { return plain }
        var stem = name
        if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = String(stem[..<dot]) }
        if stem.hasSuffix(")"), let open = stem.lastIndex(of: "("), open > stem.startIndex {
            let inner = stem[stem.index(after: open)..<stem.index(before: stem.endIndex)]
            if !inner.isEmpty, inner.allSatisfy(\.isNumber) { stem = String(stem[..<open]).trimmingSpaces }
        }
        return stem
    }

    /// What desktops call copies.
    private static let copyWords: Set<Substring> = ["copy", "kopie", "copie", "copia", "cópia", "kopia"]

    /// Without the word for a copy at the end: `A - Kopie`, `A copy 2`, `A (copie)`.
    private static func original(_ stem: String) -> String {
        guard stem.utf8.contains(UInt8(ascii: " ")) else { return stem }
        let words = stem.split(separator: " ")
        let plain = words.suffix(2).map { $0.lowercased().drop { $0 == "(" }.prefix { $0 != ")" } }
        guard words.count > 1, let last = plain.last, let before = plain.first else { return stem }
        var count = words.count - 1
        if words.count > 2, last.allSatisfy(\.isNumber), copyWords.contains(before) {
            count -= 1
        } else if !copyWords.contains(last) {
            return stem
        }
        if count > 1, words[count - 1] == "-" { count -= 1 }
        return words[..<count].joined(separator: " ")
    }

    /// The same of a name in ASCII without parentheses, byte by byte.
    private static func plainStem(_ name: String) -> String? {
        guard name.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: ")") && $0 != 0x0D }) else { return nil }
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    static func values(of name: String, _ definition: Definition) -> [(slot: Int, text: String)] {
        read(name, definition) ?? []
    }

    /// The same; nil of a name that no template fits.
    static func read(_ name: String, _ definition: Definition) -> [(slot: Int, text: String)]? {
        read(name, definition.files)
    }

    /// The same of a definition's templates for names.
    static func read(_ name: String, _ files: [BoundTemplate]) -> [(slot: Int, text: String)]? {
        if files.isEmpty { return nil }
        return withView(stem(name)) { stem in
            var captures: [CapturedText] = []
            for index in files.indices where files[index].capture(stem, &captures) {
                return captures.map { ($0.slot, $0.text) }
            }
            return nil
        }
    }

    static func matches(_ name: String, _ definition: Definition) -> Bool {
        let stem = stem(name)
        return definition.files.contains { bound in withView(stem) { bound.template.matches($0) } }
    }
}
