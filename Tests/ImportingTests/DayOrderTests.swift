import Delimited
import StrictYAML
import Testing

@testable import Importing

/// Where a definition knows dates with the day first and with the month first, the file's own dates decide.
@Suite struct DayOrderTests {
    static func definition(_ dates: String, table: String = "") -> String {
        """
        importer: acme.cash
        version: 1
        title: Acme cash
        zone: UTC
        dates: \(dates)
        tables:
          - name: cash
            columns: {date: Date, amount: Amount}
            require: [date, amount]
            kind: cash
            \(table)
        """
    }

    static func days(_ yaml: String, _ dates: String) throws -> [String] {
        let lines = dates.split(separator: "|").map { "\($0),1\n" }.joined()
        let sink = try run(importer(yaml), "Date,Amount\n" + lines)
        return sink.records.compactMap { record in
            record.split(separator: " ").first { $0.hasPrefix("tradedAt=") }?.dropFirst("tradedAt=".count).prefix(10)
        }.map(String.init)
    }

    static let both = "[YYYY-MM-DD, DD/MM/YYYY, MM/DD/YYYY, DD-MM-YYYY]"

    @Test(arguments: [
        ("03/04/2026|13/04/2026", ["2026-04-03", "2026-04-13"]),
        ("03/04/2026|04/13/2026", ["2026-03-04", "2026-04-13"]),
        // The proof stands below what it proves, or above.
        ("04/13/2026|03/04/2026", ["2026-04-13", "2026-03-04"]),
        // None tells, or two of them do not agree; a day of the same number is neither.
        ("03/04/2026|05/06/2026", []), ("03/04/2026|13/04/2026|04/13/2026", []), ("05/05/2026", []),
        // Other patterns stand for themselves, and prove nothing.
        ("2026-04-13|03-04-2026", ["2026-04-13", "2026-04-03"]), ("13-04-2026|03/04/2026", ["2026-04-13"]),
        // A date that is none, and one that is damaged, prove nothing.
        ("03/04/2026|32/13/2026|x", []),
    ])
    func theFileDecides(dates: String, days: [String]) throws {
        #expect(try Self.days(Self.definition(Self.both), dates) == days)
        #expect(try Self.days(Self.definition("YYYY-MM-DD", table: "dates: \(Self.both)"), dates) == days)
    }

    @Test func saysWhatIsMissing() throws {
        for (dates, advice) in [(Self.both, "Write it as YYYY-MM-DD."), ("[DD/MM/YYYY, MM/DD/YYYY]", "beyond 12")] {
            let sink = try run(importer(Self.definition(dates)), "Date,Amount\n03/04/2026,1\n")
            #expect(sink.findings.map(\.code) == [.dateInvalid])
            #expect(sink.findings.first?.reason.contains("the day or the month stands first") == true)
            #expect(sink.findings.first?.suggestion.contains(advice) == true)
        }
    }

    @Test(arguments: [
        ("DD/MM/YYYY", "MM/DD/YYYY", true), ("DD/MM/YYYY", "MM-DD-YYYY", false), ("D/M/YY", "M/D/YY", true),
        ("DD/MM/YYYY", "MM/DD/YY", false), ("DD/MM/YYYY hh:mm", "MM/DD/YYYY hh:mm", true),
        ("DD/MM/YYYY hh:mm", "MM/DD/YYYY", false), ("DD MMM YYYY", "MMM DD YYYY", false),
        ("YYYY-MM-DD", "YYYY-DD-MM", true),
        ("DD/MM/YYYY", "DD/MM/YYYY", false), ("epoch", "epochms", false),
    ])
    func twins(one: String, other: String, areTwins: Bool) throws {
        let (one, other) = (try DatePattern(one), try DatePattern(other))
        #expect(one.isTwin(of: other) == areTwins)
        #expect(other.isTwin(of: one) == areTwins)
    }
}
