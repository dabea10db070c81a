import Markup

/// What stands around a rejected fragment so that it is a document again: header, sign-on, the containers it was in,
/// currency and account, and behind it the securities.
struct OFXEnvelope {
    private let facts: OFXFacts
    private let header: [UInt8]
    private let signOn: [UInt8]
    private let securities: [UInt8]
    private let accounts: [[UInt8]]
    private static let bound = 1 << 20

    init(_ facts: OFXFacts, _ input: MarkupInput, _ encoding: MarkupEncoding) {
        self.facts = facts
        var header = input.raw(0..<min(facts.headerEnd ?? 0, 1 << 14), encoding)
        if header.starts(with: [0xEF, 0xBB, 0xBF]) { header.removeFirst(3) }
        while let last = header.last, last <= 0x20 { header.removeLast() }
        self.header = header.isEmpty ? [] : header + Array("\n\n".utf8)
        signOn = facts.signOnRange.map { input.raw($0, encoding) } ?? []
        accounts = facts.statements.map { $0.accountRange.map { input.raw($0, encoding) } ?? [] }
        var list: [UInt8] = []
        for range in facts.securityRanges ?? [] where list.count < Self.bound {
            list += input.raw(range, encoding) + [0x0A]
        }
        securities = list
    }

    /// What opens and closes the containers of `path`; `statement` is the one that the path leads through.
    func around(_ path: [ElementName], _ names: NameTable, statement: Int?) -> (opening: [UInt8], closing: [UInt8]) {
        var opening = header
        var closing: [UInt8] = []
        let isRooted = path.first == OFXName.ofx
        let path = isRooted ? path : [OFXName.ofx] + path
        for name in path {
            let text = names.text(name)
            opening += Array("<\(text)>\n".utf8)
            closing.insert(contentsOf: Array("</\(text)>\n".utf8), at: 0)
            if name == OFXName.ofx {
                if !signOn.isEmpty {
                    opening += Array("<SIGNONMSGSRSV1>\n".utf8) + signOn + Array("\n</SIGNONMSGSRSV1>\n".utf8)
                }
                continue
            }
            if text.hasSuffix("TRNRS") {
                opening += Array("<TRNUID>0</TRNUID>\n<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>\n".utf8)
            }
            if OFXName.statements.contains(name), let statement { opening += inside(statement) }
        }
        if !path.contains(OFXName.seclist), !securities.isEmpty {
            let root = Array("</OFX>\n".utf8)
            closing.removeLast(root.count)
            closing +=
                Array("<SECLISTMSGSRSV1>\n<SECLIST>\n".utf8) + securities
                + Array("</SECLIST>\n</SECLISTMSGSRSV1>\n".utf8)
            closing += root
        }
        return (opening, closing)
    }

    private func inside(_ statement: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        let currency = facts.statements[statement].currency.filter { $0 > 0x20 && $0 != 0x3C && $0 != 0x26 }
        if !currency.isEmpty { bytes += Array("<CURDEF>".utf8) + currency + Array("</CURDEF>\n".utf8) }
        if !accounts[statement].isEmpty { bytes += accounts[statement] + [0x0A] }
        return bytes
    }
}
