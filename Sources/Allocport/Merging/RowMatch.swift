import OpenAlloc

/// Holds what two sides tell of an account against each other.
enum RowMatch {
    /// What a side tells of a security on a day, or one payment, in 32 bytes.
    struct Event {
        private var numbers: ToldNumbers
        private let sort: ToldRows.Topic.Sort
        var isMatched = false
        let day: Int32
        let security: Int32
        private let inputNumber: Int32

        init(_ row: ToldRows.Row, _ topic: ToldRows.Topic, input: Int) {
            (numbers, sort, day, security) = (row.numbers, topic.sort, row.day, topic.security)
            inputNumber = Int32(truncatingIfNeeded: input)
        }

        var isLot: Bool { sort == .lot }
        var isPayment: Bool { sort == .cash }
        var input: Int { Int(inputNumber) }
        /// Nil where there is no exact sum.
        var units: ExactDecimal? {
            get { numbers.units }
            set { numbers.units = newValue }
        }
        var price: ExactDecimal? { numbers.price }
    }

    /// What both have in the time that both tell of.
    struct Tally {
        var firsts = 0
        var seconds = 0
        var equals = 0
        /// How many of them are a lot on one side and a sale on the other.
        var lots = 0
        var days: Set<Int32> = []
        /// The inputs of the equal ones.
        var firstInputs: [Int: Int] = [:]
        var secondInputs: [Int: Int] = [:]

        /// A few equal ones may be chance, half of all is none.
        var isLikely: Bool { equals > 0 && equals * 2 >= min(firsts, seconds) }

        mutating func note(_ first: Event, _ second: Event) {
            equals += 1
            if first.isLot != second.isLot { lots += 1 }
            days.insert(first.day)
            firstInputs[first.input, default: 0] += 1
            secondInputs[second.input, default: 0] += 1
        }
    }

    /// What the inputs of one kind tell of an account.
    struct Side {
        var trades: [Event] = []
        var payments: [Event] = []
        /// Rows that an earlier input has as well.
        private var merged: [ToldRows.Row] = []
        private let told: ToldRows

        init(_ told: ToldRows, _ inputs: [Int], _ account: Int32) {
            self.told = told
            for input in inputs {
                for row in told.rows[input] {
                    let topic = told.topics[Int(row.topic)]
                    guard topic.account == account else { continue }
                    if row.isMerged {
                        merged.append(row)
                        continue
                    }
                    let event = Event(row, topic, input: input)
                    if event.isPayment { payments.append(event) } else { trades.append(event) }
                }
            }
            Side.sum(&trades)
            payments.sort { ($0.day, $0.input) < ($1.day, $1.input) }
        }

        /// How many entries the other side does not have.
        var unmatched: Int { trades.count { !$0.isMatched } + payments.count { !$0.isMatched } }

        /// Rows that both sides have alike were written once.
        static func cancelMerged(_ one: inout Side, _ two: inout Side) {
            let (first, second) = (one, two)
            one.cancel(second.merged, of: second)
            two.cancel(first.merged, of: first)
        }

        private mutating func cancel(_ rows: [ToldRows.Row], of other: Side) {
            if rows.isEmpty { return }
            var places: [Key: [Int]] = [:]
            for (place, event) in payments.enumerated() { places[Side.key(event), default: []].append(place) }
            for (place, event) in trades.enumerated() { places[Side.key(event), default: []].append(place) }
            // What is there as well was merged with another input of that side.
            let own = Set((other.trades + other.payments).map(Side.key))
            for row in rows {
                let key = key(row)
                guard !own.contains(key), let place = places[key]?.last else { continue }
                if key.security == Side.payment {
                    payments[place].units = nil
                    places[key]?.removeLast()
                } else {
                    trades[place].units = row.numbers.units.flatMap { trades[place].units?.subtracting($0) }
                }
            }
            payments.removeAll { $0.units == nil }
            trades.removeAll { $0.units?.isZero == true }
        }

        private static let payment: Int32 = -3

        private static func key(_ event: Event) -> Key {
            event.isPayment
                ? Key(day: event.day, security: payment, units: event.units)
                : Key(day: event.day, security: event.security, isLot: event.isLot)
        }

        private func key(_ row: ToldRows.Row) -> Key {
            let topic = told.topics[Int(row.topic)]
            return topic.sort == .cash
                ? Key(day: row.day, security: Side.payment, units: row.numbers.units)
                : Key(day: row.day, security: topic.security, isLot: topic.sort == .lot)
        }

        /// The trades of one security and day are one: an order in parts is one trade elsewhere.
        private static func sum(_ trades: inout [Event]) {
            trades.sort {
                ($0.day, $0.security, $0.isLot ? 1 : 0, $0.input) < ($1.day, $1.security, $1.isLot ? 1 : 0, $1.input)
            }
            var count = 0
            for place in trades.indices {
                let trade = trades[place]
                if count > 0, isOneTrade(trades[count - 1], trade) {
                    if let units = trades[count - 1].units, let more = trade.units {
                        trades[count - 1].units = units.adding(more)
                    }
                } else {
                    trades[count] = trade
                    count += 1
                }
            }
            trades.removeLast(trades.count - count)
            trades.removeAll { $0.units?.isZero == true }
        }

        private static func isOneTrade(_ one: Event, _ other: Event) -> Bool {
            one.day == other.day && one.security == other.security && one.isLot == other.isLot
        }
    }

    // MARK: what is the same

    /// Days by which two reports may differ, one telling when it was traded and one when it was paid.
    private static let mostDays: Int32 = 4

    /// - Parameter matchesLots: whether lots stand in the place of sales of their security and day, or were told of.
    static func trades(_ first: inout [Event], _ second: inout [Event], matchesLots: Bool) -> Tally {
        var tally = tally(first, second)
        if matchesLots {
            match(&first, &second, { Key(day: $0.day, security: $0.security) }, { $0.isLot != $1.isLot }) { one, two in
                tally.firsts -= 1
                tally.seconds -= 1
            }
        }
        match(&first, &second, { Key(day: $0.day, security: $0.security, units: $0.units) }, { _, _ in true }) {
            tally.note($0, $1)
        }
        // A fee in coins may be taken off the units.
        match(
            &first, &second, { Key(day: $0.day, security: $0.security) },
            { areNear($0.units, $1.units, within: 100) }
        ) { tally.note($0, $1) }
        // By another name, or a few days later, at the same price; round prices come again.
        match(
            &first, &second, { $0.price?.isInteger == false ? Key(day: $0.day, units: $0.units) : nil },
            { hasPrice($0, $1, within: 1000) }
        ) { tally.note($0, $1) }
        match(
            &first, &second, { $0.price?.isInteger == false ? Key(security: $0.security, units: $0.units) : nil },
            { isNear($0, $1) && hasPrice($0, $1, within: 1000) }
        ) { tally.note($0, $1) }
        return tally
    }

    static func payments(_ first: inout [Event], _ second: inout [Event]) -> Tally {
        var tally = tally(first, second)
        match(&first, &second, { Key(day: $0.day, units: $0.units) }, { _, _ in true }) { tally.note($0, $1) }
        matchSums(&first, &second, &tally)
        // Round amounts come again; others are the same a few days later.
        match(&first, &second, { $0.units?.isInteger == false ? Key(units: $0.units) : nil }, isNear) {
            tally.note($0, $1)
        }
        return tally
    }

    /// What is left of a day: what is one payment here may be one and its tax there.
    private static func matchSums(_ first: inout [Event], _ second: inout [Event], _ tally: inout Tally) {
        let left = Dictionary(grouping: second.indices.filter { !second[$0].isMatched }) { second[$0].day }
        let days = Dictionary(grouping: first.indices.filter { !first[$0].isMatched }) { first[$0].day }
        for (day, ones) in days.sorted(by: { $0.key < $1.key }) {
            guard let twos = left[day], let sum = sum(ones.map { first[$0].units }), !sum.isZero,
                sum == RowMatch.sum(twos.map { second[$0].units })
            else { continue }
            for (one, two) in zip(ones, twos) { tally.note(first[one], second[two]) }
            for one in ones { first[one].isMatched = true }
            for two in twos { second[two].isMatched = true }
            // They count as many as the side with fewer has.
            let most = max(ones.count, twos.count) - min(ones.count, twos.count)
            if ones.count > twos.count { tally.firsts -= most } else { tally.seconds -= most }
        }
    }

    private static func sum(_ numbers: [ExactDecimal?]) -> ExactDecimal? {
        numbers.reduce(.some(.zero)) { sum, number in number.flatMap { sum?.adding($0) } }
    }

    /// How many each has in the time of the other.
    private static func tally(_ first: [Event], _ second: [Event]) -> Tally {
        var tally = Tally()
        guard let one = first.first, let oneEnd = first.last, let two = second.first, let twoEnd = second.last else {
            return tally
        }
        tally.firsts = first.count { two.day <= $0.day && $0.day <= twoEnd.day }
        tally.seconds = second.count { one.day <= $0.day && $0.day <= oneEnd.day }
        return tally
    }

    struct Key: Hashable {
        var day: Int32 = 0
        var security: Int32 = -2
        var isLot = false
        var units: ExactDecimal?
    }

    /// Makes pairs of events that have the same key and fit together; `note` is told of each. Both sides are in the order
    /// of days.
    private static func match(
        _ first: inout [Event], _ second: inout [Event], _ key: (Event) -> Key?, _ fits: (Event, Event) -> Bool,
        note: (Event, Event) -> Void
    ) {
        var chains = EventChains(second, key)
        if chains.isEmpty { return }
        for place in first.indices where !first[place].isMatched && first[place].units != nil {
            let event = first[place]
            guard let wanted = key(event) else { continue }
            let other = chains.first(of: wanted, second, since: event.day - mostDays, until: event.day + mostDays) {
                key($0) == wanted ? fits(event, $0) : nil
            }
            guard let other else { continue }
            first[place].isMatched = true
            second[other].isMatched = true
            note(first[place], second[other])
        }
    }

    private static func isNear(_ one: Event, _ two: Event) -> Bool {
        max(one.day, two.day) - min(one.day, two.day) <= mostDays
    }

    /// Whether the prices differ by no more than so small a part.
    private static func hasPrice(_ one: Event, _ two: Event, within part: ExactDecimal) -> Bool {
        areNear(one.price?.magnitude, two.price?.magnitude, within: part)
    }

    /// Whether two numbers of one sign differ by no more than so small a part of the first.
    private static func areNear(_ one: ExactDecimal?, _ two: ExactDecimal?, within part: ExactDecimal) -> Bool {
        guard let one, let two, !one.isZero, one.signum == two.signum,
            let difference = one.subtracting(two)?.magnitude.multiplied(by: part)
        else { return false }
        return !(one.magnitude < difference)
    }
}
