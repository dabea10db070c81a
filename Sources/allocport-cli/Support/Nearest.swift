import NearWords

/// What may have been meant by a word of the command line.
enum Nearest {
    /// `, did you mean ‘x’?`, or a semicolon when no word is near.
    static func hint(_ word: String, among words: [String]) -> String {
        NearWords.nearest(to: word, among: words).map { ", did you mean ‘\($0)’?" } ?? ";"
    }
}
