import Testing

@testable import Importing

@Suite struct FormatSnifferTests {
    @Test(arguments: [
        ("[{\"a\": 1}]", InputSample.Format.json), ("  [\n  ]", .json), ("[-1.5, 2]", .json), ("[ null ]", .json),
        ("{\"a\": 1}", .json), ("{ }", .json), ("[", .json), ("{", .json), ("[[1]]", .json),
        // A title in brackets.
        ("[Broker] Transactions,,\nDate,Symbol\n", .delimited), ("[증권]거래내역,,\n", .delimited),
        ("{Account}: 12\n", .delimited), ("[nothing]\n", .delimited), ("Date,Symbol\n[1],2\n", .delimited),
        (":20:START\n{1:F01", .delimited), ("<OFX>", .ofx), ("[OFX]<OFX><SIGNONMSGSRSV1>", .ofx), ("", .empty),
    ])
    func tellsFormatsApart(text: String, format: InputSample.Format) {
        #expect(FormatSniffer.format(of: Array(text.utf8)) == format)
    }
}

@Suite struct HeaderCellsTests {
    /// Names may begin with `$`; numbers do so more often.
    @Test(arguments: [
        ("Symbol|Quantity|$ Cost|$ Proceeds|$Gain", true), ("Symbol|Quantity|Date|Price|$", true),
        ("NWTM|$5|$6.00|$ 7", false),
        ("NWTM|-5|(6)|+7", false), ("", false), ("Date|Symbol|Price ($)", true), ("$ Cost", true), ("$ 1", false),
    ])
    func namesOrValues(cells: String, areNames: Bool) {
        #expect(HeaderCells.mayBe(cells.split(separator: "|").map(String.init)) == areNames)
    }
}
