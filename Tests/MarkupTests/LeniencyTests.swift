import Testing

@testable import Markup

/// One row for each thing that a file may do wrong; the shape is what must be read.
struct LeniencyCase: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var shape: String
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ shape: String) {
        self.name = name
        self.text = text
        self.shape = shape
    }
}

private let row = "<STMTTRN><TRNAMT>-1.00<FITID>a<NAME>Ann</STMTTRN>"
private let rowShape = "STMTTRN{TRNAMT{=-1.00} FITID{=a} NAME{=Ann}}"

private let cases: [LeniencyCase] = [
    .init("open leaves", "<OFX>\(row)</OFX>", "OFX{\(rowShape)}"),
    .init(
        "mixed leaves", "<OFX><STMTTRN><TRNAMT>1</TRNAMT><FITID>a</STMTTRN></OFX>", "OFX{STMTTRN{TRNAMT{=1} FITID{=a}}}"
    ),
    .init("lower case", "<ofx><stmttrn><name>x</stmttrn></ofx>", "OFX{STMTTRN{NAME{=x}}}"),
    .init("space in tag", "<OFX >\(row)</OFX >", "OFX{\(rowShape)}"),
    .init("root missing", "<BANKMSGSRSV1>\(row)</BANKMSGSRSV1>", "BANKMSGSRSV1{\(rowShape)}"),
    .init(
        "row not closed", "<OFX><BANKTRANLIST><STMTTRN><NAME>a<STMTTRN><NAME>b</STMTTRN></BANKTRANLIST></OFX>",
        "OFX{BANKTRANLIST{STMTTRN{NAME{=a}} STMTTRN{NAME{=b}}}}"),
    .init(
        "list not closed", "<OFX><STMTRS><BANKTRANLIST>\(row)<LEDGERBAL><BALAMT>5</LEDGERBAL></STMTRS></OFX>",
        "OFX{STMTRS{BANKTRANLIST{\(rowShape)} LEDGERBAL{BALAMT{=5}}}}"),
    .init(
        "nothing closed",
        "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<DTSERVER>1<BANKMSGSRSV1><STMTTRNRS><STATUS><CODE>0<STMTRS>"
            + "<CURDEF>USD<BANKTRANLIST><STMTTRN><NAME>a<STMTTRN><NAME>b<LEDGERBAL><BALAMT>1\n",
        "OFX{SIGNONMSGSRSV1{SONRS{STATUS{CODE{=0}} DTSERVER{=1}}} BANKMSGSRSV1{STMTTRNRS{STATUS{CODE{=0}} STMTRS{"
            + "CURDEF{=USD} BANKTRANLIST{STMTTRN{NAME{=a}} STMTTRN{NAME{=b}}} LEDGERBAL{BALAMT{=1}}}}}}"),
    .init("root not closed", "<OFX>\(row)", "OFX{\(rowShape)}"),
    .init("bare ampersand", "<OFX><NAME>A & B R&D AT&T;x</OFX>", "OFX{NAME{=A & B R&D AT&T;x}}"),
    .init("less-than in text", "<OFX><NAME>A < B <3 <= x<MEMO>m</OFX>", "OFX{NAME{=A < B <3 <= x} MEMO{=m}}"),
    .init(
        "words in angle brackets", "<OFX><NAME>see <two words> there<MEMO>m</OFX>",
        "OFX{NAME{=see <two words> there} MEMO{=m}}"),
    .init("entities", "<OFX><NAME>a&nbsp;b &eacute; &#65;&#x42; &lt;&gt;</OFX>", "OFX{NAME{=a\u{A0}b é AB <>}}"),
    .init("double escape", "<OFX><NAME>a &amp;amp; &amp;lt;</OFX>", "OFX{NAME{=a &amp; &lt;}}"),
    .init("unknown entity", "<OFX><NAME>&bomb; &#0; &#xD800; &;</OFX>", "OFX{NAME{=&bomb; &#0; &#xD800; &;}}"),
    .init("cdata", "<OFX><NAME><![CDATA[a <b> & c]]></NAME></OFX>", "OFX{NAME{=a <b> & c}}"),
    .init("self-closing leaf", "<OFX><NAME/><MEMO />\(row)</OFX>", "OFX{NAME{} MEMO{} \(rowShape)}"),
    .init("empty leaf", "<OFX><NAME></NAME><MEMO>\n<FITID>a</OFX>", "OFX{NAME{} MEMO{} FITID{=a}}"),
    .init(
        "memo in name", "<OFX><STMTTRN><NAME>n<MEMO>m</MEMO></NAME><FITID>f</FITID></STMTTRN></OFX>",
        "OFX{STMTTRN{NAME{=n} MEMO{=m} FITID{=f}}}"),
    .init(
        "comment over leaves", "<OFX><STMTTRN><NAME>n<!-- <FITID>x\n<TRNAMT>1 --><MEMO>m</STMTTRN></OFX>",
        "OFX{STMTTRN{NAME{=n} MEMO{=m}}}"),
    .init(
        "many declarations without end", "<OFX><NAME>" + String(repeating: "<!X", count: 3000) + "</NAME>\(row)</OFX>",
        // What is near a `>` is one declaration up to it.
        "OFX{NAME{=" + String(repeating: "<!X", count: 2960) + "} \(rowShape)}"),
    .init("comment in text", "<OFX><NAME>a<!-- x -->b</OFX>", "OFX{NAME{=ab}}"),
    .init("comment without end", "<OFX><NAME>a<!-- \(row)</OFX>", "OFX{NAME{=a} \(rowShape)}"),
    .init("unknown leaf", "<OFX><STMTTRN><NEW.TAG>7<FITID>a</STMTTRN></OFX>", "OFX{STMTTRN{NEW.TAG{=7} FITID{=a}}}"),
    .init(
        "unknown aggregate", "<OFX><INVTRANLIST><BUYCOIN><INVBUY><UNITS>1</INVBUY></BUYCOIN></INVTRANLIST></OFX>",
        "OFX{INVTRANLIST{BUYCOIN{INVBUY{UNITS{=1}}}}}"),
    .init(
        "wrong order", "<OFX><STMTTRN><NAME>n<TRNAMT>1<DTPOSTED>2</STMTTRN></OFX>",
        "OFX{STMTTRN{NAME{=n} TRNAMT{=1} DTPOSTED{=2}}}"),
    .init(
        "two documents", "OFXHEADER:100\n<OFX>\(row)</OFX>\nOFXHEADER:100\n<OFX>\(row)</OFX>",
        "OFX{\(rowShape)} OFX{\(rowShape)}"),
    .init("two, first open", "<OFX>\(row)<OFX>\(row)</OFX>", "OFX{\(rowShape)} OFX{\(rowShape)}"),
    .init("trailing text", "<OFX>\(row)</OFX> --boundary--", "OFX{\(rowShape)}"),
    .init("NUL", "<OFX><NAME>a\0b</OFX>\0\0", "OFX{NAME{=ab}}"),
    .init("NUL before stray text", "<OFX>\0 x<NAME>a</OFX>", "OFX{=x NAME{=a}}"),
    .init("NUL between CR and LF", "<OFX><NAME><![CDATA[a\r\0\nb]]></OFX>", "OFX{NAME{=a\n\nb}}"),
    .init("CR", "<OFX>\r<STMTTRN>\r<NAME>a\r</STMTTRN>\r</OFX>", "OFX{STMTTRN{NAME{=a}}}"),
    .init("CRCRLF", "<OFX>\r\r\n<STMTTRN>\r\r\n<NAME>a\r\r\n</STMTTRN></OFX>", "OFX{STMTTRN{NAME{=a}}}"),
    .init("value on next line", "<OFX><NAME>\n  a\n</OFX>", "OFX{NAME{=a}}"),
    .init("stray close", "<OFX></STMTTRN>\(row)</FI></OFX>", "OFX{\(rowShape)}"),
    .init("close with a space, without >", "<OFX><STMTTRN><NAME>a</ STMTTRN\n</OFX>", "OFX{STMTTRN{NAME{=a}}}"),
    .init("close without >", "<OFX><STMTTRN><NAME>a</STMTTRN</OFX>", "OFX{STMTTRN{NAME{=a}}}"),
]

struct LeniencyTests {
    @Test(arguments: cases) func reads(_ item: LeniencyCase) throws {
        let bytes = Array(item.text.utf8)
        let whole = try record(bytes, tolerant: true)
        for chunk in [1, 2, 3, 7, 1 << 16] {
            let events = try record(bytes, chunk: chunk, tolerant: true)
            #expect(events.shape == item.shape)
            #expect(events.isBalanced && events.open.isEmpty)
            #expect(events.issues == whole.issues)
        }
    }

    @Test(arguments: [
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nCHARSET:1252\n\n<OFX>",
        "\n\nOFXHEADER:100\n\nDATA:OFXSGML\n\nVERSION:102\n\nCHARSET:1252\n<OFX>",
        "OFXHEADER:100DATA:OFXSGMLVERSION:102CHARSET:1252<OFX>",
        "OFXHEADER: 100 DATA: OFXSGML VERSION: 102 CHARSET : 1252 <OFX>",
        "MIME-Version: 1.0\r\nContent-Type: application/x-ofx\r\n\r\nOFXHEADER:100\r\nVERSION:102\r\nCHARSET:1252\r\n<OFX>",
        "<!-- OFXHEADER:100\nVERSION:102\nCHARSET:1252 -->\n<OFX>",
        "<!--\nVERSION:102\nCHARSET:1252-->\n<OFX>",
        "\u{FEFF}VERSION:102\nCHARSET:1252\n<OFX>",
        "ofxheader:100\nversion:102\ncharset:1252\n<ofx>",
    ])
    func readsHeader(_ head: String) throws {
        let events = try record(Array((head + "<NAME>a</OFX>").utf8))
        #expect(events.headers.count == 1)
        #expect(events.headers.first?.version == 102)
        #expect(events.headers.first?["CHARSET"] == "1252")
        #expect(events.shape == "OFX{NAME{=a}}")
    }

    @Test(arguments: [
        "<?xml version='1.0' encoding='utf-8'?><?OFX VERSION='211' OFXHEADER='200' SECURITY='NONE'?><OFX>",
        "<?OFX OFXHEADER=\"200\" VERSION=\"211\" SECURITY=\"NONE\"?><OFX>",
        "<?OFX OFXHEADER=\"200\" VERSION=\"211\" SECURITY=\"NONE\"?<OFX>",
    ])
    func readsInstructions(_ head: String) throws {
        let events = try record(Array((head + "<NAME>a</NAME></OFX>").utf8))
        #expect(events.headers.first?.version == 211)
        #expect(events.headers.first?.security == "NONE")
        #expect(events.shape == "OFX{NAME{=a}}")
    }

    @Test func cutInARow() throws {
        let text = "<OFX><BANKTRANLIST>\(row)<STMTTRN><FITID>b<TRNAMT>-12"
        let events = try record(Array(text.utf8))
        #expect(events.truncated == ["TRNAMT", "STMTTRN", "BANKTRANLIST", "OFX"])
        let inTag = try record(Array((text + "<NA").utf8))
        #expect(inTag.truncated.contains("STMTTRN"))
        #expect(inTag.issues.contains { $0.kind == .partialTag })
        // No aggregate is ever closed and the last line is whole: nothing was cut.
        let whole = try record(Array("<OFX>\n<STMTTRN>\n<NAME>a\n<STMTTRN>\n<NAME>b\n".utf8))
        #expect(whole.truncated.isEmpty)
    }

    @Test func findsFragments() throws {
        let text = "OFXHEADER:100\r\n\r\n<OFX>\r\n  <STMTTRN><NAME>caf\u{E9} \u{1F600}</NAME></STMTTRN></OFX>"
        let utf16: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for (bytes, width) in [(Array(text.utf8), 1), (utf16, 2)] {
            let events = try record(bytes)
            let start = try #require(events.events.first { $0.hasPrefix("<STMTTRN@4:3:") })
            let offset = try #require(Int(start.split(separator: ":").last ?? ""))
            let end = try #require(events.events.first { $0.hasPrefix(">STMTTRN@") })
            let endOffset = try #require(Int(end.dropFirst(9).prefix { $0.isNumber }))
            let units = Array(bytes[offset..<endOffset]).filter { width == 1 || $0 != 0 }
            #expect(units.starts(with: Array("<STMTTRN><NAME>caf".utf8)))
            #expect(units.reversed().starts(with: Array("</NAME></STMTTRN>".utf8).reversed()))
        }
    }

    @Test func decides() throws {
        let latin = Array("CHARSET:UTF-8\n<OFX><NAME>caf".utf8) + [0xE9, 0x80] + Array("</OFX>".utf8)
        #expect(try record(latin).shape == "OFX{NAME{=caf\u{E9}\u{20AC}}}")
        let utf8 = Array("CHARSET:1252\n<OFX><NAME>caf\u{E9}</OFX>".utf8)
        #expect(try record(utf8).shape == "OFX{NAME{=caf\u{E9}}}")
        let lie = Array("<?xml version=\"1.0\" encoding=\"utf-16\"?><OFX><NAME>a</NAME></OFX>".utf8)
        #expect(try record(lie).shape == "OFX{NAME{=a}}")
    }
}
