import Importing
import OpenAlloc
import Testing

/// Several statements of one account in a file: what a later one says again counts once.
@Suite struct RepeatedStatementTests {
    private static func statement(
        _ rows: [String], account: String = "A1", currency: String = "USD", bank: String = "1", branch: String = ""
    ) -> String {
        """
        <STMTTRNRS><STMTRS><CURDEF>\(currency)<BANKACCTFROM>
        <BANKID>\(bank)\(branch)<ACCTID>\(account)<ACCTTYPE>CHECKING</BANKACCTFROM>
        <BANKTRANLIST>\(rows.map { row(amount: "-\($0.utf8.first ?? 0).00", id: $0) }.joined(separator: "\n"))</BANKTRANLIST>
        </STMTRS></STMTTRNRS>
        """
    }

    /// How many of the last statement's rows are repeated, of how many that are accepted in all.
    @Test(arguments: [
        // The same again, and an overlap.
        ([statement(["a", "b"]), statement(["a", "b"])], 2, 2),
        ([statement(["a", "b"]), statement(["b", "c"])], 1, 3),
        // Twins are told by the statement that has most of them.
        ([statement(["a", "a"]), statement(["a"])], 1, 2), ([statement(["a"]), statement(["a", "a"])], 1, 2),
        ([statement(["a", "a"])], 0, 2), ([statement(["a"]), statement(["a"]), statement(["a", "a", "a"])], 2, 3),
        // Another account, or the same number of another currency.
        ([statement(["a"]), statement(["a"], account: "A2")], 0, 2),
        ([statement(["a"]), statement(["a"], currency: "EUR")], 0, 2),
        // The same number with another bank or branch.
        ([statement(["a"]), statement(["a"], bank: "2")], 0, 2),
        ([statement(["a"], branch: "<BRANCHID>1"), statement(["a"], branch: "<BRANCHID>2")], 0, 2),
        ([statement(["a"], branch: "<BRANCHID>1"), statement(["a"], branch: "<BRANCHID>1")], 1, 1),
    ])
    func countsOnce(statements: [String], repeated: Int, accepted: Int) throws {
        let sink = try collect(
            "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1>\(statements.joined())</BANKMSGSRSV1></OFX>"
        )
        #expect(sink.codes == [])
        #expect(sink.units.filter { $0.code == "row.repeated" }.count == repeated)
        #expect(sink.records.filter { $0.kind == .cash }.count == accepted)
    }
}
