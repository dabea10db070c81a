import Foundation
import Markup
import Testing

/// Reads files of one's own: `MARKUP_CORPUS=/path/to/folder` prints what each holds, and holds both readers to each
/// other where the XML is well-formed.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["MARKUP_CORPUS"] != nil))
struct CorpusTests {
    @Test func readsEveryFile() throws {
        let root = ProcessInfo.processInfo.environment["MARKUP_CORPUS"] ?? ""
        for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            guard let data = FileManager.default.contents(atPath: root + "/" + path) else { continue }
            let bytes = [UInt8](data)
            var source = BytesSource(bytes)
            let plan = try MarkupDocument.plan(&source)
            guard plan.kind != .none, plan.kind != .html else {
                print("CORPUS\t\(path)\t\(plan.kind)")
                continue
            }
            let events = try? record(bytes)
            // Whatever a file of a kind that is read is, it is read to its end.
            #expect(events != nil, "\(path)")
            let counts = (events?.starts ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            print(
                "CORPUS\t\(path)\t\(plan.kind)\t\(plan.usesXML ? "xml" : "sgml")\t\(events?.isBalanced == true)"
                    + "\t\(events?.truncated.joined(separator: ",") ?? "error")\t\(counts.joined(separator: " "))")
            if let events, plan.usesXML, plan.kind.isOFX {
                #expect(events.events == (try record(bytes, tolerant: true)).events, "\(path)")
            }
        }
    }
}
