/// What may have been meant.
enum Suggestion {
    /// `did you mean ‘columns’?`, or else the words there are.
    static func hint(for word: String, among words: [String]) -> String {
        if let nearest = nearest(to: word, among: words) { return "did you mean ‘\(nearest)’?" }
        guard !words.isEmpty else { return "remove it" }
        return "use one of: " + words.joined(separator: ", ")
    }

    /// The first of the words with the fewest edits to `word`, if these are at most a third of its letters.
    static func nearest(to word: String, among words: [String]) -> String? {
        let sought = Array(word.lowercased().utf8.prefix(64))
        var best: (word: String, distance: Int)?
        for candidate in words {
            let distance = distance(sought, Array(candidate.lowercased().utf8.prefix(64)))
            if distance <= max(1, max(sought.count, candidate.utf8.count) / 3), distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.word
    }

    /// The edits from one to the other, where a swap of neighbours counts as one (optimal string alignment).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let change = last[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(change, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
