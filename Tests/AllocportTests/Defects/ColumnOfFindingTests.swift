import Allocport
import OpenAlloc
import Testing

/// What the checks of a record find out is said of the column that stands in the file, not of the field that it fills.
struct ColumnOfFindingTests {
    @Test(arguments: [
        (Exports.schwabRow(symbol: ""), "security.missing", "Symbol"),
        (Exports.schwabRow(units: "-10", amount: "$50.00"), "sign.contradicts", "Quantity"),
        (Exports.schwabRow(date: ""), "field.missing", "Date"),
        (Exports.schwabRow(units: "0", price: "", amount: "-$50.00"), "value.invalid", "Quantity"),
    ]) func aRejectNamesTheFilesColumn(_ row: String, _ code: String, _ column: String) throws {
        let run = try convertBuiltIn("t.csv", Exports.schwab([row]))
        #expect(run.rejects.shown("code", "column") == ["\(code)|\(column)"])
        #expect(run.firstInput?.errors.map(\.column) == [column])
    }

    @Test func aWarningNamesItToo() throws {
        let warnings = try convertBuiltIn("t.csv", Exports.schwab([Exports.schwabRow(amount: "-$59.00")])).firstInput?
            .warnings
        #expect(warnings?.filter { $0.code == "amount.mismatch" }.map(\.column) == ["Amount"])
    }

    /// Whoever reads an input, in its turn or before, says the same.
    @Test(arguments: [1, 2, 8]) func threadsDoNotMatter(_ jobs: Int) throws {
        let files = (1...12).map { number in
            let row = Exports.schwabRow(symbol: number % 3 == 0 ? "" : "SCHB")
            return (
                "t\(number).csv", Array(Exports.schwab([row, row, Exports.schwabRow(amount: "-$5\(number).00")]).utf8)
            )
        }
        let run = try convertBuiltIn(files) { $0.jobs = jobs }
        #expect(Set(run.rejects.shown("code", "column")) == ["security.missing|Symbol"])
        #expect(Set(run.report.inputs.flatMap(\.warnings).filter { $0.line != nil }.map(\.column)) == ["Amount"])
    }
}
