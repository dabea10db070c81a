/// Which of some words may have been meant by one that nobody knows.
public enum NearWords {
    /// Words are told apart by so many bytes; what is longer is no slip of a finger.
    private static let mostLetters = 64

    /// The first of the words with the fewest edits to `word`, whatever their case, if these are at most a third of the
    /// letters of the longer one.
    public static func nearest(to word: String, among words: [String]) -> String? {
        let sought = Array(word.lowercased().utf8.prefix(mostLetters))
        var best: (word: String, distance: Int)?
        for candidate in words {
            let letters = Array(candidate.lowercased().utf8.prefix(mostLetters))
            let distance = distance(sought, letters)
            if distance <= max(1, max(sought.count, letters.count) / 3), distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.word
    }

    /// The insertions, deletions and changes from one to the other, where a swap of neighbours counts as one (optimal
    /// string alignment); the time it takes grows with the product of the lengths.
    public static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
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
