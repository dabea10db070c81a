import Importing
import OpenAlloc

/// What makes two transactions the same: account, date, kind, security, units, price, amount, currency, source id.
struct ContentKey {
    /// What the last key was made of.
    private(set) var bytes: [UInt8] = []
    private var scratch: [UInt8] = []

    /// The key of a row; `salt` keeps rows of unnamed accounts apart by input.
    mutating func key(_ row: borrowing TransactionRow, _ record: borrowing Record, salt: [UInt8]) -> StableHash {
        bytes.removeAll(keepingCapacity: true)
        add(record.bytes(.account))
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

    /// The id of the n-th row of a key.
    mutating func rowID(_ key: StableHash, occurrence: Int) -> StableHash {
        scratch.removeAll(keepingCapacity: true)
        key.appendHex(to: &scratch)
        scratch.append(0x23)
        ExactDecimal(occurrence).append(to: &scratch)
        return StableHash(scratch)
    }

    private mutating func add(_ text: ArraySlice<UInt8>) {
        bytes.append(contentsOf: text)
        separate()
    }

    private mutating func separate() { bytes.append(0x1F) }
}
