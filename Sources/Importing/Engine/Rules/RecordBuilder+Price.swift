import OpenAlloc

extension RecordBuilder {
    /// A price in another currency than the amount becomes one in the row's currency by the source's own rate
    /// (price currency per unit of currency); without a rate the projection works it out from the amount.
    func convertPrice(_ record: inout Record) {
        guard !record.isBlank(.priceCurrency), let price = record[.price],
            !record.bytes(.priceCurrency).elementsEqual(record.bytes(.currency)),
            !Self.isPriceOnly(record)
        else { return }
        record[.sourcePrice] = price
        record[.price] = nil
        record.isPriceDerived = true
        guard let rate = record[.exchangeRate], !rate.isZero, let quotient = price.divided(by: rate)?.value else {
            return
        }
        record[.price] = quotient
        guard record.priceUnit == .minor, let amount = record[.amount]?.magnitude,
            let units = record[.units]?.magnitude,
            let implied = amount.divided(by: units)?.value, !implied.isZero
        else { return }
        // A rate may be stated for the minor unit (pence per euro) or for the currency: the amount tells which.
        if let ratio = quotient.divided(by: implied), ratio.value < 10 { record.priceUnit = .share }
    }

    /// Whether the price is all the money that a trade or a move of shares tells of, and no rate says what it is in
    /// the row's currency: the row is in the price's then.
    private static func isPriceOnly(_ record: borrowing Record) -> Bool {
        guard record.kind.isTrade || record.kind.shape == .shares, record[.amount] == nil else { return false }
        for field in [Record.Number.exchangeRate, .commission, .fees, .tax, .accruedInterest] {
            if let number = record[field], !number.isZero { return false }
        }
        return true
    }
}
