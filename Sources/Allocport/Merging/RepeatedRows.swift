import OpenAlloc

/// What two inputs tell twice of one account, each in its own way.
struct RepeatedRows: Equatable {
    /// One of the two: the input that has most of it, and how many of its kind have some.
    struct Side: Equatable {
        var input: Int
        var inputCount: Int
        /// How many entries it has that the other does not.
        var more: Int
        var account: AccountName
    }

    var side: Side
    var other: Side
    /// Days of a security with the same units in both.
    var trades: Int
    /// Payments of the same amount: dividends, interest, deposits, fees.
    var payments: Int
    /// Whether some of it are lots of a report of gains here, and their sales there.
    var hasLots: Bool
}

/// Looks for rows that two kinds of reports tell of one account.
struct RepeatFinder {
    let told: ToldRows
    /// Who reads each input.
    let importers: [String?]

    /// The inputs of one kind that tell of an account.
    private struct Teller: Hashable {
        let importer: String
        let account: Int32
        var inputs: [Int]

        /// Who wrote the export.
        var brokerage: Substring { importer.prefix { $0 != "." } }
        /// OFX is everybody's, and so are tables of an earlier run.
        var isAnybodys: Bool { brokerage == "ofx" || isTable }
        /// Sales of a table give no way to their lots.
        var isTable: Bool { brokerage == "openalloc" }
    }

    /// More names of accounts, or more inputs of one kind and account, are not held against each other.
    private static let mostNames = 256, mostInputs = 64

    /// All that stands twice, by input.
    func find() -> [RepeatedRows] {
        var found: [RepeatedRows] = []
        let tellers = tellers
        for (place, first) in tellers.enumerated() {
            if first.inputs.count > 1, first.inputs.count <= RepeatFinder.mostInputs { found += repeats(within: first) }
            for second in tellers[(place + 1)...] {
                guard let likeness = likeness(first, second) else { continue }
                // Of accounts that may be two, one equal row says little, and one payment alone.
                let isDoubtful = likeness < .likely
                let repeats = repeats(
                    first, second, leastDays: likeness == .possible ? 2 : 1, leastPayments: isDoubtful ? 2 : 1)
                if let repeats { found.append(repeats) }
            }
        }
        return RepeatFinder.joined(found)
    }

    /// The tellers, those of one account side by side.
    private var tellers: [Teller] {
        var inputs: [Teller: [Int]] = [:]
        for (input, rows) in told.rows.enumerated() {
            guard let importer = importers[input] else { continue }
            for account in Set(rows.map { told.topics[Int($0.topic)].account }) {
                inputs[Teller(importer: importer, account: account, inputs: []), default: []].append(input)
            }
        }
        return inputs.map { Teller(importer: $0.key.importer, account: $0.key.account, inputs: $0.value) }
            .sorted { ($0.account, $0.importer) < ($1.account, $1.importer) }
    }

    private func likeness(_ first: Teller, _ second: Teller) -> AccountName.Likeness? {
        if first.account == second.account { return .same }
        guard told.accounts.count <= RepeatFinder.mostNames,
            first.brokerage == second.brokerage || first.isAnybodys || second.isAnybodys
        else { return nil }
        return told.accounts[Int(first.account)].likeness(told.accounts[Int(second.account)])
    }

    /// Files of one kind and account: equal rows were seen, but the brokerage may write them in another way now.
    private func repeats(within teller: Teller) -> [RepeatedRows] {
        // Rows of accounts that are assumed are counted by `account.assumed`.
        if told.accounts[Int(teller.account)].isAssumed { return [] }
        var found: [RepeatedRows] = []
        let days = teller.inputs.map { input in
            told.rows[input].reduce(into: (first: Int32.max, last: Int32.min)) { days, row in
                days = (min(days.first, row.day), max(days.last, row.day))
            }
        }
        for (place, first) in teller.inputs.enumerated() {
            for (number, second) in teller.inputs.enumerated().dropFirst(place + 1)
            where days[place].first <= days[number].last && days[number].first <= days[place].last {
                var (one, two) = (teller, teller)
                (one.inputs, two.inputs) = ([first], [second])
                // The day on which one ends and the other begins is told by both, each of its own hours.
                if let repeats = repeats(one, two, leastDays: 2, leastPayments: 2) { found.append(repeats) }
            }
        }
        return found
    }

    private func repeats(
        _ first: Teller, _ second: Teller, leastDays: Int, leastPayments: Int
    ) -> RepeatedRows? {
        var one = RowMatch.Side(told, first.inputs, first.account)
        var two = RowMatch.Side(told, second.inputs, second.account)
        RowMatch.Side.cancelMerged(&one, &two)
        let isOneAccount = first.account == second.account && !told.accounts[Int(first.account)].isAssumed
        let matchesLots = isOneAccount && !first.isTable && !second.isTable
        let trades = RowMatch.trades(&one.trades, &two.trades, matchesLots: matchesLots)
        let payments = RowMatch.payments(&one.payments, &two.payments)
        let likely = [trades, payments].filter(\.isLikely)
        let tradeCount = trades.isLikely ? trades.equals : 0
        let paymentCount = payments.isLikely ? payments.equals : 0
        let days = likely.reduce(into: Set<Int32>()) { $0.formUnion($1.days) }
        guard days.count >= leastDays, tradeCount > 0 || paymentCount >= leastPayments else { return nil }
        func side(_ teller: Teller, _ side: RowMatch.Side, _ inputs: [[Int: Int]]) -> RepeatedRows.Side {
            let counts = inputs.reduce(into: [Int: Int]()) { $0.merge($1, uniquingKeysWith: +) }
            let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? teller.inputs[0]
            return RepeatedRows.Side(
                input: most, inputCount: counts.count, more: side.unmatched,
                account: told.accounts[Int(teller.account)])
        }
        let firstSide = side(first, one, likely.map(\.firstInputs))
        let secondSide = side(second, two, likely.map(\.secondInputs))
        let isOrdered = firstSide.input > secondSide.input
        return RepeatedRows(
            side: isOrdered ? firstSide : secondSide, other: isOrdered ? secondSide : firstSide,
            trades: tradeCount, payments: paymentCount, hasLots: tradeCount > 0 && trades.lots > 0)
    }

    /// Of several accounts in the same two inputs, one word is enough.
    private static func joined(_ found: [RepeatedRows]) -> [RepeatedRows] {
        var joined: [[Int]: RepeatedRows] = [:]
        for repeats in found {
            let key = [repeats.side.input, repeats.other.input]
            guard var known = joined[key] else {
                joined[key] = repeats
                continue
            }
            known.trades += repeats.trades
            known.payments += repeats.payments
            known.hasLots = known.hasLots || repeats.hasLots
            known.side.more += repeats.side.more
            known.other.more += repeats.other.more
            known.side.inputCount = max(known.side.inputCount, repeats.side.inputCount)
            known.other.inputCount = max(known.other.inputCount, repeats.other.inputCount)
            joined[key] = known
        }
        return joined.values.sorted { ($0.side.input, $0.other.input) < ($1.side.input, $1.other.input) }
    }
}
