import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// Lines of which a rule speaks are never taken for rows.
@Suite struct LineFilterTests {
    @Test func agreesWithTheRules() throws {
        let head = """
            lines:
              - {text: ["Total", "Total *"], is: total}
              - {text: "{title} account", cells: 1, is: section}
              - {text: "As of,{exported}", whole: true, is: preamble}
              - {text: "*end", where: end, is: footer}
              - {text: "never", where: preamble, is: preamble}

            """
        let importer = try importer(LanguageTests.table("kind: cash", head: head))
        let filter = importer.binder.lineFilter
        var random = SplitMix64(seed: 5)
        let words = [
            "Total", "total 5", "My account", "As of", " As of ", "", "the end", "never", "2024-01-02", "tot", "T",
        ]
        var seen = [false: 0, true: 0]
        for _ in 0..<iterations(3_000) {
            let line = (0..<1 + random.below(4)).map { _ in words.randomElement(using: &random) ?? "" }.joined(
                separator: ",")
            let text = "Day,What,Name,Units,Price,Sum,Note,Account\n\n" + line + "\n"
            let outcome = try run(importer, text).events.last { $0.lines == [3] }
            let isLine =
                outcome?.kind == .mark
                && ["total", "section", "preamble", "footer"].contains { outcome?.code.hasPrefix($0) ?? false }
            var may = false
            var reader = DelimitedReader(dialect: .csv, encoding: .utf8)
            reader.read(Array((line + "\n").utf8)) { (record: borrowing RecordView) in may = filter.mayMean(record) }
            #expect(!isLine || may, "\(line)")
            if !line.allSatisfy({ $0 == "," }), outcome?.kind == .mark || may { seen[may, default: 0] += 1 }
        }
        #expect(seen[true] ?? 0 > 100)
        #expect(withRecord("2024-01-02,x,y\n") { filter.mayMean($0) } == false)
    }

    /// A rule for a whole line says as well how its first cell begins; where that is blank, the rules are asked.
    @Test func wholeLinesRuleRowsOut() throws {
        let head = """
            lines:
              - {text: "Made,{exported}", whole: true, is: footer}
              - {text: ",,Total", whole: true, is: total}

            """
        let importer = try importer(LanguageTests.table("kind: cash", head: head))
        let begins = "Mm,2ta".utf8.map { importer.binder.lineFilter.mayBegin(with: $0) }
        #expect(begins == [true, true, true, false, false, false])
        let lines = "Day,What,Name,Units,Price,Sum,Note,Account\n,,Total\n made ,2024-01-02\n"
        #expect(try run(importer, lines).events.map(\.code).suffix(2) == ["total", "footer"])
    }

    private func withRecord(_ line: String, _ body: (borrowing RecordView) -> Bool) -> Bool {
        var result = false
        var reader = DelimitedReader(dialect: .csv, encoding: .utf8)
        reader.read(Array(line.utf8)) { (record: borrowing RecordView) in result = body(record) }
        return result
    }
}
