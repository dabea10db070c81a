import OpenAlloc

/// Lists of one account and time that hold a security differently, so that both count.
struct PositionConflicts {
    /// What is told of it.
    struct Conflict {
        let input: Int
        let other: Int
        /// As rows name it.
        let account: String
        /// The securities, as rows name them.
        let securities: [String]
    }

    private struct Security: Hashable {
        let account: Int
        let name: String
    }

    /// What a security's rows say, by the input whose corrections they are.
    private var contents: [Security: [Int: [StableHash]]] = [:]
    private var names: [Security: String] = [:]
    private var accounts: [Int: String] = [:]
    /// Of each account, whether its newest lists are dated.
    private var isDated: [Int: Bool] = [:]
    private var roots: [Int: Set<Int>] = [:]

    /// Takes a row of the newest lists.
    mutating func note(_ row: StoredRow, _ content: StableHash, account: Int, root: Int, isDated: Bool) {
        let text = row.cells[1].text
        let security = Security(account: account, name: KeyText.folded(text))
        contents[security, default: [:]][root, default: []].append(content)
        // Of several ways to write a name the first in order, whatever row comes first.
        names[security] = min(names[security] ?? text, text)
        let name = row.cells[0].text
        accounts[account] = min(accounts[account] ?? name, name)
        self.isDated[account] = isDated
        roots[account, default: []].insert(root)
    }

    /// The conflicts, in the order of their inputs.
    func found() -> [Conflict] {
        var conflicts: [Conflict] = []
        let byAccount = Dictionary(grouping: contents, by: \.key.account)
        for (account, securities) in byAccount {
            guard let all = roots[account]?.sorted(), all.count > 1 else { continue }
            // Each list is held against the first that has one of its securities.
            var others: [Int: Int] = [:]
            for (_, lists) in securities {
                guard let first = lists.keys.min() else { continue }
                for root in lists.keys where root > first { others[root] = min(others[root] ?? first, first) }
            }
            for root in all {
                guard let other = others[root] else { continue }
                let differing = securities.filter { _, lists in
                    let (one, two) = (lists[other] ?? [], lists[root] ?? [])
                    return isDated[account] == true
                        ? !PositionConflicts.contains(one, two) && !PositionConflicts.contains(two, one)
                        : !PositionConflicts.contains(one, two) || !PositionConflicts.contains(two, one)
                }
                if differing.isEmpty { continue }
                conflicts.append(
                    Conflict(
                        input: root, other: other, account: accounts[account] ?? "",
                        securities: differing.compactMap { names[$0.key] }.sorted()))
            }
        }
        return conflicts.sorted {
            let (one, two) = (($0.input, $0.other, $0.account), ($1.input, $1.other, $1.account))
            return one == two ? $0.securities.lexicographicallyPrecedes($1.securities) : one < two
        }
    }

    /// Whether one has all of the other's, as often.
    private static func contains(_ one: [StableHash], _ other: [StableHash]) -> Bool {
        var counts: [StableHash: Int] = [:]
        for content in one { counts[content, default: 0] += 1 }
        return other.allSatisfy { content in
            counts[content, default: 0] -= 1
            return counts[content, default: 0] >= 0
        }
    }
}
