import Importing
import OpenAlloc
import Testing

/// What positions, the cash beside them, and splits say twice must agree.
@Suite struct HeldTests {
    private func position(_ name: String, _ units: String, _ price: String, _ value: String, more: String = "")
        -> String
    {
        "<\(name)><INVPOS><SECID><UNIQUEID>99400GH47<UNIQUEIDTYPE>CUSIP</SECID><HELDINACCT>CASH<POSTYPE>LONG"
            + "<UNITS>\(units)<UNITPRICE>\(price)<MKTVAL>\(value)\(more)</INVPOS></\(name)>"
    }

    /// AVGCOSTBASIS of one unit, or of all where only that can be meant.
    @Test(arguments: [
        // Aggregate, units, price, value, stated cost, cost of one, cost of all.
        "POSSTOCK 100 50 5000 30 30 -", "POSSTOCK 100 50 5000 3000 - 3000", "POSSTOCK 3 100 300 290 290 -",
        "POSSTOCK 300 100 30000 2 2 -", "POSSTOCK -100 50 -5000 -3000 - -3000", "POSSTOCK -100 50 -5000 30 30 -",
        "POSSTOCK -100 50 -5000 -30 30 -", "POSSTOCK 100 50 5000 0 0 -", "POSMF 15.01 1 15.01 15.01 - 15.01",
        "POSMF 15.01 1 15.01 1 1 -", "POSDEBT 10000 99.5 9950 98 98 -", "POSDEBT 10000 99.5 9950 0.98 - 9800",
        "POSDEBT 10000 99.5 9950 9800 - 9800", "POSOPT 20 1.5 3000 1.2 1.2 -", "POSOPT 20 1.5 3000 120 - 2400",
        "POSOPT -20 1.5 -3000 -2400 - -2400",
    ])
    func cost(words: String) throws {
        let words = words.split(separator: " ").map(String.init)
        let (name, units, price, value, cost) = (words[0], words[1], words[2], words[3], words[4])
        let one = words[5] == "-" ? nil : words[5]
        let all = words[6] == "-" ? nil : words[6]
        let sink = try collect(
            invest("", positions: position(name, units, price, value, more: "<AVGCOSTBASIS>\(cost)")))
        let held = try #require(sink.records.first { $0.kind == .position })
        #expect(held[.unitCost]?.description == one)
        #expect(held[.costBasis]?.description == all)
        let isTold = all == cost
        #expect(sink.units.flatMap(\.warnings) == (isTold ? ["amount.mismatch"] : []))
    }

    /// Each value is rounded, and their sum is not the rounded sum.
    @Test(arguments: [
        ("102.56", "cash.isMarketValue"), ("102.57", "cash.isMarketValue"), ("102.60", ""), ("-102.56", ""),
    ])
    func cashOfRoundedValues(cash: String, code: String) throws {
        let held = position("POSMF", "5.123", "10.01", "51.281") + position("POSMF", "5.123", "10.01", "51.283")
        let sink = try collect(invest("", positions: held, balance: "<INVBAL><AVAILCASH>\(cash)</INVBAL>"))
        #expect(sink.units.last?.code == code)
    }

    /// The ratio of a split shows whether NEWUNITS are what there was after it.
    @Test(arguments: [
        // Units before and after, ratio, units that move, code.
        "100 400 4 1 300", "105 10 1 10 -95", "105 11 1 10 -94", "33 49 3 2 16", "10 20 1 2 10", "20 10 2 1 -10",
        "0 300 4 1 300", "-10 -20 2 1 -10", "10 20 1 1 10", "100 150 1.5 1 50", "10 40 4 x 30",
        "100 250 4 1 150 amount.mismatch", "100 300 4 1 - value.invalid",
        "100 900 10 1 - value.invalid",
    ])
    func split(words: String) throws {
        let words = words.split(separator: " ").map(String.init)
        let (old, new, to, from) = (words[0], words[1], words[2], words[3])
        let units = words[4] == "-" ? nil : words[4]
        let code = words.count > 5 ? words[5] : ""
        let sink = try collect(
            invest(
                "<SPLIT><INVTRAN><FITID>S1<DTTRADE>20240110</INVTRAN><SECID><UNIQUEID>99400GH47<UNIQUEIDTYPE>CUSIP</SECID>"
                    + "<SUBACCTSEC>CASH<OLDUNITS>\(old)<NEWUNITS>\(new)<NUMERATOR>\(to)<DENOMINATOR>\(from)</SPLIT>"))
        #expect(sink.records.first { $0.kind == .split }?[.units]?.description == units)
        #expect(sink.codes == (units == nil ? [code] : []))
        #expect(sink.units.flatMap(\.warnings) == (units == nil || code.isEmpty ? [] : [code]))
    }

    /// What names no part of the account does not show that it stayed in it.
    @Test(arguments: [
        ("", false), ("<SUBACCTTO>CASH", true), ("<SUBACCTFROM>CASH", true), ("<SUBACCTTO><SUBACCTFROM>", false),
    ])
    func journal(parts: String, isSkipped: Bool) throws {
        let sink = try collect(
            invest(
                "<JRNLSEC><INVTRAN><FITID>J1<DTTRADE>20240110</INVTRAN><SECID><UNIQUEID>99400GH47<UNIQUEIDTYPE>CUSIP</SECID>"
                    + "<UNITS>5\(parts)</JRNLSEC>"))
        #expect(sink.codes == (isSkipped ? [] : ["action.unknown"]))
    }
}
