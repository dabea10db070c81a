import Importing
import OpenAlloc

/// What makes two transactions the same: account, date, kind, security, units, price, amount, currency, source id.
struct ContentKey {
    /// What the last key was made of.
    private(set) var bytes: [UInt8] = []
    /// Where the salt of the last row stands in them.
    private var saltPlace = 0..<0

    /// What keeps rows of one account's name apart: those of unnamed accounts by input, others by the part of a number.
    static func salt(of record: borrowing Record, input: [UInt8]) -> [UInt8] {
        record.isAccountAssumed ? input : salt(of: record.accountPart)
    }

    private static func salt(of part: Record.AccountPart) -> [UInt8] { part == .main ? [] : [0x1E, part.rawValue] }

    /// The key of a row; `salt` keeps rows of one account's name apart.
    mutating func key(_ row: borrowing TransactionRow, _ record: borrowing Record, salt: [UInt8]) -> StableHash {
        bytes.removeAll(keepingCapacity: true)
        add(record.bytes(.account))
        saltPlace = bytes.count..<(bytes.count + salt.count)
        add(salt[...])
        record[.tradedAt]?.append(to: &bytes)
        separate()
        var kind = row.kind.rawValue
        kind.withUTF8 { bytes.append(contentsOf: $0) }
        separate()
        if row.hasSecurity { bytes.append(contentsOf: TransactionTable.security(of: record)) }
        separate()
        bytes.append(row.action.rawValue)
        row.units.append(to: &bytes)
        separate()
        row.price?.append(to: &bytes)
        separate()
        row.amount?.append(to: &bytes)
        separate()
        bytes.append(contentsOf: TransactionTable.currency(of: record))
        separate()
        add(record.bytes(.sourceTxnID))
        // Lots of one sale differ in nothing else.
        add(record.bytes(.lot))
        if row.kind == .closedLot { record[.acquiredAt]?.append(to: &bytes) }
        return StableHash(bytes)
    }

    /// The key that the row whose key was made last has without its salt.
    mutating func unsalted() -> StableHash {
        bytes.removeSubrange(saltPlace)
        saltPlace = saltPlace.lowerBound..<saltPlace.lowerBound
        return StableHash(bytes)
    }

    /// The key that a row of a table had when a run wrote it, so that it is the row of its export again; nil for a row of
    /// others, and where a value that its id was made of was changed since.
    ///
    /// - Parameter isSource: whether a `sourceMetaID` is that of an input of the run: rows of unnamed accounts are kept
    ///   apart by it.
    mutating func key(written values: [AllocValue], isSource: (String) -> Bool) -> StableHash? {
        guard values.count > WrittenPlace.sourceMetaID, case .string(let stated) = values[WrittenPlace.rowID],
            stated.utf8.count == 32, let action = ContentKey.actions[values[WrittenPlace.action].text]
        else { return nil }
        var salts = Record.AccountPart.allCases.map { ContentKey.salt(of: $0)[...] }
        if case .string(let source) = values[WrittenPlace.sourceMetaID], isSource(source) {
            salts.append(Array(source.utf8)[...])
        }
        for salt in salts {
            let key = key(written: values, action, salt: salt)
            if (1...ContentKey.mostEquals).contains(where: { key.numbered($0).hex == stated }) { return key }
        }
        return nil
    }

    /// Of more equal rows the later ones stand as they are.
    private static let mostEquals = 16

    /// Where the columns of a written row stand.
    private enum WrittenPlace {
        static let action = place("txnAction")
        static let (date, account, lot) = (place("txnTransactedAt"), place("txnAccountID"), place("txnLotID"))
        static let (units, price) = (place("txnShareCount"), place("txnSharePrice"))
        static let (kind, security) = (place("kind"), place("txnSecurityID"))
        static let (amount, currency, sourceTxnID) = (place("amount"), place("currency"), place("sourceTxnID"))
        static let (rowID, sourceMetaID) = (place("rowID"), place("sourceMetaID"))

        private static func place(_ name: String) -> Int { Schema.transaction.index(of: name) ?? 0 }
    }

    private static let actions = Dictionary(
        uniqueKeysWithValues: (UInt8.min...UInt8.max).compactMap(TransactionRow.Action.init).map { ("\($0.word)", $0) })

    private mutating func key(
        written values: [AllocValue], _ action: TransactionRow.Action, salt: ArraySlice<UInt8>
    ) -> StableHash {
        bytes.removeAll(keepingCapacity: true)
        add(values[WrittenPlace.account])
        add(salt)
        add(values[WrittenPlace.date])
        add(values[WrittenPlace.kind])
        add(values[WrittenPlace.security])
        bytes.append(action.rawValue)
        for place in [
            WrittenPlace.units, WrittenPlace.price, WrittenPlace.amount, WrittenPlace.currency,
            WrittenPlace.sourceTxnID, WrittenPlace.lot,
        ] { add(values[place]) }
        return StableHash(bytes)
    }

    private mutating func add(_ value: AllocValue) {
        value.append(to: &bytes)
        separate()
    }

    /// The key of a row that stands as it is: all its values but where it came from.
    mutating func key(_ values: ArraySlice<AllocValue>) -> StableHash {
        bytes.removeAll(keepingCapacity: true)
        for value in values {
            value.append(to: &bytes)
            separate()
        }
        return StableHash(bytes)
    }

    /// The account, security and day by which closed lots find their sale.
    mutating func lotKey(_ record: borrowing Record, salt: [UInt8]) -> StableHash {
        bytes.removeAll(keepingCapacity: true)
        add(record.bytes(.account))
        add(salt[...])
        add(TransactionTable.security(of: record))
        record[.tradedAt]?.civil.date.append(to: &bytes)
        return StableHash(bytes)
    }

    private mutating func add(_ text: ArraySlice<UInt8>) {
        bytes.append(contentsOf: text)
        separate()
    }

    private mutating func separate() { bytes.append(0x1F) }
}
