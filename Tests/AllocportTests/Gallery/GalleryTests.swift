import Allocport
import Delimited
import Importing
import OpenAlloc
import TestSupport
import Testing

/// Every code that a line can be rejected for, or warned about, with an input that makes it.
@Suite struct GalleryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let code: FindingCode
        let name: String
        var bytes: [UInt8]
        /// The line that it is about; nil when it is about the input.
        let line: Int?
        /// Another input of the run.
        var other: (name: String, text: String)?
        var isInvented = false

        init(
            _ code: FindingCode, _ name: String, _ text: String, line: Int?, other: (name: String, text: String)? = nil,
            isInvented: Bool = false
        ) {
            self.code = code
            self.name = name
            bytes = Array(text.utf8)
            self.line = line
            self.other = other
            self.isInvented = isInvented
        }

        var testDescription: String { code.rawValue }
    }

    @Test(arguments: cases) func everyCodeHasAnInput(_ item: Case) throws {
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        found.inputs = [MemoryInput(name: item.name, bytes: item.bytes)]
        if let other = item.other { found.inputs.append(MemoryInput(name: other.name, bytes: Array(other.text.utf8))) }
        let catalog: Registry = item.isInvented ? Registry([CodeImporter()]) : try BuiltIn.registry()
        let report = try Run(options: RunOptions(outputFolder: folder.path + "/out"), catalog: catalog).convert(found)
        let input = try #require(report.inputs.first { $0.name == item.name })
        let issues = (input.errors + input.warnings).filter { $0.code == item.code.rawValue }
        #expect(issues.contains { $0.line == item.line }, "\(input.errors) \(input.warnings)")
        #expect(issues.allSatisfy { !$0.message.isEmpty })
        #expect(report.isBalanced)
        if item.code.severity == .error, input.errors.contains(where: { $0.code == item.code.rawValue }) {
            #expect(report.rejectsByCode[item.code.rawValue, default: 0] > 0 && report.exitCode == 1)
            #expect(Table(folder.bytes("out/rejects.csv") ?? [])["code"].contains(item.code.rawValue))
        } else {
            #expect(input.warnings.contains { $0.code == item.code.rawValue })
        }
    }

    @Test func noCodeIsWithoutAnInput() {
        #expect(FindingCode.allCases.filter { code in !Self.cases.contains { $0.code == code } } == [])
    }

    private static func schwab(_ code: FindingCode, _ row: String) -> Case {
        Case(code, "t.csv", Exports.schwab([row]), line: 3)
    }

    private static func table(_ code: FindingCode, _ row: String) -> Case {
        Case(code, "t.csv", Exports.table([row]), line: 2)
    }

    private static let statement = """
        Statement,Header,Field Name,Field Value
        Statement,Data,BrokerName,Interactive Brokers
        Statement,Data,Title,Activity Statement
        Statement,Data,Period,"January 1, 2024 - December 31, 2024"
        Account Information,Header,Field Name,Field Value
        Account Information,Data,Account,U7654321
        Account Information,Data,Base Currency,USD

        """

    private static let ofx = """
        OFXHEADER:100
        DATA:OFXSGML
        VERSION:102
        SECURITY:NONE
        ENCODING:USASCII
        CHARSET:1252

        <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM>
        <BANKTRANLIST>
        <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240102<TRNAMT>5.00<FITID>1<NAME>X</STMTTRN>

        """

    private static let sale =
        #"09/01/2021,BROKERAGE X71000001, YOU SOLD NORTHWIND ETF (NWTM),NWTM,NORTHWIND,Cash,-9,20,,,,180,"#

    private static let positions = Exports.positions([Exports.position("Z1", "VOO")])

    static let cases: [Case] = [
        schwab(.numberInvalid, Exports.schwabRow(units: "ten")),
        schwab(.numberRange, Exports.schwabRow(units: String(repeating: "9", count: 50))),
        schwab(.dateInvalid, Exports.schwabRow(date: "02/30/2021")),
        schwab(.dateFuture, Exports.schwabRow(date: "08/16/2031")),
        schwab(.dateAncient, Exports.schwabRow(date: "08/16/1821")),
        schwab(.fieldMissing, Exports.schwabRow(units: "")),
        Case(.valueInvalid, "t.csv", "accountID,title,isTaxable\nA,One,maybe\n", line: 2),
        schwab(.actionUnknown, Exports.schwabRow("Crypto Airdrop")),
        Case(
            .sectionUnknown, "u.csv", statement + "Mystery,Header,Field\nMystery,Data,5\n", line: 9),
        Case(
            .sectionUnread, "l.ofx",
            "OFXHEADER:100\n\n<OFX><LOANMSGSRSV1><LOANSTMTTRNRS>\n<LOANSTMTRS><CURDEF>USD</LOANSTMTRS></LOANSTMTTRNRS></LOANMSGSRSV1></OFX>\n",
            line: 4),
        table(.rowShort, "buysell,2021-03-01"),
        table(.rowLong, "buysell,2021-03-01,A,VOO,,1,1,,,more"),
        Case(
            .rowRagged, "account.csv",
            "portfolio,type,time,amount,balance,amount/balance unit,transfer id,trade id,order id\n"
                + "default,deposit,2022-01-02T10:00:00.000Z,10,10,EUR,T1,,\n"
                + "default,deposit,2022-01-03T10:00:00.000Z,5,15,EUR,T2,\n", line: 3),
        Case(.rowUnplaced, "u.csv", statement + "Trades,Dat,cut\n", line: 8),
        Case(
            .rowsDoubled, "Accounts_History.csv", Exports.fidelity([sale, sale]) + Exports.fidelity([sale, sale]),
            line: 19),
        table(.rowTooLong, "buysell,2021-03-01,A," + String(repeating: "x", count: 1 << 21) + ",,1,1,,"),
        Case(
            .eventIncomplete, "ledgers.csv",
            "txid,refid,time,type,subtype,aclass,asset,amount,fee,balance\n"
                + "L1,T1,2022-01-02 10:00:00,trade,,currency,ZEUR,4OO,0,1\n"
                + "L2,T1,2022-01-02 10:00:00,trade,,currency,XXBT,-0.01,0,1\n", line: 3),
        table(.quoteMalformed, "buysell,2021-03-01,A,\"VOO,,1,1,,"),
        Case(.encodingInvalid, "t.csv", brokenUTF16: Exports.table(["buysell,2021-03-01,A,VOO,,1,1,,5"]), line: 2),
        Case(.markupTruncated, "s.ofx", ofx + "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240103<TRNAMT>-1", line: 11),
        Case(.markupMalformed, "t.json", "{\"trackerID\":\"A\"}\n{\"trackerID\":\n", line: 2),
        schwab(.signContradicts, Exports.schwabRow(units: "-10", amount: "$50.00")),
        schwab(.amountMismatch, Exports.schwabRow(amount: "-$59.00")),
        Case(
            .currencyUnknown, "h.csv",
            "txn kind=dividend account=A1 date=2024-03-01 amount=5 currency=dollars\n", line: 1, isInvented: true),
        schwab(.currencyContradicts, Exports.schwabRow(price: "€5.00")),
        Case(
            .idCheckdigit, "t.csv", Exports.transactionHeader + ",isin\nincome,2021-03-01,A,VOO,,1,1,,,US0378331006\n",
            line: 2),
        Case(
            .idRounded, "t.csv", Exports.transactionHeader + "\nincome,2021-03-01,1.23457E+11,VOO,,1,1,,\n", line: 2),
        Case(.keyDuplicate, "t.csv", "accountID,title\nA,One\nA,Two\n", line: 3),
        schwab(.securityMissing, Exports.schwabRow(symbol: "")),
        Case(
            .accountMissing, "h.csv", "pair kind=dividend account=A1 date=2024-03-01 amount=5\n", line: 1,
            isInvented: true),
        Case(.accountAssumed, "gains.csv", Exports.realized([Exports.realizedRow]), line: nil),
        Case(
            .lotMismatch, "Realized_Gain_Loss_Account_X71000001.csv", Exports.realized([Exports.realizedRow]), line: 2,
            other: (
                "Accounts_History.csv",
                Exports.fidelity([sale.replacing("09/01/2021", with: "06/15/2021")])
            )),
        // The opening position is not known to the run yet: an importer that knows it may say so.
        Case(.positionNegative, "h.csv", "code position.negative\n", line: 1, isInvented: true),
        Case(
            .correctionUnmatched, "s.ofx",
            ofx
                + "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240103<TRNAMT>-1<FITID>3<CORRECTFITID>99<CORRECTACTION>REPLACE<NAME>Y</STMTTRN>\n"
                + "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n", line: 11),
        Case(
            .referenceConflict, "b.csv", "accountID,title\nA,Two\n", line: 2,
            other: ("a.csv", "accountID,title\nA,One\n")),
        Case(.headerDrift, "t.csv", "accountID,title,mood\nA,One,good\n", line: 1),
        Case(.importerFallback, "mine.csv", "Date,Action,Symbol,Quantity,Price\n2024-01-05,Buy,NWTM,2,10\n", line: nil),
    ]
}

extension GalleryTests.Case {
    /// UTF-16 whose last character is half a surrogate pair.
    init(_ code: FindingCode, _ name: String, brokenUTF16 text: String, line: Int?) {
        self.init(code, name, "", line: line)
        var text = RoundTripTests.Form.utf16.bytes(Array(text.utf8)) ?? []
        text.replaceSubrange(text.count - 4..<text.count - 2, with: [0x00, 0xD8])
        bytes = text
    }
}

/// Makes any finding: `code position.negative` is a dividend with that finding; other lines are as in ``LineImporter``.
struct CodeImporter: Importer {
    let id = "fake.codes"
    let title = "Codes"
    let aliases: [String] = []
    let schemas: [SchemaID] = [.transaction]

    func examine(_ sample: InputSample) -> Examination? { Examination(score: 1, specificity: 1) }

    func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext { InputContext() }

    func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) {
        let text = String(decoding: try input.bytes(at: 0, count: input.byteCount), as: UTF8.self)
        guard text.hasPrefix("code "), let code = FindingCode(rawValue: String(text.dropFirst(5)).trimmingBlanks) else {
            return try LineImporter().read(input, sample: sample, context: context, options: options, into: sink)
        }
        let record = LineImporter.record(["kind": "dividend", "account": "A", "date": "2024-03-01", "amount": "5"])
        ByteView.with(Array(text.utf8)) { view in
            sink.accept(
                [record], from: [SourceUnit(line: 1, byteOffset: 0, raw: view)],
                warnings: [Finding(code, reason: "as asked")])
        }
    }
}
