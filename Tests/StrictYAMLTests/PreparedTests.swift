import TestSupport
import Testing

@testable import StrictYAML

/// The prepared form of a tree gives back the tree, marks and styles and all.
struct PreparedTests {
    static func read(_ bytes: [UInt8]) throws -> YAMLNode {
        try bytes.withUnsafeBufferPointer { bytes throws(YAMLError) in try YAML.read(prepared: bytes) }
    }

    static let texts = [
        "", "a", "~", "'a: b'", "- a\n- 'b'\n-\n- |\n  block\n  text\n", "a: 1\nb: {c: [d, \"e\\n\", ~], é: 株😀}\n",
        "a:\n  - b: c\n    d: >-\n      e\n      f\n  - [[], {}]\n" + String(repeating: "# gap\n", count: 300)
            + "z: y\n",
        "long: " + String(repeating: "word ", count: 3000),
    ]

    @Test(arguments: texts) func givesBackTheTree(_ text: String) throws {
        let tree = try YAML.parse(text)
        let bytes = YAML.prepared(tree)
        #expect(try Self.read(bytes) == tree)
        #expect(Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes, "it may stand in a literal")
    }

    /// Nothing that is cut short or changed is read beyond its end, and nothing that is cut short is taken for whole.
    @Test func brokenFormsAreRefused() throws {
        var random = SplitMix64(seed: 7)
        for text in Self.texts.prefix(6) {
            let bytes = YAML.prepared(try YAML.parse(text))
            for count in 0..<bytes.count {
                #expect(throws: YAMLError.self) { try Self.read(Array(bytes.prefix(count))) }
            }
            #expect(throws: YAMLError.self) { try Self.read(bytes + [0]) }
            for _ in 0..<500 {
                var changed = bytes
                for _ in 0...Int.random(in: 0...2, using: &random) {
                    changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8(random.next() & 0xFF)
                }
                _ = try? Self.read(changed)
            }
        }
    }

    @Test func deepFormsAreRefused() {
        // A list of one item, far deeper than any text may be: no recursion without an end.
        let bytes = [UInt8](repeating: 0, count: 3)
        let deep: [UInt8] = (0..<5000).flatMap { _ in [8 | 4, 2, 1] as [UInt8] }
        #expect(throws: YAMLError.self) { try Self.read(deep + bytes) }
    }
}
