/// What may have been meant by a word that nobody knows.
enum Nearest {
    /// `, did you mean ‘x’?`, or a semicolon when no word is near.
    static func hint(_ word: String, among words: [String]) -> String {
        nearest(word, among: words).map { ", did you mean ‘\($0)’?" } ?? ";"
    }

    /// The first of the words with the fewest edits, if these are at most a third of its letters.
    static func nearest(_ word: String, among words: [String]) -> String? {
        let sought = Array(word.lowercased().utf8.prefix(64))
        var best: (word: String, distance: Int)?
        for candidate in words {
            let letters = Array(candidate.lowercased().utf8.prefix(64))
            let distance = edits(sought, letters)
            if distance <= max(1, max(sought.count, letters.count) / 3), distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.word
    }

    /// Insertions, deletions and changes from one word to the other.
    private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let change = last[column] + (letter == other ? 0 : 1)
                current.append(min(change, last[column + 1] + 1, current[column] + 1))
            }
            last = current
        }
        return last[right.count]
    }
}
