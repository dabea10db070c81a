import OpenAlloc

/// Accounts of one institution whose numbers are the same but for zeros in front. A spreadsheet takes them away when it
/// saves a file, and what is one account becomes two, with all rows that both exports have counted twice.
enum AccountZeros {
    /// What is told of it.
    struct Pair {
        /// The input that names the account without the zeros.
        let input: Int
        let short: String
        let full: String
    }

    private struct Key: Hashable {
        let institution: String
        let digits: Substring
    }

    /// The pairs, in the order of the inputs.
    static func found(in table: StoredTable) -> [Pair] {
        guard table.count > 1, let place = table.layout.names.firstIndex(of: "institution") else { return [] }
        var accounts: [Key: [(input: Int, id: String)]] = [:]
        table.forEachInOrder { row in
            let id = row.cells[0].text
            guard let digits = digits(of: id) else { return }
            let key = Key(institution: KeyText.folded(row.cells[place].text), digits: digits)
            accounts[key, default: []].append((Int(row.head.pointee.input), id))
        }
        var pairs: [Pair] = []
        for alike in accounts.values where alike.count > 1 {
            guard let full = alike.map(\.id).max(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }) else { continue }
            for (input, id) in alike where id != full { pairs.append(Pair(input: input, short: id, full: full)) }
        }
        return pairs.sorted { ($0.input, $0.full, $0.short) < ($1.input, $1.full, $1.short) }
    }

    /// A number without the zeros in front; nil for ids that no spreadsheet takes for one.
    private static func digits(of id: String) -> Substring? {
        guard id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = id.drop { $0 == "0" }
        return digits.isEmpty ? nil : digits
    }
}
