import ArgumentParser

/// What a command was asked to do; made of arguments by the whole parser or, when all words are plain, without it.
protocol PlainRequest: Hashable, Sendable {
    init()
    /// Takes the option that `words` stands at; false when that is for the whole parser to say.
    mutating func takeOption(_ words: inout PlainWords) -> Bool
    /// Takes a file or folder; false when that is for the whole parser to say.
    mutating func takeInput(_ word: String) -> Bool
    /// - Throws: what is wrong with what is asked for.
    func validate() throws
    /// Does it.
    ///
    /// - Throws: `ExitCode`; the reason is said.
    func run() throws
}

/// The arguments of the commands that scripts run for every file, where they can be read in one way only.
///
/// The whole parser looks up a thousand conformances before it reads a word, which takes longer than a small file.
/// What is not wholly plain (another command, an unknown or shortened option, short ones run together, a value that
/// begins with a dash or is missing, nothing, wrong values) is left to it: it has all help and all messages.
/// `PlainWordsTests` holds this to the whole parser.
struct PlainWords {
    private let words: [String]
    private var place = 1
    /// The option as it is written, without `=` and a value.
    private(set) var name = ""
    /// What stood behind `=`.
    private var joined: String?

    /// What the arguments (without the program's name) ask for; nil when that is for the whole parser to say.
    static func request(_ arguments: ArraySlice<String>) -> (any PlainRequest)? {
        switch arguments.first {
        case "convert": PlainWords(words: Array(arguments)).request(ConvertRequest())
        case "detect": PlainWords(words: Array(arguments)).request(DetectRequest())
        case "transform": PlainWords(words: Array(arguments)).request(TransformRequest())
        default: nil
        }
    }

    private init(words: [String]) { self.words = words }

    private func request<Request: PlainRequest>(_ empty: Request) -> Request? {
        var (rest, request) = (self, empty)
        while rest.place < rest.words.count {
            let word = rest.words[rest.place]
            rest.place += 1
            if word.utf8.first == UInt8(ascii: "-"), word != "-" {
                rest.openOption(word)
                guard request.takeOption(&rest) else { return nil }
            } else {
                guard !word.isEmpty, request.takeInput(word) else { return nil }
            }
        }
        // What is wrong is said by the whole parser.
        return (try? request.validate()) == nil ? nil : request
    }

    private mutating func openOption(_ word: String) {
        joined = nil
        name = word
        guard word.utf8.starts(with: "--".utf8), let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return }
        name = String(word[..<sign])
        joined = String(word[word.utf8.index(after: sign)...])
    }

    private mutating func value() -> String? {
        if let joined { return joined.isEmpty ? nil : joined }
        guard place < words.count, let first = words[place].utf8.first, first != UInt8(ascii: "-") else { return nil }
        place += 1
        return words[place - 1]
    }

    /// The option is a flag.
    func flag(_ flag: inout Bool) -> Bool {
        flag = true
        return joined == nil
    }

    /// The option has a value, read as the whole parser reads it.
    mutating func value<Value: ExpressibleByArgument>(_ value: inout Value) -> Bool {
        guard let word = self.value(), let read = Value(argument: word) else { return false }
        value = read
        return true
    }

    /// The same of an option that may be missing.
    mutating func value<Value: ExpressibleByArgument>(_ value: inout Value?) -> Bool {
        guard let word = self.value(), let read = Value(argument: word) else { return false }
        value = read
        return true
    }

    /// The option may come several times.
    mutating func value(addedTo values: inout [String]) -> Bool {
        guard let word = value() else { return false }
        values.append(word)
        return true
    }
}
