import Foundation
import Importing
import Testing

/// Reads files of one's own: `OFX_CORPUS=/path/to/folder` prints a line of JSON for each, `OFX_VERBOSE` every unit.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["OFX_CORPUS"] != nil))
struct CorpusTests {
    private static let transactions = [
        "STMTTRN", "BUY", "SELL", "CLOSUREOPT", "INCOME", "INVEXPENSE", "JRNL", "MARGININTEREST", "REINVEST",
        "RETOFCAP", "SPLIT",
        "TRANSFER", "INVBANKTRAN",
    ]

    @Test func readsEveryFile() throws {
        let environment = ProcessInfo.processInfo.environment
        let root = environment["OFX_CORPUS"] ?? ""
        for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            guard let data = FileManager.default.contents(atPath: root + "/" + path), !data.isEmpty else { continue }
            let input = MemoryInput(name: path, bytes: [UInt8](data))
            let sample = try InputSample(input)
            let importers: [any Importer] = [OFXImporter(), FlexImporter()]
            guard let importer = importers.first(where: { $0.examine(sample) != nil }) else {
                print("CORPUS\t\(path)\t\(sample.format.name)\t{}")
                continue
            }
            let sink = try collect([UInt8](data), importer, name: path)
            var counts: [String: Int] = [:]
            for unit in sink.units {
                counts[unit.outcome.rawValue, default: 0] += 1
                if !unit.code.isEmpty { counts["\(unit.outcome.rawValue):\(unit.code)", default: 0] += 1 }
                let tag = unit.raw.drop { $0 != "<" }.dropFirst().uppercased()
                if importer.id == "ofx.statement", unit.outcome != .section,
                    Self.transactions.contains(where: { tag.hasPrefix($0) && !tag.hasPrefix("STMTTRNRS") })
                {
                    counts["tx", default: 0] += 1
                }
            }
            let json = try JSONSerialization.data(withJSONObject: counts, options: [.sortedKeys])
            print("CORPUS\t\(path)\t\(importer.id)\t\(String(decoding: json, as: UTF8.self))")
            guard environment["OFX_VERBOSE"] != nil else { continue }
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
}
