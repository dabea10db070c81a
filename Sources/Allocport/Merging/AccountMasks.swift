import OpenAlloc

/// Accounts of one institution that end alike, one of them masked: they may be one.
enum AccountMasks {
    /// What is told of it.
    struct Pair {
        /// The input that names the second of them.
        let input: Int
        let one: String
        let other: String
    }

    /// More accounts of an institution are not held against each other.
    private static let most = 200

    /// The pairs, in the order of the inputs.
    static func found(in table: StoredTable) -> [Pair] {
        guard table.count > 1, let place = table.layout.names.firstIndex(of: "institution") else { return [] }
        var accounts: [String: [(input: Int, name: AccountName)]] = [:]
        table.forEachInOrder { row in
            let name = AccountName(row.cells[0].text, isAssumed: false)
            accounts[KeyText.folded(row.cells[place].text), default: []].append((Int(row.head.pointee.input), name))
        }
        var pairs: [Pair] = []
        for alike in accounts.values where alike.count > 1 && alike.count <= most {
            for (index, one) in alike.enumerated() {
                for other in alike[(index + 1)...] where one.name.likeness(other.name) == .likely {
                    pairs.append(Pair(input: other.input, one: one.name.text, other: other.name.text))
                }
            }
        }
        return pairs.sorted { ($0.input, $0.one, $0.other) < ($1.input, $1.one, $1.other) }
    }
}
