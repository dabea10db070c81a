import Importing
import TestSupport
import Testing

@testable import Allocport

/// Units that a row's rows would lose, or have with the other sign, are told whichever road the row takes.
@Suite struct StatedUnitsTests {
    private static let definition = """
        importer: acme.history
        version: 1
        title: Acme
        zone: UTC
        dates: [YYYY-MM-DD]
        numbers: us
        currency: USD
        tables:
          - name: rows
            columns: {date: Day, action: What, symbol: Name, units: Units, price: Price, amount: Sum, fees: Fees}
            require: [date, action, symbol, units, amount]
            security: [symbol]
            actions:
              on: action
              words:
                Dividend: dividend
                Deposit: deposit
                Charge: fee
                Buy: buy
                Cover: buyToCover
                Sale: sell
                Undone: {kind: buy, reverse: true}
                Both:
                  records:
                    - {kind: sell, set: {amount: "''"}}
                    - {kind: fee, set: {amount: 0}}
        """

    /// How a row is read.
    enum Road: CaseIterable { case rules, recipes, classes }

    /// A row, what the others of its kind have, and the code that it is told with.
    static let cases: [(row: String, others: String, code: String?)] = [
        ("Dividend,ACME,5,,0.00,", "Dividend,ACME,5,,#,", "action.unknown"),
        ("Dividend,ACME,5,,0.00,", "Dividend,ACME,5,,0.00,", "action.unknown"),
        ("Dividend,ACME,5,#.25,0.00,", "Dividend,ACME,0.001,#.25,0,", "action.unknown"),
        ("Dividend,ACME,0.0001,#.25,0.00,", "Dividend,ACME,5,#.25,0,", nil),
        ("Dividend,ACME,0,,0.00,", "Dividend,ACME,5,,#,", nil),
        ("Deposit,ACME,-5,,0,", "Deposit,,,,#,", "action.unknown"),
        ("Charge,ACME,-0.5,,0,", "Charge,ACME,-0.5,,-#,", "action.unknown"),
        ("Both,ACME,-5,2,,", "Both,ACME,-5,#,,", nil),
        ("Buy,ACME,-5,2,-10,", "Buy,ACME,#,2,,", "sign.contradicts"),
        ("Buy,ACME,-5,2,-10,", "Buy,ACME,-#,,-4,", "sign.contradicts"),
        ("Buy,ACME,-5,2,,", "Buy,ACME,5,#,,", "sign.contradicts"),
        ("Cover,ACME,-5,,-10,", "Cover,ACME,5,,-#,", "sign.contradicts"),
        ("Buy,ACME,5,2,-10,", "Buy,ACME,-5,,-#,", nil), ("Undone,ACME,-5,2,10,", "Undone,ACME,-#,,4,", nil),
        ("Sale,ACME,-5,2,10,", "Sale,ACME,#,,9,", nil), ("Sale,ACME,5,2,10,", "Sale,ACME,-#,,9,", nil),
    ]

    @Test(arguments: cases, Road.allCases)
    func isTold(_ row: (row: String, others: String, code: String?), _ road: Road) throws {
        let importer = try DefinitionLoader.load(Array(Self.definition.utf8), file: "acme.yaml")
        var text = "Day,What,Name,Units,Price,Sum,Fees\n"
        for day in 10..<29 { text += "2024-01-\(day)," + row.others.replacing("#", with: "\(day)") + "\n" }
        text += "2024-02-01," + row.row.replacing("#", with: "3") + "\n"
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        found.inputs = [MemoryInput(name: "a.csv", bytes: Array(text.utf8))]
        var options = RunOptions(outputFolder: folder.path + "/out")
        if road != .rules { options.bytesByRules = 0 }
        var run = try Run(options: options, catalog: Registry([importer]))
        run.preparesClasses = road == .classes
        let report = try run.convert(found)
        #expect(report.isBalanced)
        let rejects = Table(folder.bytes("out/rejects.csv") ?? [])
        let told =
            zip(rejects["line"], rejects["code"]).filter { $0.0 == "21" }.map(\.1)
            + report.inputs[0].warnings.filter { $0.line == 21 }.map(\.code)
        #expect(told == (row.code.map { [$0] } ?? []))
        let lines = Table(folder.bytes("out/openalloc.transaction.csv") ?? [])["sourceLine"]
        #expect(lines.contains("21") == (row.code != "action.unknown"))
    }

    /// Flex signs its quantities: a purchase of fewer than none is told, and rejected where its money came in, too.
    @Test(arguments: [("2", "-10", []), ("-2", "-10", ["warning"]), ("-2", "10", ["reject"])])
    func isToldOfFlex(_ quantity: String, _ money: String, _ told: [String]) throws {
        func trade(_ id: Int, _ quantity: String, _ money: String) -> String {
            """
            <Trade accountId="U1" currency="USD" assetCategory="STK" symbol="SMPL" conid="7" tradeID="\(id)" \
            transactionType="ExchTrade" dateTime="20240102;100000" buySell="BUY" quantity="\(quantity)" tradePrice="5" \
            ibCommission="0" ibCommissionCurrency="USD" netCash="\(money)"/>

            """
        }
        let rows = (1...30).map { trade($0, "\($0)", "-\(5 * $0)") }.joined() + trade(31, quantity, money)
        let text =
            "<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\"><Trades>\n\(rows)</Trades>"
            + "</FlexStatement></FlexStatements></FlexQueryResponse>\n"
        let result = try convertBuiltIn("trades.xml", text)
        let warnings = result.report.inputs[0].warnings.filter { $0.code == "sign.contradicts" }
        let rejects = result.rejects["code"].filter { $0 == "sign.contradicts" }
        #expect(warnings.map { _ in "warning" } + rejects.map { _ in "reject" } == told)
        #expect(result.transactions.rows.count == 31 - rejects.count)
    }
}
