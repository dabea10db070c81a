import Importing
import OpenAlloc
import Testing

/// What REVERSALFITID makes of transactions that are no trades: with the one that they undo in the file, or without it.
@Suite struct UndoneTests {
    private static let head =
        "<INVTRAN><FITID>ID<DTTRADE>20240110REF</INVTRAN><SECID><UNIQUEID>1<UNIQUEIDTYPE>X</SECID>"

    private static func reinvest(_ units: String, _ total: String) -> String {
        "<REINVEST>\(head)<INCOMETYPE>DIV<TOTAL>\(total)<SUBACCTSEC>CASH<UNITS>\(units)<UNITPRICE>20</REINVEST>"
    }
    private static func closure(_ action: String, _ units: String) -> String {
        "<CLOSUREOPT>\(head)<OPTACTION>\(action)<UNITS>\(units)<SHPERCTRCT>100<SUBACCTSEC>CASH</CLOSUREOPT>"
    }
    private static func transfer(_ action: String, _ units: String) -> String {
        "<TRANSFER>\(head)<SUBACCTSEC>CASH<UNITS>\(units)<TFERACTION>\(action)<POSTYPE>LONG</TRANSFER>"
    }
    private static func split(_ old: String, _ new: String) -> String {
        "<SPLIT>\(head)<SUBACCTSEC>CASH<OLDUNITS>\(old)<NEWUNITS>\(new)<NUMERATOR>2<DENOMINATOR>1</SPLIT>"
    }

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        let first: String
        let second: String
        /// The units that the two move, by the file that has both, and what the second moves alone.
        let both: [String]
        let alone: String
    }

    static let cases: [Case] = [
        // In a file of its own the sign of the units says whether it undoes.
        Case(
            testDescription: "a reinvestment", first: reinvest("1.5", "-30"), second: reinvest("-1.5", "30"),
            both: ["1.5", "-1.5"], alone: "-1.5"),
        Case(
            testDescription: "a reinvestment without signs", first: reinvest("1.5", "30"),
            second: reinvest("1.5", "30"), both: ["1.5", "-1.5"], alone: "1.5"),
        Case(
            testDescription: "an exercise", first: closure("EXERCISE", "-1"), second: closure("EXERCISE", "1"),
            both: ["-1", "1"], alone: "1"),
        Case(
            testDescription: "an assignment", first: closure("ASSIGN", "1"), second: closure("ASSIGN", "1"),
            both: ["1", "-1"], alone: "-1"),
        Case(
            testDescription: "an expiry", first: closure("EXPIRE", "-1"), second: closure("EXPIRE", "1"),
            both: ["-1", "1"], alone: "1"),
        Case(
            testDescription: "an expiry of what was owed", first: closure("EXPIRE", "1"),
            second: closure("EXPIRE", "-1"), both: ["1", "-1"], alone: "-1"),
        Case(
            testDescription: "a transfer out", first: transfer("OUT", "-10"), second: transfer("OUT", "10"),
            both: ["-10", "10"], alone: "-10"),
        Case(
            testDescription: "a transfer out without signs", first: transfer("OUT", "10"),
            second: transfer("OUT", "10"), both: ["-10", "10"], alone: "-10"),
        Case(
            testDescription: "a transfer in", first: transfer("IN", "10"), second: transfer("IN", "-10"),
            both: ["10", "-10"], alone: "-10"),
        Case(
            testDescription: "a transfer back", first: transfer("IN", "10"), second: transfer("OUT", "10"),
            both: ["10", "-10"], alone: "-10"),
        Case(
            testDescription: "a split", first: split("100", "200"), second: split("100", "200"), both: ["100", "-100"],
            alone: "100"),
        Case(
            testDescription: "a split turned round", first: split("100", "200"), second: split("200", "100"),
            both: ["100", "-100"], alone: "-100"),
    ]

    private func moved(_ transactions: String) throws -> [String] {
        let sink = try collect(invest(transactions))
        #expect(sink.codes.isEmpty)
        return sink.records.filter { $0[.units] != nil }.map { record in
            let units = record[.units] ?? .zero
            let turned = units.magnitude
            // As the projection takes them.
            switch record.kind {
            case .reinvestedIncome: return (record.isReversal ? -turned : turned).description
            case .sharesIn: return (record.isReversal ? -turned : units).description
            case .sharesOut: return (record.isReversal ? turned : -turned).description
            default: return (record.isReversal ? -units : units).description
            }
        }
    }

    @Test(arguments: cases) func isTurnedRound(_ example: Case) throws {
        let first = example.first.replacing("ID<", with: "F1<").replacing("REF", with: "")
        let second = example.second.replacing("ID<", with: "F2<").replacing("REF", with: "<REVERSALFITID>F1")
        #expect(try moved(first + second) == example.both)
        #expect(try moved(second + first) == example.both.reversed())
        #expect(try moved(second) == [example.alone])
    }

    /// A ratio does not say how many units came.
    @Test(arguments: [("0", "0", ["value.invalid"]), ("5", "5", []), ("5", "10", [])])
    func aSplitNeedsUnits(_ old: String, _ new: String, _ codes: [String]) throws {
        let text = Self.split(old, new).replacing("ID<", with: "F1<").replacing("REF", with: "")
        #expect(try collect(invest(text)).codes == codes)
    }
}
