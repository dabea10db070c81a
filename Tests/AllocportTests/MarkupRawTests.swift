import Importing
import OpenAlloc
import Synchronization
import TestSupport
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

    /// A reject can be corrected as it was read: a code page that only the header tells is not written again.
    @Test func rejectsOfADeclaredPageKeepTheirText() throws {
        let text = String(decoding: Self.statement(9).map { $0 < 0x80 ? $0 : 0x21 }, as: UTF8.self)
            .replacing("CHARSET:1252", with: "CHARSET:1251").replacing("M!belhaus !st", with: "§")
        let bytes = Array(
            text.split(separator: "§").map { Array($0.utf8) }.joined(separator: [0xCA, 0xE0, 0xF4, 0xE5]))
        let folder = try TemporaryFolder()
        func convert(_ name: String, _ bytes: [UInt8]) throws -> RunReport {
            var found = FoundInputs()
            found.inputs = [MemoryInput(name: name, bytes: bytes)]
            return try Run(options: RunOptions(outputFolder: folder.path + "/" + name), catalog: BuiltIn.registry())
                .convert(found)
        }
        #expect(try convert("card.ofx", bytes).outcomes[.rejected] == 1)
        let reject = try #require(folder.bytes("card.ofx/rejects/card.ofx"))
        #expect(String(decoding: reject, as: UTF8.self).contains("<NAME>Кафе"))
        let corrected = String(decoding: reject, as: UTF8.self).replacing("<TRNAMT>x", with: "<TRNAMT>-1")
        #expect(try convert("again.ofx", Array(corrected.utf8)).outcomes[.rejected] == 0)
        let table = try #require(folder.bytes("again.ofx/openalloc.transaction.csv"))
        #expect(String(decoding: table, as: UTF8.self).contains("Кафе"))
    }
}
