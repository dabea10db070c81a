import Allocport
import Importing
import Testing

/// The tables of the two documents that hold every investment aggregate, SGML and XML: each row derived by hand from
/// the mapping. They are read from `OFX_CORPUS`.
@Suite(.enabled(if: Sample.environment("OFX_CORPUS") != nil))
struct OFXTableTests {
    private static let bond = "912828U81"
    private static let option = "AAPL250117C00150000"
    private static let microsoft = "594918104"

    /// Action, security, lot, units, price; all on one day, in one account, without gains.
    private static let transactions = [
        // A bond's price is percent of par; its accrued interest is income that was paid.
        "buysell|\(bond)||10000|0.985", "income|\(bond)||-12.34|1",
        "buysell|VTSAX|PRETAX|12.345|100",
        // 1.55 for a share, 100 shares in a contract.
        "buysell|\(option)||2|155", "buysell|SPAXX||500|1", "buysell|AAPL||10|150.25", "buysell|AAPL||5|140",
        "transfer|\(option)||-2|",
        "income|AAPL||24|1", "income|VTSAX||50|1", "income|VTSAX||7|1", "income|\(bond)||100|1", "income|AAPL||1|1",
        // The dividend that is undone.
        "income|AAPL||-24|1", "miscflow|AAPL||-1.25|1",
        // Two journals within the account move nothing.
        "miscflow|||-8.88|1",
        // A reinvestment is the income and what it bought.
        "income|VTSAX||33.33|1", "buysell|VTSAX||0.333|100.09", "miscflow|AAPL||15|1",
        "buysell|\(bond)||-10000|1", "buysell|VTSAX|MATCH|-2|101", "buysell|\(option)||-1|200",
        "buysell|SPAXX||-500|1", "buysell|AAPL||-3|155", "buysell|AAPL||-5|160",
        // 200 CHF, already converted at 0.85; and 200 CHF that stay francs.
        "buysell|CB||-1|170", "buysell|CB||1|200",
        // 28 after the split, 7 before.
        "transfer|AAPL||21|", "miscflow|AAPL||0.5|1",
        "transfer|\(microsoft)||20|410", "transfer|\(microsoft)||-4|", "transfer|\(microsoft)||-1|",
        "transfer|||1000|1", "transfer|||-250|1", "income|||1.11|1", "miscflow|||-25|1", "income|||2.22|1",
        "transfer|||-40|1",
    ]

    /// Security, lot, units, basis; cash is the balance that is available.
    private static let holdings = [
        "\(bond)||10000|", "VTSAX|PRETAX|10.678|", "\(option)||-1|", "SPAXX||500|", "AAPL||28|", "TSLA||-5|",
        "CB||3|", "CORE||1234.56|1",
    ]

    /// Security, asset, price of one unit.
    private static let securities = [
        "\(bond)|Bond|0.99125", "VTSAX|LC|101", "\(option)||210", "SPAXX|Cash|1", "AAPL|LC|40", "TSLA||180", "CB||205",
        "CORE||1", "\(microsoft)||",
    ]

    @Test(arguments: ["all_aggregates_sgml102.ofx", "all_aggregates_xml211.ofx"])
    func everyRow(_ name: String) throws {
        let root = Sample.environment("OFX_CORPUS") ?? ""
        let sample = Sample(path: root + "/_synthetic/" + name)
        let run = try convertBuiltIn([(name, sample.bytes)]) { $0.columns = .core }
        let rows = run.transactions
        #expect(
            rows.shown("txnAction", "txnSecurityID", "txnLotID", "txnShareCount", "txnSharePrice")
                == Self.transactions)
        // 16:00 in New York.
        #expect(Set(rows["txnTransactedAt"]) == ["2024-01-10T21:00:00Z"])
        #expect(Set(rows["txnAccountID"]) == ["X12345678"])
        #expect(Set(rows["realizedGainShort"] + rows["realizedGainLong"]) == [""])
        #expect(
            run.holdings.shown("holdingSecurityID", "holdingLotID", "shareCount", "shareBasis") == Self.holdings)
        #expect(Set(run.holdings["holdingAccountID"]) == ["X12345678"])
        #expect(run.table("security").shown("securityID", "securityAssetID", "sharePrice") == Self.securities)
        #expect(Set(run.table("security")["updatedAt"]) == ["2024-01-31T21:00:00Z", ""])
        #expect(run.table("account").shown("accountID", "isTaxable", "canTrade") == ["X12345678|false|true"])
        #expect(run.rejects.rows.isEmpty)
        #expect(run.report.outcomes[.skipped] == 3)
    }
}
