import Importing
import OpenAlloc
import Testing

/// Credit that may be drawn is nobody's cash; a sale that costs more than it brings takes money.
@Suite struct CreditTests {
    private static func card(_ balances: String) -> String {
        """
        OFXHEADER:100

        <OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>C1</CCACCTFROM>
        \(balances)</CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>
        """
    }

    private static let available = "<AVAILBAL><BALAMT>4800<DTASOF>20240131</AVAILBAL>"

    @Test(arguments: [
        ("", []), ("<LEDGERBAL><BALAMT><DTASOF>20240131</LEDGERBAL>", []),
        ("<LEDGERBAL><BALAMT>-200<DTASOF>20240131</LEDGERBAL>", ["-200"]),
    ])
    func whatACardHasLeft(ledger: String, held: [String]) throws {
        let sink = try collect(Self.card(ledger + Self.available), OFXImporter())
        #expect(sink.records.compactMap { $0.kind == .position ? $0[.units]?.description : nil } == held)
        #expect(sink.units.contains { $0.code == "balance.informational" } && sink.codes == [])
    }

    @Test(arguments: [
        ("-10", "0.10", "-8.95", "-8.95", "0.1", true), ("-10", "2", "19.5", "19.5", "2", false),
        ("-10", "2", "-19.5", "19.5", "2", false),
    ])
    func salesThatCost(
        units: String, price: String, total: String, amount: String, priced: String, isTold: Bool
    ) throws {
        let sink = try collect(
            invest("<SELLSTOCK><INVSELL>\(trade(units, price, total))</INVSELL><SELLTYPE>SELL</SELLSTOCK>"),
            OFXImporter())
        let sale = try #require(sink.records.first { $0.kind == .sell })
        #expect(sale[.amount]?.description == amount && sale[.price]?.description == priced)
        #expect(sale[.fees]?.description == (isTold ? "9.95" : nil))
        #expect(sink.units.contains { $0.warnings.contains("sign.contradicts") } == isTold)
    }

    @Test(arguments: [
        ("", RecordKind.sell), ("<OPTSELLTYPE>SELLTOOPEN", .sellToOpen), ("<OPTSELLTYPE>SELLTOCLOSE", .sellToClose),
    ])
    func optionsThatDoNotSay(type: String, kind: RecordKind) throws {
        let sink = try collect(
            invest("<SELLOPT><INVSELL>\(trade("-1", "2", "200"))</INVSELL>\(type)<SHPERCTRCT>100</SELLOPT>"),
            OFXImporter())
        #expect(sink.records.map(\.kind).contains(kind), "\(sink.records.map(\.kind))")
    }
}
