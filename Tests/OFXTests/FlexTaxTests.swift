import Importing
import OpenAlloc
import Testing

/// Cash and shares that stand in sections of their own.
@Suite struct FlexTaxTests {
    private func report(_ sections: String) throws -> Collector {
        try collect(
            """
            <FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1"><FlexStatement accountId="U1">
            \(sections)</FlexStatement></FlexStatements></FlexQueryResponse>
            """, FlexImporter())
    }

    private func skipped(_ sink: Collector) -> [String] {
        sink.units.filter { $0.outcome == .skipped }.map(\.code)
    }

    /// VAT on a fee is no cash transaction: the cash report counts both.
    @Test func salesTaxes() throws {
        let sink = try report(
            """
            <CashTransactions><CashTransaction currency="USD" type="Other Fees" amount="-4.5" dateTime="20260302" \
            transactionID="1"/></CashTransactions>
            <SalesTaxes><SalesTax currency="USD" date="20260302" taxableDescription="Data" taxableAmount="-4.5" \
            salesTax="-0.9" taxableTransactionID="1" transactionID="2"/></SalesTaxes>
            """)
        #expect(sink.records.map(\.kind) == [.fee, .tax])
        #expect(sink.records.map { $0[.amount]?.description } == ["-4.5", "-0.9"])
        #expect(sink.records.map { $0.string(.description) } == ["", "Data"])
        #expect(sink.codes.isEmpty && sink.warnings.isEmpty)
    }

    @Test(arguments: ["", "x"]) func damagedTax(_ amount: String) throws {
        let sink = try report(
            "<SalesTaxes><SalesTax currency=\"USD\" date=\"20260302\" salesTax=\"\(amount)\"/></SalesTaxes>")
        #expect(sink.records.isEmpty && sink.codes == [amount.isEmpty ? "field.missing" : "number.invalid"])
    }

    private func tax(_ element: String, _ source: String) -> String {
        """
        <\(element) currency="EUR" symbol="EXFR" date="20260311" taxDescription="Daily tax" taxAmount="-7.25" \
        tradeId="3" source="\(source)"/>
        """
    }

    /// What a trade has in its own taxes is not said again.
    @Test func transactionTaxes() throws {
        let alone = try report("<TransactionTaxes>\(tax("TransactionTax", "STANDALONE"))</TransactionTaxes>")
        #expect(alone.records.map(\.kind) == [.tax] && alone.records.map { $0.string(.symbol) } == ["EXFR"])
        #expect(alone.records.map { $0[.amount]?.description } == ["-7.25"])
        for source in ["", "TRADE"] {
            let sink = try report("<TransactionTaxes>\(tax("TransactionTax", source))</TransactionTaxes>")
            #expect(sink.records.isEmpty && skipped(sink) == ["section.informational"])
        }
    }

    /// Sums and their details count once, whatever stands first.
    @Test(arguments: [false, true]) func taxDetails(isFirst: Bool) throws {
        let rows = [tax("TransactionTax", "STANDALONE"), tax("TransactionTaxDetail", "STANDALONE")]
        let sink = try report(
            "<TransactionTaxes>\((isFirst ? rows.reversed() : rows).joined())</TransactionTaxes>")
        #expect(sink.records.count == 1 && skipped(sink) == ["level.notDetail"])
        let details = try report("<TransactionTaxes>\(rows[1])</TransactionTaxes>")
        #expect(details.records.count == 1)
    }

    @Test(arguments: [
        ("Stock Award Grant for Cash Deposit", "2.5", RecordKind.sharesIn, "2.5"),
        ("Stock Award Withholding", "-0.5", .sharesOut, "-0.5"), ("stock award withholding", "0.5", .sharesOut, "-0.5"),
    ])
    func awards(action: String, units: String, kind: RecordKind, said: String) throws {
        let sink = try report(grant(action, units))
        #expect(sink.records.map(\.kind) == [kind] && sink.records.map { $0[.units]?.description } == [said])
        #expect(sink.records.map { $0[.price]?.description } == ["80.5"])
        #expect(sink.records.map { $0.string(.sourceAction) } == [action])
        #expect(sink.records.map { $0.string(.description) } == ["SAMPLE"])
    }

    @Test func awardsThatMoveNothing() throws {
        #expect(skipped(try report(grant("Stock Award Vesting", "3"))) == ["grant.vested"])
        #expect(try report(grant("Stock Award Riddle", "3")).codes == ["action.unknown"])
        #expect(try report(grant("Stock Award Grant", "many")).codes == ["number.invalid"])
    }

    private func grant(_ action: String, _ units: String) -> String {
        """
        <StockGrantActivities><StockGrantActivity currency="USD" assetCategory="STK" symbol="SMPL" \
        description="SAMPLE" reportDate="2026-03-05" activityDescription="\(action)" quantity="\(units)" \
        price="80.5" value="1"/></StockGrantActivities>
        """
    }

    /// The words of the activity stand for the description where there is no other.
    @Test func describedByActivity() throws {
        let sink = try report(
            """
            <CashTransactions><CashTransaction currency="USD" type="Deposits" amount="1" dateTime="20260302" \
            activityDescription="CASH RECEIPT"/></CashTransactions>
            """)
        #expect(sink.records.map(\.kind) == [.cash] && sink.records.map { $0.string(.description) } == ["CASH RECEIPT"])
    }
}
