import Importing
import OpenAlloc

/// The positions of all inputs: of each account the newest export's, equal ones told apart by lot.
struct PositionTable {
    private(set) var rows: [StoredRow] = []
    private let schema = Schema.holding

    mutating func take(_ row: StoredRow) { rows.append(row) }

    /// The rows that stand, in row order, and those that a newer or equal export makes superfluous.
    ///
    /// - Parameter exportedAt: when each input was exported.
    mutating func settle(exportedAt: [Instant?]) -> (kept: [StoredRow], dropped: [StoredRow]) {
        var newest: [String: Instant?] = [:]
        for row in rows {
            let key = account(of: row)
            let date = exportedAt[row.input]
            if let known = newest[key], !PositionTable.isOlder(known, date) { continue }
            newest[key] = date
        }
        var kept: [StoredRow] = []
        var dropped: [StoredRow] = []
        var occurrences = OccurrenceTable()
        for row in rows.sorted(by: StoredRow.precedes) {
            let isNewest = newest[account(of: row)] == .some(exportedAt[row.input])
            // Exports of one moment may overlap: the union keeps twins of one input, not copies from two.
            if isNewest, occurrences.count(content(of: row), input: row.input).isKept {
                kept.append(row)
            } else {
                dropped.append(row)
            }
        }
        tellApart(&kept)
        return (kept, dropped)
    }

    private static func isOlder(_ left: Instant?, _ right: Instant?) -> Bool {
        guard let right else { return false }
        guard let left else { return true }
        return left < right
    }

    private func account(of row: StoredRow) -> String {
        let name = StoredTable.folded(row.values[0].text)
        return row.isAccountAssumed ? "\(name)\u{1F}\(row.input)" : name
    }

    private func content(of row: StoredRow) -> StableHash {
        var bytes: [UInt8] = Array(account(of: row).utf8)
        for value in row.values.prefix(schema.columns.count).dropFirst() {
            bytes.append(0x1F)
            value.append(to: &bytes)
        }
        return StableHash(bytes)
    }

    /// Gives rows of equal account, security and lot a number as their lot id, and every row its `rowID`.
    private func tellApart(_ rows: inout [StoredRow]) {
        var counts: [String: Int] = [:]
        var ids = OccurrenceTable()
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
