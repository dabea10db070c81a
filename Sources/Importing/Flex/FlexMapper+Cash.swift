import Delimited
import Markup
import OpenAlloc

/// Cash, transfers and corporate actions.
extension FlexMapper {
    mutating func cashTransaction() throws(Finding) -> OFXVerdict {
        if row.says(.levelOfDetail, "SUMMARY") || row.isUnnamedSum, facts.hasCashDetail {
            return .skipped("level.notDetail")
        }
        if row.says(.levelOfDetail, anyOf: ["CURRENCY", "BASE_SUMMARY"]) { return .skipped("level.notDetail") }
        let amount = try required(.amount)
        let kind = try cashKind()
        if kind == .cash, !facts.transfers.isEmpty,
            let key = row.identified(row.cashKey(amount, statementAccount)), facts.transfers.contains(key)
        {
            // The transfers have it.
            return .skipped("row.repeated")
        }
        begin(kind)
        setSecurity()
        set(.sourceAction, .type)
        set(.sourceTxnID, .transactionID)
        records[last][.tradedAt] = try requiredDate([.dateTime, .reportDate, .date, .settleDate])
        records[last][.settledAt] = try date([.settleDate])
        records[last][.amount] = amount
        if row.isInPence {
            records[last].set(.currency, "GBP")
            records[last][.amount] = ExactDecimal(coefficient: 1, scale: 2).flatMap { amount.multiplied(by: $0) }
        }
        return .accepted
    }

    private func cashKind() throws(Finding) -> RecordKind {
        switch row.string(.type).lowercased() {
        case "dividends", "dividend":
            return row.with(.description, FlexWords.returnCapital) ? .returnOfCapital : .dividend
        case "payment in lieu of dividends", "payment in lieu of dividend", "other income": return .income
        case "withholding tax", "871(m) withholding": return .tax
        case "broker interest received", "bond interest received", "bond interest paid", "bond interest":
            return .interest
        case "broker interest paid": return .marginInterest
        case "deposits/withdrawals", "deposits & withdrawals", "deposits and withdrawals", "deposits", "withdrawals",
            "cash transfers", "bill pay":
            return .cash
        case "other fees", "advisor fees", "client fees", "broker fees", "commission adjustments", "fees",
            "carbon credits":
            return .fee
        case "price adjustments", "adjustments": return .adjustment
        default:
            throw finding(
                .actionUnknown, .type, "no such type of cash transaction is known", "Report it, with an example.")
        }
    }

    /// What a contract for difference costs from day to day, or pays.
    mutating func charge() throws(Finding) -> OFXVerdict {
        if row.says(.levelOfDetail, "SUMMARY") { return .skipped("level.notDetail") }
        let amount = try chargedAmount()
        begin(.fee)
        setSecurity()
        set(.sourceTxnID, .transactionID)
        records[last][.tradedAt] = try requiredDate([.date, .dateTime, .reportDate])
        records[last][.amount] = amount
        return .accepted
    }

    /// TOTAL; where the query leaves it out, what was received and what was paid, which is negative.
    private func chargedAmount() throws(Finding) -> ExactDecimal {
        if let total = try number(.total) { return total }
        if let amount = try number(.amount) { return amount }
        guard let received = try number(.received), let paid = try number(.paid), !received.isNegative,
            paid.signum != 1, let sum = received.adding(paid)
        else { throw missing(.total) }
        return sum
    }

    /// A payment by card, once it is booked.
    mutating func cardActivity() throws(Finding) -> OFXVerdict {
        if !row.isBlank(.status), !row.says(.status, "Settled") { return .skipped("transaction.pending") }
        let amount = try required(.amount)
        begin(.cash)
        try setBaseCurrency()
        set(.description, .merchantNameLocation)
        records[last][.tradedAt] = try requiredDate([.transactionDateTime, .postingDate, .reportDate])
        records[last][.settledAt] = try date([.postingDate])
        records[last][.amount] = amount
        return .accepted
    }

    /// A row of all currencies is in the base currency of its account.
    mutating func setBaseCurrency() throws(Finding) {
        guard row.says(.currency, "BASE_SUMMARY") else { return }
        guard let base = facts.base(of: row.accountKey(statementAccount)) else {
            throw finding(
                .currencyUnknown, .currency, "the row does not say in which currency it is",
                "Write the currency of the amount.")
        }
        records[last].set(.currency, utf8: base)
    }

    // MARK: transfers

    mutating func transfer() throws(Finding) -> OFXVerdict {
        if row.says(.levelOfDetail, anyOf: ["LOT", "TRANSFER_LOT", "CURRENCY"]) { return .skipped("level.notDetail") }
        let quantity = try number(.quantity) ?? .zero
        let cash = try number(.cashTransfer) ?? .zero
        // A transfer that is cancelled keeps its direction and turns its sign.
        let isCancelled = row.has(code: "Ca")
        let isOut = !isCancelled && row.says(.direction, "OUT")
        let isIn = !isCancelled && row.says(.direction, "IN")
        if !row.says(.assetCategory, "CASH"), !quantity.isZero {
            begin(isIn ? .sharesIn : isOut ? .sharesOut : .shares)
            setSecurity()
            try setPriceUnit()
            try setMove()
            // A short position moves with negative units in and positive ones out; so does what is cancelled, where the
            // query leaves the code out.
            if isIn, quantity.isNegative { records[last].kind = .shares }
            if isOut, quantity.signum == 1 { records[last].kind = .shares }
            records[last][.units] = quantity
            if let price = try number(.transferPrice), price.signum == 1 { records[last][.price] = price }
        }
        if !cash.isZero {
            begin(.cash)
            try setMove()
            records[last][.amount] = cash
        }
        if count > 0 { return .accepted }
        // Cash moves without units; where the query leaves its amount out, the row tells nothing.
        if row.isBlank(.cashTransfer), row.isBlank(.symbol) || row.says(.assetCategory, "CASH") {
            throw missing(.cashTransfer)
        }
        if row.isBlank(.quantity), !row.says(.assetCategory, "CASH") { throw missing(.quantity) }
        return .skipped("units.zero")
    }

    private mutating func setMove() throws(Finding) {
        set(.sourceAction, .type)
        set(.sourceTxnID, .transactionID)
        records[last][.tradedAt] = try requiredDate([.dateTime, .date, .reportDate, .settleDate])
        records[last][.settledAt] = try date([.settleDate])
    }

    // MARK: corporate actions

    /// Units that come or go; against cash they are redeemed or bought.
    mutating func corporateAction() throws(Finding) -> OFXVerdict {
        if row.says(.levelOfDetail, "SUMMARY") || row.isUnnamedSum, facts.hasActionDetail {
            return .skipped("level.notDetail")
        }
        let quantity = try number(.quantity) ?? .zero
        let cash = try actionCash(quantity)
        if quantity.isZero, cash.isZero {
            if row.isBlank(.quantity) { throw missing(.quantity) }
            return .skipped("units.zero")
        }
        if quantity.isZero {
            begin(cashActionKind(cash))
            records[last][.amount] = cash
        } else if quantity.signum * cash.signum < 0 {
            // What is taken back has both signs turned round.
            let isCancelled = row.has(code: "Ca")
            let isRedeemed = quantity.isNegative != isCancelled
            begin(isRedeemed ? row.says(.type, anyOf: ["BM", "TM"]) ? .maturity : .redemption : .buy)
            records[last].isReversal = isCancelled
            records[last][.amount] = cash
            records[last][.units] = quantity
        } else {
            // Rights that are subscribed go, and what the new shares cost with them.
            guard cash.isZero || row.says(.type, "SR") else {
                throw finding(
                    .signContradicts, .proceeds, "units and cash go the same way, which no event explains",
                    "Correct the proceeds, or leave them out.")
            }
            begin(actionKind())
            records[last][.units] = quantity
            if !cash.isZero {
                try setAction()
                begin(.adjustment)
                records[last][.amount] = cash
            }
        }
        try setAction()
        return .accepted
    }

    /// What an action's records have in common.
    private mutating func setAction() throws(Finding) {
        setSecurity()
        set(.description, row.isBlank(.actionDescription) ? .description : .actionDescription)
        set(.sourceAction, row.isBlank(.type) ? .actionDescription : .type)
        set(.sourceTxnID, row.isBlank(.transactionID) ? .actionID : .transactionID)
        records[last][.tradedAt] = try requiredDate([.dateTime, .reportDate, .date])
    }

    /// PROCEEDS; without them AMOUNT, which has the sign of the units that it is for. What a company splits or spins off
    /// is not paid for.
    private func actionCash(_ quantity: ExactDecimal) throws(Finding) -> ExactDecimal {
        if let proceeds = try number(.proceeds) { return proceeds }
        if [.split, .spinOff].contains(actionKind()) { return .zero }
        guard let amount = try number(.amount), !amount.isZero else { return .zero }
        guard amount.signum == quantity.signum else { throw missing(.proceeds) }
        return -amount
    }

    private func actionKind() -> RecordKind {
        switch row.string(.type).uppercased() {
        case "FS", "RS", "FI", "CS": .split
        case "SO", "CO": .spinOff
        case "TC", "TO", "MA": .merger
        case "IC", "CC", "CI", "BC": .conversion
        default: .shares
        }
    }

    /// Cash that comes without units, or goes: what is offered in a tender is paid for at once.
    private func cashActionKind(_ cash: ExactDecimal) -> RecordKind {
        switch row.string(.type).uppercased() {
        case "CD": .dividend
        case "CP": .interest
        case "FA": .fee
        default: cash.isNegative && !row.has(code: "Ca") ? .adjustment : .cashInLieu
        }
    }
}
