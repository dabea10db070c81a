import Importing
import OpenAlloc
import Testing

/// What stands in a file as a sum and in its parts, or in two sections, counts once.
@Suite struct FlexSumTests {
    private func collected(_ section: String, _ rows: String) throws -> Collector {
        try collect(
            "<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\"><\(section)>\(rows)</\(section)>"
                + "</FlexStatement></FlexStatements></FlexQueryResponse>", FlexImporter())
    }

    /// A query with Summary and Detail, but without the field that says which is which.
    @Test(arguments: [
        (["U1|1001", "-|"], 1), (["-|"], 1), (["U1|1001", "U1|1002"], 2), (["U1|", "U1|"], 2), (["-|", "-|"], 2),
        (["|1001", "|"], 1),
    ])
    func sumsBesideDetails(rows: [String], count: Int) throws {
        let text = rows.map { row in
            let parts = row.split(separator: "|", omittingEmptySubsequences: false)
            return "<CashTransaction accountId=\"\(parts[0])\" currency=\"USD\" symbol=\"SMPL\" type=\"Dividends\" "
                + "amount=\"5\" dateTime=\"20250102\" transactionID=\"\(parts[1])\"/>"
        }
        let sink = try collected("CashTransactions", text.joined())
        #expect(sink.records.filter { $0.kind == .dividend }.count == count)
        #expect(sink.units.filter { $0.code == "level.notDetail" }.count == rows.count - count)
    }

    /// The same of positions: only a lot has a moment at which it was opened.
    @Test(arguments: [
        (["10|", "4|20240105;103000", "6|20240106;103000"], ["4", "6"]), (["10|", "3|20240105"], ["10"]),
    ])
    func lotsBesideTheirSum(rows: [String], units: [String]) throws {
        let text = rows.map { row in
            let parts = row.split(separator: "|", omittingEmptySubsequences: false)
            return "<OpenPosition accountId=\"U1\" currency=\"USD\" symbol=\"SMPL\" assetCategory=\"STK\" "
                + "position=\"\(parts[0])\" markPrice=\"5\" openDateTime=\"\(parts[1])\" reportDate=\"20250102\"/>"
        }
        let sink = try collected("OpenPositions", text.joined())
        #expect(sink.records.filter { $0.kind == .position }.map { $0[.units]?.description ?? "" } == units)
    }

    /// What becomes of an option stands in two sections, of which a query may choose other fields.
    @Test(arguments: [
        ("accountId=\"U1\" conid=\"7\" symbol=\"X C\"", "accountId=\"U1\" conid=\"7\" symbol=\"X C\""),
        ("accountId=\"U1\" conid=\"7\" symbol=\"X C\"", "accountId=\"U1\" symbol=\"X C\""),
        ("accountId=\"U1\" conid=\"7\" symbol=\"X C\"", "conid=\"7\" symbol=\"X C\""),
        ("symbol=\"X C\"", "accountId=\"U1\" conid=\"7\" symbol=\"X C\""),
        ("conid=\"7\" symbol=\"X C\"", "conid=\"7\" symbol=\"X  C\""),
    ])
    func bookingsAndEventsAreOne(trade: String, event: String) throws {
        let more = "currency=\"USD\" assetCategory=\"OPT\" quantity=\"1\""
        let sink = try collect(
            "<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\"><Trades><Trade \(trade) \(more) "
                + "tradePrice=\"0\" netCash=\"0\" buySell=\"BUY\" notes=\"A\" tradeDate=\"20250102\" "
                + "transactionType=\"BookTrade\"/></Trades><OptionEAE><OptionEAE \(event) \(more) date=\"20250102\" "
                + "transactionType=\"Assignment\"/></OptionEAE></FlexStatement></FlexStatements></FlexQueryResponse>",
            FlexImporter())
        #expect(sink.records.filter { $0.kind == .assigned }.count == 1)
        #expect(sink.units.contains { $0.code == "row.repeated" } && sink.codes == [])
    }

    /// The sum of all cash counts where nothing else tells of it, in the currency that the report names.
    @Test(arguments: [
        ("accountId=\"U1\"", "<AccountInformation accountId=\"U1\" currency=\"EUR\"/>", "EUR", ""),
        ("", "<AccountInformation accountId=\"U1\" currency=\"EUR\"/>", "EUR", ""),
        ("accountId=\"U1\"", "<AccountInformation currency=\"EUR\"/>", "EUR", ""),
        ("accountId=\"U1\"", "", "", "currency.unknown"),
    ])
    func theSumOfAllCash(account: String, more: String, currency: String, code: String) throws {
        let sink = try collect(
            "<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\" toDate=\"20250131\">\(more)<CashReport>"
                + "<CashReportCurrency \(account) currency=\"BASE_SUMMARY\" endingCash=\"5\"/></CashReport>"
                + "</FlexStatement></FlexStatements></FlexQueryResponse>", FlexImporter())
        #expect(sink.codes == (code.isEmpty ? [] : [code]))
        let held = sink.records.filter { $0.kind == .position }.map { $0.string(.currency) }
        #expect(held == (currency.isEmpty ? [] : [currency]))
    }

    /// Where nothing names the base currency, it is the one that has the rate 1 in every row.
    @Test(arguments: [
        (["EUR 1", "USD 0.9"], "EUR"), (["EUR 1", "EUR 1"], "EUR"), (["USD 0.9"], nil), (["EUR 1", "USD 1"], nil),
        (["EUR 1", "USD 1", "USD 0.99"], "EUR"),
    ])
    func theBaseCurrencyByItsRate(rates: [String], currency: String?) throws {
        let rows = (0..<20).flatMap { _ in rates }.enumerated().map { place, rate in
            let parts = rate.split(separator: " ")
            return "<CashTransaction currency=\"\(parts[0])\" fxRateToBase=\"\(parts[1])\" type=\"Dividends\" "
                + "amount=\"5\" dateTime=\"20250102\" transactionID=\"\(place)\"/>"
        }
        let sink = try collected(
            "CashReport",
            "<CashReportCurrency currency=\"BASE_SUMMARY\" endingCash=\"5\"/></CashReport><CashTransactions>"
                + rows.joined() + "</CashTransactions><CashReport>")
        #expect(sink.codes == (currency == nil ? ["currency.unknown"] : []))
        #expect(sink.records.first { $0.kind == .position }?.string(.currency) == currency)
    }
}
