import Delimited

/// Tells delimited text, JSON and markup apart by their first characters.
enum FormatSniffer {
    static func format(of head: [UInt8]) -> InputSample.Format {
        guard let start = head.firstIndex(where: { !isSpace($0) && $0 != 0 }) else { return .empty }
        let first = head[start]
        let opening = Opening(head[start..<min(head.count, start + 8192)])
        if first == UInt8(ascii: "<") { return markup(opening) }
        if opening.begins("ofxheader") || opening.begins("ofxsgml") { return .ofx }
        if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") { return .json }
        // Headers of mail, stray text or a comment may stand before OFX.
        if opening.has("ofxheader:") || opening.has("<ofx>") || opening.has("<ofx ") { return .ofx }
        if opening.has("<flexqueryresponse") { return .flex }
        if opening.has("<stmttrn>") || opening.has("<banktranlist>") { return .ofx }
        return .delimited
    }

    private static func markup(_ opening: Opening) -> InputSample.Format {
        if opening.has("<!doctype html") || opening.begins("<html") || opening.has("<head>") || opening.has("<body") {
            return .html
        }
        if opening.has("<flexqueryresponse") || opening.has("<flexstatementresponse") { return .flex }
        for mark in [
            "<?ofx", "<ofx", "ofxheader", "<stmttrn", "<bankmsgsrs", "<signonmsgsrs", "<invstmt", "<creditcardmsgs",
        ] as [StaticString]
        where opening.has(mark) { return .ofx }
        return .xml
    }

    /// The first bytes in lower case; every file passes here, so they are searched as bytes.
    private struct Opening {
        private let bytes: [UInt8]

        init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes.map { asciiLower($0) } }

        func begins(_ mark: StaticString) -> Bool { stands(mark, at: 0) }

        func has(_ mark: StaticString) -> Bool {
            let first = mark.withUTF8Buffer { $0.first }
            return bytes.indices.contains { bytes[$0] == first && stands(mark, at: $0) }
        }

        private func stands(_ mark: StaticString, at place: Int) -> Bool {
            mark.withUTF8Buffer { mark in
                place + mark.count <= bytes.count && bytes[place..<place + mark.count].elementsEqual(mark)
            }
        }
    }
}
