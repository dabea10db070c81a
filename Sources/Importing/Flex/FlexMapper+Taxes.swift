import Delimited
import Markup
import OpenAlloc

/// Taxes that the cash transactions do not have, and awards of shares.
extension FlexMapper {
    /// VAT on fees: the cash transactions have the fee without it.
    mutating func salesTax() throws(Finding) -> OFXVerdict { try tax(.salesTax, on: .taxableDescription) }

    /// Taxes on trades stand in the trades; those on all purchases of a day, such as the French one, stand alone.
    mutating func transactionTax() throws(Finding) -> OFXVerdict {
        guard row.says(.source, "STANDALONE") else {
            // Without the field nothing says whether a trade has it.
            if !row.has(.source) { throw missing(.source) }
            return .skipped("section.informational")
        }
        if row.element != "TransactionTax", facts.hasTaxSums { return .skipped("level.notDetail") }
        return try tax(.taxAmount, on: .taxDescription)
    }

    private mutating func tax(_ sum: FlexAttribute, on description: FlexAttribute) throws(Finding) -> OFXVerdict {
        let amount = try required(sum)
        begin(.tax)
        setSecurity()
        set(.description, row.isBlank(description) ? .description : description)
        set(.sourceTxnID, .transactionID)
        records[last][.tradedAt] = try requiredDate([.date, .dateTime, .reportDate])
        records[last][.amount] = amount
        return .accepted
    }

    /// What confirmations state beside commission and tax.
    static let charges: [FlexAttribute] = [.salesTax, .tradeCharge, .otherTax]

    private func statedCharge() throws(Finding) -> FlexAttribute? {
        for name in FlexMapper.charges where try number(name)?.isZero == false { return name }
        return nil
    }

    /// Without the net cash nothing says whether a charge is taken with the trade.
    func requireNoCharge() throws(Finding) {
        guard let name = try statedCharge() else { return }
        throw finding(
            .fieldMissing, .netCash,
            "nothing says whether the money has what stands as \(name) beside commission and tax",
            "Add the field NetCash to the Flex query.")
    }

    /// Such charges are fees of the trade where the net cash shows that they are in it.
    mutating func setCharges(_ net: ExactDecimal) throws(Finding) {
        guard try statedCharge() != nil, isCommissionOwn, var rest = try number(.proceeds) else { return }
        var charges = ExactDecimal.zero
        for name in FlexMapper.charges { charges = charges.adding(try number(name) ?? .zero) ?? charges }
        for cost in [charges, try number(.ibCommission) ?? .zero, try number(.taxes) ?? .zero] {
            rest = rest.adding(cost) ?? rest
        }
        if rest == net { records[last][.fees] = -charges }
    }

    /// Shares that are awarded come at once, and some are kept for taxes; that they are vested moves nothing.
    mutating func grant() throws(Finding) -> OFXVerdict {
        let action = row.string(.activityDescription).lowercased()
        if action.hasPrefix("stock award vesting") { return .skipped("grant.vested") }
        let isOut = action.hasPrefix("stock award withholding")
        guard isOut || action.hasPrefix("stock award grant") else {
            throw finding(
                .actionUnknown, .activityDescription, "no such activity of an award is known",
                "Report it, with an example.")
        }
        let units = try required(.quantity)
        if units.isZero { return .skipped("units.zero") }
        begin(isOut ? .sharesOut : .sharesIn)
        setSecurity()
        try setPriceUnit()
        set(.sourceAction, .activityDescription)
        set(.sourceTxnID, .transactionID)
        records[last][.tradedAt] = try requiredDate([.reportDate, .dateTime, .date])
        records[last][.units] = isOut ? -units.magnitude : units
        if let price = try number(.tradePrice), price.signum == 1 { records[last][.price] = price }
        return .accepted
    }
}
