import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

/// Which of several positions exports stands.
@Suite struct PositionTests {
    /// Each list: its day (0 for none), its positions; `lots` lists one security alone.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lists: [(day: Int, isLots: Bool, positions: [String])]
        let stand: [String]
    }

    static let cases = [
        Case(
            testDescription: "lots of one security replace that security alone",
            lists: [(1, false, ["VTI 10", "BND 5"]), (2, true, ["VTI 4", "VTI 7"])], stand: ["BND 5", "VTI 4", "VTI 7"]),
        Case(
            testDescription: "older lots give way",
            lists: [(1, true, ["VTI 4", "VTI 7"]), (2, false, ["VTI 10", "BND 5"])], stand: ["BND 5", "VTI 10"]),
        Case(
            testDescription: "of one moment the lots say more",
            lists: [(2, true, ["VTI 4", "VTI 6"]), (2, false, ["VTI 10", "BND 5"])],
            stand: ["BND 5", "VTI 4", "VTI 6"]),
        Case(
            testDescription: "lots of different securities stand side by side",
            lists: [(1, true, ["VTI 4"]), (2, true, ["BND 7"]), (3, true, ["BND 8"])], stand: ["BND 8", "VTI 4"]),
        Case(
            testDescription: "what a newer list of the account lacks is gone",
            lists: [(1, true, ["VTI 4"]), (2, false, ["BND 5"])], stand: ["BND 5"]),
        Case(
            testDescription: "a list without a date is older than one with a date",
            lists: [(0, false, ["VTI 10", "BND 5"]), (1, true, ["VTI 11"])], stand: ["BND 5", "VTI 11"]),
    ]

    @Test(arguments: cases) func theNewestListOfASecurityStands(_ wanted: Case) throws {
        var texts: [String] = []
        for (day, isLots, positions) in wanted.lists {
            var text = day == 0 ? "# \n" : "# exported=2024-03-0\(day)\n"
            for position in positions {
                let words = position.split(separator: " ")
                text += "txn kind=position account=A1 symbol=\(words[0]) units=\(words[1]) price=5"
                text += isLots ? " lot=\(words[1]) covers=security\n" : "\n"
            }
            texts.append(text)
        }
        var outputs: Set<String> = []
        for order in [Array(texts.indices), texts.indices.reversed()] {
            let folder = try TemporaryFolder()
            let inputs = order.enumerated().map { ("\($0).txt", texts[$1]) }
            let report = try convert(inputs, into: folder) { $0.columns = .extended }
            #expect(report.isBalanced)
            let rows = rows(folder, "holding").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            #expect(rows.map { "\($0[1]) \($0[3])" }.sorted() == wanted.stand)
            let count = wanted.lists.reduce(0) { $0 + $1.positions.count }
            #expect(report.outcomes[.accepted] == wanted.stand.count)
            #expect(report.outcomes[.duplicate] == count - wanted.stand.count)
            outputs.insert(folder.text("out/openalloc.holding.csv"))
        }
        #expect(outputs.count == 1)
    }

    /// The real importers: a whole account, and a newer file of the lots of one of its securities.
    @Test func schwabLotsLeaveTheOtherPositions() throws {
        let positions = """
            "Positions for account Individual ...417 as of 09:59 PM ET, 2021/09/24"

            "Symbol","Description","Quantity","Price","Price Change $","Price Change %","Market Value","Day Change $",\
            "Day Change %","Cost Basis","Gain/Loss $","Gain/Loss %","Reinvest Dividends?","Capital Gains?",\
            "% Of Account","Security Type"
            "NWTM","NORTHWIND","10","$5.00","$0.10","+0.09%","$50.00","$1.00","+0.09%","$40.00","$10.00","+25%","No",\
            "--","50%","ETFs & Closed End Funds"
            "LKBD","LAKESIDE","20","$2.00","$0.10","+0.09%","$40.00","$1.00","+0.09%","$30.00","$10.00","+25%","No",\
            "--","50%","ETFs & Closed End Funds"

            """
        let lots = """
            "NWTM Lot Details for ...417 as of 10:45 AM ET, 09/27/2021"

            "Open Date","Quantity","Price","Cost/Share","Market Value","Cost Basis","Gain/Loss $","Gain/Loss %",\
            "Holding Period"
            "01/04/2021","4","$5.00","$3.00","$20.00","$12.00","$8.00","66%","Short Term"
            "01/05/2021","6","$5.00","$4.00","$30.00","$24.00","$6.00","25%","Short Term"

            """
        let got = try convertBuiltIn([("p.csv", Array(positions.utf8)), ("l.csv", Array(lots.utf8))])
        #expect(got.report.inputs.map(\.importer) == ["schwab.positions", "schwab.lots"])
        #expect(
            got.holdings.shown("holdingSecurityID", "shareCount", "shareBasis", "acquiredAt").sorted() == [
                "LKBD|20|1.5|", "NWTM|4|3|2021-01-04T17:00:00Z", "NWTM|6|4|2021-01-05T17:00:00Z",
            ])
        #expect(got.report.inputs.map { $0.outcomes[.duplicate] } == [1, 0])
    }

    /// What a position's cost and value say of one unit has no sign, and no date where there is no price.
    @Test(arguments: [
        ("units=5 costBasis=-50", "A1,VTI,,5,10,", "VTI,,,,"),
        ("units=-5 marketValue=50", "A1,VTI,,-5,,", "VTI,,10,2024-03-02T00:00:00Z,"),
        ("units=5", "A1,VTI,,5,,", "VTI,,,,"),
    ]) func oneUnitHasNoSign(_ position: String, _ holding: String, _ security: String) throws {
        let folder = try TemporaryFolder()
        let text = "# exported=2024-03-02\ntxn kind=position account=A1 symbol=VTI \(position)\n"
        _ = try convert([("a", text)], into: folder)
        #expect(rows(folder, "holding") == [holding])
        #expect(rows(folder, "security") == [security])
    }

    /// A list that says when it was made is newer than one that does not.
    @Test func datedListsAreNewer() throws {
        let line = "txn kind=position account=A1 symbol=VTI price=1 units="
        let inputs = [("a", "# \n\(line)5\n"), ("b", "# exported=2024-03-01\n\(line)7\n")]
        let folder = try TemporaryFolder()
        let report = try convert(inputs, into: folder)
        #expect(report.outcomes[.duplicate] == 1)
        #expect(rows(folder, "holding") == ["A1,VTI,,7,,"])
    }
}
