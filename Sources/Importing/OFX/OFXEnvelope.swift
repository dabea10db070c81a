import Delimited
import Markup

/// What stands around a rejected fragment so that it is a document again: header, sign-on, the containers it was in,
/// currency and account, and behind all the securities.
struct OFXEnvelope {
    private var facts: OFXFacts
    private let input: MarkupInput
    private let encoding: MarkupEncoding
    /// Header and sign-on, once they were asked for.
    private var head: (header: [UInt8], signOn: [UInt8])?
    /// The statement that was asked for last, and what is known of it.
    private var known: (statement: Int, text: [UInt8])?

    init(_ facts: OFXFacts, _ input: MarkupInput, _ encoding: MarkupEncoding) {
        self.facts = facts
        self.input = input
        self.encoding = encoding
    }

    /// Goes by other statements from now on.
    mutating func use(_ statements: [OFXStatement]) {
        facts.statements = statements
        known = nil
    }

    /// The containers of `path`; `statement` is the one that the path leads through.
    mutating func around(_ path: [ElementName], _ names: NameTable, statement: Int?) -> MarkupEnvelope {
        var levels: [MarkupEnvelope.Level] = []
        // Message sets may hold several statements, all below them is of one.
        var mark = 0
        for name in path.first == OFXName.ofx ? path : [OFXName.ofx] + path {
            let text = names.text(name)
            var opening = Array("<\(text)>\n".utf8)
            if name == OFXName.ofx {
                let head = head ?? readHead()
                self.head = head
                opening = head.header + opening
                if !head.signOn.isEmpty {
                    opening += Array("<SIGNONMSGSRSV1>\n".utf8) + head.signOn + Array("\n</SIGNONMSGSRSV1>\n".utf8)
                }
            } else {
                if text.hasSuffix("TRNRS") {
                    opening += Array(
                        "<TRNUID>0</TRNUID>\n<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>\n".utf8)
                    mark = statement.map { $0 + 1 } ?? 0
                }
                if OFXName.statements.contains(name), let statement {
                    opening += inside(statement)
                    mark = statement + 1
                }
            }
            levels.append(.init(id: mark << 16 | Int(name.id), opening: opening, closing: Array("</\(text)>\n".utf8)))
        }
        return MarkupEnvelope(levels, trailer: path.contains(OFXName.seclist) ? nil : securities())
    }

    private func readHead() -> (header: [UInt8], signOn: [UInt8]) {
        var header = input.raw(0..<min(facts.headerEnd ?? 0, 1 << 14), encoding)
        if header.starts(with: [0xEF, 0xBB, 0xBF]) { header.removeFirst(3) }
        while let last = header.last, last <= 0x20 { header.removeLast() }
        return (
            header.isEmpty ? [] : header + Array("\n\n".utf8),
            facts.signOnRange.map { input.raw($0, encoding) } ?? []
        )
    }

    private mutating func inside(_ statement: Int) -> [UInt8] {
        if let known, known.statement == statement { return known.text }
        var bytes: [UInt8] = []
        let currency = Self.escaped(facts.statements[statement].currency)
        if !currency.isEmpty { bytes += Array("<CURDEF>".utf8) + currency + Array("</CURDEF>\n".utf8) }
        if let range = facts.statements[statement].accountRange {
            let account = input.withRaw(range, encoding) { $0.array }
            if !account.isEmpty { bytes += account + [0x0A] }
        }
        known = (statement, bytes)
        return bytes
    }

    /// A text that comes out of markup as it is.
    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte in
            switch byte {
            case 0x26: Array("&amp;".utf8)
            case 0x3C: Array("&lt;".utf8)
            default: [byte]
            }
        }
    }

    /// The securities of the whole file: which of them a rejected unit needs, its corrected text may say.
    private func securities() -> (@Sendable () -> [UInt8])? {
        if facts.securityRanges.isEmpty { return nil }
        let (source, encoding, list, priced) = (input.input, encoding, facts.securityRanges, facts.priced)
        return {
            var bytes = Array("<SECLISTMSGSRSV1>\n<SECLIST>\n".utf8)
            for listed in list where listed.priceless.map({ priced.contains($0) }) ?? true {
                bytes += MarkupInput.raw(listed.range, of: source, encoding) + [0x0A]
            }
            return bytes + Array("</SECLIST>\n</SECLISTMSGSRSV1>\n".utf8)
        }
    }
}
