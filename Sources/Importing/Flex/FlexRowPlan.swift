import Delimited
import Markup

/// What the values of the rows of one shape are for: trades and cash transactions, which are what long reports have.
final class FlexRowPlan {
    /// Words side by side: with the names and quotes between them, which all rows of the shape have, they are one.
    struct Span: BitwiseCopyable {
        var first: Int
        var last: Int
    }

    let element: String
    /// The place of each attribute's value in a row; −1 where it has none.
    private let places: [Int]
    /// What decides what a row is.
    let words: FlatMemory<Span>
    /// The values that are numbers, by their place among the row's; −1 for those that it has not.
    let numbers: FlatMemory<Int>
    /// Where among `numbers` those begin of which the first that is there counts.
    let firstAlternative: Int
    /// The number that is a price: what a negative one means is told by others that are not read here.
    let price: Int
    let texts: FlatMemory<Int>
    /// The first that is there counts.
    let tradedAt: FlatMemory<Int>
    let settledAt: FlatMemory<Int>
    /// The date and time with a zone, and a time of day of its own, which matters where there is no such.
    let dateTime: Int
    let tradeTime: Int
    /// A text that may say what the row is; −1 for none.
    let speaking: Int
    /// What tells a row from all others, and the key of none.
    let key: FlatMemory<Int>
    let keyStart: FlexKey
    let transactionID: Int
    let tradeID: Int

    private static let names: [FlexAttribute] = [
        .accountId, .acctAlias, .currency, .assetCategory, .symbol, .conid, .isin, .cusip, .sedol, .securityID,
        .securityIDType, .figi, .levelOfDetail,
    ]
    private static let trades =
        names + [.multiplier, .buySell, .transactionType, .notes, .openCloseIndicator, .ibCommissionCurrency]
    private static let cash = names + [.type]

    /// Nil for rows that go the long way.
    init?(_ shape: FlexShape) {
        let isCash = shape.element == "CashTransaction"
        let isTrade = shape.element == "Trade" || shape.element == "Order"
        // What confirmations have beside commission and tax is not read here.
        let hasCharges = FlexMapper.charges.contains { shape.places[$0.rawValue] >= 0 }
        guard isCash || (isTrade && !hasCharges) else { return nil }
        element = shape.element
        places = shape.places
        func place(_ name: FlexAttribute) -> Int { shape.places[name.rawValue] }
        func list(_ names: [FlexAttribute]) -> [Int] { names.map(place).filter { $0 >= 0 } }
        var spans: [Span] = []
        for value in list(isCash ? Self.cash : Self.trades).sorted() {
            if let last = spans.last, last.last == value - 1 {
                spans[spans.count - 1].last = value
            } else {
                spans.append(Span(first: value, last: value))
            }
        }
        words = FlatMemory(spans)
        let numbers: [FlexAttribute] =
            isCash ? [.amount] : [.quantity, .tradePrice, .taxes, .ibCommission, .accruedInt]
        let alternatives: [FlexAttribute] = isCash ? [] : [.netCash, .proceeds, .tradeMoney]
        self.numbers = FlatMemory((numbers + alternatives).map(place))
        firstAlternative = numbers.count
        price = numbers.firstIndex(of: .tradePrice) ?? -1
        texts = FlatMemory([.transactionID, .tradeID, .description].map(place))
        tradedAt = FlatMemory(
            list(
                isCash ? [.dateTime, .reportDate, .date, .settleDate] : [.dateTime, .tradeDate, .date, .reportDate]))
        settledAt = FlatMemory(list(isCash ? [.settleDate] : [.settleDateTarget, .settleDate]))
        dateTime = place(.dateTime)
        tradeTime = isCash ? -1 : place(.tradeTime)
        speaking = isCash ? place(.description) : -1
        key = FlatMemory(FlexMapper.identity.map(place))
        keyStart = FlexKey(element: shape.element)
        transactionID = place(.transactionID)
        tradeID = place(.tradeID)
    }

    /// The values of a made-up row.
    func example(_ values: [[UInt8]]) -> FlexRow {
        var row = FlexRow()
        row.load(element, MarkupAttributes(values: values), places: places)
        return row
    }
}
