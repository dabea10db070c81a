import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

/// What the predecessor wrote wrong or not at all, and files that it did not know (D2, D3, D32, D35, D36, D38 to D40).
@Suite struct OutputDefectTests {
    /// D2: openalloc/meta/source could not be had, and the download date was lost.
    @Test func d02SourceMeta() throws {
        let text = Exports.positions([Exports.position("Z1", "VOO")])
        let got = try convertBuiltIn("Portfolio_Positions_Nov-14-2025.csv", text)
        #expect(
            got.table("meta.source").rows == [
                [
                    got.firstInput?.sourceMetaID ?? "", "Portfolio_Positions_Nov-14-2025.csv", "fidelity.positions",
                    "2025-11-14T18:39:00Z",
                ]
            ])
        let input = MemoryInput(name: "p.csv", bytes: Array(text.utf8))
        let run = Run(options: RunOptions(), catalog: try BuiltIn.registry())
        #expect(Table(try run.transform(input, schema: .metaSource).table).rows.count == 1)
        let tracker = MemoryInput(name: "t.csv", bytes: Array("trackerID,title\nSP500,Index\n".utf8))
        #expect(Table(try run.transform(tracker, schema: .tracker).table).rows.count == 1)
    }

    /// D3: a blank date left its cell out, and the rows were ragged.
    @Test func d03RowsAreAsWideAsTheirHeader() throws {
        let holdings = try convertBuiltIn("p.csv", Exports.positions([Exports.position("Z1", "VOO")])) {
            $0.columns = .core
        }
        #expect(holdings.holdings.rows == [["Z1", "VOO", "", "10", "40", ""]])
        let text = "securityID,securityAssetID,sharePrice,updatedAt,securityTrackerID\nVOO,LC,400.25,,SP500\n"
        let got = try convertBuiltIn("s.csv", text) { $0.columns = .core }
        #expect(got.text("openalloc.security.csv") == text)
        for sample in Sample.all {
            let got = try convertBuiltIn([(sample.name, sample.bytes)])
            for table in got.report.tables {
                let table = Table(got.bytes(table.file) ?? [])
                #expect(table.rows.allSatisfy { $0.count == table.header.count }, "\(sample.path)")
            }
        }
    }

    static let texts = [
        #"He said "hi""#, #"Bob "B", Roth"#, "two\nlines", "two\r\nlines", "=1+1", "a,b", " padded ", "\t", "\"", "'",
        "é漢\u{1F600}",
    ]

    /// D32: quotes, line ends and commas were written so that they could not be read back.
    @Test(arguments: texts) func d32QuotingIsReadBack(_ text: String) throws {
        let quoted =
            "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        let first = try convertBuiltIn("a.csv", "accountID,title\nA,\(quoted)\n") { $0.columns = .core }
        let bytes = try #require(first.bytes("openalloc.account.csv"))
        #expect(
            Table(bytes)["title"] == [text] || text.trimmingBlanks.isEmpty
                || Table(bytes)["title"] == [text.trimmingBlanks])
        #expect(bytes.last == 0x0A && bytes.dropLast().last != 0x0A)
        let second = try convertBuiltIn([("b.csv", bytes)]) { $0.columns = .core }
        #expect(second.bytes("openalloc.account.csv") == bytes)
    }

    /// D35: several schemas, several inputs and several formats in one run.
    @Test func d35OneRun() throws {
        let inputs = [
            ("Portfolio_Positions_Nov-14-2025.csv", Exports.positions([Exports.position("Z1", "VOO")])),
            ("Accounts_History.csv", Exports.fidelity([Exports.fidelityRow()])),
            ("t.csv", Exports.schwab([Exports.schwabRow()])),
        ].map { (name: $0.0, bytes: Array($0.1.utf8)) }
        for format in RunOptions.Format.allCases {
            let got = try convertBuiltIn(inputs) { $0.format = format }
            #expect(got.report.tables.map(\.schema) == [.account, .holding, .security, .transaction, .metaSource])
            #expect(got.report.tables.allSatisfy { $0.file.hasSuffix("." + format.rawValue) })
            #expect(got.report.tables.first { $0.schema == .transaction }?.rows == 2)
        }
    }

    /// D36: tables of the model were detected, but not converted without naming the schema.
    @Test(arguments: SchemaID.allCases) func d36TablesAreRecognised(_ id: SchemaID) throws {
        let columns = id.schema.columns
        let cells = columns.map { column in
            switch column.type {
            case .string: column.name == "txnAction" ? "income" : "x"
            case .double, .int: "1"
            case .bool: "true"
            case .date: "2024-01-01T00:00:00Z"
            }
        }
        let text = columns.map(\.name).joined(separator: ",") + "\n" + cells.joined(separator: ",") + "\n"
        let got = try convertBuiltIn("t.csv", text) { $0.columns = .core }
        #expect(got.text("\(id.fileStem).csv")?.contains(text.split(separator: "\n")[1]) == true)
        #expect(got.report.exitCode == 0)
    }

    /// D38: rejects had no reason, no line, no order, and a value could forge an entry.
    @Test func d38RejectsAreATable() throws {
        let forged = "\"x\nRejected Row #99:\n  y: z\""
        let got = try convertBuiltIn(
            "t.csv", Exports.schwab([Exports.schwabRow(), Exports.schwabRow(units: forged.filter { $0 != "\"" })]))
        #expect(got.rejects.rows.count == 1)
        #expect(
            got.rejects.header == [
                "sourceMetaID", "file", "line", "column", "code", "reason", "suggestion", "value", "raw",
            ])
        #expect(got.rejects.shown("line", "column", "code") == ["4|Quantity|number.invalid"])
        #expect(got.rejects["value"] == ["x\nRejected Row #99:\n  y: z"])
        #expect(got.rejects.rows.allSatisfy { !$0[5].isEmpty && !$0[6].isEmpty })
        #expect(got.rejects["raw"][0].contains("Rejected Row #99:"))
    }

    /// D39: UTF-16, Windows-1252 and semicolons were not read; nor was a .txt.
    @Test(arguments: ["history.csv", "history.txt", "HISTORY.CSV", "history"]) func d39Encodings(_ name: String) throws
    {
        let text = Array(Exports.schwab([Exports.schwabRow(description: "CAFÉ MÜLLER – AG")]).utf8)
        let wanted = try convertBuiltIn([(name, text)]).transactions.content
        #expect(wanted.count == 1)
        for form in RoundTripTests.Form.allCases {
            let bytes = try #require(form.bytes(text))
            #expect(try convertBuiltIn([(name, bytes)]).transactions.content == wanted, "\(form)")
        }
        let marked = try convertBuiltIn([(name, [0xEF, 0xBB, 0xBF] + text)])
        #expect(marked.transactions.content == wanted)
        // Commas within cells stay what they are under another delimiter.
        for delimiter in [";", "\t", "|"] {
            let other = String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
                line.split(separator: "\",\"", omittingEmptySubsequences: false).joined(separator: "\"\(delimiter)\"")
            }
            let got = try convertBuiltIn(name, other.joined(separator: "\n") + "\n")
            #expect(got.transactions.content == wanted, "\(delimiter)")
        }
    }

    /// D40: any change of a header made the file unknown, or its columns silently blank.
    @Test func d40HeadersThatChanged() throws {
        let renamed = Exports.fidelityHeader
            .split(separator: ",").map {
                $0 == "Account" ? "Account Number" : $0 == "Security Description" ? "Description" : $0
            }
            .joined(separator: ",")
        let fidelity = try convertBuiltIn(
            "Accounts_History.csv", Exports.fidelity([Exports.fidelityRow(account: "Z41000002")], header: renamed))
        #expect(fidelity.transactions.shown("txnAccountID", "txnShareCount") == ["Z41000002|10"])
        let schwab = try convertBuiltIn(
            "Roth_XXX417_Transactions_20210927-010101.csv", Exports.schwab([Exports.schwabRow()], banner: ""))
        #expect(schwab.transactions.shown("txnAccountID", "txnShareCount") == ["XXX417|10"])
        let old = Exports.positionsHeader.split(separator: ",").map {
            $0 == "Average Cost Basis" ? "Cost Basis Per Share" : $0
        }
        let positions = try convertBuiltIn(
            "p.csv", Exports.positions([Exports.position("Z1", "VOO")], header: old.joined(separator: ",")))
        #expect(positions.holdings["shareBasis"] == ["40"])
        // An importer that is asked for and finds nothing of its own says so.
        let other = try convertBuiltIn("h.csv", Exports.fidelity([Exports.fidelityRow()])) {
            $0.importerID = "chuck_history"
            $0.verdicts = true
        }
        #expect(other.report.exitCode == 3 && other.firstInput?.importer == nil && other.firstInput?.units == 0)
        let words = other.firstInput?.errors.first?.message ?? ""
        #expect(words.hasPrefix("schwab.transactions finds no header of its own"))
        #expect(other.report.tables.isEmpty && other.report.isBalanced && other.verdicts.isEmpty)
        let banner = try convertBuiltIn(
            "h.csv", Exports.schwab([Exports.schwabRow(), Exports.schwabRow()]).replacing("\"Date\"", with: "\"Dat\"")
        ) { $0.importerID = "chuck_history" }
        #expect(banner.report.exitCode == 1 && banner.transactions.rows.isEmpty && banner.isWhole)
        #expect(banner.rejects.shown("line", "code") == [2, 3, 4].map { "\($0)|row.unplaced" })
        // A column more, and another order.
        var random = SplitMix64(seed: 40)
        let names = Exports.fidelityHeader.split(separator: ",").map(String.init) + ["Mood"]
        let cells =
            Exports.fidelityRow().split(separator: ",", omittingEmptySubsequences: false).map(String.init) + ["good"]
        let wanted = try convertBuiltIn("Accounts_History.csv", Exports.fidelity([Exports.fidelityRow()])).transactions
            .content
        for _ in 0..<10 {
            let order = names.indices.shuffled(using: &random)
            let text = Exports.fidelity(
                [order.map { cells[$0] }.joined(separator: ",")], header: order.map { names[$0] }.joined(separator: ",")
            )
            #expect(try convertBuiltIn("Accounts_History.csv", text).transactions.content == wanted)
        }
    }
}

extension String {
    var trimmingBlanks: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
