import NearWords

/// What may have been meant.
enum Suggestion {
    /// `did you mean ‘columns’?`, or else the words there are.
    static func hint(for word: String, among words: [String]) -> String {
        if let nearest = NearWords.nearest(to: word, among: words) { return "did you mean ‘\(nearest)’?" }
        guard !words.isEmpty else { return "remove it" }
        return "use one of: " + words.joined(separator: ", ")
    }
}
