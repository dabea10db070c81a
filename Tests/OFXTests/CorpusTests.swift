import Delimited
import Foundation
import Importing
import Testing

/// Files of one's own, below `OFX_CORPUS`: each statement is recognised, each of its bank transactions is one unit, and
/// what is not accepted says why. `OFX_VERBOSE` prints every unit.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["OFX_CORPUS"] != nil))
struct CorpusTests {
    @Test func everyTransactionIsCounted() throws {
        let environment = ProcessInfo.processInfo.environment
        let root = environment["OFX_CORPUS"] ?? ""
        var statements = 0
        for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            guard let data = FileManager.default.contents(atPath: root + "/" + path), !data.isEmpty else { continue }
            let bytes = [UInt8](data)
            let importer = OFXImporter()
            let sample = try InputSample(MemoryInput(name: path, bytes: bytes))
            let text = String(decoding: TextDecoder.decode(bytes, as: sample.encoding), as: UTF8.self).uppercased()
            guard importer.examine(sample) != nil else {
                #expect(sample.format != .ofx || !text.contains("STMTRS>"), "\(path) is not recognised")
                continue
            }
            statements += 1
            let sink = try collect(bytes, importer, name: path)
            let tags = sink.units.map { unit in
                unit.raw.drop { $0 != "<" }.dropFirst().prefix { !$0.isWhitespace && $0 != ">" }.uppercased()
            }
            let transactions = zip(sink.units, tags).filter { unit, tag in
                ["STMTTRN", "INVBANKTRAN"].contains(tag) && unit.outcome != .section
            }
            // What stands in an element that is never closed is rejected with it.
            if !sink.codes.contains("markup.malformed") {
                #expect(transactions.count == Self.openings(of: "STMTTRN", in: text), "\(path)")
            }
            for unit in sink.units where unit.outcome == .rejected || unit.outcome == .skipped {
                #expect(!unit.code.isEmpty, "\(path), line \(unit.line)")
            }
            if environment["OFX_VERBOSE"] != nil { show(sink, path) }
        }
        #expect(statements > 0)
    }

    /// How many elements of a name a text opens.
    private static func openings(of name: String, in text: String) -> Int {
        text.split(separator: "<" + name, omittingEmptySubsequences: false).dropFirst().count { rest in
            rest.first.map { $0 == ">" || $0.isWhitespace } ?? false
        }
    }

    private func show(_ sink: Collector, _ path: String) {
        for unit in sink.units {
            let warnings = unit.warnings.joined(separator: ",")
            print(
                "UNIT\t\(path)\t\(unit.line)\t\(unit.outcome.rawValue)\t\(unit.code)\t\(unit.reason)\t\(warnings)"
                    + "\t\(unit.records.map(\.description).joined(separator: " || "))"
                    + (unit.outcome == .rejected ? "\t" + unit.raw.prefix(700).replacing("\n", with: "⏎") : ""))
        }
        for warning in sink.warnings {
            print("WARN\t\(path)\t\(warning.line ?? 0)\t\(warning.code)\t\(warning.reason)")
        }
    }
}
