import StrictYAML
import TestSupport
import Testing

private let rounds = iterations(3000)

/// Makes random trees and writes them in random styles.
private struct Emitter {
    var random: SplitMix64
    static let letters = [
        "a", "B", "7", "é", "株", "😀", ":", "#", "-", " ", "'", "\"", "\\", ",", "[", "}", "&", "*", "$", "\n", "~",
    ]

    mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func text() -> String { (0..<pick(9)).map { _ in Self.letters[pick(Self.letters.count)] }.joined() }

    mutating func tree(_ depth: Int) -> YAMLNode.Value {
        let origin = YAMLMark(line: 1, column: 1)
        switch depth > 4 ? pick(4) : pick(9) {
        case 0: return .null
        case 1...3: return .scalar(text(), .quoted)
        case 4, 5: return .sequence((0..<pick(5)).map { _ in YAMLNode(tree(depth + 1), at: origin) })
        default:
            let keys = Set((0..<pick(5)).map { _ in text() })
            return .mapping(
                keys.sorted().map { YAMLEntry(key: $0, keyMark: origin, value: YAMLNode(tree(depth + 1), at: origin)) })
        }
    }

    /// Single quotes where the text has no newline, plain where it is surely plain, else double quotes.
    mutating func scalar(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == "7" || $0 == "$" }
        switch pick(3) {
        case 0 where isPlain: return text
        case 1 where !text.contains("\n"): return "'" + text.replacing("'", with: "''") + "'"
        default:
            let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "\"" + escaped.replacing("é", with: pick(2) == 0 ? "é" : "\\u00e9") + "\""
        }
    }

    mutating func flow(_ value: YAMLNode.Value) -> String {
        let gap = pick(4) == 0 ? "\n                    # gap\n                    " : " "
        switch value {
        case .null: return "~"
        case .scalar(let text, _): return scalar(text)
        case .sequence(let items): return "[" + items.map { flow($0.value) }.joined(separator: "," + gap) + "]"
        case .mapping(let entries):
            return "{" + entries.map { "\(scalar($0.key)): \(flow($0.value.value))" }.joined(separator: "," + gap) + "}"
        }
    }

    /// The text after `key:` or `-`, with its line end.
    mutating func block(_ value: YAMLNode.Value, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        switch value {
        case .sequence(let items) where !items.isEmpty && pick(4) > 0:
            return "\n" + items.map { "\(margin)-\(block($0.value, indent: indent + 2))" }.joined()
        case .mapping(let entries) where !entries.isEmpty && pick(4) > 0:
            return "\n"
                + entries.map { "\(margin)\(scalar($0.key)):\(block($0.value.value, indent: indent + 1 + pick(3)))" }
                .joined()
        case .null where pick(2) == 0: return pick(2) == 0 ? "\n" : " # none\n\n"
        case .scalar(let text, _)
        where pick(4) == 0 && text.unicodeScalars.first.map { $0 != " " && $0 != "\n" } == true:
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            // A text that ends in newlines keeps them, any other one has none.
            let hasEnd = text.hasSuffix("\n")
            return (hasEnd ? " |+\n" : " |-\n")
                + lines.dropLast(hasEnd ? 1 : 0).map { $0.isEmpty ? "\n" : "\(margin)\($0)\n" }.joined()
        default: return " \(flow(value))\n"
        }
    }
}

@Suite struct RandomTests {
    @Test func whatIsEmittedReadsBack() throws {
        for seed in 0..<rounds {
            var emitter = Emitter(random: SplitMix64(seed: UInt64(seed)))
            let tree = emitter.tree(0)
            let text = "root:" + emitter.block(tree, indent: 1 + emitter.pick(4))
            do {
                let read = try YAML.parse(text).mapping().required("root")
                guard dump(read) != dump(YAMLNode(tree, at: read.mark)) else { continue }
                Issue.record("seed \(seed): \(text)\nreads as \(dump(read))")
            } catch {
                Issue.record("seed \(seed): \(error)\n\(text)")
            }
            break
        }
    }

    @Test func noBytesCrashOrHang() {
        var random = SplitMix64(seed: 7)
        let indicators = Array("ab:- \n\t#'\"\\[]{},&*!|>%@~?<.0x\r+2".utf8) + [0, 0xC3, 0xA9, 0xFF]
        var accepted = 0
        for _ in 0..<rounds * 10 {
            let count = Int.random(in: 0..<40, using: &random)
            let bytes = (0..<count).map { _ in indicators[Int.random(in: 0..<indicators.count, using: &random)] }
            if (try? YAML.parse(bytes)) != nil { accepted += 1 }
        }
        #expect(accepted > 0)
    }

    @Test func damagedDocumentsNeverCrash() {
        let inserted = Array("\n\t :-[]{}'\"#|>&\\".utf8)
        var random = SplitMix64(seed: 11)
        var refused = 0
        for seed in 0..<rounds {
            var emitter = Emitter(random: SplitMix64(seed: UInt64(seed)))
            var bytes = Array("root:\(emitter.block(emitter.tree(0), indent: 2))".utf8)
            for _ in 0..<3 {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch emitter.pick(3) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(inserted[emitter.pick(inserted.count)], at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { break }
            }
            do {
                _ = try YAML.parse(bytes)
            } catch {
                refused += 1
                #expect(error.line > 0 && error.column > 0)
            }
        }
        #expect(refused > rounds / 10)
    }
}
