import Testing

@testable import Delimited

@Suite struct Sniffing {
    static let texts: [(name: String, text: String, delimiter: UInt8)] = [
        ("nothing", "", 0x2C),
        ("one column", "name\nAda\nGrace\n", 0x2C),
        ("comma", "Date,Amount\n2024-01-02,1\n", 0x2C),
        ("decimal commas", "Tag;Kurs;Stück\n02.01.2024;1,50;2,25\n03.01.2024;1,60;3,50\n", 0x3B),
        ("decimal commas without a header", "02.01.2024;1,50;2,25\n03.01.2024;1,60;3,50\n", 0x3B),
        ("quoted semicolons", "\"Tag\";\"Name\"\n\"1\";\"A, B\"\n\"2\";\"C, D\"\n", 0x3B),
        ("semicolons in a text", "Date,Text,Amount\n1/2,a; b,1\n1/3,c; d,2\n1/4,e; f,3\n", 0x2C),
        ("tab", "a\tb\tc\n1\t2,5\t3\n", 0x09),
        ("bar", "a|b|c\n1|2|3\n", 0x7C),
        (
            "preamble of prose", "Report, made for you, today\n\nall; amounts\nDatum;Betrag;Text\n1;2,0;x\n2;3,0;y\n",
            0x3B
        ),
        ("thousands in quotes", "Symbol,Value\nABC,\"1,234\"\nDEF,\"5,678\"\n", 0x2C),
        ("header alone", "Datum;Text;Betrag", 0x3B),
        ("whole numbers side by side", "a,b,c\n1,2,3\n4,5,6\n", 0x2C),
        ("tab before dollars", "\tA\t$10,000.00\t$10,440.00\n\tB\t$11,000.00\t$12,000.00\n", 0x09),
    ]

    @Test(arguments: texts)
    func delimiter(_ example: (name: String, text: String, delimiter: UInt8)) {
        #expect(DialectSniffer.sniff(Array(example.text.utf8), isWhole: true).delimiter == example.delimiter)
        // Cut anywhere in its second half, a longer text says the same.
        let long = String(repeating: example.text, count: 4)
        let bytes = Array(long.utf8)
        for cut in stride(from: bytes.count * 3 / 4, to: bytes.count, by: 5) {
            #expect(DialectSniffer.sniff(Array(bytes[..<cut])).delimiter == example.delimiter)
        }
    }

    @Test func lineEnds() {
        let ends: [(String, Dialect.LineEnding)] = [
            ("a\nb\n", .lf), ("a\r\nb\r\n", .crlf), ("a\rb\r", .cr), ("a", .lf), ("a\r\nb\nc\r\n", .crlf),
        ]
        for (text, expected) in ends { #expect(DialectSniffer.sniff(Array(text.utf8)).lineEnding == expected) }
    }
}
