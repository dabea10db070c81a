import OpenAlloc

/// Trades that two kinds of reports of one account tell of, each in its own way: their rows differ, in the time of day or
/// the price's digits, so that no overlap is seen and both stand.
struct LikeTrades: Equatable {
    /// The input that is told of it, the one with most of them, and one with the most of the others.
    var input: Int
    var other: Int
    /// Days of a security with the same units in both.
    var count: Int
}

extension HeldUnits {
    /// Two importers that read files of one account.
    private struct Pair: Hashable {
        var account: StableHash
        var first: String
        var second: String
    }

    /// What the two have in the time that both tell of: days of a security.
    private struct Tally {
        var firsts = 0
        var seconds = 0
        var equals = 0
        /// The inputs of the equal ones.
        var firstInputs: [Int: Int] = [:]
        var secondInputs: [Int: Int] = [:]

        /// A few equal ones may be chance, half of all is none.
        var isLikely: Bool { equals > 0 && equals * 2 >= min(firsts, seconds) }
    }

    /// What an importer's inputs moved of one security on one day.
    private struct Sum {
        var importer: String
        var day: Int
        /// Nil where there is no exact sum.
        var units: ExactDecimal?
        var input: Int
    }

    /// The trades that stand twice, by input.
    ///
    /// - Parameter importers: who reads each input.
    func likeTrades(in importers: [String?]) -> [LikeTrades] {
        let spans = spans(importers)
        var tallies: [Pair: Tally] = [:]
        for flow in flows {
            guard let spans = spans[flow.account], spans.count > 1 else { continue }
            let sums = HeldUnits.sums(flow, importers)
            for (place, sum) in sums.enumerated() {
                for (other, span) in spans where other != sum.importer && span.contains(sum.day) {
                    let isFirst = sum.importer < other
                    let pair = Pair(
                        account: flow.account, first: isFirst ? sum.importer : other,
                        second: isFirst ? other : sum.importer)
                    if isFirst {
                        tallies[pair, default: Tally()].firsts += 1
                    } else {
                        tallies[pair, default: Tally()].seconds += 1
                    }
                }
                // Sums of one day stand side by side.
                for second in sums[(place + 1)...].prefix(while: { $0.day == sum.day }) {
                    guard let units = sum.units, !units.isZero, units == second.units else { continue }
                    let pair = Pair(account: flow.account, first: sum.importer, second: second.importer)
                    tallies[pair, default: Tally()].equals += 1
                    tallies[pair]?.firstInputs[sum.input, default: 0] += 1
                    tallies[pair]?.secondInputs[second.input, default: 0] += 1
                }
            }
        }
        // Of several accounts in the same two inputs, one word is enough.
        var counts: [[Int]: Int] = [:]
        for tally in tallies.values where tally.isLikely {
            guard let first = HeldUnits.most(tally.firstInputs), let second = HeldUnits.most(tally.secondInputs) else {
                continue
            }
            counts[[max(first, second), min(first, second)], default: 0] += tally.equals
        }
        return counts.map { LikeTrades(input: $0.key[0], other: $0.key[1], count: $0.value) }
            .sorted { ($0.input, $0.other) < ($1.input, $1.other) }
    }

    /// From when to when each importer's inputs tell of trades of an account.
    private func spans(_ importers: [String?]) -> [StableHash: [String: ClosedRange<Int>]] {
        var spans: [StableHash: [String: ClosedRange<Int>]] = [:]
        for flow in flows {
            for move in flow.moves {
                guard let importer = importers[move.input] else { continue }
                let known = spans[flow.account]?[importer] ?? move.day...move.day
                spans[flow.account, default: [:]][importer] =
                    min(known.lowerBound, move.day)...max(known.upperBound, move.day)
            }
        }
        return spans
    }

    /// What each importer's inputs moved a day, by day and importer.
    private static func sums(_ flow: Flow, _ importers: [String?]) -> [Sum] {
        var sums: [Sum] = []
        let moves = flow.moves.compactMap { move in
            importers[move.input].map { Sum(importer: $0, day: move.day, units: move.units, input: move.input) }
        }
        for move in moves.sorted(by: { ($0.day, $0.importer, $0.input) < ($1.day, $1.importer, $1.input) }) {
            if let last = sums.last, last.day == move.day, last.importer == move.importer {
                if let units = last.units, let more = move.units { sums[sums.count - 1].units = units.adding(more) }
            } else {
                sums.append(move)
            }
        }
        return sums
    }

    /// The input that stands most often, the last one of several.
    private static func most(_ counts: [Int: Int]) -> Int? {
        counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }
}
