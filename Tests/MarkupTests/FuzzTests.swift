import Foundation
import TestSupport
import Testing

@testable import Markup

/// The tokenizer takes anything, says the same of it whatever the chunks and whichever way through it is quick, and
/// agrees with libxml2 on what that vouches for.
struct FuzzTests {
    @Test func tokenizerSurvives() throws {
        let plan = FuzzPlan(rounds: 2000)
        let own =
            (0..<50).map { Array(XMLTests.document($0).utf8) } + (0..<50).map { Array(Self.sgml($0).utf8) }
            + (0..<100).map { RowLaneTests.statement($0) }
        let files = own + FuzzPlan.corpus([".ofx", ".qfx", ".xml", ".txt", ".sgml", ".qbo"])
        var mutator = MarkupMutator(seed: plan.seed, donors: files)
        var round = 0
        var counts = Counts()
        while plan.goesOn(round) {
            let source = round % 2 == 0 ? own : files
            try Self.check(mutator.mutate(source[mutator.below(source.count)]), &mutator, &counts, round)
            round += 1
        }
        print("FUZZ tokenizer: \(round) inputs, \(counts)")
        #expect(counts.rows > 0)
        #expect(counts.regular > 0 && counts.census > 0 && counts.plain > 0)
    }

    private struct Counts: CustomStringConvertible {
        var regular = 0
        var census = 0
        var plain = 0
        var xml = 0
        var stopped = 0
        var rows = 0
        var description: String {
            "regular \(regular), with census \(census), XML by both \(plain), by libxml2 alone \(xml), stopped \(stopped), rows \(rows)"
        }
    }

    private static func events(_ bytes: [UInt8], _ plan: MarkupPlan, chunk: Int) -> (Recorder, MarkupError?) {
        let names = NameTable(ofx: plan.kind.isOFX)
        let recorder = Recorder(names)
        var source = BytesSource(bytes, chunk: chunk)
        do throws(MarkupError) {
            try MarkupDocument.read(&source, plan: plan, names: names, handler: recorder)
            return (recorder, nil)
        } catch {
            return (recorder, error)
        }
    }

    private static func check(
        _ bytes: [UInt8], _ mutator: inout MarkupMutator, _ counts: inout Counts, _ round: Int
    ) throws {
        // As if it were SGML, with every tag counted first.
        let tolerant = MarkupPlan(kind: .ofxSGML, encoding: .utf8, usesXML: false, breaksAt: nil, skip: 0)
        let (whole, failure) = events(bytes, tolerant, chunk: 1 << 16)
        #expect(whole.isBalanced && whole.open.isEmpty, "round \(round)")
        #expect(whole.offsets == whole.offsets.sorted(), "round \(round)")
        #expect(whole.offsets.allSatisfy { $0 < bytes.count } && whole.ends.allSatisfy { $0 <= bytes.count })
        // The same whatever the chunks; below 18 bytes, no tag goes the quick way.
        for chunk in [1 + mutator.below(16), 20 + mutator.below(300)] {
            let (pieces, otherFailure) = events(bytes, tolerant, chunk: chunk)
            let isSame = pieces.events == whole.events && pieces.issues == whole.issues
            #expect(isSame, "round \(round), chunk \(chunk): \(dump(bytes))")
            #expect((failure == nil) == (otherFailure == nil), "round \(round)")
        }
        let chunk = 1 + mutator.below(1200)
        counts.rows += RowLaneTests.check(bytes, chunk: chunk, seed: UInt64(round), "round \(round): \(dump(bytes))")
        // The front door takes anything; where it reads on trust, it reads the same as without.
        var source = BytesSource(bytes, chunk: 1 + mutator.below(500))
        guard let plan = try? MarkupDocument.plan(&source, reading: { AggregateReader([], handler: Nobody()) }),
            plan.kind.isOFX
        else {
            _ = try? record(bytes)
            counts.stopped += 1
            return
        }
        var checked = plan
        checked.isPlain = false
        checked.isRegular = false
        let (trusting, first) = events(bytes, plan, chunk: 1 + mutator.below(3000))
        let (careful, second) = events(bytes, checked, chunk: 1 + mutator.below(3000))
        #expect(trusting.events == careful.events, "round \(round) \(dump(bytes))")
        #expect(trusting.headers == careful.headers, "round \(round): \(dump(bytes))")
        #expect((first == nil) == (second == nil), "round \(round)")
        if plan.isPlain {
            counts.plain += 1
        } else if plan.isRegular {
            counts.regular += 1
        } else if plan.usesXML {
            counts.xml += 1
        } else {
            counts.census += 1
        }
    }

    /// The input, to be tried again.
    private static func dump(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// A statement in SGML with open leaves and the line ends of its writer.
    static func sgml(_ seed: UInt64) -> String {
        var random = SplitMix64(seed: seed)
        let end = ["\n", "\r\n", "", "\r"][Int(random.next() % 4)]
        var text = "OFXHEADER:100\(end)DATA:OFXSGML\nVERSION:102\n\n<OFX>\(end)<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0"
        text += "<SEVERITY>INFO</STATUS><DTSERVER>20240131<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>\(end)<BANKMSGSRSV1>"
        text += "<STMTTRNRS><TRNUID>1<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>2</BANKACCTFROM>"
        text += "<BANKTRANLIST>\(end)"
        for number in 0..<random.next() % 12 {
            text += "<STMTTRN>\(end)<TRNTYPE>DEBIT\(end)<DTPOSTED>20240115\(end)<TRNAMT>-\(number).50\(end)"
            text += "<FITID>\(number)\(end)<NAME>Shop & Co\(end)</STMTTRN>\(end)"
        }
        return text + "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\(end)"
    }
}
