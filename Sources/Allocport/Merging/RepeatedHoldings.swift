import OpenAlloc

/// Holdings that two inputs list of what looks like one account by two names, so that both count.
struct RepeatedHoldings {
    /// What is told of it: holdings are no rows that could be left out one by one.
    struct Found {
        var holdings: Int
        var rows: RepeatedRows
    }

    private struct Holding: Hashable {
        let security: String
        let units: ExactDecimal
    }

    private struct List {
        let name: AccountName
        var holdings: [Holding: Int] = [:]
        /// How many are of which input.
        var inputs: [Int: Int] = [:]
        var count = 0
    }

    /// More accounts are not held against each other.
    private static let mostAccounts = 256

    private var lists: [List] = []
    private let importers: [String?]

    init(_ positions: PositionTable, _ importers: [String?]) {
        self.importers = importers
        var places: [String: Int] = [:]
        positions.forEachHeld { row, account, security, units in
            let text = String(decoding: account.bytes, as: UTF8.self)
            let isAssumed = row.flags.contains(.accountAssumed)
            let key = (isAssumed ? "\u{0}" : "") + text
            let place = places[key] ?? lists.count
            if place == lists.count {
                places[key] = place
                lists.append(List(name: AccountName(text, isAssumed: isAssumed)))
            }
            let holding = Holding(
                security: KeyText.folded(String(decoding: security.bytes, as: UTF8.self)), units: units)
            lists[place].holdings[holding, default: 0] += 1
            lists[place].inputs[row.input, default: 0] += 1
            lists[place].count += 1
        }
    }

    /// Of each two names what both hold, where that is at least half of one.
    func find() -> [Found] {
        if lists.count > RepeatedHoldings.mostAccounts { return [] }
        var found: [Found] = []
        for (place, first) in lists.enumerated() {
            for second in lists[(place + 1)...] {
                guard let likeness = first.name.likeness(second.name), likeness != .same,
                    Set(first.inputs.keys).isDisjoint(with: second.inputs.keys), areOfOneBrokerage(first, second)
                else { continue }
                let equals = first.holdings.reduce(0) { $0 + min($1.value, second.holdings[$1.key] ?? 0) }
                let least = likeness == .likely ? 1 : 2
                guard equals >= least, equals * 2 >= min(first.count, second.count) else { continue }
                let (one, two) = (side(first, equals), side(second, equals))
                let isOrdered = one.input > two.input
                let rows = RepeatedRows(
                    side: isOrdered ? one : two, other: isOrdered ? two : one, trades: 0, payments: 0, hasLots: false)
                found.append(Found(holdings: equals, rows: rows))
            }
        }
        return found.sorted {
            ($0.rows.side.input, $0.rows.other.input, $0.rows.side.account.text)
                < ($1.rows.side.input, $1.rows.other.input, $1.rows.side.account.text)
        }
    }

    private func side(_ list: List, _ equals: Int) -> RepeatedRows.Side {
        let input = list.inputs.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
        return RepeatedRows.Side(
            input: input, inputCount: list.inputs.count, more: list.count - equals, account: list.name)
    }

    private func areOfOneBrokerage(_ first: List, _ second: List) -> Bool {
        let (one, two) = (brokerages(first), brokerages(second))
        return !one.isDisjoint(with: two) || one.contains("ofx") || two.contains("ofx")
    }

    private func brokerages(_ list: List) -> Set<String> {
        Set(list.inputs.keys.compactMap { importers[$0].map { String($0.prefix { $0 != "." }) } })
    }
}
