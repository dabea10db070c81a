import Testing

@testable import Importing

/// A file that has its lines twice says so; what looks like it and is none does not.
@Suite struct DoubledLinesTests {
    private static let definition = FallbackTests.definition(
        "acme.list", columns: "{date: Date, amount: Amount, description: Text}", require: "[date, amount]",
        "currency: USD\nlines:\n  - {text: \"Account *\", cells: 1, is: section}")
    private static let header = "Date,Amount,Text\n"
    private static let rows = "2026-01-05,1,x\n2026-01-06,2,y\n"

    @Test(
        arguments: [
            (header + rows + header + rows, 4), (header + rows + "\n\n" + header + rows, 6),
            ("Account A\n" + header + rows + "Account B\n" + header + rows, 6),
            (header + rows + header + rows + header + rows, 4),
            (header + rows + header + rows + "2026-01-07,3,z\n", 4),
            (header + "2026-01-04,9,w\n" + header + rows + header + rows, 6),
            (header + rows, nil), (header + rows + header, nil), (header + header + rows, nil),
            (header + rows + rows, nil), (header + rows + header + "2026-01-06,2,y\n2026-01-05,1,x\n", nil),
            (header + rows + "Date,Text,Amount\n2026-01-05,x,1\n2026-01-06,y,2\n", nil),
            (header + "2026-01-05,1,x\n" + header + "2026-01-05,1,x\n", nil),
            (header + rows + "2026-01-07,3,z\n" + header + rows + "2026-01-08,3,z\n", nil),
        ] as [(String, Int?)]) func saysSoOnce(_ text: String, _ line: Int?) throws
    {
        let sink = try run(importer(Self.definition), text)
        let found = sink.warnings.filter { $0.code == .rowsDoubled }
        #expect(found.count == (line == nil ? 0 : 1))
        #expect(sink.warningLines.first == line.map(Optional.some))
        if line != nil {
            #expect(found[0].reason.hasPrefix("the lines below this header are those below the header in"))
        }
    }
}
