import Importing
import OpenAlloc
import Synchronization
import Testing

@testable import Allocport

/// What a line of markup was is told from the chunks at hand: the file is not opened again for each.
@Suite struct MarkupRawTests {
    private final class CountedInput: InputSource {
        let base: MemoryInput
        let reads = Mutex(0)

        init(_ bytes: [UInt8]) { base = MemoryInput(name: "card.ofx", bytes: bytes) }

        var name: String { base.name }
        var byteCount: Int { base.byteCount }
        func open() throws(InputError) -> any ByteStream { try base.open() }

        func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] {
            reads.withLock { $0 += 1 }
            return try base.bytes(at: offset, count: count)
        }
    }

    /// A card's statement in Windows-1252.
    private static func statement(_ rows: Int) -> [UInt8] {
        var text =
            "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><CREDITCARDMSGSRSV1>"
        text += "<CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>4242</CCACCTFROM><BANKTRANLIST>"
        for row in 0..<rows {
            text += "<STMTTRN>\n<TRNTYPE>DEBIT\n<DTPOSTED>20240203\n<TRNAMT>\(row % 9 == 5 ? "x" : "-1").\(row)\n"
            text += "<FITID>C\(row)\n<NAME>Möbelhaus Öst\n</STMTTRN>\n"
        }
        text += "</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>\n"
        return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    @Test(arguments: [2000, 6000]) func rowsDoNotReadTheirInputAgain(_ rows: Int) throws {
        let input = CountedInput(Self.statement(rows))
        let (table, rejects, report) = try Run(
            options: RunOptions(outputFolder: ""), catalog: BuiltIn.registry()
        ).transform(input, schema: .transaction)
        let bad = (0..<rows).count { $0 % 9 == 5 }
        // A chunk has hundreds of rows.
        #expect(input.reads.withLock { $0 } < rows / 100)
        #expect(report.outcomes[.rejected] == bad)
        #expect(table.count { $0 == 0x0A } == 1 + rows - bad)
        for text in [table, rejects] { #expect(String(decoding: text, as: UTF8.self).contains("Möbelhaus Öst")) }
    }

    /// The report says what the text was read as, also where the first bytes do not show it.
    @Test(arguments: [("1252", "windows-1252"), ("1251", "windows-1251"), ("NONE", "windows-1252")])
    func saysWhatItWasReadAs(_ charset: String, _ name: String) throws {
        for rows in [3, 3000] {
            let text = String(decoding: Self.statement(rows).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
            var bytes = Array(text.replacing("CHARSET:1252", with: "CHARSET:\(charset)").utf8)
            bytes.replaceSubrange(bytes.count - 30..<bytes.count - 30, with: [0xD6])
            let report = try Run(options: RunOptions(outputFolder: ""), catalog: BuiltIn.registry())
                .transform(MemoryInput(name: "card.ofx", bytes: bytes), schema: .transaction).report
            #expect(report.inputs.map(\.encoding) == [name])
        }
    }
}
