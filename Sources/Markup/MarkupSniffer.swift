/// What a file is, from its first bytes alone.
public enum MarkupKind: Sendable, Hashable {
    /// OFX in SGML, or without a header and with open leaves.
    case ofxSGML
    /// OFX with an XML declaration or an OFX 2 header, or without header and with closed leaves; perhaps not well-formed.
    case ofxXML
    /// An IBKR Flex statement (or its error answer).
    case flexXML
    /// Other XML, with the name of its root.
    case xml(root: String)
    /// A web page.
    case html
    /// No markup.
    case none

    /// Whether OFX's names and conventions apply.
    public var isOFX: Bool { self == .ofxSGML || self == .ofxXML }
}

/// Names the kind of markup.
public enum MarkupSniffer {
    /// How many bytes are enough.
    public static let prefixLength = 1 << 15

    /// The kind of markup that begins with `prefix` (any encoding).
    public static func kind(of prefix: [UInt8]) -> MarkupKind {
        prefix.withUnsafeBufferPointer { prefix in
            let mark = MarkupEncoding.mark(prefix)
            let start = UnsafeBufferPointer(rebasing: prefix.prefix(prefixLength))
            let probe = Probe()
            var lexer = MarkupLexer(sink: probe, locator: nil, unterminatedFrom: nil, limits: MarkupLimits())
            if mark.encoding ?? .utf8 == .utf8 {
                lexer.feed(UnsafeBufferPointer(rebasing: start.dropFirst(mark.skip)), isFinal: true)
            } else {
                var text: [UInt8] = []
                var transcoder = Transcoder(encoding: mark.encoding ?? .utf8, skip: mark.skip)
                transcoder.convert(start, into: &text)
                text.withUnsafeBufferPointer { lexer.feed($0, isFinal: true) }
            }
            return probe.kind
        }
    }

    /// The code page that a header or an XML declaration names; Windows-1252 where it names none that is read.
    static func page(in prefix: [UInt8]) -> MarkupEncoding {
        // The prolog ends where the first element begins.
        let isLetter = { (byte: UInt8) in (byte | 0x20) &- 0x61 < 26 }
        let end = prefix.indices.first { prefix[$0] == 0x3C && $0 + 1 < prefix.count && isLetter(prefix[$0 + 1]) }
        let header = OFXHeader(prolog: Array(prefix[..<(end ?? 0)]))
        return [header["CHARSET"], header["XMLENCODING"], header["ENCODING"]].lazy
            .compactMap { $0.flatMap { MarkupEncoding.named($0) } }.first ?? .windows1252
    }

    /// Looks at the first tags.
    private final class Probe: MarkupSink {
        var prolog: [UInt8] = []
        var root = ""
        var closesLeaf = false
        private var tags = 0
        /// Some writers wrap the document.
        private var sawOFX = false
        private var hasTextBefore = false

        var wantsMore: Bool { tags < 200 }
        var names: NameTable? { nil }

        var kind: MarkupKind {
            let header = OFXHeader(prolog: prolog)
            let upperRoot = root.uppercased()
            let pages = ["HTML", "HEAD", "BODY", "TABLE", "SCRIPT", "META", "TITLE", "DIV", "P", "CENTER", "PRE"]
            // A header may stand before a part of a document.
            let isPart = header["OFXHEADER"] != nil && !root.isEmpty && !pages.contains(upperRoot)
            let isOFX =
                sawOFX || isPart || upperRoot == "OFX" || upperRoot == "OFC" || upperRoot.hasSuffix("MSGSRSV1")
                || upperRoot.hasSuffix("MSGSRQV1")
            let isPage = prologIsHTML || (!hasTextBefore && pages.contains(upperRoot))
            if isOFX && !isPage {
                if header.isXML { return .ofxXML }
                return header.fields.isEmpty && closesLeaf ? .ofxXML : .ofxSGML
            }
            if isPage { return .html }
            if root.isEmpty || hasTextBefore { return .none }
            if root == "FlexQueryResponse" || root == "FlexStatementResponse" { return .flexXML }
            return .xml(root: root)
        }

        private var prologIsHTML: Bool {
            let start = prolog.drop { $0 <= 0x20 }.prefix(14).map(upper)
            return start.elementsEqual("<!DOCTYPE HTML".utf8)
        }

        func openTag(_ tag: MarkupTag) {
            if tags == 0 { root = String(decoding: tag.name, as: UTF8.self) }
            if Self.isSame(tag.name, "OFX") { sawOFX = true }
            tags += 1
        }

        func closeTag(_ tag: MarkupTag) {
            if !closesLeaf, Self.leaves.contains(where: { Self.isSame(tag.name, $0) }) { closesLeaf = true }
            tags += 1
        }

        private static let leaves: [StaticString] = [
            "CODE", "SEVERITY", "DTSERVER", "LANGUAGE", "TRNUID", "CURDEF", "ACCTID",
        ]

        private static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ upperCase: StaticString) -> Bool {
            guard name.count == upperCase.utf8CodeUnitCount else { return false }
            return upperCase.withUTF8Buffer { known in known.indices.allSatisfy { upper(name[$0]) == known[$0] } }
        }

        func text(_ bytes: UnsafeBufferPointer<UInt8>, isLiteral: Bool, at offset: Int) {
            guard tags == 0 else { return }
            if bytes.contains(where: { $0 > 0x20 && $0 != 0x3E && $0 != 0x5D }) { hasTextBefore = true }
            skipped(bytes)
        }

        func skipped(_ bytes: UnsafeBufferPointer<UInt8>) {
            if tags == 0, prolog.count < 1 << 14 { prolog.append(contentsOf: bytes.prefix(1 << 14)) }
        }

        func quickOpen(_ name: ElementName, after text: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool {
            false
        }
        func quickClose(_ name: ElementName, after text: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool {
            false
        }
        func unterminated(at offset: Int) {}
        func partialTag(at offset: Int) {}
        func finish(at offset: Int) {}
    }
}
