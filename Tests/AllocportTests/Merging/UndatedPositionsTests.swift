import Allocport
import Importing
import TestSupport
import Testing

/// Lists of positions that do not say when they were made.
@Suite struct UndatedPositionsTests {
    private static func position(_ symbol: String, _ units: Int, _ day: String? = nil, _ more: String = "") -> String {
        let priced = day.map { " priced=2024-03-\($0)T12:00:00Z" } ?? ""
        return "txn kind=position account=A1 symbol=\(symbol) units=\(units) price=5\(priced)\(more)\n"
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        /// Of each input, what its first line says and its positions.
        let inputs: [(head: String, positions: [String])]
        let holdings: Set<String>
        let codes: Set<String>

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "the later day of prices wins",
            inputs: [
                ("one", [position("VTI", 10, "01"), position("BND", 3, "02"), position("OLD", 1, "02")]),
                ("two", [position("VTI", 12, "09"), position("BND", 3, "08")]),
            ], holdings: ["VTI 12", "BND 3"], codes: ["position.superseded"]),
        Case(
            name: "lists of other securities are parts of a whole",
            inputs: [
                ("one", [position("VTI", 10, "01")]), ("two", [position("BND", 12, "09"), position("GLD", 1, "09")]),
            ], holdings: ["VTI 10", "BND 12", "GLD 1"], codes: []),
        Case(
            name: "one list apart leaves all undated",
            inputs: [
                ("one", [position("VTI", 10, "01")]), ("two", [position("VTI", 10, "09")]),
                ("three", [position("GLD", 1, "05")]),
            ], holdings: ["VTI 10", "GLD 1"], codes: ["position.superseded"]),
        Case(
            name: "three lists hang together by one of them",
            inputs: [
                ("one", [position("VTI", 10, "01")]), ("two", [position("VTI", 11, "05"), position("GLD", 2, "05")]),
                ("three", [position("GLD", 3, "09")]),
            ], holdings: ["GLD 3"], codes: ["position.superseded"]),
        Case(
            name: "one list has no day",
            inputs: [("one", [position("VTI", 10, "01")]), ("two", [position("VTI", 12)])],
            holdings: ["VTI 10", "VTI 12"], codes: ["position.conflict"]),
        Case(
            name: "one day",
            inputs: [("one", [position("VTI", 10, "01")]), ("two", [position("VTI", 12, "01")])],
            holdings: ["VTI 10", "VTI 12"], codes: ["position.conflict"]),
        Case(
            name: "no day, and one has a security more",
            inputs: [("one", [position("VTI", 10)]), ("two", [position("VTI", 10), position("BND", 1)])],
            holdings: ["VTI 10", "BND 1"], codes: ["position.conflict", "position.superseded"]),
        Case(
            name: "no day, and all the same",
            inputs: [("one", [position("VTI", 10)]), ("two", [position("VTI", 10)])],
            holdings: ["VTI 10"], codes: ["position.superseded"]),
        Case(
            name: "of one moment, and differing",
            inputs: [
                ("exported=2024-03-09 one", [position("VTI", 10)]), ("exported=2024-03-09 two", [position("VTI", 12)]),
            ], holdings: ["VTI 10", "VTI 12"], codes: ["position.conflict"]),
        Case(
            name: "of one moment, and one is part of the other",
            inputs: [
                ("exported=2024-03-09 one", [position("VTI", 10)]),
                ("exported=2024-03-09 two", [position("VTI", 10), position("VTI", 4), position("BND", 1)]),
            ], holdings: ["VTI 10", "VTI 4", "BND 1"], codes: ["position.superseded"]),
        Case(
            name: "a list of several days",
            inputs: [
                (
                    "one",
                    [
                        position("VTI", 12, "09", " covers=days"), position("VTI", 10, "01", " covers=days"),
                        position("GLD", 1, "08", " covers=days"), position("CORE", 7, "07", " covers=days"),
                        position("CORE", 6, "06", " covers=days"),
                    ]
                )
            ], holdings: ["VTI 12", "CORE 7"], codes: ["position.superseded"]),
    ]

    @Test(arguments: cases) func settles(_ test: Case) throws {
        let inputs = test.inputs.enumerated().map { place, input in
            ("\(place).txt", "# \(input.head)\n" + input.positions.joined())
        }
        var reports: Set<String> = []
        for ordered in [inputs, inputs.reversed()] {
            let folder = try TemporaryFolder()
            let report = try convert(ordered, into: folder)
            let holdings = rows(folder, "holding").map {
                $0.split(separator: ",", omittingEmptySubsequences: false)
            }
            #expect(Set(holdings.map { "\($0[1]) \($0[3])" }) == test.holdings)
            #expect(holdings.count == test.holdings.count)
            #expect(Set(report.inputs.flatMap(\.warnings).map(\.code)) == test.codes)
            #expect(report.isBalanced)
            reports.insert(folder.text("out/report.json"))
        }
        #expect(reports.count == 1)
    }

    @Test func saysWhatDiffers() throws {
        let folder = try TemporaryFolder()
        let texts = [10, 12].map { units in ["AA", "BB", "CC", "DD", "EE"].map { Self.position($0, units) }.joined() }
        let report = try convert([("a.txt", "# a\n" + texts[0]), ("b.txt", "# b\n" + texts[1])], into: folder)
        let warnings = report.inputs.flatMap(\.warnings)
        #expect(warnings.count == 1)
        let message = warnings.first?.message ?? ""
        #expect(message.hasPrefix("AA, BB, CC and 2 more in A1: not held alike in \(report.inputs[0].name)"))
    }

    /// The same securities held in several accounts: in the order of the accounts, whatever the hashes are.
    @Test func accountsAreToldInOrder() throws {
        let accounts = (10..<40).map { "A\($0)" }
        let texts = [1, 2].map { units in
            accounts.map { "txn kind=position account=\($0) symbol=VTI units=\(units) price=5\n" }.joined()
        }
        let inputs = [("a.txt", "# a\n" + texts[0]), ("b.txt", "# b\n" + texts[1])]
        let report = try convert(inputs, into: TemporaryFolder())
        let messages = report.inputs.flatMap(\.warnings).map(\.message)
        #expect(messages.map { $0.prefix { $0 != ":" } } == accounts.map { "VTI in \($0)" })
    }

    @Test func anAssumedAccountIsSaid() throws {
        let folder = try TemporaryFolder()
        let text = "# a\ntxn kind=position symbol=VTI units=1 price=5\n"
        let report = try convert([("a.txt", text)], into: folder)
        #expect(report.inputs[0].warnings.map(\.code) == ["account.assumed"])
    }
}
