import Delimited
import OpenAlloc

extension RecordBuilder {
    /// Throws where a number of the record bears the sign or code of another currency than the record has: it would be
    /// taken for so much of the wrong money.
    ///
    /// A price's own currency, and pence, are for the definition to tell.
    func checkUnits(_ record: borrowing Record, _ binding: TableBinding?, _ evaluator: Evaluator) throws(Finding) {
        guard record.isBlank(.priceCurrency), record.priceUnit != .minor, !record.isBlank(.currency) else { return }
        for index in fields.numbers.indices {
            let (slot, field) = fields.numbers[index]
            guard field.isMoney, record[field] != nil, let unit = evaluator.state.unit(slot, evaluator.reader) else {
                continue
            }
            let currency = record.string(.currency)
            guard !Self.mayBe(unit, currency.uppercased()) else { continue }
            throw Finding(
                .currencyContradicts, column: binding?.columnName(slot) ?? "",
                value: evaluator.state.text(slot).string,
                reason: "the number is in \(unit), and its row is in \(currency).",
                suggestion: "Convert the file as it was downloaded, or correct the number or the row's currency.")
        }
    }

    /// Whether the unit of a number may stand for a currency: signs are shared.
    private static func mayBe(_ unit: String, _ currency: String) -> Bool {
        switch unit {
        case currency: true
        // `£` and `p`.
        case "GBP": currency.hasPrefix("GB")
        // `¥` is that of both.
        case "JPY": currency == "CNY" || currency == "CNH"
        default: false
        }
    }
}
