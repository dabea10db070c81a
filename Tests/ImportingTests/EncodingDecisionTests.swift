import Delimited
import Testing

@testable import Importing

/// In which code page an input is read that is no Unicode: the one in which an importer knows what stands in it.
@Suite struct EncodingDecisionTests {
    private static func decide(
        _ importers: [any Importer], _ bytes: [UInt8]
    ) throws -> (encoding: TextEncoding, decision: String) {
        let registry = Registry(importers)
        let input = MemoryInput(name: "x.csv", bytes: bytes)
        var sample = try InputSample(input)
        let decision = try sample.decide(of: input) { registry.decide($0) }
        return (sample.encoding, DetectionTests.show(decision))
    }

    private static let pages: [(encoding: TextEncoding, columns: [String])] = [
        (.shiftJIS, ["約定日", "受渡金額", "銘柄"]), (.gbk, ["成交日期", "发生金额", "证券名称"]),
        (.eucKR, ["거래일자", "정산금액", "종목명"]), (.big5, ["成交日期", "應收付金額", "證券名稱"]),
        (.windows1255, ["תאריך", "סכום", "נייר"]),
    ]

    private static func importer(_ page: (encoding: TextEncoding, columns: [String])) throws -> DefinitionImporter {
        try DetectionTests.table(
            "acme.\(page.encoding)",
            "date: \(page.columns[0]), amount: \(page.columns[1]), symbol: \(page.columns[2])", "date, amount, symbol")
    }

    private static func text(_ columns: [String]) -> [UInt8] {
        Array((columns.joined(separator: ",") + "\r\n2024-01-02,1,A\r\n").utf8)
    }

    @Test(arguments: [TextEncoding.shiftJIS, .gbk, .eucKR, .big5, .windows1255])
    func thePageInWhichTheNamesAreKnown(_ encoding: TextEncoding) throws {
        let importers = try Self.pages.map(Self.importer)
        let page = try #require(Self.pages.first { $0.encoding == encoding })
        let bytes = encoding.encode(Self.text(page.columns))
        let found = try Self.decide(importers, bytes)
        #expect(found == (encoding, "is acme.\(encoding)"))
        // An importer that was asked for tells, too.
        let own = try #require(importers.first { $0.id == "acme.\(encoding)" })
        let input = MemoryInput(name: "x.csv", bytes: bytes)
        #expect(try InputSample(input, for: own).encoding == encoding)
        // Another one leaves it as it was.
        let other = try #require(importers.first { $0.id != own.id })
        #expect(try InputSample(input, for: other).encoding == InputSample(input).encoding)
        #expect(try InputSample(input).encoding != encoding)
        // Bytes that are no text there make rows that are rejected, not another file.
        let damaged = try Self.decide(importers, bytes + Array("2024-01-03,1,".utf8) + [0xFF] + Array("B\n".utf8))
        #expect(damaged == (encoding, "is acme.\(encoding)"))
    }

    /// Names in ASCII are known as they are; what else stands in such a file is read as it always was.
    @Test func whatIsKnownStays() throws {
        let plain = try DetectionTests.table("acme.plain", DetectionTests.plain, "date, amount, symbol")
        for (encoding, columns) in Self.pages {
            let text = Array("Day,Sum,Name\n2024-01-02,1,\(columns[2])\n".utf8)
            let found = try Self.decide([plain], encoding.encode(text))
            #expect(found.decision == "is acme.plain")
            #expect(found.encoding == .windows1252 || found.encoding == .windows1250)
        }
        let western = TextEncoding.windows1252.encode(Array("Tag;Betrag;Währung\n2024-01-02;1;€\n".utf8))
        #expect(try Self.decide(Self.pages.map(Self.importer), western) == (.windows1252, "unknown "))
    }

    /// A name that the definition forbids, and that is another one in another page, is no reason to read it there.
    @Test func whatIsForbiddenStaysForbidden() throws {
        let strict = try DetectionTests.table(
            "acme.strict", DetectionTests.plain, "date, amount, symbol", more: "    forbid: [Währung, Coût]\n")
        // The first could be text in two other pages, the second in one.
        for (name, count) in [("Währung", 2), ("Coût", 1)] {
            let bytes = TextEncoding.windows1252.encode(Array("Day,Sum,Name,\(name)\n2024-01-02,1,x,€\n".utf8))
            #expect(EncodingDetector.rarer(bytes, isWhole: true).count == count)
            let found = try Self.decide([strict], bytes)
            #expect(found.encoding == .windows1252 && found.decision.hasPrefix("unknown"))
        }
    }

    /// Letters of full width are the same bytes in two pages: who cannot tell does not guess.
    @Test func knownInTwoPagesIsUnknown() throws {
        let names = ["ＤＡＴＥ", "ＳＵＭ", "ＮＡＭＥ"]
        let wide = try Self.importer((.gbk, names))
        let bytes = TextEncoding.gbk.encode(Self.text(names))
        #expect(bytes == TextEncoding.eucKR.encode(Self.text(names)))
        let found = try Self.decide([wide], bytes)
        #expect(found.decision.hasPrefix("unknown") && found.encoding != .gbk)
    }

    /// Look-alikes are refused, and those that fit equally well are ambiguous, in any code page.
    @Test func otherDecisions() throws {
        let page = Self.pages[0]
        let bytes = page.encoding.encode(Self.text(page.columns))
        let refusing = try DetectionTests.table(
            "acme.refused", "date: 約定日, amount: 受渡金額, symbol: 銘柄", "date, amount", head: "refuse: No history.\n")
        #expect(try Self.decide([refusing], bytes) == (.shiftJIS, "refused acme.refused"))
        let (one, two) = (
            try DetectionTests.table("acme.one", "date: 約定日, amount: 受渡金額, symbol: 銘柄", "date, amount"),
            try DetectionTests.table("acme.two", "date: 約定日, amount: 受渡金額, symbol: 銘柄", "date, amount")
        )
        #expect(try Self.decide([one, two], bytes) == (.shiftJIS, "ambiguous acme.one acme.two"))
    }
}
