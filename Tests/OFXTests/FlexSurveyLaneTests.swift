import Delimited
import Markup
import OpenAlloc
import TestSupport
import Testing
import Zones

@testable import Importing

/// What the first pass learns of rows of Flex whose tags it met before is what it learns of them attribute by attribute.
@Suite struct FlexSurveyLaneTests {
    private static func report(_ seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        func pick(_ words: [String]) -> String { words[below(words.count)] }
        let isRare = 2 + below(100)
        var text = "<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\" toDate=\"20241231\">\n<Rows>\n"
        for number in 0..<60 {
            let isOdd = below(isRare) == 0
            let lists = ["Order", "CashTransaction", "OpenPosition", "CorporateAction", "OptionEAE", "Trade"]
            let name = isOdd ? pick(lists) : "Trade"
            text += "<\(name) accountId=\"U1\" conid=\"\(below(3))\" symbol=\"S\" side=\"Long\" quantity=\"\(number)\""
            let types = name == "OptionEAE" ? ["Exercise", "Cash Settlement"] : ["BookTrade", "booktrade", ""]
            text += " transactionType=\"\(isOdd ? pick(types) : "ExchTrade")\""
            text += " notes=\"\(isOdd ? pick(["A", "P;Ex", " ep ;P", "--", "", "AB"]) : pick(["P", "O;P"]))\""
            text += " proceeds=\"\(isOdd ? pick(["", "0", "5", "x"]) : "1")\""
            text += " position=\"\(isOdd ? pick(["", "x", "-5"]) : "10")\""
            text += " levelOfDetail=\"\(isOdd ? pick(["LOT", "DETAIL", "SUMMARY"]) : "EXECUTION")\" />\n"
        }
        return Array((text + "</Rows></FlexStatement></FlexStatements></FlexQueryResponse>").utf8)
    }

    private static func facts(_ bytes: [UInt8], takesRows: Bool) throws -> FlexFacts {
        let survey = FlexSurvey(dates: try FlexDates(options: ImportOptions()), takesRows: takesRows)
        var source = BytesSource(bytes)
        let names = NameTable(ofx: false)
        let plan = try MarkupDocument.plan(&source, verify: false)
        try MarkupDocument.read(&source, plan: plan, names: names, handler: FlexReader(survey, names))
        return survey.facts
    }

    @Test func learnsTheSame() throws {
        var (bookings, closings, settlements) = (0, 0, 0)
        for seed in 0..<UInt64(300) {
            let bytes = Self.report(seed)
            let long = try Self.facts(bytes, takesRows: false)
            #expect(try Self.facts(bytes, takesRows: true) == long, "seed \(seed)")
            bookings += long.bookings.count
            closings += long.closings.count
            settlements += long.hasSettlements ? 1 : 0
        }
        #expect(bookings > 100 && closings > 20 && settlements > 5)
    }
}

/// Times of day are those that the zone has, on the days on which it changes too.
@Suite struct FlexDateTests {
    @Test(arguments: [
        "America/New_York", "Europe/London", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Casablanca",
        "Asia/Tehran", "Pacific/Apia",
    ])
    func timesAreTheZones(_ name: String) throws {
        var options = ImportOptions()
        options.timeZone = name
        var dates = try FlexDates(options: options)
        let zone = try Zone.named(name)
        for year in 1995...2026 {
            for month in 1...12 {
                for day in 1...28 {
                    guard let date = CivilDate(year: year, month: month, day: day) else { continue }
                    let hour = (year + month + day) % 24
                    let text = "\(year * 10_000 + month * 100 + day);\(hour < 10 ? "0" : "")\(hour)3000"
                    let seconds = zone.utcSeconds(
                        daysSinceEpoch: date.daysSinceEpoch, secondOfDay: hour * 3600 + 1800)
                    guard let instant = Instant(secondsSince1970: seconds) else { continue }
                    let reading = ByteView.with(Array(text.utf8)) { dates.read($0) }
                    if reading != .value(instant) { Issue.record("\(name) \(text)") }
                }
            }
        }
    }
}
