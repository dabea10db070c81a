import Delimited
import TestSupport
import Testing

@testable import Importing

/// The tools for definitions read exports of East Asia in the code page in which their names are known.
struct CodePageTests {
    static let yaml = """
        importer: acme.trades
        version: 1
        title: Acme trades
        zone: Asia/Tokyo
        currency: JPY
        dates: [YYYY/MM/DD]
        tables:
          - columns: {date: 約定日, action: 売買区分, description: 銘柄名, units: 数量, price: 単価, amount: 受渡金額}
            require: [date, action, description, units, price, amount]
            security: [description]
            units: unsigned
            amounts: unsigned
            actions:
              on: action
              words: {買付: buy, 売却: sell}
        """

    static let text = """
        約定日,売買区分,銘柄名,数量,単価,受渡金額,備考
        2024/03/18,買付,架空ポート,10,100.0,1000,あ
        2024/03/19,売却,架空ソフト,4,200.0,800,い
        2024/03/21,買付,架空表示,7,300.0,2100,う

        """

    private static func input() throws -> (importer: DefinitionImporter, input: MemoryInput) {
        let importer = try DefinitionLoader.load(Array(yaml.utf8), file: "acme.yaml")
        return (importer, MemoryInput(name: "a.csv", bytes: TextEncoding.shiftJIS.encode(Array(text.utf8))))
    }

    @Test func drafts() throws {
        let (importer, input) = try Self.input()
        let vocabulary = Vocabulary([importer])
        let sample = try vocabulary.sample(of: input)
        #expect(sample.encoding == .shiftJIS)
        let sheet = try #require(try Sheet(input, sample))
        let draft = try #require(DefinitionDraft(sheet, id: "mine.trades", vocabulary: vocabulary))
        #expect(draft.yaml.contains("# Read from: Shift_JIS"))
        let drafted = try DefinitionLoader.load(Array(draft.yaml.utf8), file: "draft.yaml")
        #expect(try DraftTrial.run(drafted, input).outcomes["accepted"] == 3, "\(draft.yaml)")
        // Where no name is known, or one alone, the bytes are read as they always were.
        let other = TextEncoding.shiftJIS.encode(Array("日付,単価\n2024/03/18,1\n".utf8))
        #expect(try vocabulary.sample(of: MemoryInput(name: "b.csv", bytes: other)).encoding != .shiftJIS)
        let western = TextEncoding.windows1252.encode(Array("Währung,Stück\nEUR,1\n".utf8))
        #expect(try vocabulary.sample(of: MemoryInput(name: "c.csv", bytes: western)).encoding == .windows1252)
    }

    @Test func anonymizes() throws {
        let (importer, input) = try Self.input()
        let made = try #require(
            try Anonymizer.copy(input, by: importer, vocabulary: Vocabulary([importer]), attempt: 0))
        let copy = MemoryInput(name: made.name, bytes: made.bytes)
        #expect(try InputSample(copy, for: importer).encoding == .shiftJIS)
        let proof = try AnonymityProof(input, copy, by: importer, days: made.days, factor: made.factor)
        #expect(proof.holds && proof.records == 3, "\(proof.differences)")
        let text = String(decoding: TextDecoder.decode(made.bytes, as: .shiftJIS), as: UTF8.self)
        #expect(text.hasPrefix("約定日,売買区分,銘柄名,数量,単価,受渡金額,備考\n") && !text.contains("1000"))
    }

    @Test(arguments: ColumnChange.allCases) func changes(_ change: ColumnChange) throws {
        let (importer, input) = try Self.input()
        let changed = try #require(try change.applied(to: input, readBy: importer))
        let trial = try DraftTrial.run(importer, changed)
        #expect(trial.outcomes["accepted"] == 3 && trial.outcomes["rejected"] == nil)
    }
}
