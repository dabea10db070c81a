import ArgumentParser
import TestSupport
import Testing

@testable import allocport_cli

/// Arguments that are read without the whole parser mean what they mean to it.
struct PlainWordsTests {
    /// Understood without the whole parser.
    static let plain = [
        "convert a.csv -o t", "convert a.csv b.csv --output t", "convert --output=t a.csv", "convert -n a.csv",
        "convert - -o t", "convert a.csv -o t --format ndjson --columns core --fees miscflow",
        "convert a.csv -o t --columns=core --source-url https://x.example/?a=b --importer fidelity.history",
        "convert -q a.csv -o t --jobs 2 b --max-rejects 3", "convert -v --json a.csv -o t --force --verdicts",
        "convert a -o t --importers x --importers y --account X1 --time-zone Europe/Zurich --time-of-day 09:30",
        "convert a -o t --csv-safe --dry-run", "convert a -o t -o u", "convert a -o t -q -q", "convert convert -o t",
        "convert a -o t --jobs 007", "convert help -o t", "convert a -o t --account=-x",
        "detect a", "detect a b --json", "detect --verbose a --importer x --importers y", "detect -v a", "detect -",
        "transform a", "transform - --output-schema transaction", "transform a --importer x --show-rejected-rows",
        "transform a --def-time-of-day 10:00 --time-zone-id UTC --importers x",
    ]

    /// Left to the whole parser, which says what is wrong, helps, or reads what is rare.
    static let left = [
        "", "--help", "--version", "help convert", "list", "schema transaction", "importer lint", "conver a -o t",
        "convert", "convert --help", "convert -h", "convert a", "convert -o t", "convert a -o", "convert a -o -t",
        "convert a --out t", "convert a -ot", "convert -nq a", "convert a -o t --format xml", "convert a -o t --jobs x",
        "convert a -o t --jobs 0", "convert a -o t --max-rejects -1", "convert a -o t -q -v",
        "convert a -o t --unknown",
        "convert a -o t --quiet=true", "convert a -o t --output=", "convert -n -- -a", "convert a -o t --time-of-day 9",
        "convert a -o t --time-zone Nowhere/Else", "convert - - -o t", "convert a -o t -x", "convert a -o=t",
        "convert a -o t --generate-completion-script bash", "detect", "detect a --json -v", "detect a -o t",
        "transform", "transform a b", "transform a --output-schema nonsense", "transform a --def-time-of-day 25:00",
    ]

    static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    /// What the whole parser makes of arguments; nil when it has something to say.
    static func parsed(_ words: [String]) -> (any PlainRequest)? {
        switch try? AllocportCommand.parseAsRoot(words) {
        case let command as ConvertCommand: command.request
        case let command as DetectCommand: command.request
        case let command as TransformCommand: command.request
        default: nil
        }
    }

    static func isSame(_ one: any PlainRequest, _ other: (any PlainRequest)?) -> Bool {
        other.map { AnyHashable(one) == AnyHashable($0) } ?? false
    }

    @Test(arguments: plain) func readsWhatIsPlain(_ line: String) throws {
        let words = Self.words(line)
        let request = try #require(PlainWords.request(words[...]))
        #expect(Self.isSame(request, Self.parsed(words)))
    }

    @Test(arguments: left) func leavesTheRest(_ line: String) {
        #expect(PlainWords.request(Self.words(line)[...]) == nil)
    }

    @Test func emptyWordsAreLeft() {
        for words in [["convert", ""], ["convert", "a", "-o", ""], ["detect", "a", ""], ["transform", ""]] {
            #expect(PlainWords.request(words[...]) == nil)
        }
    }

    /// Every option of the three commands is read, so that none is forgotten here.
    @Test(arguments: ["convert", "detect", "transform"]) func everyOptionIsKnown(_ command: String) throws {
        let help = AllocportCommand.helpMessage(
            for: command == "convert"
                ? ConvertCommand.self : command == "detect" ? DetectCommand.self : TransformCommand.self, columns: 200)
        var names = Set(help.split { !($0.isLetter || $0 == "-") }.filter { $0.hasPrefix("--") }.map(String.init))
        names.subtract(["--version", "--help"])
        #expect(names.count >= 4)
        let values = [nil, "3", "core", "tsv", "miscflow", "UTC", "10:00", "transaction"] as [String?]
        let needed = command == "convert" ? ["-o", "t"] : []
        for name in names {
            let isRead = values.contains { value in
                PlainWords.request(([command, "a"] + needed + [name] + [value].compactMap { $0 })[...]) != nil
            }
            #expect(isRead, "\(command) \(name)")
        }
    }

    /// Whatever words come together: what is read without the whole parser is what it reads.
    @Test func agreesOverRandomWords() {
        let vocabulary = [
            "convert", "detect", "transform", "help", "a.csv", "b", "-", "--", "-o", "--output", "--output=t", "t",
            "-n",
            "-q", "-v", "-nq", "--json", "--jobs", "2", "--jobs=3", "--jobs=", "-1", "--format", "json", "--format=tsv",
            "--columns", "core", "--importer", "--importer=x", "--importers", "--importers=y", "--force", "--dry-run",
            "--quiet", "--max-rejects", "0", "--account", "X", "--time-of-day", "10:00", "--output-schema",
            "transaction", "--show-rejected-rows", "--verbose", "--hel", "-h", "--time-zone", "UTC", "=", "a=b", "-=",
        ]
        var random = SplitMix64(seed: 20_261_121)
        var read = 0
        for _ in 0..<4_000 {
            var words = [["convert", "detect", "transform"].randomElement(using: &random) ?? "convert"]
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                words.append(vocabulary.randomElement(using: &random) ?? "a")
            }
            if words[0] == "convert", Bool.random(using: &random) { words += ["-o", "t"] }
            guard let request = PlainWords.request(words[...]) else { continue }
            read += 1
            #expect(Self.isSame(request, Self.parsed(words)), "\(words)")
        }
        #expect(read > 300)
    }

}
