import Foundation
import Importing
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Every Flex statement below `OFX_CORPUS`: it gives rows, and each of its trades and cash transactions is one unit that
/// became a record or says why not.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["OFX_CORPUS"] != nil))
struct FlexCorpusTests {
    private static var files: [String] {
        let root = ProcessInfo.processInfo.environment["OFX_CORPUS"] ?? ""
        let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".xml") }.sorted().map { root + "/" + $0 }
    }

    @Test func everyElementIsCounted() throws {
        var statements = 0
        var counts: [String: Int] = [:]
        for path in Self.files {
            let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
            let isWellFormed = XMLParser(data: Data(bytes)).parse()
            let elements = FlexTests.elements(of: bytes)
            guard isWellFormed, elements["FlexStatement"] != nil else { continue }
            statements += 1
            let sink = try collect(bytes, FlexImporter())
            for name in ["Trade", "CashTransaction"] {
                let units = sink.units.filter {
                    $0.raw.dropFirst(name.count + 1).first.map(\.isWhitespace) == true
                        && $0.raw.hasPrefix("<" + name)
                }
                #expect(units.count == elements[name] ?? 0, "\(path): \(name)")
                for unit in units {
                    let said = unit.outcome == .accepted ? "" : " " + unit.code
                    #expect(unit.outcome == .accepted || !unit.code.isEmpty)
                    counts["\(name) \(unit.outcome.rawValue)\(said)", default: 0] += 1
                }
            }
            let told = (elements["Trade"] ?? 0) + (elements["CashTransaction"] ?? 0) + (elements["OpenPosition"] ?? 0)
            #expect(told == 0 || !sink.records.isEmpty, "\(path)")
        }
        for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("FLEX \(what): \(count)") }
        #expect(statements > 20)
    }
}
