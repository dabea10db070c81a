import Foundation
import Testing

@testable import Markup

struct FuzzTests {
    static let rounds = ProcessInfo.processInfo.environment["FUZZ_ITERATIONS"].flatMap { Int($0) } ?? 2000

    @Test func tokenizerSurvives() throws {
        var random = SplitMix64(state: 42)
        let scraps = [
            "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "&", "&amp;", "\0", "\r",
            "<OFX>", "</STMTTRN>", "<?", "'", "<X a='",
        ]
        for round in 0..<Self.rounds {
            var bytes = Array(XMLTests.document(UInt64(round % 50)).utf8)
            for _ in 0..<Int.random(in: 1..<12, using: &random) {
                let at = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.insert(contentsOf: Array((scraps.randomElement(using: &random) ?? "").utf8), at: at)
                case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0..<30, using: &random)))
                case 2: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &random) }
                default: bytes.removeLast(min(bytes.count, Int.random(in: 0..<50, using: &random)))
                }
            }
            let names = NameTable(ofx: true)
            let recorder = Recorder(names)
            var source = BytesSource(bytes, chunk: Int.random(in: 1..<200, using: &random))
            let plan = MarkupPlan(kind: .ofxSGML, encoding: .utf8, usesXML: false, breaksAt: nil, skip: 0)
            do { try MarkupDocument.read(&source, plan: plan, names: names, handler: recorder) } catch {}
            #expect(recorder.isBalanced && recorder.open.isEmpty, "round \(round)")
            #expect(recorder.offsets == recorder.offsets.sorted(), "round \(round)")
            #expect(recorder.offsets.allSatisfy { $0 < bytes.count } && recorder.ends.allSatisfy { $0 <= bytes.count })
            // The same whatever the chunks.
            let again = Recorder(names)
            var whole = BytesSource(bytes)
            do { try MarkupDocument.read(&whole, plan: plan, names: names, handler: again) } catch {}
            #expect(again.events == recorder.events, "round \(round)")
            // The front door takes anything.
            _ = try? record(bytes)
        }
    }
}
