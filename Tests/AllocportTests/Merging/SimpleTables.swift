import OpenAlloc

@testable import Allocport

/// A row of values, as plain as it can be.
struct SimpleRow {
    var values: [AllocValue]
    var input: Int
    var line: Int
    var ordinal = 0
    var isVerbatim = false
    var isAccountAssumed = false
    /// The input of which the account was assumed, where the row's own corrects it.
    var corrects: Int?
    var coversSecurityOnly = false
    var coversDays = false
    var pricedAt: Instant?

    static func precedes(_ left: SimpleRow, _ right: SimpleRow) -> Bool {
        (left.input, left.line, left.ordinal) < (right.input, right.line, right.ordinal)
    }

    static func folded(_ value: AllocValue) -> String { KeyText.folded(value.text) }
}

/// What `StoredTable` does, with an array of values a row and a dictionary of texts.
struct SimpleTable {
    private(set) var rows: [SimpleRow] = []
    private(set) var conflicts: [String] = []
    private var places: [String: Int] = [:]
    private let id: SchemaID
    private let columns: [Column]
    private let updatedAt: Int?

    init(_ id: SchemaID) {
        self.id = id
        columns = id.schema.allColumns
        updatedAt = id.schema.index(of: "updatedAt")
    }

    /// False when the row's key is there.
    mutating func take(_ row: SimpleRow) -> Bool {
        let key = columns.indices.filter { columns[$0].isKey }.map { SimpleRow.folded(row.values[$0]) }
            .joined(separator: "\u{1F}")
        guard let place = places[key] else {
            places[key] = rows.count
            rows.append(row)
            return true
        }
        merge(row, into: place)
        return false
    }

    private static func isProvenance(_ column: Column) -> Bool {
        ["sourceMetaID", "sourceLine", "rowID"].contains(column.name)
    }

    private mutating func merge(_ row: SimpleRow, into place: Int) {
        let old = rows[place]
        var (isNewer, isTold) = (false, false)
        for (index, column) in columns.enumerated()
        where !SimpleTable.isProvenance(column) && !row.values[index].isBlank {
            if old.values[index].isBlank {
                rows[place].values[index] = row.values[index]
            } else if !column.isKey, old.values[index] != row.values[index] {
                let moves = ["sharePrice", "updatedAt", "description"].contains(column.name)
                if moves, isStale(row, old) { continue }
                rows[place].values[index] = row.values[index]
                isNewer = true
                let isSpelling =
                    id == .security && column.name == "title"
                    && SecurityTitles.mayNameOne(old.values[index].text, row.values[index].text)
                if !isTold, !moves, !isSpelling {
                    isTold = true
                    let origin = old.input == row.input ? "same" : "other"
                    conflicts.append("\(column.name) \(old.values[index].text) \(row.values[index].text) \(origin)")
                }
            }
        }
        guard isNewer else { return }
        for (index, column) in columns.enumerated() where SimpleTable.isProvenance(column) {
            rows[place].values[index] = row.values[index]
        }
        (rows[place].input, rows[place].line, rows[place].ordinal) = (row.input, row.line, row.ordinal)
    }

    private func isStale(_ new: SimpleRow, _ old: SimpleRow) -> Bool {
        guard let updatedAt, case .date(let newer) = new.values[updatedAt],
            case .date(let older) = old.values[updatedAt]
        else { return false }
        return newer < older
    }
}

/// What `PositionTable` does, row by row and account by account.
struct SimplePositions {
    private(set) var rows: [SimpleRow] = []

    mutating func take(_ row: SimpleRow) { rows.append(row) }

    private static func account(_ row: SimpleRow) -> String {
        let name = SimpleRow.folded(row.values[0])
        return row.isAccountAssumed ? "\(name)\u{1F}\(row.corrects ?? row.input)" : name
    }

    private static func security(_ row: SimpleRow) -> String {
        account(row) + "\u{1F}" + SimpleRow.folded(row.values[1])
    }

    private static func content(_ row: SimpleRow) -> StableHash {
        var bytes = Array(account(row).utf8)
        for value in row.values[1..<6] {
            bytes.append(0x1F)
            value.append(to: &bytes)
        }
        return StableHash(bytes)
    }

    private static func isOlder(_ left: ListTime?, _ right: ListTime?) -> Bool {
        guard let right else { return false }
        return left.map { $0 < right } ?? true
    }

    /// When the list of a row was made.
    private func date(_ row: SimpleRow, _ exportedAt: [Instant?], _ corrected: [Int]) -> ListTime? {
        let root = corrected[row.input]
        // The last day that a list names goes before its export.
        let days = rows.filter {
            $0.coversDays && corrected[$0.input] == root && Self.account($0) == Self.account(row)
        }
        if !row.coversSecurityOnly, let last = days.compactMap(\.pricedAt).max(), let time = exportedAt[root] {
            return ListTime(listedAt: last, exportedAt: time)
        }
        if exportedAt[row.input] != nil || row.coversSecurityOnly {
            return exportedAt[row.input].map { ListTime(exportedAt: $0) }
        }
        var lists: [Int: [SimpleRow]] = [:]
        for other in rows
        where exportedAt[other.input] == nil && !other.coversSecurityOnly && Self.account(other) == Self.account(row) {
            lists[corrected[other.input], default: []].append(other)
        }
        guard lists.count > 1, lists.values.allSatisfy({ $0.contains { $0.pricedAt != nil } }) else { return nil }
        // Each list is reached from the first over shared securities.
        var reached: Set<Int> = [lists.keys.min() ?? 0]
        for _ in lists {
            let known = Set(reached.flatMap { lists[$0, default: []].map(Self.security) })
            for (list, rows) in lists where rows.contains(where: { known.contains(Self.security($0)) }) {
                reached.insert(list)
            }
        }
        guard reached.count == lists.count else { return nil }
        return lists[root]?.compactMap(\.pricedAt).max().map { ListTime(exportedAt: $0) }
    }

    private func isPast(_ row: SimpleRow, _ corrected: [Int]) -> Bool {
        func isCash(_ row: SimpleRow) -> Bool { SimpleRow.folded(row.values[1]) == "core" }
        guard row.coversDays, let day = row.pricedAt else { return false }
        return rows.contains { other in
            other.coversDays && corrected[other.input] == corrected[row.input] && isCash(other) == isCash(row)
                && Self.account(other) == Self.account(row) && other.pricedAt.map { $0 > day } == true
        }
    }

    private func newest(
        _ exportedAt: [Instant?], _ corrected: [Int], where isOf: (SimpleRow) -> Bool
    ) -> ListTime?? {
        rows.filter { isOf($0) && !isPast($0, corrected) }.map { date($0, exportedAt, corrected) }
            .reduce(nil) { known, date in known.map { Self.isOlder($0, date) ? date : $0 } ?? .some(date) }
    }

    private func isNewest(_ row: SimpleRow, _ exportedAt: [Instant?], _ corrected: [Int]) -> Bool {
        if isPast(row, corrected) { return false }
        let date = date(row, exportedAt, corrected)
        let (account, security) = (Self.account(row), Self.security(row))
        let ofAccount = newest(exportedAt, corrected) { !$0.coversSecurityOnly && Self.account($0) == account }
        let ofSecurity = newest(exportedAt, corrected) { $0.coversSecurityOnly && Self.security($0) == security }
        if row.coversSecurityOnly {
            if let ofAccount, Self.isOlder(date, ofAccount) { return false }
            return ofSecurity == .some(date)
        }
        if let ofSecurity, !Self.isOlder(ofSecurity, date) { return false }
        return ofAccount == .some(date)
    }

    /// The rows that stand, with their ids, and how many do not.
    func settled(_ exportedAt: [Instant?], _ corrected: [Int]) -> (kept: [(row: SimpleRow, id: StableHash)], gone: Int)
    {
        var joined = self
        for place in rows.indices { joined.rows[place].corrects = corrected[rows[place].input] }
        // A correction of a list with more than one security's rows is a part of it.
        let asTaken = joined.rows
        for (place, row) in asTaken.enumerated() where row.coversSecurityOnly && corrected[row.input] != row.input {
            let isPart = asTaken.contains {
                !$0.coversSecurityOnly && corrected[$0.input] == corrected[row.input]
                    && Self.account($0) == Self.account(row)
            }
            if isPart { joined.rows[place].coversSecurityOnly = false }
        }
        return joined.settledJoined(exportedAt, corrected)
    }

    private func settledJoined(
        _ exportedAt: [Instant?], _ corrected: [Int]
    ) -> (kept: [(row: SimpleRow, id: StableHash)], gone: Int) {
        let ordered = rows.enumerated().sorted {
            let (left, right) = (corrected[$0.element.input], corrected[$1.element.input])
            if left != right { return left < right }
            if SimpleRow.precedes($0.element, $1.element) { return true }
            return !SimpleRow.precedes($1.element, $0.element) && $0.offset < $1.offset
        }
        let occurrences = OccurrenceTable()
        var isKept = [Bool](repeating: false, count: rows.count)
        for (place, row) in ordered where isNewest(row, exportedAt, corrected) {
            isKept[place] = occurrences.count(Self.content(row), input: corrected[row.input]).isKept
        }
        let kept = rows.enumerated().filter { isKept[$0.offset] }.sorted {
            if SimpleRow.precedes($0.element, $1.element) { return true }
            return !SimpleRow.precedes($1.element, $0.element) && $0.offset < $1.offset
        }
        var counts: [String: Int] = [:]
        let ids = OccurrenceTable()
        var result: [(row: SimpleRow, id: StableHash)] = []
        for (_, row) in kept {
            var row = row
            let key = row.values.prefix(3).map(SimpleRow.folded).joined(separator: "\u{1F}")
            let number = counts[key, default: 0] + 1
            counts[key] = number
            if number > 1, !row.isVerbatim { row.values[2] = .string(row.values[2].text + "#\(number)") }
            let content = Self.content(row)
            result.append((row, content.numbered(ids.count(content, input: 0).occurrence)))
        }
        return (result, rows.count - kept.count)
    }
}
