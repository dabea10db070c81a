import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

/// Accounts, columns and lines that the predecessor misread (D24 to D31).
@Suite struct WrongContextTests {
    static let accounts: [(cell: String, account: String)] = [
        ("BROKERAGE 411000001", "411000001"), ("BROKERAGE\u{A0}411000001", "411000001"),
        ("CASH MGMT Z41000002", "Z41000002"),
    ]

    /// D24: the account number was guessed.
    @Test(arguments: accounts) func d24Accounts(_ cell: String, _ account: String) throws {
        let got = try convertBuiltIn("Accounts_History.csv", Exports.fidelity([Exports.fidelityRow(account: cell)]))
        #expect(got.transactions["txnAccountID"] == [account])
    }

    @Test(arguments: ["Acct (closed)", "Roth IRA X1234 (old)", "Roth IRA"]) func d24NoPartIsGuessed(_ cell: String)
        throws
    {
        let got = try convertBuiltIn("Accounts_History.csv", Exports.fidelity([Exports.fidelityRow(account: cell)]))
        #expect(got.transactions["txnAccountID"].allSatisfy { $0 == cell } || got.report.outcomes[.rejected] == 1)
        #expect(!got.transactions["txnAccountID"].contains { $0 == "(closed)" || $0 == "(old)" || $0 == "IRA" })
        #expect(got.isWhole)
    }

    static let files: [(name: String, account: String)] = [
        ("Realized_Gain_Loss_Account_X12345678.csv", "X12345678"),
        ("Realized_Gain_Loss_Account_X12345678 (1).csv", "X12345678"),
        ("gains.csv", "fidelity"),
    ]

    /// D25: the account was the first word before a point of the whole path.
    @Test(arguments: files) func d25AccountOfTheFileName(_ name: String, _ account: String) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("x.y")
        try folder.write("x.y/\(name)", Exports.realized([Exports.realizedRow]))
        let run = Run(options: RunOptions(outputFolder: folder.path + "/out"), catalog: try BuiltIn.registry())
        let report = try run.convert(paths: ["\(folder.path)/x.y/\(name)"])
        #expect(Table(folder.bytes("out/openalloc.transaction.csv") ?? [])["txnAccountID"] == [account])
        #expect(report.inputs[0].warnings.contains { $0.code == "account.assumed" } == (account == "fidelity"))
        let named = try convertBuiltIn(name, Exports.realized([Exports.realizedRow])) { $0.account = "MINE" }
        #expect(named.transactions["txnAccountID"] == [account == "fidelity" ? "MINE" : account])
    }

    /// D26: costs, accrued interest and the settlement date were dropped.
    @Test func d26Costs() throws {
        let row = Exports.fidelityRow(
            "YOU SOLD NORTHWIND BOND", units: "-10", price: "51.38", commission: "4.95", fees: "0.07", accrued: "1.25",
            amount: "510.03", settled: "08/03/2021")
        let got = try convertBuiltIn("Accounts_History.csv", Exports.fidelity([row]))
        #expect(
            got.transactions.shown(
                "txnShareCount", "txnSharePrice", "amount", "commission", "fees", "accruedInterest", "settledAt")
                == ["-10|51.38|510.03|4.95|0.07|1.25|2021-08-03T16:00:00Z"])
        #expect(got.firstInput?.warnings.map(\.code) == [])
    }

    static let headers = [
        "txnaction,TXNTRANSACTEDAT,txnAccountID,txnSecurityID,txnLotID,txnShareCount",
        " txnAction , txnTransactedAt ,txnAccountID ,txnSecurityID,txnLotID, txnShareCount ",
        #""txnAction","txnTransactedAt","txnAccountID","txnSecurityID","txnLotID","txnShareCount""#,
    ]

    /// D27: the header was matched without case and read with it.
    @Test(arguments: headers) func d27HeadersWithoutCase(_ header: String) throws {
        let got = try convertBuiltIn("t.csv", header + "\nincome,2021-03-01,A,,,1\n")
        #expect(got.transactions.core == ["income|2021-03-01T00:00:00Z|A|||1|||"])
        let upper = Exports.fidelityHeader.uppercased()
        let fidelity = try convertBuiltIn(
            "Accounts_History.csv", Exports.fidelity([Exports.fidelityRow()], header: upper))
        #expect(fidelity.transactions.rows.count == 1)
    }

    /// D28: extra cells were dropped, short rows filled with 0, and of a doubled column the last won.
    @Test func d28RaggedRows() throws {
        let got = try convertBuiltIn(
            "t.csv",
            Exports.table([
                "buysell,2021-03-01,1", "buysell,2021-03-01,A,VOO,,1,2,,,5", "buysell,2021-03-01,A,VOO,,1,2,,",
            ]))
        #expect(got.rejects.shown("line", "code") == ["2|row.short", "3|row.long"])
        #expect(got.transactions.rows.count == 1)
        let rows = [Exports.fidelityRow() + ",stray", "07/30/2021,BROKERAGE 411000001,YOU BOUGHT"]
        let fidelity = try convertBuiltIn("Accounts_History.csv", Exports.fidelity(rows))
        #expect(fidelity.rejects["code"] == ["row.long", "row.short"] && fidelity.transactions.rows.isEmpty)
        let doubled = Exports.transactionHeader + ",txnShareCount\nbuysell,2021-03-01,A,VOO,,1,2,,,99\n"
        let twice = try convertBuiltIn("t.csv", doubled)
        #expect(!twice.transactions["txnShareCount"].contains("99"))
        #expect(twice.isWhole)
    }

    /// D29: one bad position killed the file.
    @Test func d29OneBadPosition() throws {
        let rows = [Exports.position("Z1", "SCHB", units: "--"), Exports.position("Z1", "VOO")]
        let got = try convertBuiltIn("Portfolio_Positions_Nov-14-2025.csv", Exports.positions(rows))
        #expect(got.holdings["holdingSecurityID"].contains("VOO"))
        #expect(got.isWhole && got.holdings.rows.count + got.report.outcomes[.rejected] == 2)
    }

    /// D30: one stray quotation mark killed the file.
    @Test func d30StrayQuotes() throws {
        let rows = [
            Exports.fidelityRow(), Exports.fidelityRow("YOU BOUGHT 5\" PIPE CO"),
            Exports.fidelityRow(account: #""Individual" X90000000"#),
            Exports.fidelityRow(units: "30", amount: "-150"),
        ]
        let got = try convertBuiltIn("Accounts_History.csv", Exports.fidelity(rows))
        #expect(
            got.transactions.shown("txnAccountID", "txnShareCount") == [
                "411000001|10", "411000001|10", "X90000000|10", "411000001|30",
            ])
        #expect(got.transactions["sourceAction"].contains("YOU BOUGHT 5\" PIPE CO"))
        #expect(got.isWhole)
    }

    /// D31: accounts and securities stood once for each position; transactions that are equal all stay.
    @Test func d31Duplicates() throws {
        let rows = [Exports.position("Z1", "VOO"), Exports.position("Z2", "VOO"), Exports.position("Z1", "BND")]
        let got = try convertBuiltIn("Portfolio_Positions_Nov-14-2025.csv", Exports.positions(rows))
        #expect(got.table("account")["accountID"] == ["Z1", "Z2"])
        #expect(Set(got.table("security")["securityID"]) == ["VOO", "BND"] && got.table("security").rows.count == 2)
        #expect(got.holdings.rows.count == 3)
        let twins = try convertBuiltIn(
            "Accounts_History.csv", Exports.fidelity([String](repeating: Exports.fidelityRow(), count: 3)))
        #expect(twins.transactions.rows.count == 3)
        #expect(Set(twins.transactions["rowID"]).count == 3)
    }
}
