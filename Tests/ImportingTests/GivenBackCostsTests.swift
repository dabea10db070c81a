import Testing

@testable import Importing

/// A cost of either sign was paid, unless the definition says that a positive one was given back.
@Suite struct GivenBackCostsTests {
    @Test(arguments: [
        ("", "-1.5", "1.5"), ("", "1.5", "1.5"), ("paid: either", "0.35", "0.35"), ("paid: negative", "-1.5", "1.5"),
        ("paid: negative", "0.35", "-0.35"), ("paid: negative", "0", "0"),
    ])
    func signs(_ rule: String, _ given: String, _ wanted: String) throws {
        for cost in ["commission", "fees", "tax"] {
            // By a variable and by a word; often enough that a class is learned.
            for value in ["number(note)", "note", "sum(note, 0)"] {
                let body = "\(rule)\nset: {\(cost): \"\(value)\"}\nkind: buy"
                let rows = (0..<40).map { _ in "x,A,1,1,-1,\(given)," }
                let sink = try LanguageTests.read(body, rows)
                #expect(sink.records.count == 40)
                #expect(sink.records.allSatisfy { LanguageTests.fields($0)[cost] == wanted }, "\(cost) of \(value)")
            }
        }
    }

    /// A trade that is undone gives its costs back, whichever sign they have; other events tell nothing of that.
    @Test(arguments: [
        ("buy", "1.5", "-1.5"), ("sell", "-0.35", "-0.35"), ("trade", "0.5", "-0.5"), ("dividend", "0.5", "0.5"),
    ]) func undoneTrades(_ kind: String, _ given: String, _ wanted: String) throws {
        for set in ["note", "sum(note, 0)"] {
            let body = """
                set: {commission: "\(set)"}
                actions: {on: action, words: {x: {kind: \(kind), reverse: true}}}
                """
            let sink = try LanguageTests.read(body, (0..<40).map { _ in "x,A,1,1,1,\(given)," })
            #expect(sink.records.count == 40)
            #expect(sink.records.allSatisfy { LanguageTests.fields($0)["commission"] == wanted })
        }
    }

    /// What an action says holds against the table.
    @Test func actionsDecide() throws {
        let body = """
            paid: negative
            set: {commission: note}
            actions: {on: action, words: {x: {kind: buy, paid: either}, y: buy}}
            """
        let sink = try LanguageTests.read(body, ["x,A,1,1,-1,0.5,", "y,A,1,1,-1,0.5,"])
        #expect(sink.records.map { LanguageTests.fields($0)["commission"] } == ["0.5", "-0.5"])
    }

    /// `amounts: stated` keeps the sign, and says so.
    @Test func amountsAsStated() throws {
        let body = "actions: {on: action, words: {x: {kind: sell, amounts: stated}, y: sell}}"
        let sink = try LanguageTests.read(body, ["x,A,-1,5,-2,,", "y,A,-1,5,5,,"])
        #expect(sink.records.map { LanguageTests.fields($0)["amount"] } == ["-2", "5"])
        #expect(sink.records.map { LanguageTests.fields($0)["daily"] } == ["yes", nil])
    }
}
