import Importing
import OpenAlloc
import Testing

/// Text that is no Unicode is in the code page that its header names.
@Suite struct DeclaredCodePageTests {
    struct Case {
        let charset: String
        let xml: String
        let bytes: [UInt8]
        let text: String
    }

    static let cases: [Case] = [
        Case(charset: "1250", xml: "windows-1250", bytes: [0xA3, 0xF3, 0x64, 0x9F], text: "Łódź"),
        Case(charset: "1251", xml: "Windows-1251", bytes: [0xC3, 0xE0, 0xE7], text: "Газ"),
        Case(charset: "WINDOWS-1251", xml: "cp1251", bytes: [0xA8, 0xBB], text: "Ё»"),
        Case(charset: "1253", xml: "windows-1253", bytes: [0xC1, 0xE8, 0xDE, 0xED, 0xE1], text: "Αθήνα"),
        Case(charset: "1254", xml: "ISO-8859-9", bytes: [0xDD, 0xFE], text: "İş"),
        Case(charset: "1257", xml: "windows-1257", bytes: [0xD0, 0xFE], text: "Šž"),
        Case(charset: "8859-2", xml: "ISO-8859-2", bytes: [0xB3, 0xBC, 0xBB], text: "łźť"),
        Case(charset: "ISO-8859-15", xml: "iso-8859-15", bytes: [0xA4, 0xBD], text: "€œ"),
        // What is declared so, and what nobody knows, is Windows-1252.
        Case(charset: "1252", xml: "windows-1252", bytes: [0x80, 0xE9], text: "€é"),
        Case(charset: "8859-1", xml: "ISO-8859-1", bytes: [0x80, 0xE9], text: "€é"),
        Case(charset: "NONE", xml: "US-ASCII", bytes: [0x80, 0xE9], text: "€é"),
        Case(charset: "4711", xml: "x-unknown", bytes: [0xE9], text: "é"),
        // Whole UTF-8 is that, whatever is declared.
        Case(charset: "1251", xml: "windows-1251", bytes: Array("Łódź".utf8), text: "Łódź"),
    ]

    private static func fill(_ text: String, _ bytes: [UInt8]) -> [UInt8] {
        let parts = text.split(separator: "§").map { Array($0.utf8) }
        return Array(parts.joined(separator: bytes))
    }

    @Test(arguments: cases) func ofx(_ example: Case) throws {
        let text = bank(row(more: "<NAME>§")).replacing("VERSION:102", with: "CHARSET:\(example.charset)")
        let sink = try collect(Self.fill(text, example.bytes))
        #expect(sink.codes.isEmpty && sink.records.last?.string(.description) == example.text)
    }

    @Test(arguments: cases) func flex(_ example: Case) throws {
        let text = """
            <?xml version="1.0" encoding="\(example.xml)"?>
            <FlexQueryResponse><FlexStatements><FlexStatement accountId="U1"><CashTransactions>
            <CashTransaction accountId="U1" type="Dividends" currency="USD" amount="5" dateTime="20250102" description="§"/>
            </CashTransactions></FlexStatement></FlexStatements></FlexQueryResponse>
            """
        let sink = try collect(Self.fill(text, example.bytes), FlexImporter())
        #expect(sink.codes.isEmpty && sink.records.last?.string(.description) == example.text)
    }
}
