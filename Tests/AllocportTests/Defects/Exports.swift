/// Invented exports, made of their rows.
enum Exports {
    static let fidelityHeader =
        "Run Date,Account,Action,Symbol,Security Description,Security Type,Quantity,Price ($),Commission ($),Fees ($),"
        + "Accrued Interest ($),Amount ($),Settlement Date"

    /// A Fidelity history of 2021.
    static func fidelity(_ rows: [String], header: String = fidelityHeader) -> String {
        "\n\n\nBrokerage\n\n" + header + "\n" + rows.map { $0 + "\n" }.joined()
            + "\n\n\"Brokerage services are provided by an example company.\"\n\nDate downloaded 09/15/2021 9:12 am\n"
    }

    /// A row of it.
    static func fidelityRow(
        _ action: String = "YOU BOUGHT NORTHWIND ETF (NWTM) (Cash)", date: String = "07/30/2021",
        account: String = "BROKERAGE 411000001", symbol: String = "NWTM", units: String = "10", price: String = "5",
        commission: String = "", fees: String = "", accrued: String = "", amount: String = "-50", settled: String = ""
    ) -> String {
        [date, account, action, symbol, "NORTHWIND", "Cash", units, price, commission, fees, accrued, amount, settled]
            .joined(separator: ",")
    }

    static let schwabHeader =
        #""Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount""#

    /// A Schwab history of 2021: blocks of one account each.
    static func schwab(
        _ rows: [String], banner: String = "Transactions  for account ...417 as of 09/27/2021 09:01:02 PM ET"
    ) -> String {
        (banner.isEmpty ? "" : "\"\(banner)\"\n") + schwabHeader + "\n" + rows.map { $0 + "\n" }.joined()
            + #""Transactions Total","","","","","","","$0.00""# + "\n"
    }

    static func schwabRow(
        _ action: String = "Buy", date: String = "08/16/2021", symbol: String = "SCHB",
        description: String = "SCHWAB US BROAD MARKET ETF", units: String = "10", price: String = "$5.00",
        fees: String = "", amount: String = "-$50.00"
    ) -> String {
        [date, action, symbol, description, units, price, fees, amount].map { "\"\($0)\"" }.joined(separator: ",")
    }

    /// An Allocate Smartly portfolio.
    static func smart(_ rows: [String], ending: String = "\n") -> String {
        "AllocateSmartly.com\nModel Portfolio Export\nExport time: 2021-08-09 18:13:02 UTC\n\n20M\n"
            + "\"Account Size\",\"$100,000.00\"\n"
            + "Asset,Description,Optimal Allocation,Change\n" + rows.joined(separator: "\n") + ending
    }

    static let positionsHeader =
        "Account Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,"
        + "Today's Gain/Loss Dollar,Today's Gain/Loss Percent,Total Gain/Loss Dollar,Total Gain/Loss Percent,"
        + "Percent Of Account,Cost Basis Total,Average Cost Basis,Type"

    /// A Fidelity positions file of 2025.
    static func positions(_ rows: [String], header: String = positionsHeader) -> String {
        header + "\n" + rows.map { $0 + "\n" }.joined()
            + "\n\"Brokerage services are provided by an example company.\"\n\n\"Date downloaded Nov-14-2025 1:39 p.m ET\"\n"
    }

    static func position(_ account: String, _ symbol: String, units: String = "10", basis: String = "$40.00") -> String {
        "\(account),Individual - TOD,\(symbol),SOME FUND,\(units),$41.00,-$0.50,$410.00,,,,,,$400.00,\(basis),Cash,"
    }

    static let realizedHeader =
        "Symbol(CUSIP),Security Description,Quantity,Date Acquired,Date Sold,Proceeds,Cost Basis,Short Term Gain/Loss,"
        + "Long Term Gain/Loss"

    /// A Fidelity realized-gain report.
    static func realized(_ rows: [String]) -> String { realizedHeader + "\n" + rows.map { $0 + "\n" }.joined() }

    static let realizedRow =
        #"NWTM(111111118),"NORTHWIND ETF",4.0,02/03/2020,06/15/2021,"$180.00 ","$183.00 ","($3.00)","--""#

    static let transactionHeader =
        "txnAction,txnTransactedAt,txnAccountID,txnSecurityID,txnLotID,txnShareCount,txnSharePrice,realizedGainShort,"
        + "realizedGainLong"

    /// A table of openalloc/transaction.
    static func table(_ rows: [String]) -> String { transactionHeader + "\n" + rows.map { $0 + "\n" }.joined() }
}
