import Testing

@testable import Importing

@Suite struct ExampleDigitsTests {
    /// What follows from the numbers of both examples is never the same in both, and none of their numbers.
    @Test func nothingFollowsFromThem() {
        let indices = 0..<12
        let numbers = (0..<2).map { variant in indices.map { Int(RecordClass.exampleDigits($0, variant)) } }
        #expect(numbers.allSatisfy { $0.allSatisfy { $0 % 10 != 0 && $0 > 1_000_000 && $0 < 10_000_000 } })
        #expect(Set(numbers.flatMap(\.self)).count == 2 * indices.count)
        // Sums of up to four, with signs, held against each number.
        for signs in Self.sums(of: indices.count) {
            let sums = numbers.map { numbers in signs.reduce(0) { $0 + $1.sign * numbers[$1.index] } }
            for index in indices where !(signs.count == 1 && signs[0].index == index) {
                let (first, second) = (numbers[0][index], numbers[1][index])
                // The quotient of one example times the number of the other.
                #expect(sums[0] * second != sums[1] * first, "\(signs) \(index)")
                #expect(sums[0] % first != 0 && sums[1] % second != 0, "\(signs) \(index)")
            }
        }
    }

    private static func sums(of count: Int) -> [[(index: Int, sign: Int)]] {
        var sums: [[(index: Int, sign: Int)]] = []
        func grow(_ sum: [(index: Int, sign: Int)], from index: Int) {
            if !sum.isEmpty { sums.append(sum) }
            guard sum.count < 4 else { return }
            for next in index..<count { for sign in [1, -1] { grow(sum + [(next, sign)], from: next + 1) } }
        }
        grow([], from: 0)
        return sums
    }
}
