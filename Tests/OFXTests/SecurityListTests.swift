import Importing
import OpenAlloc
import Testing

/// The list of securities.
@Suite struct SecurityListTests {
    private func info(_ id: String, _ ticker: String, price: String) -> String {
        "<SECINFO><SECID><UNIQUEID>\(id)<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Name of \(id)<TICKER>\(ticker)"
            + "<UNITPRICE>\(price)</SECINFO>"
    }

    private func buy(_ id: String) -> String {
        "<BUYSTOCK><INVBUY>\(trade("10", "10", "-100"))</INVBUY></BUYSTOCK>".replacing("99400GH47", with: id)
    }

    /// ofxstatement has written all securities into one aggregate.
    @Test func severalInOneAggregate() throws {
        let list = "<STOCKINFO>\(info("S1", "AAA", price: "1.5"))\(info("S2", "BBB", price: "2.5"))"
        let sink = try collect(invest(buy("S2") + buy("S1"), securities: list + "<STOCKTYPE>COMMON</STOCKINFO>"))
        #expect(sink.codes.isEmpty)
        let listed = sink.records.filter { $0.kind == .security }
        #expect(listed.map { $0.string(.symbol) } == ["AAA", "BBB"])
        #expect(listed.map { $0.string(.description) } == ["Name of S1", "Name of S2"])
        #expect(listed.map { $0[.price]?.description } == ["1.5", "2.5"])
        #expect(listed.allSatisfy { $0.string(.securityKind) == "stock" })
        #expect(sink.records.filter { $0.kind == .buy }.map { $0.string(.symbol) } == ["BBB", "AAA"])
    }

    /// One that cannot be read takes the aggregate with it: it is not lost in silence.
    @Test func oneOfThemIsDamaged() throws {
        let list = "<STOCKINFO>\(info("S1", "AAA", price: "1.5"))\(info("S2", "BBB", price: "n.n"))</STOCKINFO>"
        let sink = try collect(invest(buy("S2"), securities: list))
        #expect(sink.codes == ["number.invalid"])
        #expect(sink.records.first { $0.kind == .buy }?.string(.symbol) == "BBB")
    }
}
