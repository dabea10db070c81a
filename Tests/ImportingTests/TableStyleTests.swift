import OpenAlloc
import Testing

@testable import Importing

/// Several tables in one file, each with its own way to write.
@Suite struct TableStyleTests {
    /// Tables with date patterns of their own do not lend each other their days.
    @Test func tablesHaveTheirOwnDatesAndNumbers() throws {
        let yaml = definition(
            """
            tables:
              - {name: us, columns: {date: Day, amount: Sum}, require: [date, amount], kind: cash, dates: [MM/DD/YYYY]}
              - {name: eu, columns: {date: Tag, amount: Summe}, require: [date, amount], kind: cash, dates: [DD/MM/YYYY], numbers: eu}
            """)
        let sink = try run(yaml, "Day;Sum\n02/03/2024;1.5\n\nTag;Summe\n02/03/2024;1.500,5\n\nDay;Sum\n02/03/2024;2\n")
        #expect(
            sink.records.map { LanguageTests.fields($0)["tradedAt"] } == [
                "2024-02-03T17:00:00Z", "2024-03-02T17:00:00Z", "2024-02-03T17:00:00Z",
            ])
        #expect(sink.records.map { LanguageTests.fields($0)["amount"] } == ["1.5", "1500.5", "2"])
    }
}
