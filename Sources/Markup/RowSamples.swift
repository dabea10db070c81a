/// Rows of a shape that were looked at, to find out which values they have in common.
struct RowSamples {
    /// The bytes of the first of them, and its values there.
    private var first: [UInt8] = []
    private var values: [Range<Int>] = []
    /// Whether all have had this value.
    private var isCommon: [Bool] = []
    private var count = 0
    /// Nothing more is to be found out.
    private(set) var isDone = false

    /// Looks at one more row; the values that so many rows have in common, side by side, once there are so many.
    mutating func take(
        _ way: RowTrie.Way, _ memory: UnsafePointer<UInt8>, from start: Int, end: Int, wanted: Int
    ) -> [Range<Int>] {
        if count == 0 {
            first = Array(UnsafeBufferPointer(start: memory + start, count: end - start))
            values = way.values.map { $0.lowerBound - start..<$0.upperBound - start }
            // Blanks after a value are no part of it, nor of the tags.
            isCommon = values.indices.map { way.values[$0].upperBound == way.ends[$0] }
        }
        guard way.values.count == values.count else { return [] }
        for (place, value) in way.values.enumerated() where isCommon[place] {
            let bytes = UnsafeBufferPointer(start: memory + value.lowerBound, count: value.count)
            isCommon[place] = value.upperBound == way.ends[place] && first[values[place]].elementsEqual(bytes)
        }
        count += 1
        guard count == wanted else { return [] }
        isDone = true
        var runs: [Range<Int>] = []
        for place in isCommon.indices where isCommon[place] {
            if let last = runs.last, last.upperBound == place {
                runs[runs.count - 1] = last.lowerBound..<place + 1
            } else {
                runs.append(place..<place + 1)
            }
        }
        first = []
        return runs
    }
}
