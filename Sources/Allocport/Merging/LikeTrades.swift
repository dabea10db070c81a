import OpenAlloc

/// Trades or dividends that two kinds of reports of one account tell of, each in its own way: their rows differ, in the
/// time of day, the price's digits or the currency, so that no overlap is seen and both stand.
struct LikeTrades: Equatable {
    /// The input that is told of it, the one with most of them, and one with the most of the others.
    var input: Int
    var other: Int
    /// Days of a security with the same units, or money, in both.
    var count: Int
    /// Dividends, not trades.
    var isPaid = false
    /// The other has them some days before or after: it tells of them when they were settled.
    var isApart = false

    /// For the order of warnings.
    var kind: Int { (isPaid ? 2 : 0) + (isApart ? 1 : 0) }
}

extension HeldUnits {
    /// Two importers that read files of one account.
    private struct Pair: Hashable {
        var account: StableHash
        var first: String
        var second: String
        var isPaid: Bool
    }

    /// What a span of days is of.
    private struct Owner: Hashable {
        var account: StableHash
        var isPaid: Bool
    }

    /// Two inputs that are told of once.
    private struct Place: Hashable {
        var input: Int
        var other: Int
        var isPaid: Bool
        var isApart: Bool
    }

    /// Equal ones, and the inputs that they stand in.
    private struct Match {
        var count = 0
        var firstInputs: [Int: Int] = [:]
        var secondInputs: [Int: Int] = [:]

        mutating func add(_ first: Int, _ second: Int) {
            count += 1
            firstInputs[first, default: 0] += 1
            secondInputs[second, default: 0] += 1
        }

        /// A few equal ones may be chance, half of all is none.
        func isLikely(of others: Int) -> Bool { count > 0 && count * 2 >= others }
    }

    /// What the two have in the time that both tell of: days of a security.
    private struct Tally {
        var firsts = 0
        var seconds = 0
        /// The same in the time that both tell of but for a few days.
        var nearFirsts = 0
        var nearSeconds = 0
        /// Of the same day, and where the second has them some days after the first, or before it.
        var same = Match()
        var after = Match()
        var before = Match()

        /// What tells that both have the same ones; one of another day may be chance.
        var likely: (match: Match, isApart: Bool)? {
            if same.isLikely(of: min(firsts, seconds)) { return (same, false) }
            let apart = after.count >= before.count ? after : before
            return apart.count > 1 && apart.isLikely(of: min(nearFirsts, nearSeconds)) ? (apart, true) : nil
        }
    }

    /// What an importer's inputs moved of one security on one day.
    private struct Sum {
        var importer: String
        var day: Int
        /// Nil where there is no exact sum.
        var units: ExactDecimal?
        var input: Int
    }

    /// How many days after its trade a report may have what was settled: two working days, a weekend and a holiday.
    private static let settling = 5

    /// The trades that stand twice, by input.
    ///
    /// - Parameter importers: who reads each input.
    func likeTrades(in importers: [String?]) -> [LikeTrades] {
        let spans = spans(importers)
        var tallies: [Pair: Tally] = [:]
        for flow in flows {
            let owner = Owner(account: flow.account, isPaid: flow.isPaid)
            guard let spans = spans[owner], spans.count > 1 else { continue }
            let sums = HeldUnits.sums(flow, importers)
            for (place, sum) in sums.enumerated() {
                for (other, span) in spans where other != sum.importer {
                    let near = span.lowerBound - HeldUnits.settling...span.upperBound + HeldUnits.settling
                    guard near.contains(sum.day) else { continue }
                    let isFirst = sum.importer < other
                    let pair = Pair(
                        account: flow.account, first: isFirst ? sum.importer : other,
                        second: isFirst ? other : sum.importer, isPaid: flow.isPaid)
                    let common = span.contains(sum.day) ? 1 : 0
                    if isFirst {
                        tallies[pair, default: Tally()].firsts += common
                        tallies[pair]?.nearFirsts += 1
                    } else {
                        tallies[pair, default: Tally()].seconds += common
                        tallies[pair]?.nearSeconds += 1
                    }
                }
                match(sum, sums[(place + 1)...], flow, &tallies)
            }
        }
        // Of several accounts in the same two inputs, one word is enough.
        var counts: [Place: Int] = [:]
        for (pair, tally) in tallies {
            guard let (match, isApart) = tally.likely, let first = HeldUnits.most(match.firstInputs),
                let second = HeldUnits.most(match.secondInputs)
            else { continue }
            let place = Place(
                input: max(first, second), other: min(first, second), isPaid: pair.isPaid, isApart: isApart)
            counts[place, default: 0] += match.count
        }
        return counts.map {
            LikeTrades(
                input: $0.key.input, other: $0.key.other, count: $0.value, isPaid: $0.key.isPaid,
                isApart: $0.key.isApart)
        }
        .sorted { ($0.input, $0.other, $0.kind) < ($1.input, $1.other, $1.kind) }
    }

    /// Finds the equal ones of a sum: those of its day, which stand beside it, and of each other importer the first of the
    /// days after it.
    private func match(_ sum: Sum, _ later: ArraySlice<Sum>, _ flow: Flow, _ tallies: inout [Pair: Tally]) {
        guard let units = sum.units, !units.isZero else { return }
        var found: Set<String> = []
        for other in later.prefix(while: { $0.day <= sum.day + HeldUnits.settling })
        where other.importer != sum.importer && other.units == units && !found.contains(other.importer) {
            found.insert(other.importer)
            let isFirst = sum.importer < other.importer
            let pair = Pair(
                account: flow.account, first: isFirst ? sum.importer : other.importer,
                second: isFirst ? other.importer : sum.importer, isPaid: flow.isPaid)
            let (first, second) = isFirst ? (sum.input, other.input) : (other.input, sum.input)
            if other.day == sum.day {
                tallies[pair, default: Tally()].same.add(first, second)
            } else if isFirst {
                tallies[pair, default: Tally()].after.add(first, second)
            } else {
                tallies[pair, default: Tally()].before.add(first, second)
            }
        }
    }

    /// From when to when each importer's inputs tell of trades of an account.
    private func spans(_ importers: [String?]) -> [Owner: [String: ClosedRange<Int>]] {
        var spans: [Owner: [String: ClosedRange<Int>]] = [:]
        for flow in flows {
            let owner = Owner(account: flow.account, isPaid: flow.isPaid)
            for move in flow.moves {
                guard let importer = importers[move.input] else { continue }
                let known = spans[owner]?[importer] ?? move.day...move.day
                spans[owner, default: [:]][importer] =
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
