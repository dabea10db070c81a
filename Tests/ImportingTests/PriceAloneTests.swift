import Testing

@testable import Importing

/// A price in another currency than the row's stands as it is where the row tells of no other money, and no rate says
/// what it is in the row's; else the amount or the rate give the price.
@Suite struct PriceAloneTests {
    @Test(
        arguments: [
            ("buy", "", "exchangeRate", "", "20", nil), ("trade", "", "exchangeRate", "", "20", nil),
            ("sharesIn", "", "exchangeRate", "", "20", nil),
            ("buy", "-220", "exchangeRate", "", nil, "20"), ("buy", "", "exchangeRate", "1.25", "16", "20"),
            // Costs are in the row's currency.
            ("buy", "", "commission", "5", nil, "20"),
        ] as [(String, String, String, String, String?, String?)])
    func prices(
        _ kind: String, _ amount: String, _ field: String, _ value: String, _ price: String?, _ source: String?
    ) throws {
        let body = "set: {priceCurrency: \"'EUR'\", currency: \"'USD'\", \(field): note}\nkind: \(kind)"
        // Often enough that a class is learned.
        let sink = try LanguageTests.read(body, (0..<40).map { _ in "x,A,10,20,\(amount),\(value)," })
        #expect(sink.records.count == 40)
        for record in sink.records {
            let fields = LanguageTests.fields(record)
            #expect(fields["price"] == price && fields["sourcePrice"] == source, "\(record)")
        }
    }
}
