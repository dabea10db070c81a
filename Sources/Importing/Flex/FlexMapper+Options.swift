import Delimited
import Markup
import OpenAlloc

// What becomes of options.
extension FlexMapper {
    /// The section repeats what the trades have as bookings; it counts where they do not.
    mutating func optionEAE() throws(Finding) -> OFXVerdict {
        if row.says(.transactionType, "Cash Settlement") { return try settlement() }
        let bookings = row.bookingKeys(statementAccount)
        // Of a statement of funds that is skipped nothing is repeated.
        let isFunded = !facts.hasTrades && !facts.funds.areMixed
        if bookings.contains(where: { facts.bookings.contains($0) || (isFunded && facts.funds.bookings.contains($0)) })
        {
            return .skipped("row.repeated")
        }
        let quantity = try required(.quantity)
        let kind: RecordKind
        if let closing = row.closing {
            kind = closing
        } else if row.says(.transactionType, anyOf: ["buy", "sell"]) {
            // The statement of funds has what is delivered as any other trade.
            if isFunded, facts.funds.hasTrades { return .skipped("row.repeated") }
            kind = row.says(.transactionType, "buy") ? .buy : .sell
        } else {
            throw finding(
                .actionUnknown, .transactionType, "no such way to close an option", "Report it, with an example.")
        }
        begin(kind)
        setSecurity()
        try setPriceUnit()
        set(.sourceAction, .transactionType)
        set(.sourceTxnID, row.isBlank(.tradeID) ? .transactionID : .tradeID)
        records[last][.tradedAt] = try requiredDate([.date, .dateTime, .tradeDate, .reportDate])
        records[last][.units] = quantity
        guard kind == .buy || kind == .sell else {
            try setClosingCosts()
            return .accepted
        }
        records[last][.price] = try number(.tradePrice)
        try setMoney()
        if records[last][.price] == nil, records[last][.amount] == nil { throw missing(.tradePrice) }
        return .accepted
    }

    /// The cash that stands for what an option would deliver; no other section but the statement of funds has it.
    private mutating func settlement() throws(Finding) -> OFXVerdict {
        guard let cash = try number(.proceeds), !cash.isZero else { return .skipped("settlement.informational") }
        begin(.adjustment)
        setSecurity()
        set(.sourceAction, .transactionType)
        set(.sourceTxnID, row.isBlank(.tradeID) ? .transactionID : .tradeID)
        records[last][.tradedAt] = try requiredDate([.date, .dateTime, .tradeDate, .reportDate])
        records[last][.amount] = cash
        return .accepted
    }
}
