import TestSupport
import Testing

@testable import Markup

struct XMLTests {
    @Test func hostile() throws {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE OFX [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><OFX><NAME>&b;</NAME></OFX>
            """
        let events = try record(Array(bomb.utf8))
        #expect(events.shape == "OFX{NAME{=&b;}}")
        #expect(events.issues.contains { $0.kind == .notWellFormed })
        let external = """
            <?xml version="1.0"?><!DOCTYPE FlexQueryResponse [<!ENTITY x SYSTEM "file:///etc/hostname">]>
            <FlexQueryResponse a="&x;">&x;</FlexQueryResponse>
            """
        #expect(throws: MarkupError.self) { try record(Array(external.utf8)) }
        let open = Array(String(repeating: "<a>", count: 100_000).utf8)
        for head in ["<FlexQueryResponse>", "<?xml version='1.0'?><OFX>"] {
            #expect(throws: MarkupError.self) { try record(Array(head.utf8) + open) }
        }
        let long = Array("<FlexQueryResponse a='".utf8) + [UInt8](repeating: 0x61, count: 10 << 20)
        #expect(throws: MarkupError.self) { try record(long + Array("'/>".utf8)) }
        let longer = Array("<FlexQueryResponse a='".utf8) + long.suffix(2 << 20) + Array("'/>".utf8)
        #expect(throws: MarkupError.self) { try record(longer) }
    }

    @Test func saysWhereItBreaks() throws {
        let text = "<?xml version=\"1.0\"?>\n<OFX>\n<NAME>A & B</NAME>\n</OFX>"
        var source = BytesSource(Array(text.utf8))
        let plan = try MarkupDocument.plan(&source)
        #expect(plan.kind == .ofxXML && !plan.usesXML)
        guard case .malformed(let position, _, let message) = plan.breaksAt else {
            Issue.record("not broken")
            return
        }
        #expect(position.line == 3 && (28...38).contains(position.offset))
        #expect(!message.isEmpty)
    }

    @Test func flexRows() throws {
        let text = """
            <FlexQueryResponse x:y="1"><FlexStatements count="1"><Trade symbol="A&amp;B" note="caf\u{E9}"/>
            </FlexStatements></FlexQueryResponse>
            """
        let events = try record(Array(text.utf8))
        #expect(events.events.contains { $0.hasSuffix(" symbol=A&B note=caf\u{E9}") })
        #expect(events.events.contains { $0.hasPrefix(">Trade@") && $0.hasSuffix("selfClosing") })
        #expect(events.offsets == events.offsets.sorted())
    }

    @Test(arguments: 0..<200) func bothReadersAgree(_ seed: UInt64) throws {
        let bytes = Array(Self.document(seed).utf8)
        let xml = try record(bytes, chunk: 1 + Int(seed) * 7)
        #expect(xml.issues.isEmpty && xml.isBalanced)
        #expect(xml.events == (try record(bytes, tolerant: true)).events)
        #expect(xml.headers == (try record(bytes, tolerant: true)).headers)
    }

    /// The tokenizer delivers what libxml2 vouches for: elements and text alone. What has more is libxml2's.
    @Test(arguments: [
        ("<OFX><STMTTRN><NAME>a</NAME></STMTTRN></OFX>", true),
        ("<OFX><STMTTRN x='>'><NAME>a</NAME></STMTTRN></OFX>", false),
        ("<OFX xmlns='urn:x'><NAME>a</NAME></OFX>", false), ("<!DOCTYPE OFX><OFX><NAME>a</NAME></OFX>", false),
        ("<OFX><NAME>a<MEMO>b</MEMO></NAME></OFX>", false), ("<OFX><?x a>b?><NAME>c</NAME></OFX>", false),
        ("<?OFX VERS<OFX>ION='211'?><OFX><NAME>a</NAME></OFX>", false),
        ("<OFX><!-- <NAME> --><NAME><![CDATA[<x>]]></NAME></OFX>", true),
    ])
    func knowsWhatIsPlain(_ text: String, _ isPlain: Bool) throws {
        var source = BytesSource(Array(("<?xml version='1.0'?>" + text).utf8))
        let plan = try MarkupDocument.plan(&source) { AggregateReader([], handler: Nobody()) }
        #expect(plan.usesXML)
        #expect(plan.isPlain == isPlain)
    }

    /// A well-formed OFX 2 document with invented content.
    static func document(_ seed: UInt64) -> String {
        var random = SplitMix64(seed: seed)
        let ends = ["", "\n", "\r\n", "\r", "  ", "\n\t"]
        func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
        var text = "<?xml version=\"1.0\"?>" + pick(ends) + "<?OFX OFXHEADER=\"200\" VERSION=\"211\"?>" + pick(ends)
        text += "<OFX><STMTRS><CURDEF>USD</CURDEF><BANKTRANLIST>"
        let values = [
            "Ann", " b ", "A &amp; B", "&#233;", "caf\u{E9} \u{1F600}", "<![CDATA[x <y> &amp;]]>", "", "1\n2",
            "a<!-- c -->b", "\r\nq\r\n", "&lt;STMTTRN&gt;",
        ]
        for _ in 0..<Int.random(in: 0..<20, using: &random) {
            text += pick(ends) + "<STMTTRN>" + pick(ends)
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                let name = pick(["NAME", "MEMO", "FITID", "TRNAMT", "INTU.X", "CURDEF", "name"])
                let value = pick(values)
                text += pick(["<\(name)/>", "<\(name)>\(value)</\(name)>", "<\(name) >\(value)</\(name) >"])
                text += pick(ends)
            }
            text += pick(["", "<EXT a='1' b=\"&quot;\"><NAME>n</NAME></EXT>", "<!-- <NAME>x -->"]) + "</STMTTRN>"
        }
        return text + "</BANKTRANLIST></STMTRS></OFX>" + pick(ends)
    }
}
