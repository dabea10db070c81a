/// The names of reject files: each input's own name, made to stay in its folder, to fit into a file system, and to be
/// that of no other input of the run.
struct RejectFileNames {
    /// What file systems take, in bytes of UTF-8.
    static let maximumBytes = 255
    /// Names that differ in case only are one on some systems.
    private var used: Set<String> = []

    /// The name of the next input, in the order of inputs. Of equal names all but the first carry the beginning of what
    /// names the input: eight digits, or as many more as it takes.
    mutating func take(_ name: String, _ sourceMetaID: String) -> String {
        let own = RejectFileNames.sanitized(name)
        if used.insert(own.lowercased()).inserted { return own }
        let marked = RejectFileNames.candidates(name, sourceMetaID).dropFirst()
        // A mark without a letter could be a date or an account of the name.
        return marked.first { RejectFileNames.unmarked($0) != $0 && used.insert($0.lowercased()).inserted }
            ?? marked.first { used.insert($0.lowercased()).inserted } ?? marked.last ?? own
    }

    /// All names that an input may have.
    static func candidates(_ name: String, _ sourceMetaID: String) -> [String] {
        let safe = sanitized(name)
        let marks = stride(from: 8, through: max(8, sourceMetaID.count), by: 1)
        return [safe] + marks.map { marked(safe, sourceMetaID.prefix($0)) }
    }

    /// A name that stays in its folder: no slash, no control character, no leading dot.
    static func sanitized(_ name: String) -> String {
        // In UTF-8 these bytes stand for themselves alone.
        let bytes = name.utf8.map { $0 < 0x20 || $0 == 0x2F || $0 == 0x5C ? 0x5F : $0 }
        var text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix(".") { text = "_" + text.dropFirst() }
        return text.isEmpty ? "_" : joined(text, "")
    }

    /// The name of the input of which a file has the rejects, where its own name has a mark: what the name says of the
    /// account and the date holds for them too.
    static func unmarked(_ name: String) -> String {
        guard mayHaveMark(name) else { return name }
        var parts = name.split(separator: ".", omittingEmptySubsequences: false)
        // A correction of a correction has two marks.
        while let place = [parts.count - 2, parts.count - 1].first(where: { $0 > 0 && isMark(parts[$0]) }) {
            parts.remove(at: place)
        }
        return parts.joined(separator: ".")
    }

    /// Whether a dot stands before so many digits of a mark; asked for every input.
    private static func mayHaveMark(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in
            // Digits behind the last dot; none before the first.
            var count = -1
            for byte in bytes {
                if byte == 0x2E {
                    count = 0
                } else if count >= 0, byte &- 0x30 < 10 || byte &- 0x61 < 6 {
                    count += 1
                    if count == 8 { return true }
                } else {
                    count = -1
                }
            }
            return false
        }
    }

    private static func isMark(_ text: Substring) -> Bool {
        text.utf8.count >= 8 && text.utf8.count <= 32 && text.utf8.contains { $0 > 0x39 }
            && text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    }

    /// `history.csv` → `history.1a2b3c4d.csv`.
    private static func marked(_ name: String, _ mark: Substring) -> String { joined(name, ".\(mark)") }

    /// The name with a mark before its extension; what is too long loses the end of what stands before both.
    private static func joined(_ name: String, _ mark: String) -> String {
        var (stem, end) = (Substring(name), Substring())
        // What is longer than this is no extension.
        if let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= 32 {
            (stem, end) = (name[..<dot], name[dot...])
        }
        while !stem.isEmpty, stem.utf8.count + mark.utf8.count + end.utf8.count > maximumBytes { stem.removeLast() }
        return "\(stem)\(mark)\(end)"
    }
}
