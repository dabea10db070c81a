import Importing
import OpenAlloc
import Testing

/// Rejects by row, with their place, and a reject file that stands by itself.
@Suite struct RowTests {
    @Test func rejectsOneRowOfThree() throws {
        let text = bank(row() + "\n" + row(amount: "abc", id: "BAD") + "\n" + row(id: "F3"))
        let sink = try collect(text)
        let bad = try #require(sink.units.first { $0.outcome == .rejected })
        #expect(bad.line == 8)
        #expect(bad.column == "TRNAMT")
        #expect(bad.reason.contains("FITID BAD"))
        #expect(bad.raw.hasPrefix("<STMTTRN>") && bad.raw.hasSuffix("</STMTTRN>"))
        #expect(sink.records.filter { $0.kind == .cash }.count == 2)
    }

    @Test(arguments: [true, false])
    func theRejectFileConvertsByItself(isXML: Bool) throws {
        let path = isXML ? "investments_xml/example_invest_v2.ofx" : "investments_sgml/example_invest.qfx"
        let close = { (tag: String) in isXML ? "</\(tag)>" : "" }
        var text = String(decoding: try sample("ofx/statement/" + path), as: UTF8.self)
        text = text.replacing("<TOTAL>-1507.45\(close("TOTAL"))", with: "<TOTAL>n.n\(close("TOTAL"))")
        text = text.replacing("<TRNAMT>-9.00\(close("TRNAMT"))", with: "<TRNAMT>?\(close("TRNAMT"))")
        text = text.replacing("<UNITS>10.5\(close("UNITS"))", with: "<UNITS>\(close("UNITS"))")
        let first = try collect(text)
        #expect(first.codes == ["number.invalid", "number.invalid", "field.missing"])

        let again = try collect(first.rejectFile)
        #expect(again.codes == first.codes)
        #expect(
            again.units.filter { $0.outcome == .rejected }.map(\.raw)
                == first.units.filter { $0.outcome == .rejected }.map(\.raw))

        var mended = String(decoding: first.rejectFile, as: UTF8.self)
        mended = mended.replacing("n.n", with: "-1507.45").replacing("<TRNAMT>?", with: "<TRNAMT>-9.00")
        mended = mended.replacing(
            "<UNITS>\(close("UNITS"))\n<UNITPRICE>21", with: "<UNITS>10.5\(close("UNITS"))\n<UNITPRICE>21")
        let whole = try collect(mended)
        #expect(whole.codes.isEmpty)
        let got = brief(whole, dropping: StatementTests.shared)
        let wanted = StatementTests.expected.filter {
            $0.contains("T05") || $0.contains("T43") || $0.contains("units=10.5")
        }
        #expect(wanted.count == 3)
        for record in wanted { #expect(got.contains(record)) }
    }

    @Test func aCutFileKeepsWhatIsWhole() throws {
        let text = bank(row() + row(id: "F2") + row(id: "F3"))
        let cut = try #require(text.ranges(of: "<FITID>F3").first)
        let sink = try collect(String(text[..<cut.upperBound]))
        #expect(sink.codes == ["markup.truncated"])
        #expect(sink.records.filter { $0.kind == .cash }.count == 2)
        #expect(sink.warnings.contains { $0.code == "markup.truncated" })
    }

    /// Where reading stops at a bound, what was open is rejected with its text.
    @Test func whatABoundStopsKeepsItsText() throws {
        let deep = String(repeating: "<A>", count: 80) + String(repeating: "</A>", count: 80)
        let sink = try collect(bank(row() + "<STMTTRN><FITID>F2<X.AGG>" + deep + "</STMTTRN>"))
        let bad = try #require(sink.units.first { $0.outcome == .rejected })
        #expect(bad.code == "markup.truncated" && bad.raw.hasPrefix("<STMTTRN><FITID>F2"))
        #expect(sink.records.filter { $0.kind == .cash }.count == 1)
    }

    @Test func rejectsUnknownAggregates() throws {
        let known =
            "<INCOME>" + trade("", "", "5.00").replacing("<UNITS><UNITPRICE>", with: "") + "<INCOMETYPE>DIV</INCOME>"
        let sink = try collect(invest("<BUYTOKEN><INVTRAN><FITID>X</INVTRAN><UNITS>1</BUYTOKEN>" + known))
        #expect(sink.codes == ["action.unknown"])
        #expect(sink.units.first { $0.outcome == .rejected }?.column == "BUYTOKEN")
        #expect(sink.records.map(\.kind) == [.account, .dividend])
    }

    @Test func acceptsUnknownTypesWithAWarning() throws {
        let sink = try collect(bank(row().replacing("DEBIT", with: "TELEPORT")))
        #expect(sink.records.last?.kind == .adjustment)
        #expect(sink.units.last?.warnings == ["action.unknown"])
    }

    @Test func readsTwoDocumentsInOneFile() throws {
        let sink = try collect(bank(row()) + "\n" + bank(row(id: "G1")).replacing("<ACCTID>A1", with: "<ACCTID>A2"))
        let rows = sink.records.filter { $0.kind == .cash }
        #expect(rows.map { $0.string(.account) } == ["A1", "A2"])
    }

    @Test func saysWhatTheServerSaid() throws {
        let text =
            "OFXHEADER:100\n\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>Bad password</STATUS>"
            + "<DTSERVER>20240101</SONRS></SIGNONMSGSRSV1></OFX>"
        let sink = try collect(text)
        #expect(sink.units.isEmpty)
        #expect(sink.warnings.count == 1)
        #expect(sink.warnings.first?.reason.contains("Bad password") == true)
    }

    @Test func namesTheAccountItWasTold() throws {
        let text = bank(row()).replacing("<ACCTID>A1", with: "<ACCTID>")
        #expect(try collect(text, options: ImportOptions(account: "mine")).records.last?.string(.account) == "mine")
        let assumed = try #require(try collect(text).records.last)
        #expect(assumed.isAccountAssumed && assumed.string(.account) == "ofx")
    }

    @Test(arguments: [
        ("REPLACE", ["correction.replaced"], 1), ("DELETE", ["correction.replaced", "correction.applied"], 0),
    ])
    func appliesCorrections(action: String, skipped: [String], rows: Int) throws {
        let correction = row(amount: "-2.00", id: "F2", more: "<CORRECTFITID>F1<CORRECTACTION>\(action)")
        for text in [row() + correction, correction + row()] {
            let sink = try collect(bank(text))
            #expect(Set(sink.units.filter { $0.outcome == .skipped }.map(\.code)) == Set(skipped))
            #expect(sink.records.filter { $0.kind == .cash }.count == rows)
        }
    }

    /// Two corrections of one transaction do not both stand.
    @Test(arguments: [("REPLACE", ["-3"]), ("DELETE", [])])
    func appliesTheLastCorrection(action: String, amounts: [String]) throws {
        let text =
            row() + row(amount: "-2.00", id: "F2", more: "<CORRECTFITID>F1<CORRECTACTION>REPLACE")
            + row(amount: "-3.00", id: "F3", more: "<CORRECTFITID>F1<CORRECTACTION>\(action)")
        let sink = try collect(bank(text))
        #expect(sink.records.filter { $0.kind == .cash }.map { $0[.amount]?.description } == amounts)
        #expect(sink.units.filter { $0.code == "correction.replaced" }.count == 2)
    }

    /// The latest by its date, in whatever order the file has them; of one day the last in the file.
    @Test(arguments: [
        ("20240120", "20240121", "-3"), ("20240121", "20240120", "-2"), ("20240120", "20240120", "-3"),
    ])
    func appliesTheLatestCorrection(first: String, second: String, amount: String) throws {
        let more = "<CORRECTFITID>F1<CORRECTACTION>REPLACE"
        let text =
            row() + row(date: first, amount: "-2.00", id: "F2", more: more)
            + row(date: second, amount: "-3.00", id: "F3", more: more)
        let amounts = try collect(bank(text)).records.filter { $0.kind == .cash }.map { $0[.amount]?.description }
        #expect(amounts == [amount])
    }

    /// Some corrections have the id of what they correct.
    @Test(arguments: [
        (["", "REPLACE"], ["-2"], []), (["", "DELETE"], [], []), (["", "REPLACE", "REPLACE"], ["-3"], []),
        (["", "REPLACE", "DELETE"], [], []), (["REPLACE"], ["-1"], []), (["DELETE"], [], ["correction.unmatched"]),
        (["REPLACE", ""], ["-1"], []), (["", "*"], ["-1", "-2"], []),
    ])
    func appliesCorrectionsOfTheSameID(actions: [String], amounts: [String], codes: [String]) throws {
        let rows = actions.enumerated().map { place, action in
            let more = action.isEmpty ? "<NAME>SHOP" : "<CORRECTFITID>F1<CORRECTACTION>\(action == "*" ? "" : action)"
            return row(amount: "-\(place + 1).00", more: more)
        }
        let others = (0..<30).map { row(amount: "-7.00", id: "G\($0)") }.joined()
        let sink = try collect(bank(others + rows.joined()))
        #expect(sink.records.filter { $0.kind == .cash }.dropFirst(30).map { $0[.amount]?.description } == amounts)
        #expect(sink.codes == codes)
    }

    @Test func rejectsCorrectionsOfNothing() throws {
        let sink = try collect(bank(row(id: "F2", more: "<CORRECTFITID>F0<CORRECTACTION>REPLACE")))
        #expect(sink.codes == ["correction.unmatched"])
    }

    /// Target's card names an id of its own beside each transaction, and nothing that is to be done.
    @Test(arguments: ["", "<CORRECTACTION>"]) func anIDAloneCorrectsNothing(action: String) throws {
        let rows = (0..<30).map {
            row(amount: "-2.00", id: "F\($0)", more: "<CORRECTFITID>0195$54$\($0)\(action)<NAME>SHOP")
        }
        let sink = try collect(bank(rows.joined(separator: "\n") + row()))
        #expect(sink.codes.isEmpty && sink.records.filter { $0.kind == .cash }.count == 31)
    }

    @Test func marksOrdersAndPendingRows() throws {
        let text = bank("").replacing(
            "</BANKTRANLIST>",
            with: "</BANKTRANLIST><BANKTRANLISTP><DTASOF>20240101<STMTTRNP><TRNAMT>1</STMTTRNP></BANKTRANLISTP>")
        #expect(try collect(text).units.filter { $0.outcome == .skipped }.map(\.code) == ["transaction.pending"])
    }
}
