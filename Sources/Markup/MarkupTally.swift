/// How many elements a reader met, and the sum of their depths.
struct MarkupTally: Equatable {
    private(set) var elements = 0
    private(set) var depths = 0

    mutating func add(_ depth: Int) {
        elements += 1
        depths += depth
    }
}
