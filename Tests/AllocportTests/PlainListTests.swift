import Allocport
import Importing
import TestSupport
import Testing

/// Lists of one's own, read by the plain names of their columns.
@Suite struct PlainListTests {
    /// Of two prices the one that says so is that of a share; the other is what all came to, and must be.
    @Test func twoPrices() throws {
        let converted = try convertBuiltIn(
            "trades.csv",
            """
            Date,Action,Symbol,Quantity,Price,Price per Share,Commission,Currency
            2024-03-04,Buy,ACME,12,486.00,40.50,1.00,USD
            2024-03-19,Sell,ACME,5,215.00,43.00,1.00,USD
            2024-03-21,Buy,XYZZ,3,30.00,12.00,,USD

            """)
        let table = Table(try #require(converted.bytes("openalloc.transaction.csv")))
        #expect(
            table.shown("txnShareCount", "txnSharePrice", "amount", "commission") == [
                "12|40.5|-487|1", "-5|43|214|1",
            ])
        #expect(converted.report.outcomes[.rejected] == 1)
    }
}
