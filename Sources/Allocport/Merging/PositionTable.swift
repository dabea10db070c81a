import Importing
import OpenAlloc

/// The positions of all inputs: of each account the newest export's, equal ones told apart by lot.
struct PositionTable {
    private(set) var rows: [StoredRow] = []
    private let schema = Schema.holding

    mutating func take(_ row: StoredRow) { rows.append(row) }

    /// The rows that stand, in row order, and those that a newer or equal export makes superfluous.
    ///
    /// - Parameters:
    ///   - exportedAt: when each input was exported.
    ///   - corrected: of each input the one whose rejects it corrects, else itself: the two count as one.
    mutating func settle(
        exportedAt: [Instant?], corrected: [Int]
    ) -> (kept: [StoredRow], dropped: [StoredRow]) {
        let newest = Newest(rows, exportedAt)
        let occurrences = OccurrenceTable()
        var isKept = [Bool](repeating: false, count: rows.count)
        let order = rows.indices.sorted { left, right in
            let inputs = (corrected[rows[left].input], corrected[rows[right].input])
            return inputs.0 != inputs.1 ? inputs.0 < inputs.1 : StoredRow.precedes(rows[left], rows[right])
        }
        for index in order where newest.has(rows[index], exportedAt[rows[index].input]) {
            // Exports of one moment may overlap: the union keeps twins of one input, not copies from two.
            let row = rows[index]
            isKept[index] = occurrences.count(content(of: row), input: corrected[row.input]).isKept
        }
        var kept: [StoredRow] = []
        var dropped: [StoredRow] = []
        for (row, isKept) in zip(rows, isKept) {
            if isKept { kept.append(row) } else { dropped.append(row) }
        }
        kept.sort(by: StoredRow.precedes)
        dropped.sort(by: StoredRow.precedes)
        tellApart(&kept)
        return (kept, dropped)
    }

    /// When the newest list of each account was made, and the newest list of a single security of it.
    private struct Newest {
        private var accounts: [String: Instant?] = [:]
        private var securities: [String: Instant?] = [:]

        init(_ rows: [StoredRow], _ exportedAt: [Instant?]) {
            for row in rows {
                let date = exportedAt[row.input]
                if row.coversSecurityOnly {
                    Newest.note(date, PositionTable.security(of: row), &securities)
                } else {
                    Newest.note(date, PositionTable.account(of: row), &accounts)
                }
            }
        }

        private static func note(_ date: Instant?, _ key: String, _ dates: inout [String: Instant?]) {
            if let known = dates[key], !isOlder(known, date) { return }
            dates[key] = .some(date)
        }

        /// Whether a row's list is the newest that tells of its security. A list of one moment for the security alone
        /// (its lots) says more than the account's.
        func has(_ row: StoredRow, _ date: Instant?) -> Bool {
            let account = accounts[PositionTable.account(of: row)]
            let security = securities[PositionTable.security(of: row)]
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

    private static func security(of row: StoredRow) -> String {
        "\(account(of: row))\u{1F}\(StoredTable.folded(row.values[1].text))"
    }

    private func content(of row: StoredRow) -> StableHash {
        var bytes: [UInt8] = Array(PositionTable.account(of: row).utf8)
        for value in row.values.prefix(schema.columns.count).dropFirst() {
            bytes.append(0x1F)
            value.append(to: &bytes)
        }
        return StableHash(bytes)
    }

    /// Gives rows of equal account, security and lot a number as their lot id, and every row its `rowID`.
    private func tellApart(_ rows: inout [StoredRow]) {
        var counts: [String: Int] = [:]
        let ids = OccurrenceTable()
        for index in rows.indices {
            let key = rows[index].values.prefix(3).map { StoredTable.folded($0.text) }.joined(separator: "\u{1F}")
            let number = counts[key, default: 0] + 1
            counts[key] = number
            if number > 1, !rows[index].isVerbatim {
                rows[index].values[2] = .string(rows[index].values[2].text + "#\(number)")
            }
            guard let place = schema.index(of: "rowID"), place < rows[index].values.count else { continue }
            let content = content(of: rows[index])
            var bytes: [UInt8] = []
            content.appendHex(to: &bytes)
            let occurrence = ids.count(content, input: 0).occurrence
            bytes.append(contentsOf: "#\(occurrence)".utf8)
            var text: [UInt8] = []
            StableHash(bytes).appendHex(to: &text)
            rows[index].values[place] = .string(String(decoding: text, as: UTF8.self))
        }
    }
}
