import Importing
import OpenAlloc

/// Rows as inputs tell them, where a run has several kinds of reports, to be held against each other when all are read:
/// what two reports tell in other words, with other digits or of an account that they name differently is no overlap
/// that rows show, and stands twice.
struct ToldRows {
    /// What is the same in many rows.
    struct Topic: Hashable {
        enum Sort: UInt8 { case trade, lot, cash }

        let sort: Sort
        /// Index of the account.
        let account: Int32
        /// Index of the security; −1 for none.
        let security: Int32
    }

    /// One row, in 24 bytes.
    struct Row {
        let numbers: ToldNumbers
        /// An earlier input has an equal row, which stands.
        let isMerged: Bool
        let topic: Int32
        let day: Int32

        /// Nil where the units have too many digits.
        init?(topic: Int32, day: Int, units: ExactDecimal, price: ExactDecimal?, isMerged: Bool) {
            guard let numbers = ToldNumbers(units: units, price: price) else { return nil }
            self.numbers = numbers
            (self.topic, self.day, self.isMerged) = (topic, Int32(clamping: day), isMerged)
        }
    }

    /// Of an input with more rows, or of more inputs, the first are held against others.
    private static let most = 1 << 16, mostOfAll = 1 << 18
    private var count = 0

    private(set) var accounts: [AccountName] = []
    private(set) var topics: [Topic] = []
    /// The rows of each input.
    private(set) var rows: [[Row]]
    private var accountPlaces: [[UInt8]: Int32] = [:]
    private var securityPlaces: [[UInt8]: Int32] = [:]
    private var topicPlaces: [Topic: Int32] = [:]

    init(inputCount: Int) { rows = Array(repeating: [], count: inputCount) }

    /// Takes a row; `isMerged` when an earlier input has it.
    mutating func take(_ row: borrowing TransactionRow, _ record: borrowing Record, input: Int, isMerged: Bool) {
        guard hasRoom(input), let topic = topic(of: row, record), let day = record[.tradedAt]?.civil.date.daysSinceEpoch
        else { return }
        take(row.units, row.price, of: topic, day: day, input: input, isMerged: isMerged)
    }

    /// The same of a row whose topic is known.
    mutating func take(
        _ units: ExactDecimal, _ price: ExactDecimal?, of topic: Int32, day: Int, input: Int, isMerged: Bool
    ) {
        guard hasRoom(input), !units.isZero,
            let row = Row(topic: topic, day: day, units: units, price: price, isMerged: isMerged)
        else { return }
        rows[input].append(row)
        count += 1
    }

    /// Takes a row of a table, whose cells say what it is; `values` has all columns.
    mutating func take(cells values: [AllocValue], input: Int, isMerged: Bool) {
        guard hasRoom(input), case .date(let moment) = values[TablePlace.date],
            case .decimal(let units) = values[TablePlace.units]
        else { return }
        let action = values[TablePlace.action].text
        let security = values[TablePlace.security].text
        let isTrade = action == "buysell" || action == "transfer" && !security.isEmpty
        let isLot = values[TablePlace.kind].text == RecordKind.closedLot.rawValue
        let sort: Topic.Sort = isLot ? .lot : isTrade ? .trade : .cash
        let name = values[TablePlace.account].text
        let account = ToldRows.place(of: Array(name.utf8), in: &accountPlaces)
        if account == accounts.count { accounts.append(AccountName(name, isAssumed: false)) }
        let letters = sort == .cash ? [] : security.utf8.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }
        let topic = place(
            of: Topic(
                sort: sort, account: account,
                security: letters.isEmpty ? -1 : ToldRows.place(of: letters, in: &securityPlaces)))
        var price: ExactDecimal?
        if case .decimal(let number) = values[TablePlace.price] { price = number }
        take(
            units, price, of: topic, day: moment.civil.date.daysSinceEpoch, input: input, isMerged: isMerged)
    }

    /// Where the columns of a table's row stand.
    private enum TablePlace {
        static let (action, date, account) = (place("txnAction"), place("txnTransactedAt"), place("txnAccountID"))
        static let (security, units) = (place("txnSecurityID"), place("txnShareCount"))
        static let (price, kind) = (place("txnSharePrice"), place("kind"))

        private static func place(_ name: String) -> Int { Schema.transaction.index(of: name) ?? 0 }
    }

    private func hasRoom(_ input: Int) -> Bool { rows[input].count < ToldRows.most && count < ToldRows.mostOfAll }

    /// What a row is of; nil for one that is split off, as costs are.
    mutating func topic(of row: borrowing TransactionRow, _ record: borrowing Record) -> Int32? {
        if row.action == .miscflow, row.kind != record.kind { return nil }
        let (action, kind, hasSecurity) = (row.action, row.kind, row.hasSecurity)
        let isTrade = action == .buysell || action == .transfer && hasSecurity
        let sort: Topic.Sort = kind == .closedLot ? .lot : isTrade ? .trade : .cash
        let key = (record.isAccountAssumed ? [0] : []) + record.bytes(.account)
        let account = ToldRows.place(of: key, in: &accountPlaces)
        if account == accounts.count {
            accounts.append(AccountName(record.string(.account), isAssumed: record.isAccountAssumed))
        }
        let text = sort == .cash ? [] : TransactionTable.security(of: record).map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }
        let security = text.isEmpty ? -1 : ToldRows.place(of: text, in: &securityPlaces)
        return place(of: Topic(sort: sort, account: account, security: security))
    }

    private mutating func place(of topic: Topic) -> Int32 {
        let place = ToldRows.place(of: topic, in: &topicPlaces)
        if place == topics.count { topics.append(topic) }
        return place
    }

    private static func place<Key: Hashable>(of key: Key, in places: inout [Key: Int32]) -> Int32 {
        if let place = places[key] { return place }
        let place = Int32(truncatingIfNeeded: places.count)
        places[key] = place
        return place
    }
}
