import Importing
import OpenAlloc

/// The positions of all inputs: of each account the newest export's, equal ones told apart by lot.
struct PositionTable {
    private(set) var rows: [StoredRow] = []
    private let columnCount = Schema.holding.columns.count
    private let rowID = Schema.holding.index(of: "rowID")

    mutating func take(_ row: StoredRow) { rows.append(row) }

    /// Empties the table: the rows that stand, in row order, and those that a newer or equal export makes superfluous.
    ///
    /// - Parameters:
    ///   - exportedAt: when each input was exported.
    ///   - corrected: of each input the one whose rejects it corrects, else itself: the two count as one.
    mutating func settle(
        exportedAt: [Instant?], corrected: [Int]
    ) -> (kept: [StoredRow], dropped: [StoredRow]) {
        var (kept, dropped, contents, accounts) = divide(exportedAt, corrected)
        // Nobody else has the values any more: they are changed where they stand.
        tellApart(&kept, contents, accounts)
        return (kept, dropped)
    }

    /// The rows that stand and those that do not, in row order, and of the former what they say and whose they are. The
    /// table is empty then.
    private mutating func divide(
        _ exportedAt: [Instant?], _ corrected: [Int]
    ) -> (kept: [StoredRow], dropped: [StoredRow], contents: [StableHash], accounts: [String]) {
        let rows = rows
        self.rows = []
        var owners = Owners(tellsSecurities: rows.contains(where: \.coversSecurityOnly))
        let keys = rows.map { owners.key(of: $0) }
        let newest = Newest(rows, keys, exportedAt)
        let occurrences = OccurrenceTable()
        var contents = [StableHash](repeating: .none, count: rows.count)
        var isKept = [Bool](repeating: false, count: rows.count)
        let order = inOrder(rows.indices) { left, right in
            let inputs = (corrected[rows[left].input], corrected[rows[right].input])
            return inputs.0 != inputs.1 ? inputs.0 < inputs.1 : StoredRow.precedes(rows[left], rows[right])
        }
        var bytes: [UInt8] = []
        for index in order where newest.has(rows[index], keys[index], exportedAt[rows[index].input]) {
            // Exports of one moment may overlap: the union keeps twins of one input, not copies from two.
            contents[index] = content(of: rows[index], keys[index].name, &bytes)
            isKept[index] = occurrences.count(contents[index], input: corrected[rows[index].input]).isKept
        }
        let places = inOrder(rows.indices) { StoredRow.precedes(rows[$0], rows[$1]) }
        var kept: [StoredRow] = []
        var dropped: [StoredRow] = []
        kept.reserveCapacity(rows.count)
        for index in places {
            if isKept[index] { kept.append(rows[index]) } else { dropped.append(rows[index]) }
        }
        let which = places.filter { isKept[$0] }
        return (kept, dropped, which.map { contents[$0] }, which.map { keys[$0].name })
    }

    /// Places in an order in which they mostly are already.
    private func inOrder(_ places: Range<Int>, _ precedes: (Int, Int) -> Bool) -> [Int] {
        if zip(places, places.dropFirst()).allSatisfy({ !precedes($1, $0) }) { return Array(places) }
        return places.sorted(by: precedes)
    }

    /// The account of a row, and its security where that matters, as numbers.
    private struct Key {
        /// The account, folded.
        var name: String
        var account: Int
        var security: Int
    }

    /// Accounts and securities by name.
    private struct Owners {
        let tellsSecurities: Bool
        private var accounts: [String: Int] = [:]
        private var securities: [String: Int] = [:]

        init(tellsSecurities: Bool) { self.tellsSecurities = tellsSecurities }

        mutating func key(of row: StoredRow) -> Key {
            let name = PositionTable.account(of: row)
            let account = Owners.number(of: name, &accounts)
            if !tellsSecurities { return Key(name: name, account: account, security: -1) }
            let security = "\(name)\u{1F}\(StoredTable.folded(row.values[1].text))"
            return Key(name: name, account: account, security: Owners.number(of: security, &securities))
        }

        private static func number(of name: String, _ numbers: inout [String: Int]) -> Int {
            if let known = numbers[name] { return known }
            numbers[name] = numbers.count
            return numbers.count - 1
        }
    }

    /// When the newest list of each account was made, and the newest list of a single security of it.
    private struct Newest {
        private var accounts: [Int: Instant?] = [:]
        private var securities: [Int: Instant?] = [:]

        init(_ rows: [StoredRow], _ keys: [Key], _ exportedAt: [Instant?]) {
            for (row, key) in zip(rows, keys) {
                let date = exportedAt[row.input]
                if row.coversSecurityOnly {
                    Newest.note(date, key.security, &securities)
                } else {
                    Newest.note(date, key.account, &accounts)
                }
            }
        }

        private static func note(_ date: Instant?, _ key: Int, _ dates: inout [Int: Instant?]) {
            if let known = dates[key], !isOlder(known, date) { return }
            dates[key] = .some(date)
        }

        /// Whether a row's list is the newest that tells of its security. A list of one moment for the security alone
        /// (its lots) says more than the account's.
        func has(_ row: StoredRow, _ key: Key, _ date: Instant?) -> Bool {
            let account = accounts[key.account]
            let security = securities[key.security]
            if row.coversSecurityOnly {
                if let account, Newest.isOlder(date, account) { return false }
                return security == .some(date)
            }
            if let security, !Newest.isOlder(security, date) { return false }
            return account == .some(date)
        }

        private static func isOlder(_ left: Instant?, _ right: Instant?) -> Bool {
            guard let right else { return false }
            guard let left else { return true }
            return left < right
        }
    }

    private static func account(of row: StoredRow) -> String {
        let name = StoredTable.folded(row.values[0].text)
        return row.isAccountAssumed ? "\(name)\u{1F}\(row.input)" : name
    }

    private func content(of row: StoredRow, _ account: String, _ bytes: inout [UInt8]) -> StableHash {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: account.utf8)
        for index in 1..<max(1, min(row.values.count, columnCount)) {
            bytes.append(0x1F)
            row.values[index].append(to: &bytes)
        }
        return StableHash(bytes)
    }

    /// Gives rows of equal account, security and lot a number as their lot id, and every row its `rowID`.
    ///
    /// - Parameters:
    ///   - contents: what rows say, before some of them get a number.
    ///   - accounts: whose they are.
    private func tellApart(_ rows: inout [StoredRow], _ contents: [StableHash], _ accounts: [String]) {
        var counts: [String: Int] = [:]
        counts.reserveCapacity(rows.count)
        let ids = OccurrenceTable()
        var bytes: [UInt8] = []
        for index in rows.indices {
            bytes.removeAll(keepingCapacity: true)
            for value in rows[index].values.prefix(3) { StoredTable.append(folded: value, to: &bytes) }
            let key = String(decoding: bytes, as: UTF8.self)
            let number = counts[key, default: 0] + 1
            counts[key] = number
            var content = contents[index]
            if number > 1, !rows[index].isVerbatim {
                rows[index].values[2] = .string(rows[index].values[2].text + "#\(number)")
                content = self.content(of: rows[index], accounts[index], &bytes)
            }
            guard let place = rowID, place < rows[index].values.count else { continue }
            bytes.removeAll(keepingCapacity: true)
            content.appendHex(to: &bytes)
            let occurrence = ids.count(content, input: 0).occurrence
            bytes.append(0x23)
            bytes.append(contentsOf: String(occurrence).utf8)
            var text: [UInt8] = []
            StableHash(bytes).appendHex(to: &text)
            rows[index].values[place] = .string(String(decoding: text, as: UTF8.self))
        }
    }
}
