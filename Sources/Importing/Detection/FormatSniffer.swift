import Delimited

/// Tells delimited text, JSON and markup apart by their first characters.
enum FormatSniffer {
    static func format(of head: [UInt8]) -> InputSample.Format {
        guard let start = head.firstIndex(where: { !isSpace($0) && $0 != 0 }) else { return .empty }
        let first = head[start]
        let opening = String(decoding: head[start..<min(head.count, start + 8192)], as: UTF8.self).lowercased()
        if first == UInt8(ascii: "<") { return markup(opening) }
        if opening.hasPrefix("ofxheader") || opening.hasPrefix("ofxsgml") { return .ofx }
        if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") { return .json }
        // Headers of mail, stray text or a comment may stand before OFX.
        if opening.contains("ofxheader:") || opening.contains("<ofx>") || opening.contains("<ofx ") { return .ofx }
        if opening.contains("<flexqueryresponse") { return .flex }
        if opening.contains("<stmttrn>") || opening.contains("<banktranlist>") { return .ofx }
        return .delimited
    }

    private static func markup(_ opening: String) -> InputSample.Format {
        if opening.contains("<!doctype html") || opening.hasPrefix("<html") || opening.contains("<head>")
            || opening.contains("<body")
        {
            return .html
        }
        if opening.contains("<flexqueryresponse") || opening.contains("<flexstatementresponse") { return .flex }
        for mark in [
            "<?ofx", "<ofx", "ofxheader", "<stmttrn", "<bankmsgsrs", "<signonmsgsrs", "<invstmt", "<creditcardmsgs",
        ]
        where opening.contains(mark) { return .ofx }
        return .xml
    }
}
