import Importing
import OpenAlloc

/// Holds the sales of a run against positions that the run knows, and says where more was sold than was held.
///
/// An account's positions at the day of their export are an anchor. What was held after a later sale is the anchor and
/// all units moved since; after an earlier sale, the anchor less all units moved from then on. That is known only where
/// the transactions of the whole time between stand in the run: where inputs cover both days without a gap.
struct HeldUnits {
    /// The units that moved on days next to each other in an input.
    struct Move {
        var day: Int
        var units: ExactDecimal
        /// The line of the first sale, 0 for none.
        var saleLine: Int
        var input: Int
    }

    /// One security of one account.
    struct Flow {
        let key: StableHash
        let account: StableHash
        let symbol: String
        var moves: [Move] = []
        /// Contracts and short sales may go below zero.
        var mayBeShort = false
        /// How many moves there may be before those of one day are joined.
        var bound = 1024
        /// Where the moves of each day since `firstDay` stand, in long flows; −1 for none.
        var places: [Int32] = []
        var firstDay = 0

        /// The move of a day and input that units may be added to; nil for none.
        func place(of day: Int, _ input: Int) -> Int? {
            let index = day - firstDay
            guard index >= 0, index < places.count, places[index] >= 0 else { return nil }
            let place = Int(places[index])
            return moves[place].input == input ? place : nil
        }

        /// Makes one of all moves of a day in an input: memory grows with days, not with rows.
        mutating func join() {
            var joined: [Move] = []
            for move in moves.sorted(by: { ($0.day, $0.input, $0.saleLine) < ($1.day, $1.input, $1.saleLine) }) {
                if let last = joined.last, last.day == move.day, last.input == move.input,
                    let sum = last.units.adding(move.units)
                {
                    joined[joined.count - 1].units = sum
                    if last.saleLine == 0 { joined[joined.count - 1].saleLine = move.saleLine }
                } else {
                    joined.append(move)
                }
            }
            moves = joined
            bound = max(1024, joined.count * 2)
            places = []
            guard let first = joined.first?.day, let last = joined.last?.day, last - first < joined.count * 8 else {
                return
            }
            firstDay = first
            places = [Int32](repeating: -1, count: last - first + 1)
            // Of a day of several inputs, the last one is read now.
            for (place, move) in joined.enumerated() { places[move.day - first] = Int32(truncatingIfNeeded: place) }
        }
    }

    private struct Anchor {
        let day: Int
        var units: [StableHash: ExactDecimal] = [:]

        mutating func add(_ more: ExactDecimal, _ key: StableHash) {
            units[key] = (units[key] ?? .zero).adding(more) ?? more
        }
    }

    private(set) var flows: [Flow] = []
    private var places: [StableHash: Int] = [:]
    /// Of each account, the days that each input's transactions tell of.
    private var days: [StableHash: [Int: ClosedRange<Int>]] = [:]
    private var keyBytes: [UInt8] = []
    /// Positions are printed with fewer digits than trades.
    private static let tolerance = Money.hundredth

    /// A transaction stands in an input, be it kept or not.
    mutating func cover(_ record: borrowing Record, input: Int) {
        guard let day = record[.tradedAt]?.civil.date.daysSinceEpoch, !record.isAccountAssumed else { return }
        cover(account: account(of: record), day: day, input: input)
    }

    /// The same of an account that `account(of:)` named; all days of the input so far.
    @discardableResult
    mutating func cover(account: StableHash, day: Int, input: Int) -> ClosedRange<Int> {
        guard let known = days[account]?[input] else {
            days[account, default: [:]][input] = day...day
            return day...day
        }
        if known.contains(day) { return known }
        let wider = min(known.lowerBound, day)...max(known.upperBound, day)
        days[account]?[input] = wider
        return wider
    }

    /// What stands for the account of a record. One that is assumed is none that a file names, and has no anchors.
    mutating func account(of record: borrowing Record) -> StableHash {
        key(record.bytes(.account), [], isAssumed: record.isAccountAssumed)
    }

    /// Takes a row that stands.
    mutating func take(_ row: borrowing TransactionRow, _ record: borrowing Record, input: Int, line: Int) {
        guard let place = place(of: row, record), let day = record[.tradedAt]?.civil.date.daysSinceEpoch else { return }
        let (units, price) = (row.units, row.price)
        let isSale = HeldUnits.maySell(row.kind) && units.isNegative && price != ExactDecimal.one
        take(units, at: place, day: day, saleLine: isSale ? line : 0, input: input)
        if HeldUnits.mayBeShort(row, record) { flows[place].mayBeShort = true }
    }

    /// Where the moves of a row's security are kept; nil for a row that moves none.
    mutating func place(of row: borrowing TransactionRow, _ record: borrowing Record) -> Int? {
        let action = row.action
        guard row.hasSecurity, action == .buysell || action == .transfer, row.kind != .closedLot else { return nil }
        let security = TransactionTable.security(of: record)
        if security.isEmpty { return nil }
        let key = key(record.bytes(.account), security, isAssumed: record.isAccountAssumed)
        if let place = places[key] { return place }
        places[key] = flows.count
        flows.append(
            Flow(key: key, account: account(of: record), symbol: String(decoding: security, as: UTF8.self)))
        return flows.count - 1
    }

    /// Units that moved at a place; `saleLine` is 0 for what is no sale.
    mutating func take(_ units: ExactDecimal, at place: Int, day: Int, saleLine: Int, input: Int) {
        let last = flows[place].moves.count - 1
        let isLast = last >= 0 && flows[place].moves[last].day == day && flows[place].moves[last].input == input
        if let index = isLast ? last : flows[place].place(of: day, input),
            let sum = flows[place].moves[index].units.adding(units)
        {
            flows[place].moves[index].units = sum
            let known = flows[place].moves[index].saleLine
            if known == 0 || (!isLast && saleLine > 0 && saleLine < known) {
                flows[place].moves[index].saleLine = saleLine
            }
        } else {
            if flows[place].moves.count == flows[place].bound { flows[place].join() }
            flows[place].moves.append(Move(day: day, units: units, saleLine: saleLine, input: input))
        }
    }

    /// Whether a row's units may be a sale. Money funds at 1 stand for cash, which sweeps move without lines.
    static func maySell(_ kind: RecordKind) -> Bool { kind == .sell || kind == .trade }

    static func mayBeShort(_ row: borrowing TransactionRow, _ record: borrowing Record) -> Bool {
        mayBeShort(row.kind) || record.priceUnit == .contract
    }

    private static func mayBeShort(_ kind: RecordKind) -> Bool {
        switch kind {
        case .sellShort, .buyToCover, .sellToOpen, .buyToClose, .expired, .assigned, .exercised: true
        default: false
        }
    }

    /// The warnings, one a security at most: its first sale that leaves less than nothing.
    ///
    /// - Parameters:
    ///   - positions: the holdings of all inputs.
    ///   - days: of which day each input's holdings are, since 1970-01-01.
    func settle(
        positions: PositionTable, days listed: [Int?]
    ) -> [(input: Int, line: Int, finding: Finding)] {
        let anchors = anchors(positions, listed)
        let covered = days.mapValues { HeldUnits.joined($0, listed) }
        var warnings: [(input: Int, line: Int, finding: Finding)] = []
        for flow in flows where !flow.mayBeShort {
            guard let anchors = anchors[flow.account], let spans = covered[flow.account],
                !anchors.contains(where: { $0.units[flow.key]?.isNegative == true })
            else { continue }
            let moves = flow.moves.sorted { ($0.day, $0.input, $0.saleLine) < ($1.day, $1.input, $1.saleLine) }
            guard let sums = Sums(moves) else { continue }
            for move in moves where move.saleLine > 0 {
                guard let held = HeldUnits.held(flow.key, after: move.day, sums, anchors, spans),
                    held.units.isNegative, held.units.magnitude > HeldUnits.tolerance
                else { continue }
                warnings.append((move.input, move.saleLine, HeldUnits.finding(flow.symbol, held.units, held.day)))
                break
            }
        }
        return warnings.sorted { ($0.input, $0.line, $0.finding.reason) < ($1.input, $1.line, $1.finding.reason) }
    }

    /// The units moved up to the end of each day.
    private struct Sums {
        private var days: [Int] = []
        private var totals: [ExactDecimal] = [.zero]

        /// Nil when the units have no exact sum.
        init?(_ moves: [Move]) {
            for move in moves {
                guard let total = totals[days.count].adding(move.units) else { return nil }
                days.append(move.day)
                totals.append(total)
            }
        }

        /// How many moves there were up to the end of a day.
        private func count(to day: Int) -> Int {
            var range = 0..<days.count
            while !range.isEmpty {
                let middle = (range.lowerBound + range.upperBound) / 2
                range = days[middle] <= day ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return range.lowerBound
        }

        func hasMoves(on day: Int) -> Bool { count(to: day) > count(to: day - 1) }

        func total(to day: Int) -> ExactDecimal { totals[count(to: day)] }
    }

    /// What was held at the end of a day, by the positions of which day; nil where the run cannot know it.
    private static func held(
        _ key: StableHash, after day: Int, _ sums: Sums, _ anchors: [Anchor], _ spans: [ClosedRange<Int>]
    ) -> (units: ExactDecimal, day: Int)? {
        let usable = anchors.filter { anchor in
            // Whether a move on an anchor's own day is in it, nothing says.
            !sums.hasMoves(on: anchor.day)
                && spans.contains { $0.contains(day) && $0.contains(anchor.day) }
        }
        guard let anchor = usable.last(where: { $0.day < day }) ?? usable.first(where: { $0.day > day }) else {
            return nil
        }
        let units = (anchor.units[key] ?? .zero).adding(sums.total(to: day))?.adding(-sums.total(to: anchor.day))
        guard let units else { return nil }
        return (units, anchor.day)
    }

    private static func finding(_ symbol: String, _ held: ExactDecimal, _ day: Int) -> Finding {
        let date = CivilDate(daysSinceEpoch: day).map { "\($0)" } ?? ""
        return Finding(
            .positionNegative, column: "units", value: held.description,
            reason: "by the account's positions of \(date), \(held.magnitude) more of \(symbol) were sold than held",
            suggestion: "A purchase, transfer or split may be missing from the files, or it was sold short.")
    }

    /// The positions of each account by day, oldest first.
    private func anchors(_ positions: PositionTable, _ listed: [Int?]) -> [StableHash: [Anchor]] {
        var places: [StableHash: [Int: Anchor]] = [:]
        var copy = self
        positions.forEachHeld { row, account, security, units in
            guard row.flags.isDisjoint(with: [.accountAssumed, .coversSecurityOnly, .coversDays]),
                let day = listed[row.input]
            else { return }
            let account = Array(account.bytes), security = Array(security.bytes)
            let key = copy.key(account[...], security[...])
            let owner = copy.key(account[...], [])
            places[owner, default: [:]][row.input, default: Anchor(day: day)].add(units, key)
        }
        return places.mapValues { byInput in
            byInput.sorted { ($0.value.day, $0.key) < ($1.value.day, $1.key) }.map(\.value)
        }
    }

    /// The days that inputs tell of, each to the day of its holdings or its export; those that touch are one.
    private static func joined(_ byInput: [Int: ClosedRange<Int>], _ listed: [Int?]) -> [ClosedRange<Int>] {
        let spans = byInput.map { input, days in
            days.lowerBound...max(days.upperBound, listed[input] ?? days.upperBound)
        }
        var joined: [ClosedRange<Int>] = []
        for span in spans.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = joined.last, span.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
            } else {
                joined.append(span)
            }
        }
        return joined
    }

    private mutating func key(
        _ account: ArraySlice<UInt8>, _ security: ArraySlice<UInt8>, isAssumed: Bool = false
    ) -> StableHash {
        keyBytes.removeAll(keepingCapacity: true)
        if isAssumed { keyBytes.append(0x1E) }
        keyBytes.append(contentsOf: account)
        keyBytes.append(0x1F)
        keyBytes.append(contentsOf: security)
        return StableHash(keyBytes)
    }
}
