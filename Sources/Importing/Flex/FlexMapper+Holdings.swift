import Delimited
import Markup
import OpenAlloc

/// Positions, cash, securities and accounts.
extension FlexMapper {
    /// Where a position's lots add up to it, they stand in its place, with the day each was acquired; else the summary.
    mutating func openPosition() throws(Finding) -> OFXVerdict {
        if row.says(.assetCategory, "CASH") { return .skipped("cash.elsewhere") }
        let isLot = row.isLot
        if !isLot, !row.isBlank(.levelOfDetail), !row.says(.levelOfDetail, "SUMMARY") {
            try requireLevel(FlexRow.sums)
            return .skipped("level.notPosition")
        }
        if isSuperseded { return .skipped("position.superseded") }
        let standsInLots = facts.standsInLots(row.key(FlexFacts.positionKey, FlexKey(statement: statement)))
        if isLot != standsInLots { return .skipped(isLot ? "position.inSummary" : "position.inLots") }
        let units = try required(.position)
        begin(.position)
        setSecurity()
        try setPriceUnit()
        records[last][.units] = units
        records[last][.price] = try number(.markPrice)
        records[last][.pricedAt] = try date([.reportDate])
        records[last][.marketValue] = try number(.positionValue)
        let (unitCost, cost) = (try number(.costBasisPrice), try number(.costBasisMoney))
        if try !isWithoutCost(unitCost, cost) {
            records[last][.unitCost] = unitCost
            records[last][.costBasis] = cost
        }
        if try isOfUnknownSize() { try setSize() }
        guard isLot else { return .accepted }
        records[last][.acquiredAt] = try date([.openDateTime])
        set(.lot, row.isBlank(.originatingTransactionID) ? .openDateTime : .originatingTransactionID)
        return .accepted
    }

    /// How many pieces a contract has, by what the position is worth or has cost: its price is one of a piece.
    private mutating func setSize() throws(Finding) {
        let units = try required(.position).magnitude
        let values: [(sum: FlexAttribute, price: FlexAttribute)] = [
            (.positionValue, .markPrice), (.costBasisMoney, .costBasisPrice),
        ]
        for (sum, price) in values {
            guard let sum = try number(sum)?.magnitude, let price = try number(price)?.magnitude, !sum.isZero,
                let pieces = units.multiplied(by: price), let size = sum.divided(by: pieces), size.exact
            else { continue }
            records[last].priceUnit = .contract
            records[last][.multiplier] = size.value
            return
        }
        let isPriced = [records[last][.price], records[last][.unitCost]].contains { $0?.isZero == false }
        if isPriced, !row.says(.assetCategory, "FOP") {
            throw missingSize("neither a multiplier nor the values say what one contract is worth")
        }
    }

    /// Reports of some accounts have 0 for a cost that is not known: with it the gain would not be 0, too.
    private func isWithoutCost(_ unitCost: ExactDecimal?, _ cost: ExactDecimal?) throws(Finding) -> Bool {
        let costs = [unitCost, cost].compactMap(\.self)
        guard !costs.isEmpty, costs.allSatisfy(\.isZero), let gain = try number(.fifoPnlUnrealized) else {
            return false
        }
        guard let value = try number(.positionValue) else { return false }
        return gain.isZero && !value.isZero
    }

    mutating func cashReport() throws(Finding) -> OFXVerdict {
        let account = row.accountKey(statementAccount)
        let base = facts.base(of: account) ?? []
        if row.isBaseSummary, facts.cashByCurrency.contains(account) { return .skipped("level.base") }
        if row.isBlank(.endingCash) { return .skipped("cash.summary") }
        if isSuperseded { return .skipped("balance.superseded") }
        if row.isBaseSummary, base.isEmpty {
            throw finding(
                .currencyUnknown, .currency,
                "the sum of all cash is in the base currency, which the report does not say",
                "Choose Currency Breakout for the section Cash Report of the Flex query, or add Account Information.")
        }
        if !row.isBaseSummary { return try cash(required(.endingCash), .currency) }
        // The query asks for no more than the sum of all currencies.
        let verdict = try cash(required(.endingCash), .currency)
        records[last].set(.currency, utf8: base)
        records[last].set(.lot, utf8: base)
        return verdict
    }

    mutating func fxPosition() throws(Finding) -> OFXVerdict {
        if facts.hasCashReport { return .skipped("cash.elsewhere") }
        if row.says(.levelOfDetail, "LOT") { return .skipped("level.notPosition") }
        if isSuperseded { return .skipped("balance.superseded") }
        return try cash(required(.quantity), .fxCurrency)
    }

    private mutating func cash(_ amount: ExactDecimal, _ currency: FlexAttribute) throws(Finding) -> OFXVerdict {
        if row.isBlank(currency) { throw missing(currency) }
        begin(.position)
        set(.currency, currency)
        set(.lot, currency)
        records[last].set(.symbol, "CORE")
        records[last].set(.securityKind, "CASH")
        records[last][.units] = amount
        records[last][.price] = .one
        records[last][.unitCost] = .one
        records[last][.pricedAt] = try date([.toDate, .reportDate])
        if !facts.listsPositions { records[last].covers = .security }
        return .accepted
    }

    mutating func securityInfo() throws(Finding) -> OFXVerdict {
        if row.says(.assetCategory, "CASH") { return .skipped("cash.elsewhere") }
        begin(.security)
        records[last].reset()
        records[last].kind = .security
        set(.currency, .currency)
        set(.description, .description)
        setSecurity()
        if records[last].isBlank(.symbol) {
            throw finding(.securityMissing, .symbol, "the security has no id", "Fill in its symbol.")
        }
        try setPriceUnit()
        return .accepted
    }

    mutating func account() -> OFXVerdict {
        begin(.account)
        set(.accountKind, row.isBlank(.customerType) ? .accountType : .customerType)
        for name in [FlexAttribute.accountType, .customerType] where row.with(name, { OFXStatement.isTaxFree($0) }) {
            records[last].isTaxable = false
        }
        return .accepted
    }
}
