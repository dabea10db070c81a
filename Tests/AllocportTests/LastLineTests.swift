import Allocport
import TestSupport
import Testing

/// A file that ends within its last line, as half a download does.
@Suite struct LastLineTests {
    private static let header =
        "Date,Type,Label,Sending Wallet,Sent Amount,Sent Currency,Sent Cost Basis,Receiving Wallet,Received Amount,"
        + "Received Currency,Received Cost Basis,Fee Amount,Fee Currency,Gain (USD),Net Value (USD),Fee Value (USD),TxSrc,"
        + "TxDest,TxHash,Description\n"

    /// A reward of so many coins in the first row's 20 columns.
    private static func row(_ day: String, _ coins: String) -> String {
        "2024-03-\(day) 10:00:00 UTC,crypto_deposit,reward,,,,,Ledger,\(coins),DOT,1,,,0,2,0,,,,\n"
    }

    private static func converted(_ text: String) throws -> (units: [String], rejects: [String]) {
        let converted = try convertBuiltIn("koinly.csv", text)
        let table = converted.bytes("openalloc.transaction.csv").map { Table($0) }
        let rejects = Table(try #require(converted.bytes("rejects.csv")))
        #expect(converted.report.isBalanced)
        return (table?["txnShareCount"] ?? [], rejects.shown("line", "code"))
    }

    /// In whichever cell it is cut, its last row is either rejected or as it was.
    @Test func neverBecomesAnother() throws {
        let whole = Self.header + Self.row("14", "0.25") + Self.row("28", "1.75")
        let cut = whole.dropLast()
        for length in 1..<60 {
            let text = String(cut.dropLast(length))
            guard text.split(separator: "\n").count == 3 else { break }
            let (units, rejects) = try Self.converted(text)
            #expect(units == ["0.25"], "\(text.suffix(80))")
            #expect(rejects == ["3|row.short"], "\(text.suffix(80))")
        }
        #expect(try Self.converted(String(cut)).units == ["0.25", "1.75"])
    }

    /// Where all rows end early, so may the last; and one that ends in a line end is whole.
    @Test func isWholeWhereOthersEndAsEarly() throws {
        let short = { (day: String, coins: String) in
            "2024-03-\(day) 10:00:00 UTC,crypto_deposit,reward,,,,,Ledger,\(coins),DOT,1,,,0,2,0"
        }
        let both = Self.header + short("14", "0.25") + "\n" + short("28", "1.75")
        #expect(try Self.converted(both).units == ["0.25", "1.75"])
        let ended = Self.header + Self.row("14", "0.25") + short("28", "1.75") + "\n"
        #expect(try Self.converted(ended).units == ["0.25", "1.75"])
        let alone = Self.header + short("28", "1.75")
        #expect(try Self.converted(alone).units == ["1.75"])
    }
}
