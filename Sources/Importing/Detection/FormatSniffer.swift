import Delimited

/// Tells delimited text, JSON and markup apart by their first characters.
enum FormatSniffer {
    static func format(of head: [UInt8]) -> InputSample.Format {
        guard let start = head.firstIndex(where: { !isSpace($0) && $0 != 0 }) else { return .empty }
        let first = head[start]
        let slice = head[start..<min(head.count, start + 8192)]
        if first != UInt8(ascii: "<"), !mayBeMarkup(slice) {
            return startsJSON(slice) ? .json : .delimited
        }
        let opening = Opening(slice)
        if first == UInt8(ascii: "<") { return markup(opening) }
        if opening.hasPrefix("ofxheader") || opening.hasPrefix("ofxsgml") { return .ofx }
        if startsJSON(slice) { return .json }
        // Headers of mail, stray text or a comment may stand before OFX.
        if opening.contains("ofxheader:") || opening.contains("<ofx>") || opening.contains("<ofx ") { return .ofx }
        if opening.contains("<flexqueryresponse") { return .flex }
        if opening.contains("<stmttrn>") || opening.contains("<banktranlist>") { return .ofx }
        return .delimited
    }

    /// Whether a bracket is that of a list or an object: what follows can stand in one. A title such as `[Broker]
    /// Transactions` begins with one, too.
    private static func startsJSON(_ slice: ArraySlice<UInt8>) -> Bool {
        guard let first = slice.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return false }
        guard let next = slice.dropFirst().first(where: { !isSpace($0) && $0 != 0 }) else { return true }
        if next == UInt8(ascii: "\"") { return true }
        if first == UInt8(ascii: "{") { return next == UInt8(ascii: "}") }
        if isDigit(next) || "[]{-".utf8.contains(next) { return true }
        let rest = slice.dropFirst().drop { isSpace($0) }
        return ["true", "false", "null"].contains { rest.starts(with: $0.utf8) }
    }

    /// Whether there is a tag, or a word that OFX begins with: all that is looked for has one of them.
    private static func mayBeMarkup(_ slice: ArraySlice<UInt8>) -> Bool {
        slice.withUnsafeBytes { bytes in
            if place(of: UInt8(ascii: "<"), in: bytes) != nil { return true }
            // Of the letters of `OFX` the last is the rarest.
            for letter in [UInt8(ascii: "x"), UInt8(ascii: "X")] {
                var next = 2
                while let found = place(of: letter, in: bytes, from: next) {
                    if bytes[found - 1] | 0x20 == UInt8(ascii: "f"), bytes[found - 2] | 0x20 == UInt8(ascii: "o") {
                        return true
                    }
                    next = found + 1
                }
            }
            return false
        }
    }

    private static func markup(_ opening: Opening) -> InputSample.Format {
        if opening.contains("<!doctype html") || opening.hasPrefix("<html") || opening.contains("<head>")
            || opening.contains("<body")
        {
            return .html
        }
        if opening.contains("<flexqueryresponse") || opening.contains("<flexstatementresponse") { return .flex }
        let marks: [StaticString] = [
            "<?ofx", "<ofx", "ofxheader", "<stmttrn", "<bankmsgsrs", "<signonmsgsrs", "<invstmt", "<creditcardmsgs",
        ]
        return marks.contains { opening.contains($0) } ? .ofx : .xml
    }
}

/// The first bytes of a text with ASCII letters folded: every input is searched, so that no String is made of it.
private struct Opening {
    private let bytes: [UInt8]
    private let hasTag: Bool

    init(_ slice: ArraySlice<UInt8>) {
        bytes = slice.withUnsafeBufferPointer { slice in
            [UInt8](unsafeUninitializedCapacity: slice.count) { folded, count in
                for place in slice.indices { folded[place] = asciiLower(slice[place]) }
                count = slice.count
            }
        }
        hasTag = bytes.withUnsafeBufferPointer { $0.contains(UInt8(ascii: "<")) }
    }

    func hasPrefix(_ mark: StaticString) -> Bool { mark.withUTF8Buffer { bytes.starts(with: $0) } }

    func contains(_ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { mark in
            guard let first = mark.first, mark.count <= bytes.count else { return false }
            if first == UInt8(ascii: "<"), !hasTag { return false }
            return bytes.withUnsafeBufferPointer { bytes in
                for start in 0...(bytes.count - mark.count) where bytes[start] == first {
                    var length = 1
                    while length < mark.count, bytes[start + length] == mark[length] { length += 1 }
                    if length == mark.count { return true }
                }
                return false
            }
        }
    }
}
