import Delimited
import Markup
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// What the first pass learns of rows whose tags it met before is what it learns of them element by element.
@Suite struct SurveyLaneTests {
    private struct Random {
        var generator: SplitMix64
        mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
        mutating func pick(_ words: [String]) -> String { words[below(words.count)] }
    }

    private static func statement(_ seed: UInt64) -> [UInt8] {
        var random = Random(generator: SplitMix64(seed: seed))
        let odd = ["1,5", "1.234,5", "1,234.5", "0", "-0", "x", "$5", "+3", "-.5", "12", "- 4", "(5)"]
        let isRare = 2 + random.below(400)
        let mark = random.pick([".", ".", ","])
        func number(_ sign: String, _ random: inout Random) -> String {
            random.below(isRare) == 0 ? random.pick(odd) : "\(sign)\(random.below(900))\(mark)\(10 + random.below(80))"
        }
        var text = "OFXHEADER:100\n\n<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD<INVTRANLIST>\n"
        for _ in 0..<40 {
            let kind = random.pick(["BUYSTOCK", "SELLSTOCK", "BUYOPT", "SELLMF", "INCOME", "RETOFCAP"])
            let isBuy = kind.hasPrefix("BUY")
            let inner = isBuy ? "INVBUY" : "INVSELL"
            let isTrade = isBuy || kind.hasPrefix("SELL")
            text += "<\(kind)>\n" + (isTrade ? "<\(inner)>" : "")
            text += "<INVTRAN><FITID>\(random.below(1000))\n<DTTRADE>20240115\n"
            if random.below(isRare) == 0 { text += "<REVERSALFITID>\(random.below(1000))\n" }
            text += "</INVTRAN><SECID><UNIQUEID>\(random.below(4))\n<UNIQUEIDTYPE>CUSIP\n</SECID>"
            if isTrade { text += "<UNITS>\(number(isBuy ? "" : "-", &random))\n<UNITPRICE>\(number("", &random))\n" }
            text += "<TOTAL>\(number(isBuy ? "-" : "", &random))\n"
            if random.below(isRare) == 0 { text += "<INV401KSOURCE>MATCH\n" }
            text += (isTrade ? "</\(inner)>" : "") + "</\(kind)>\n"
        }
        return Array((text + "</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>").utf8)
    }

    private static func facts(_ bytes: [UInt8], takesRows: Bool) throws -> (OFXFacts, rows: Int) {
        let dates = try OFXDates(options: ImportOptions())
        var source = BytesSource(bytes)
        var survey = OFXSurvey(dates: dates)
        _ = try MarkupDocument.plan(&source) {
            survey = OFXSurvey(dates: dates, takesRows: takesRows)
            return AggregateReader(OFXName.chosen, childrenOf: OFXName.lists, handler: survey)
        }
        return (survey.facts, survey.rowsTaken)
    }

    @Test func learnsTheSame() throws {
        var rows = 0
        for seed in 0..<UInt64(400) {
            let bytes = Self.statement(seed)
            let (short, taken) = try Self.facts(bytes, takesRows: true)
            let (long, none) = try Self.facts(bytes, takesRows: false)
            rows += taken
            #expect(none == 0)
            #expect(short.numbers.provesPoint == long.numbers.provesPoint, "seed \(seed)")
            #expect(short.numbers.provesComma == long.numbers.provesComma, "seed \(seed)")
            #expect(Set(short.targets.keys) == Set(long.targets.keys) && short.corrected == long.corrected)
            #expect(short.statements.count == 1 && long.statements.count == 1)
            for (one, other) in zip(short.statements, long.statements) {
                #expect(one.isUnsigned == other.isUnsigned, "seed \(seed)")
                #expect(one.signsExpenses == other.signsExpenses, "seed \(seed)")
                #expect(one.isPlan == other.isPlan, "seed \(seed)")
                #expect(one.optionUnits == other.optionUnits, "seed \(seed)")
            }
        }
        #expect(rows > 3000)
    }
}
