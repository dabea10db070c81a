import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// OFX and Flex: the same guarantee as for tables.
struct MarkupAnonymizeTests {
    private func proof(_ input: MemoryInput) throws -> (AnonymityProof, Anonymizer.Copy) {
        let registry = Registry(CodeImporters.all)
        guard case .recognised(let best, _) = registry.decide(try InputSample(input)) else {
            throw SampleError.unknown
        }
        let copy = try #require(try MarkupAnonymizer.copy(input, vocabulary: Known.vocabulary, attempt: 0))
        let made = MemoryInput(name: copy.name, bytes: copy.bytes)
        return (try AnonymityProof(input, made, by: best.importer, days: copy.days, factor: copy.factor), copy)
    }

    private enum SampleError: Error { case unknown }

    @Test(arguments: [
        ("ofx/statement/checking/example_checking.ofx", 9), ("ofx/statement/investments_sgml/example_invest.qfx", 58),
        ("ofx/statement/investments_xml/example_invest_v2.ofx", 58), ("ofx/statement/card/karte_februar.ofx", 6),
        ("ibkr/flex_xml/activity_2025/flex_2025.xml", 30),
    ])
    func everyUnitHasTheSameOutcome(_ path: String, _ records: Int) throws {
        let input = try Repository.input("SampleData/" + path)
        let (proof, copy) = try proof(input)
        #expect(proof.differences == [] && proof.records == records)
        #expect(copy.factor > 1 && copy.days < 0 && copy.days.isMultiple(of: 7))
        let again = try MarkupAnonymizer.copy(input, vocabulary: Known.vocabulary, attempt: 0)
        #expect(again?.bytes == copy.bytes)
    }

    @Test func replacesWhatIsSomebodys() throws {
        let text = """
            OFXHEADER:100
            DATA:OFXSGML
            VERSION:102
            ENCODING:USASCII
            CHARSET:1252
            COMPRESSION:NONE
            OLDFILEUID:NONE
            NEWFILEUID:JANE-778812

            <OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20240131120000<LANGUAGE>ENG
            <INTU.USERID>jexample77</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>USD
            <BANKACCTFROM><BANKID>121000248<ACCTID>9988776655<ACCTTYPE>CHECKING</BANKACCTFROM>
            <!-- for Jane -->
            <BANKTRANLIST><DTSTART>20240101<DTEND>20240131<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240115<TRNAMT>1234.56
            <FITID>99001<NAME>Zelda Zimmerwald &amp; S\u{F6}hne<MEMO>Deposit from 9988776655</STMTTRN></BANKTRANLIST>
            <LEDGERBAL><BALAMT>1234.56<DTASOF>20240131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
            """
        let (proof, copy) = try proof(memory("jane.ofx", text))
        #expect(proof.differences == [] && proof.records > 0)
        let made = String(decoding: copy.bytes, as: UTF8.self)
        for secret in [
            "JANE", "Jane", "778812", "jexample", "121000248", "9988776655", "1234.56", "20240115", "99001", "Zelda",
            "Zimmerwald", "S\u{F6}hne",
        ] {
            #expect(!made.contains(secret), "\(secret)")
        }
        for kept in ["<CURDEF>USD", "<ACCTTYPE>CHECKING", "<TRNTYPE>CREDIT", "&amp;", "Deposit from ", "<CODE>0"] {
            #expect(made.contains(kept), "\(kept)")
        }
        #expect(made.split(separator: "\n").count == text.split(separator: "\n").count)
    }

    static let dates: [[String]] = [
        ["05/03/2025", "25/03/2025"], ["03/05/2025", "03/25/2025"], ["5/3/2025", "25/3/2025"],
        ["5.3.2025", "13.3.2025"],
        ["05-03-2025", "31-03-2025"], ["2025-03-05", "2025-03-25"], ["2025/03/05", "2025/3/25"],
        // Nothing says what stands first.
        ["05/03/2025", "06/04/2025"], ["03/03/2025", "04/04/2025"], ["20250305", "20250325120000[-5:EST]"],
        ["05/03/2025 10:30", "25/03/2025T10:30:00"], ["32/13/2025", "00000000"],
    ]

    /// However dates are written: what is read is read, what is not is not, and the days are others.
    @Test(arguments: dates, ["checking.ofx", "checking.xml"]) func movesDatesOfEveryShape(
        _ dates: [String], _ name: String
    ) throws {
        let rows = dates.enumerated().map { index, date in
            """
            <STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>\(date)</DTPOSTED><TRNAMT>1234.56</TRNAMT><FITID>9900\(index)</FITID>\
            <NAME>Paid \(date)</NAME></STMTTRN>

            """
        }
        let head =
            name.hasSuffix("xml")
            ? "<?xml version=\"1.0\"?>\n<?OFX OFXHEADER=\"200\" VERSION=\"211\" SECURITY=\"NONE\"?>\n"
            : "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n"
        let text = """
            \(head)<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD</CURDEF><BANKACCTFROM><BANKID>121000248</BANKID>\
            <ACCTID>9988776655</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM><BANKTRANLIST>
            \(rows.joined())</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
            """
        let (proof, copy) = try proof(memory(name, text))
        #expect(proof.differences == [], "\(copy.days)")
        let made = String(decoding: copy.bytes, as: UTF8.self)
        for date in dates where date.contains(where: { ("1"..."9").contains($0) }) { #expect(!made.contains(date)) }
    }

    @Test(arguments: [
        ["02/01/2025;103000", "25/01/2025;113000"], ["01/02/25;103000", "01/25/25"], ["02-Jan-25", "25-JAN-25"],
        ["20250102;103000", "20250125"], ["2025-01-02T10:30:00", "2025-01-25"], ["01/02/2025", "02/03/2025"],
    ]) func movesDatesOfFlex(_ dates: [String]) throws {
        let rows = dates.enumerated().map { index, date in
            """
            <CashTransaction accountId="U7654321" currency="USD" dateTime="\(date)" amount="1234.56" type="Deposits/Withdrawals" \
            description="CASH RECEIPTS \(date)" transactionID="77\(index)" levelOfDetail="DETAIL" />

            """
        }
        let text = """
            <FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1"><FlexStatement accountId="U7654321">
            <CashTransactions>
            \(rows.joined())</CashTransactions></FlexStatement></FlexStatements></FlexQueryResponse>
            """
        let (proof, copy) = try proof(memory("flex.xml", text))
        #expect(proof.differences == [] && proof.verdicts.count > 0)
        let made = String(decoding: copy.bytes, as: UTF8.self)
        for date in dates { #expect(!made.contains(date)) }
    }

    /// A line of the statement of funds may name who asked for money.
    @Test func hidesWhoAsked() throws {
        let text = """
            <FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1"><FlexStatement accountId="U7654321">
            <StmtFunds><StatementOfFundsLine accountId="U7654321" currency="EUR" date="20250102" amount="-70.50" \
            activityDescription="Disbursement Initiated by Quirin Mustermann" levelOfDetail="Currency" />
            </StmtFunds></FlexStatement></FlexStatements></FlexQueryResponse>
            """
        let (proof, copy) = try proof(memory("flex.xml", text))
        #expect(proof.differences == [] && proof.verdicts.count > 0)
        let made = String(decoding: copy.bytes, as: UTF8.self)
        #expect(made.contains("Disbursement ") && !made.contains("Quirin") && !made.contains("Mustermann"))
    }

    /// Damaged markup is copied or not, and never a crash.
    @Test func survivesDamage() throws {
        let input = try Repository.input("SampleData/ibkr/flex_xml/activity_2025/flex_2025.xml")
        let bytes = try input.bytes(at: 0, count: input.byteCount)
        var random = SplitMix64(seed: 29)
        for _ in 0..<60 {
            var damaged = bytes
            for _ in 0..<6 {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] = Array("<>\"'=&;/! \0".utf8).randomElement(using: &random) ?? 0x3C
            }
            damaged.removeLast(Int.random(in: 0..<damaged.count / 2, using: &random))
            _ = try MarkupAnonymizer.copy(
                MemoryInput(name: "a.xml", bytes: damaged), vocabulary: Known.vocabulary, attempt: 0)
        }
    }
}
