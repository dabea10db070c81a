/// Transactions that a later statement of the same account says again: files in which a program has put one download
/// behind another. Of equal ones as many stand as any one statement has, as where each were an input of its own.
struct OFXRepeats {
    private struct Count {
        var statement: Int
        /// How many the statement at hand has so far, and the most that one before it had.
        var here = 0
        var most = 0
    }

    private var counts: [[UInt8]: Count] = [:]
    private var keys: [[UInt8]] = []

    /// Whether a transaction, by its bytes, stands in an earlier statement of the account of this one.
    mutating func take(_ raw: [UInt8], in statement: Int, of statements: [OFXStatement]) -> Bool {
        guard statement < statements.count, !statements[statement].account.isEmpty else { return false }
        while keys.count <= statement { keys.append(OFXRepeats.key(statements[keys.count])) }
        let key = keys[statement] + raw
        var count = counts[key] ?? Count(statement: statement)
        if count.statement != statement {
            count = Count(statement: statement, most: max(count.most, count.here))
        }
        count.here += 1
        counts[key] = count
        return count.here <= count.most
    }

    /// What statements of one account have in common.
    private static func key(_ statement: OFXStatement) -> [UInt8] {
        [
            Array(statement.sort.rawValue.utf8), statement.accountType, statement.currency, statement.broker,
            statement.account,
        ]
        .flatMap { $0 + [0] }
    }
}
