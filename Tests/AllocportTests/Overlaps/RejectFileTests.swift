import Allocport
import Delimited
import Importing
import Testing

/// A reject file that nobody corrected rejects the same lines again; a corrected one gives their rows.
@Suite struct RejectFileTests {
    private static func again(_ got: Converted, _ name: String, _ change: (String) -> String = { $0 }) throws
        -> Converted
    {
        try convertBuiltIn(name, change(try #require(got.text("rejects/" + name))))
    }

    /// What a download lost at its end must not be closed by the reject file: the amount may be cut off.
    @Test(arguments: ["<TRNAMT>-10", "<TRNAMT>-100.00\n<FITID>2\n<NAME>Sho"]) func cutOffMarkup(_ end: String) throws {
        let text = """
            OFXHEADER:100
            DATA:OFXSGML
            VERSION:102

            <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD
            <BANKACCTFROM><BANKID>1<ACCTID>77<ACCTTYPE>CHECKING</BANKACCTFROM>
            <BANKTRANLIST>
            <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240105<TRNAMT>-5.00<FITID>1<NAME>Shop</STMTTRN>
            <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240106\(end)
            """
        let got = try convertBuiltIn("bank.ofx", text)
        #expect(got.firstInput?.outcomes[.rejected] == 1)
        let same = try Self.again(got, "bank.ofx")
        #expect(same.rejects["code"] == ["markup.truncated"])
        #expect(same.transactions.rows.isEmpty)
        let whole = try Self.again(got, "bank.ofx") { text in
            text.replacing(end, with: "<TRNAMT>-100.00<FITID>2<NAME>Shop</STMTTRN>")
        }
        #expect(whole.transactions["txnShareCount"] == ["-100"])
        #expect(whole.transactions["txnAccountID"] == ["77"])
    }

    /// Bytes that are no text in UTF-16 stay none.
    @Test(arguments: [TextEncoding.utf16LE, .utf16BE]) func undecodableLines(_ encoding: TextEncoding) throws {
        let rows = Exports.fidelity([Exports.fidelityRow(), Exports.fidelityRow()]).split(
            separator: "\n", omittingEmptySubsequences: false)
        let place = try #require(rows.lastIndex { $0.contains("NWTM") })
        var bytes = encoding.byteOrderMark
        for (index, row) in rows.enumerated() {
            var line = encoding.encode(Array(row.utf8))
            if index == place { line += encoding == .utf16LE ? [0x00, 0xD8] : [0xD8, 0x00] }
            bytes += line + encoding.encode([0x0A])
        }
        let got = try convertBuiltIn([("h.csv", bytes)])
        #expect(got.rejects["code"] == ["encoding.invalid"])
        let same = try convertBuiltIn([("h.csv", try #require(got.bytes("rejects/h.csv")))])
        #expect(same.rejects["code"] == ["encoding.invalid"])
        #expect(same.transactions.rows.isEmpty && got.transactions.rows.count == 1)
    }

    private static let positionsHeader =
        "Account Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,Today's Gain/Loss Dollar,Today's Gain/Loss Percent,Total Gain/Loss Dollar,Total Gain/Loss Percent,Percent Of Account,Cost Basis Total,Average Cost Basis,Type"

    private static func position(_ account: String, _ symbol: String, _ name: String, _ units: Int) -> String {
        "\(account),\(account.isEmpty ? "" : "Linked"),\(symbol),\(name),\(units),$10.00 ,--,$\(units)0.00 ,--,--,--,--,1.00%,$\(units)0.00 ,--,"
    }

    /// The same of rows that no rule of the definition rejects, but a later check.
    @Test func rowsThatLaterChecksReject() throws {
        let rows = [
            Self.position("X64000003", "GRNF", "Greenfield", 25), Self.position("", "", "", 2),
            Self.position("", "", "", 3), Self.position("X64000004", "", "", 4), Self.position("", "", "", 5),
        ]
        let name = "Portfolio_Positions_Oct-06-2025.csv"
        let got = try convertBuiltIn(name, ([Self.positionsHeader] + rows).joined(separator: "\n") + "\n")
        #expect(got.rejects.shown("line", "code") == (3...6).map { "\($0)|security.missing" })
        let own = try #require(got.text("rejects/" + name))
        #expect(own.split(separator: "\n").map(String.init) == [Self.positionsHeader] + rows)
        let whole = try Self.again(got, name) {
            $0.replacing(",,,,", with: ",,QYIX,,").replacing("Linked,,,", with: "Linked,LKBD,,")
        }
        #expect(whole.rejects.rows.isEmpty)
        #expect(
            whole.holdings.shown("holdingAccountID", "holdingSecurityID", "shareCount").sorted() == [
                "X64000003|GRNF|25", "X64000003|QYIX|2", "X64000003|QYIX|3", "X64000004|LKBD|4", "X64000004|QYIX|5",
            ])
    }

    /// A row that takes its account from the row above comes back with that row: alone it is read right, and together
    /// with the file nothing counts twice.
    @Test(arguments: [["RVBK"], ["RVBK", "QYIX"], ["Greenfield", "RVBK"], ["QYIX"], ["Lakeside", "QYIX"]])
    func rowsThatAreFilledFromAbove(_ broken: [String]) throws {
        let header = Self.positionsHeader
        let row = Self.position
        let rows = [
            row("X64000003", "GRNF", "Greenfield Corp", 25), row("", "", "RVBK 16JAN26 40 C", 2),
            row("", "", "QYIX 16JAN26 40 C", 3), row("X64000004", "LKBD", "Lakeside Bond", 4),
        ]
        let whole = ([header] + rows + ["", "Date downloaded Oct-06-2025 6:30 p.m ET", ""]).joined(separator: "\n")
        let name = "Portfolio_Positions_Oct-06-2025.csv"
        let clean = try convertBuiltIn(name, whole)
        #expect(clean.table("holding").rows.count == 4 && clean.rejects.rows.isEmpty)
        func damaged(_ text: String, _ undo: Bool = false) -> String {
            rows.reduce(text) { text, row in
                guard broken.contains(where: { row.contains($0) }) else { return text }
                let bad = row.replacing("$10.00 ", with: "?10")
                return undo ? text.replacing(bad, with: row) : text.replacing(row, with: bad)
            }
        }
        let original = damaged(whole)
        let got = try convertBuiltIn(name, original)
        #expect(got.rejects.rows.count == broken.count)
        let own = try #require(got.text("rejects/" + name))
        // No line stands there twice, and of those above only what is needed.
        let lines = own.split(separator: "\n").filter { $0.contains("16JAN26") || $0.hasPrefix("X") }
        #expect(Set(lines).count == lines.count && lines.count <= broken.count + 1, "\(own)")
        let corrected = damaged(own, true)
        let alone = try convertBuiltIn(name, corrected)
        #expect(alone.rejects.rows.isEmpty)
        for row in alone.table("holding").core { #expect(clean.table("holding").core.contains(row), "\(row)") }
        let together = try convertBuiltIn([(name, Array(original.utf8)), (name, Array(corrected.utf8))])
        #expect(together.table("holding").core.sorted() == clean.table("holding").core.sorted(), "\(own)")
    }

    /// The blank line by which a block's name is known stands in the reject file too.
    @Test func blocksOfAFile() throws {
        let header =
            "Asset,Description,\"Optimal Allocation\",Change,\"USD Allocation\",\"USD Change\",\"Optimal Total Shares\""
        let text = """
            AllocateSmartly.com
            Model Portfolio Export
            Export time: 2021-09-26 10:57:42 EDT

            Harbour 20
            Account Size, 00100000
            \(header)
            ZGLD,Gold,21.52%,+0.29%,"21520","293","190"

            Harbour 40
            Account Size, 00100000
            \(header)
            ZGLD,Gold,40.00%,-0.43%,"40000","-430","340"
            CASH,Cash,5?00%,+0.43%,"5000","430","n/a"

            """
        let got = try convertBuiltIn("m.csv", text)
        #expect(got.rejects["line"] == ["14"])
        let whole = try Self.again(got, "m.csv") { $0.replacing("5?00%", with: "5.00%") }
        #expect(whole.rejects.rows.isEmpty, "\(whole.rejects.rows)")
        #expect(whole.table("allocation").core == ["Harbour 40|Cash|0.05|false"])
    }
}
