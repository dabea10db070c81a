import OpenAlloc

/// Fills of one event put together: several legs of one security and one direction, and the money of all of them.
///
/// Which amount belongs to which fill nobody says; what all of them come to is stated, and that is what is kept.
struct FillSum {
    private let rule: GroupRule

    init(_ rule: GroupRule) { self.rule = rule }

    /// Makes one record of fills without amounts, in the place of their first, and one of their amounts.
    ///
    /// - Returns: false, and nothing is changed, when the legs are not fills of one security in one direction, or the
    ///   amounts not money of one currency that moves the other way.
    func merge(_ records: inout [Record]) -> Bool {
        let fills = records.indices.filter { rule.leaders.contains(records[$0].kind) }
        let amounts = records.indices.filter {
            rule.folds[records[$0].kind] == .amount && records[$0][.amount] != nil
        }
        guard let fill = fills.first, let amount = amounts.first,
            let units = sum(records, fills, .units), let money = sum(records, amounts, .amount),
            units.signum * money.signum < 0,
            fills.allSatisfy({ records[$0][.amount] == nil && isLike(records[$0], records[fill], [.units]) }),
            amounts.allSatisfy({ isLike(records[$0], records[amount], [.amount]) }),
            let fillCosts = costs(records, fills), let amountCosts = costs(records, amounts)
        else { return false }
        records[fill][.units] = units
        records[amount][.amount] = money
        for (number, cost) in fillCosts { records[fill][number] = cost }
        for (number, cost) in amountCosts { records[amount][number] = cost }
        let merged = Set(fills.dropFirst() + amounts.dropFirst())
        records = records.indices.filter { !merged.contains($0) }.map { records[$0] }
        return true
    }

    /// The sum of a number that all of the records have, with one sign.
    private func sum(_ records: [Record], _ places: [Int], _ number: Record.Number) -> ExactDecimal? {
        var total: ExactDecimal?
        for place in places {
            guard let value = records[place][number], !value.isZero else { return nil }
            guard let before = total else {
                total = value
                continue
            }
            guard before.signum == value.signum, let next = before.adding(value) else { return nil }
            total = next
        }
        return total
    }

    /// The sums of what costs the records have.
    private func costs(_ records: [Record], _ places: [Int]) -> [(Record.Number, ExactDecimal)]? {
        var sums: [(Record.Number, ExactDecimal)] = []
        for number in Record.Number.allCases where number.isCost {
            let parts = places.compactMap { records[$0][number] }
            if parts.isEmpty { continue }
            var total = ExactDecimal.zero
            for part in parts {
                guard let next = total.adding(part) else { return nil }
                total = next
            }
            sums.append((number, total))
        }
        return sums
    }

    /// Whether two records differ in nothing that tells events apart, but for the numbers that are summed.
    private func isLike(_ record: Record, _ other: Record, _ summed: [Record.Number]) -> Bool {
        let texts: [Record.Text] = [.account, .symbol, .isin, .cusip, .currency, .priceCurrency, .lot]
        guard record.kind == other.kind, record.isReversal == other.isReversal, record.priceUnit == other.priceUnit,
            record.costsInAmount == other.costsInAmount,
            texts.allSatisfy({ record.bytes($0).elementsEqual(other.bytes($0)) })
        else { return false }
        return Record.Number.allCases.allSatisfy {
            summed.contains($0) || $0.isCost || record[$0] == other[$0] && (record[$0] == nil || $0 == .multiplier)
        }
    }
}
