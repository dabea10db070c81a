import Importing
import OpenAlloc

/// When lists of positions were made: as they or their export say, else by the newest day of their prices, where several
/// lists of an account do not say and tell of the same securities. Of lists of several days, the last day's positions
/// count.
struct PositionDates {
    /// The positions of one account in one input, with the corrections of it.
    private struct List: Hashable {
        let account: Int
        let root: Int
    }

    private struct Undated {
        var pricedAt: Instant?
        var securities: Set<StableHash> = []
    }

    private struct Days: Hashable {
        let list: List
        /// Cash stands in a section of its own, which may end on another day.
        let isCash: Bool
    }

    private let times: [ListTime?]
    private let corrected: [Int]
    private var undated: [List: Undated] = [:]
    private var dates: [List: ListTime] = [:]
    private var lastDays: [Days: Instant] = [:]
    /// Of lists that name their days.
    private var ownTimes: [List: ListTime] = [:]

    init(times: [ListTime?], corrected: [Int]) {
        self.times = times
        self.corrected = corrected
    }

    private func list(of row: StoredRow, _ account: Int) -> List { List(account: account, root: corrected[row.input]) }

    private func days(of row: StoredRow, _ account: Int) -> Days {
        Days(list: list(of: row, account), isCash: KeyText.folded(row.cells[1].text) == "core")
    }

    /// Takes a row into account.
    ///
    /// - Parameters:
    ///   - pricedAt: the cell in which it says of which day it is.
    ///   - hasSeveralInputs: whether lists are to be told apart.
    mutating func note(_ row: StoredRow, account: Int, pricedAt place: Int, hasSeveralInputs: Bool) {
        if row.flags.contains(.coversDays), let day = row.cells[place].moment {
            let days = days(of: row, account)
            lastDays[days] = max(lastDays[days] ?? day, day)
        }
        guard hasSeveralInputs, times[row.input] == nil, !row.flags.contains(.coversSecurityOnly) else { return }
        var list = undated.removeValue(forKey: list(of: row, account)) ?? Undated()
        if let day = row.cells[place].moment { list.pricedAt = max(list.pricedAt ?? day, day) }
        list.securities.insert(StableHash(Array(KeyText.folded(row.cells[1].text).utf8)))
        undated[self.list(of: row, account)] = list
    }

    /// Dates the lists of accounts all of whose undated lists have a day and hang together by their securities; others
    /// may be parts of one whole.
    mutating func decide() {
        for (account, lists) in Dictionary(grouping: undated, by: \.key.account) where lists.count > 1 {
            guard lists.allSatisfy({ $0.value.pricedAt != nil }),
                PositionDates.hangTogether(lists.map(\.value.securities))
            else { continue }
            for (list, undated) in lists {
                dates[List(account: account, root: list.root)] = undated.pricedAt.map { ListTime(exportedAt: $0) }
            }
        }
        undated = [:]
        // A list that names its days is of the last of them, whenever it was exported.
        for (days, day) in lastDays {
            guard let time = times[days.list.root] else { continue }
            let own = ListTime(listedAt: day, exportedAt: time.exportedAt)
            ownTimes[days.list] = max(ownTimes[days.list] ?? own, own)
        }
    }

    private static func hangTogether(_ sets: [Set<StableHash>]) -> Bool {
        guard var whole = sets.first else { return true }
        var rest = Array(sets.dropFirst())
        while let next = rest.firstIndex(where: { !$0.isDisjoint(with: whole) }) {
            whole.formUnion(rest.remove(at: next))
        }
        return rest.isEmpty
    }

    /// When the list of a row was made; nil if nothing tells.
    func date(of row: StoredRow, account: Int) -> ListTime? {
        let time = times[row.input]
        if dates.isEmpty && ownTimes.isEmpty || row.flags.contains(.coversSecurityOnly) { return time }
        let list = list(of: row, account)
        return ownTimes[list] ?? time ?? dates[list]
    }

    /// Whether a row is of an earlier day than the last of its list.
    func isPast(_ row: StoredRow, account: Int, pricedAt place: Int) -> Bool {
        guard row.flags.contains(.coversDays), let day = row.cells[place].moment,
            let last = lastDays[days(of: row, account)]
        else { return false }
        return day < last
    }
}
