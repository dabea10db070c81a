import Foundation
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// The definitions of the catalogue, as they stand in the repository.
enum Catalogue {
    static let folder = URL(filePath: Repository.root).appending(path: "Importers").resolvingSymlinksInPath()

    static let files: [String] = {
        guard let walk = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        return walk.compactMap { $0 as? String }.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("parts/") }.sorted()
    }()

    static func bytes(_ file: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: file))) }

    /// What they share.
    static let parts: SharedParts = {
        var parts = SharedParts()
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/parts")) ?? [] {
            if let bytes = try? bytes("parts/\(file)") { try? parts.add(bytes, file: "parts/\(file)") }
        }
        return parts
    }()

    static func importer(_ file: String) throws -> DefinitionImporter {
        try DefinitionLoader.load(bytes(file), file: file, parts: parts)
    }

    static let importers: [DefinitionImporter] = files.compactMap { try? importer($0) }

    /// A file that a definition reads: the first names of its columns, and values of the kind that they ask for.
    static func sample(of definition: Definition, random: inout SplitMix64) -> [String] {
        let delimiter = definition.numbers.decimal == UInt8(ascii: ",") ? ";" : ","
        var lines: [String] = []
        for table in definition.tables {
            var names: [String] = []
            var slots: [Int] = []
            for column in table.columns {
                guard case .names(let patterns) = column.place else { continue }
                let name = patterns.randomElement(using: &random).map { pattern -> String in
                    switch pattern {
                    case .name(let plain): return plain.key
                    case .template(let bound): return named(by: bound.template.source)
                    }
                }
                // The n-th of a name has the others before it.
                for _ in 0..<column.occurrence {
                    names.append(name ?? "")
                    slots.append(column.slot)
                }
            }
            if let layout = definition.layout {
                let section = table.sections.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
                func kind(_ wanted: Layout.RowKind) -> String {
                    zip(layout.kinds.words, layout.kinds.values).first { $0.1 == wanted }.map {
                        String(decoding: $0.0, as: UTF8.self)
                    } ?? ""
                }
                func line(_ word: Layout.RowKind, _ cells: [String]) -> String {
                    var front = [String](repeating: "", count: layout.width)
                    front[layout.section] = section
                    front[layout.kind] = kind(word)
                    return (front + cells).map(quoted).joined(separator: delimiter)
                }
                lines.append(line(.header, names))
                for _ in 0..<random.below(4) {
                    lines.append(line(.data, slots.map { value($0, definition, table, &random) }))
                }
                if random.oneIn(2) { lines.append(line(.total, ["1"])) }
            } else {
                lines.append(names.map(quoted).joined(separator: delimiter))
                for _ in 0..<random.below(5) {
                    lines.append(
                        slots.map { quoted(value($0, definition, table, &random)) }.joined(separator: delimiter))
                }
                if random.oneIn(2) { lines.append("") }
            }
        }
        return lines
    }

    /// A name that a header template matches.
    private static func named(by template: String) -> String {
        var name = template.replacing("*", with: "")
        while let open = name.firstIndex(of: "{"), let close = name[open...].firstIndex(of: "}") {
            let word = name[open...close].contains(":number") || name[open...close].contains(":int") ? "1" : "EUR"
            name.replaceSubrange(open...close, with: word)
        }
        return name
    }

    static func quoted(_ text: String) -> String {
        text.contains { ",;\t\"\n".contains($0) } ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    private static func value(
        _ slot: Int, _ definition: Definition, _ table: TableDefinition, isClean: Bool = false,
        _ random: inout SplitMix64
    ) -> String {
        if !isClean, random.oneIn(8) {
            return ["", "--", "junk", "\"", "é\n€", "Total"].randomElement(using: &random) ?? ""
        }
        let name = definition.variables.names[slot]
        if let actions = table.actions, actions.on.contains(slot) {
            return actions.words.words.sorted { $0.lexicographicallyPrecedes($1) }.randomElement(using: &random).map {
                String(decoding: $0, as: UTF8.self)
            } ?? "Buy"
        }
        if RecordField.moments[name] != nil {
            return (table.dates ?? definition.dates).randomElement(using: &random).map { date($0) } ?? "2024-01-02"
        }
        // What rules hold against zero is a number too.
        let isTested = NumericTests.of(table).cells.contains(slot)
        // Rules ask for blanks and zeros as much as for numbers: a fee beside an amount.
        if isTested, random.oneIn(3) { return random.oneIn(2) ? "" : "0" }
        if RecordField.numbers[name] != nil || isTested {
            let isEuropean = (table.numbers ?? definition.numbers).decimal == UInt8(ascii: ",")
            return "\(random.oneIn(3) ? "-" : "")\(random.below(900))\(isEuropean ? "," : ".")\(1 + random.below(98))"
        }
        if random.oneIn(2), let text = written(slot, table).randomElement(using: &random) { return text }
        switch name {
        case "currency": return "USD"
        case "time": return "10:11:12"
        default: return ["VTI", "X123", "US0378331005", "Some words", "12", ""].randomElement(using: &random) ?? ""
        }
    }

    /// What the rules of a table look for in a cell: words that it may be, and patterns that take it apart.
    private static func written(_ slot: Int, _ table: TableDefinition) -> [String] {
        var texts = table.extracts.filter { $0.from == slot }.flatMap(\.patterns).map { named(by: $0.template.source) }
        func add(_ condition: Condition?) {
            switch condition {
            case .all(let parts), .any(let parts): for part in parts { add(part) }
            case .not(let inner): add(inner)
            case .isOneOf(slot, let words): texts += words.map { String(decoding: $0, as: UTF8.self) }
            default: break
            }
        }
        for rule in table.rows { add(rule.condition) }
        for set in table.sets { add(set.condition) }
        table.actions?.forEachRule { add($0.condition) }
        return texts
    }

    /// The tables of a definition whose columns are all found by name alone: header and clean rows.
    static func tables(of definition: Definition, random: inout SplitMix64) -> [[[String]]] {
        guard definition.layout == nil else { return [] }
        return definition.tables.compactMap { table in
            var header: [String] = []
            var slots: [Int] = []
            for column in table.columns {
                guard case .names(let patterns) = column.place, column.occurrence == 1,
                    case .name(let name)? = patterns.first
                else { return nil }
                guard !header.contains(name.key) else { continue }
                header.append(name.key)
                slots.append(column.slot)
            }
            return [header] + (0..<4).map { _ in slots.map { value($0, definition, table, isClean: true, &random) } }
        }
    }

    /// A date that a pattern reads.
    static func date(_ pattern: DatePattern) -> String {
        pattern.fields.map { field -> String in
            switch field {
            case .year4: "2024"
            case .year2: "24"
            case .month: "03"
            case .monthName: "Mar"
            case .day: "04"
            case .hour, .hour12: "10"
            case .minute, .second: "11"
            case .halfDay: "AM"
            case .fraction: ".5"
            case .offset: "Z"
            case .zoneWord: "UTC"
            case .weekday: "Mon"
            case .epoch: "1709546400"
            case .epochMilliseconds: "1709546400500"
            case .literal(let byte): String(decoding: [byte], as: UTF8.self)
            case .space: " "
            }
        }.joined()
    }
}

@Suite struct CatalogueTests {
    @Test func thereIsACatalogue() { #expect(Catalogue.files.count >= 1) }

    @Test(arguments: Catalogue.files)
    func loads(_ file: String) throws {
        let importer = try Catalogue.importer(file)
        #expect(importer.id == file.dropLast(5).replacing("/", with: "."), "the id is the file's place")
        #expect(!importer.title.isEmpty)
        #expect(!importer.schemas.isEmpty || importer.definition.refusal != nil)
    }

    /// What a definition makes of each action, or kind of line, stands in a table above it; a refusal says why instead.
    @Test(arguments: Catalogue.files)
    func beginsWithATableOfWhatItMakes(_ file: String) throws {
        let importer = try Catalogue.importer(file)
        guard importer.definition.refusal == nil else { return }
        let head = String(decoding: try Catalogue.bytes(file), as: UTF8.self).split(separator: "\n")
            .prefix { $0.hasPrefix("#") }
        let start = head.firstIndex { $0.contains("becomes") || $0.hasPrefix("# |") }
        #expect((start.map { head[$0...].count } ?? 0) >= 3, "the comment above ‘importer:’ has no table")
    }

    @Test func idsAndAliasesAreUnique() {
        var seen: Set<String> = []
        for importer in Catalogue.importers {
            for id in [importer.id] + importer.aliases { #expect(seen.insert(id).inserted, "\(id)") }
        }
    }

    /// Conservation: whatever a file holds, every record of it is handed over exactly once, by every definition.
    @Test(arguments: Catalogue.files)
    func everyRecordEndsInOneBucket(_ file: String) throws {
        let importer = try Catalogue.importer(file)
        var random = SplitMix64(seed: UInt64(file.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xFFFF))
        for _ in 0..<iterations(12) {
            var lines = Catalogue.sample(of: importer.definition, random: &random)
            for _ in 0..<random.below(4) {
                let junk = [
                    "", ",,,", "junk", "\"open", "Total,1,2", "Disclosure text", "a\tb", "\u{A0}", "x\"y\"z,\"",
                    "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30",
                ]
                lines.insert(junk.randomElement(using: &random) ?? "", at: random.below(lines.count + 1))
            }
            var bytes = Array(lines.joined(separator: random.oneIn(3) ? "\r\n" : "\n").utf8)
            Mutation.mutate(&bytes, times: random.below(4), &random)
            try Self.check(importer, bytes)
        }
    }

    /// Unmutated samples give records for most of what the engine was shown.
    @Test(arguments: Catalogue.files)
    func samplesAreRecognised(_ file: String) throws {
        let importer = try Catalogue.importer(file)
        guard importer.definition.detectLines.isEmpty, importer.definition.refusal == nil else { return }
        var random = SplitMix64(seed: 3)
        let lines = Catalogue.sample(of: importer.definition, random: &random)
        let sink = try run(importer, lines.joined(separator: "\n"))
        #expect(sink.outcomes.contains("header") || importer.definition.layout != nil, "\(lines.first ?? "")")
    }

    /// What the invented files hold is read, not only passed over: else the properties here would say nothing.
    @Test func samplesHoldRecords() throws {
        var random = SplitMix64(seed: 73)
        var silent: [String] = []
        for importer in Catalogue.importers where importer.definition.refusal == nil {
            var count = 0
            for _ in 0..<16 {
                for table in Catalogue.tables(of: importer.definition, random: &random) {
                    let delimiter = importer.definition.numbers.decimal == UInt8(ascii: ",") ? ";" : ","
                    let sink = try run(
                        importer,
                        table.map { $0.map(Catalogue.quoted).joined(separator: delimiter) }.joined(separator: "\n"))
                    count += sink.records.count + sink.rows.count
                }
                let sink = try run(
                    importer, Catalogue.sample(of: importer.definition, random: &random).joined(separator: "\n"))
                count += sink.records.count + sink.rows.count
            }
            if count == 0 { silent.append(importer.id) }
        }
        #expect(silent.count * 4 <= Catalogue.importers.count, "\(silent)")
    }

    /// Columns in another order, with unknown ones among them, give the same records.
    @Test(arguments: Catalogue.files)
    func orderOfColumnsDoesNotMatter(_ file: String) throws {
        let importer = try Catalogue.importer(file)
        var random = SplitMix64(seed: 71)
        for _ in 0..<iterations(3) {
            for table in Catalogue.tables(of: importer.definition, random: &random) {
                let delimiter = importer.definition.numbers.decimal == UInt8(ascii: ",") ? ";" : ","
                func text(_ rows: [[String]]) -> String {
                    rows.map { $0.map(Catalogue.quoted).joined(separator: delimiter) }.joined(separator: "\n")
                }
                let order = Array(table[0].indices).shuffled(using: &random)
                var permuted = table.map { row in order.map { row[$0] } }
                let place = random.below(order.count + 1)
                for index in permuted.indices { permuted[index].insert(index == 0 ? "Qwertz" : "zzz", at: place) }
                let before = try run(importer, text(table)), after = try run(importer, text(permuted))
                #expect(
                    before.records == after.records && before.rows == after.rows, "\(text(table))\n\(text(permuted))")
            }
        }
    }

    static func check(_ importer: DefinitionImporter, _ bytes: [UInt8]) throws {
        let input = MemoryInput(name: "fuzz.csv", bytes: bytes)
        let sample = try InputSample(input)
        if case .binary = sample.format { return }
        _ = importer.examine(sample)
        let sink = RecordingSink()
        let context = try importer.context(of: input, sample: sample, options: ImportOptions())
        try importer.read(input, sample: sample, context: context, options: ImportOptions(), into: sink)
        let wanted = recordOffsets(bytes, sample)
        #expect(
            sink.offsets.sorted() == wanted, "\(importer.id): \(String(decoding: bytes.prefix(600), as: UTF8.self))")
    }

    /// The same file, mutated at random, against the whole catalogue.
    @Test func mutantsNeverCrash() throws {
        var random = SplitMix64(seed: 59)
        for _ in 0..<iterations(25) {
            guard let source = Catalogue.importers.randomElement(using: &random) else { return }
            var bytes = Array(Catalogue.sample(of: source.definition, random: &random).joined(separator: "\n").utf8)
            Mutation.mutate(&bytes, times: 1 + random.below(8), &random)
            for _ in 0..<4 {
                guard let other = Catalogue.importers.randomElement(using: &random) else { return }
                try Self.check(other, bytes)
            }
            let sample = try InputSample(MemoryInput(name: "x.csv", bytes: bytes))
            _ = Registry(Catalogue.importers.map { $0 as any Importer }).decide(sample)
        }
    }
}

/// Damage that files suffer.
enum Mutation {
    static func mutate(_ bytes: inout [UInt8], times: Int, _ random: inout SplitMix64) {
        for _ in 0..<times where !bytes.isEmpty {
            switch random.below(9) {
            case 0: bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.removeLast(random.below(bytes.count))
            case 2: bytes.insert(UInt8(ascii: "\""), at: random.below(bytes.count))
            case 3: bytes.remove(at: random.below(bytes.count))
            case 4: bytes = bytes.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ";") : $0 }
            case 5: bytes.insert(contentsOf: Array("\n\n,,,\n".utf8), at: random.below(bytes.count))
            case 6: bytes.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: random.oneIn(2) ? 0 : random.below(bytes.count))
            case 7:
                // A line doubled or dropped.
                var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
                let index = random.below(lines.count)
                if random.oneIn(2) { lines.insert(lines[index], at: index) } else { lines.remove(at: index) }
                bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
            default:
                // A cell blanked.
                let start = random.below(bytes.count)
                let end = bytes[start...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
                bytes.removeSubrange(start..<end)
            }
        }
    }
}

/// Every YAML snippet of the language reference uses keys that the reader knows, and every key is explained there.
@Suite struct ReferenceTests {
    static let text = (try? String(contentsOf: Catalogue.folder.appending(path: "README.md"), encoding: .utf8)) ?? ""

    @Test(arguments: DefinitionReader.rootKeys + DefinitionReader.tableKeys + DefinitionReader.ruleKeys)
    func keyIsExplained(_ key: String) {
        #expect(Self.text.contains("\(key):") || Self.text.contains("`\(key)`"), "\(key)")
    }

    @Test(arguments: Expression.Function.allCases.map(\.rawValue) + ["map", "mapOr"])
    func functionIsExplained(_ name: String) { #expect(Self.text.contains("\(name)(")) }

    @Test(arguments: Template.CaptureClass.allCases.filter { $0 != .text }.map(\.rawValue))
    func captureClassIsExplained(_ name: String) { #expect(Self.text.contains("`\(name)`")) }

    @Test(arguments: Condition.Test.allCases.map(\.rawValue))
    func conditionIsExplained(_ name: String) { #expect(Self.text.contains("(\(name))")) }

    @Test(arguments: RecordField.all.subtracting(["exported"]).sorted())
    func fieldIsExplained(_ name: String) { #expect(Self.text.contains("`\(name)`")) }

    @Test(arguments: RecordKind.allCases.map(\.rawValue))
    func kindIsExplained(_ name: String) { #expect(Self.text.contains(name)) }

    /// The snippets that are whole words of the language compile.
    @Test func rowSnippetsCompile() throws {
        let snippets = Self.text.split(separator: "```yaml").dropFirst().map { String($0.prefix(while: { $0 != "`" })) }
        #expect(snippets.count >= 6)
        var compiled = 0
        for snippet in snippets where !snippet.contains("…") {
            let lines = snippet.split(separator: "\n", omittingEmptySubsequences: false)
            guard let first = lines.first(where: { !$0.trimmingCharacters(in: .whitespaces).isEmpty }),
                first.hasPrefix("    ")
            else { continue }
            let body = lines.prefix { !$0.hasPrefix("maps:") }.filter { $0.hasPrefix("    ") }
            let yaml = definition(
                "tables:\n  - columns: {date: Day, amount: Sum}\n    require: [date, amount]\n"
                    + body.joined(separator: "\n") + "\n")
            #expect(throws: Never.self, "\(snippet)") { try importer(yaml) }
            compiled += 1
        }
        #expect(compiled >= 3)
    }
}
