import Importing
import OpenAlloc

// Units that a line states and that its rows would not have, or have with the other sign.
extension RecordChecks {
    /// Money moves, none is stated, and units are: a dividend in shares, a reinvestment or shares paid in, of which the
    /// line's words do not tell. A row of no money would lose them, unless another record of the line has them.
    ///
    /// - Throws: the finding that rejects the line.
    static func requireUse(ofUnits records: UnsafeBufferPointer<Record>) throws(Finding) {
        for index in records.indices where losesUnits(records[index]) {
            if records.contains(where: { movesUnits($0.kind) }) { return }
            throw Finding(
                .actionUnknown, column: "units", value: records[index][.units]?.description ?? "",
                reason: "units stand here without money, and whether they came or went, and why, is not told",
                suggestion: "Write the event into an openalloc.transaction.csv of your own; if nothing happened, take "
                    + "the units out of the line.")
        }
    }

    /// Whether rows of a record have its units as such.
    private static func movesUnits(_ kind: RecordKind) -> Bool {
        switch kind.shape {
        case .income, .cash, .misc, .security, .account: false
        default: true
        }
    }

    /// Whether a record's rows are but money, of which it says that there was none, while it states units.
    private static func losesUnits(_ record: borrowing Record) -> Bool {
        guard statesUnitsAlone(record), let units = record[.units] else { return false }
        // What so many units pay at their price may come to less than a hundredth.
        guard let price = record[.price], !price.isZero, let each = try? Money.unitPrice(price, of: record),
            let money = units.multiplied(by: each)
        else { return true }
        return money.magnitude >= Money.hundredth
    }

    /// The same whatever the price is: kinds and signs decide. Costs alone are money, too.
    private static func statesUnitsAlone(_ record: borrowing Record) -> Bool {
        guard !movesUnits(record.kind), let amount = record[.amount], amount.isZero, let units = record[.units],
            !units.isZero
        else { return false }
        for cost in [Record.Number.commission, .fees, .tax] {
            if let value = record[cost], !value.isZero { return false }
        }
        return true
    }

    /// Whether rows of a class may lose units.
    static func mayLoseUnits(_ records: [Record]) -> Bool {
        records.contains { statesUnitsAlone($0) } && !records.contains { movesUnits($0.kind) }
    }

    /// Whether the units of a purchase have a minus, though nothing says that one is taken back.
    static func areUnitsTurned(_ record: borrowing Record) -> Bool {
        record.kind.shape == .bought && !record.isReversal && record[.units]?.isNegative ?? false
    }

    /// The units count as bought: the word says so, and money that came in would have rejected the line.
    static func turnedUnits(_ record: borrowing Record) -> Finding {
        Finding(
            .signContradicts, column: "units", value: record[.units]?.description ?? "",
            reason: "units do not go out when a security is bought; the action counts, not the sign",
            suggestion: "Check whether the line takes an earlier one back.")
    }
}
