import Importing
import OpenAlloc
import Testing

/// Rows of Flex whose tags are damaged are rejected, and none of them is gone.
@Suite struct FlexDamageTests {
    private static let dividend =
        "<CashTransaction accountId=\"U1\" currency=\"USD\" symbol=\"SMPL\" type=\"Dividends\" amount=\"5\" "
        + "dateTime=\"20250102\" transactionID=\"ID\" description=\"A dividend\"/>"

    private static func report(_ rows: [String], root: String = "FlexQueryResponse") -> String {
        """
        <\(root) queryName="q" type="AF">
        <FlexStatements count="1">
        <FlexStatement accountId="U1" fromDate="20250101" toDate="20250131">
        <CashTransactions>
        \(rows.joined(separator: "\n"))
        </CashTransactions>
        </FlexStatement>
        </FlexStatements>
        </\(root)>

        """
    }

    /// Two sound rows around a damaged one.
    private static func rows(_ damaged: String) -> [String] {
        [
            dividend.replacing("ID", with: "1"), damaged.replacing("ID", with: "2"),
            dividend.replacing("ID", with: "3"),
        ]
    }

    @Test(arguments: [
        (dividend.replacing("<CashTransaction", with: "CashTransaction"), 6),
        (dividend.replacing("<CashTransaction", with: "< CashTransaction"), 6),
        (dividend.replacing("A dividend", with: "A < dividend"), 6), (dividend.replacing("<Cash", with: "<Cahs"), 6),
    ])
    func aDamagedRowIsRejected(row: String, line: Int) throws {
        let sink = try collect(Self.report(Self.rows(row)), FlexImporter())
        let rejected = sink.units.filter { $0.outcome == .rejected }
        #expect(rejected.map(\.line) == [line])
        #expect(rejected.first?.raw.contains("amount=\"5\"") == true, "\(rejected)")
        #expect(rejected.first?.raw.contains("</CashTransactions>") == false)
        #expect(sink.records.filter { $0.kind == .dividend }.count == 2)
        // By itself it is rejected once more, in its section.
        let again = try collect(sink.rejectFile, FlexImporter())
        #expect(again.units.filter { $0.outcome == .rejected }.count == 1)
    }

    @Test func theLastRowIsRejectedToo() throws {
        let sink = try collect(
            Self.report([Self.dividend, Self.dividend.replacing("<Cash", with: "Cash")]), FlexImporter())
        #expect(sink.units.filter { $0.outcome == .rejected }.map(\.line) == [6])
    }

    /// A mark within quotes is legal, also in a report that is broken elsewhere.
    @Test func aMarkInQuotesEndsNoTag() throws {
        let rows = Self.rows(Self.dividend.replacing("A dividend", with: "A > B & C /> \"D".replacing("\"", with: "'")))
        let sink = try collect(Self.report(rows), FlexImporter())
        #expect(sink.codes == [] && sink.warnings.map(\.code) == ["markup.malformed"])
        #expect(sink.records.filter { $0.kind == .dividend }.count == 3)
        #expect(sink.records.contains { $0.string(.description) == "A > B & C /> 'D" })
    }

    /// Other programs write tags in small letters: then nothing is what it was.
    @Test func anotherRootIsRejected() throws {
        let sink = try collect(Self.report([Self.dividend], root: "flexqueryresponse"), FlexImporter())
        #expect(sink.codes == ["markup.malformed"])
        #expect(sink.units.first { $0.outcome == .rejected }?.reason.contains("FlexQueryResponse") == true)
    }

    @Test func aReportThatEndsBetweenSectionsSaysSo() throws {
        let text = Self.report([Self.dividend])
        let cut = try #require(text.firstRange(of: "</CashTransactions>"))
        let sink = try collect(String(text[..<cut.upperBound]), FlexImporter())
        #expect(sink.warnings.contains { $0.code == "markup.truncated" }, "\(sink.warnings)")
        #expect(sink.records.contains { $0.kind == .dividend })
        #expect(try collect(text, FlexImporter()).warnings.isEmpty)
    }
}
