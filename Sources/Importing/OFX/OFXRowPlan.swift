import Delimited
import Markup
import OpenAlloc

/// What the values of the rows of one shape are for.
final class OFXRowPlan {
    /// What a value is.
    enum Use: UInt8 {
        /// It does not matter.
        case none
        /// It decides what the row is: it belongs to the class.
        case word
        case number
        case moment
        case text
        /// NAME or MEMO where both make the description.
        case name, memo
    }

    /// A value of a row that matters, or words side by side: with the tags between them, which all rows of the shape have,
    /// they are one word.
    struct Slot: BitwiseCopyable {
        var use: Use
        /// Its place among those of its use.
        var place: Int
        /// The values that it is.
        var first: Int
        var last: Int
    }

    /// A plan of its own for rows that have values in common (`MarkupRow.shortcuts`).
    private struct Variant: BitwiseCopyable {
        var shortcuts: UInt64
        var plan: Unmanaged<OFXRowPlan>
    }

    /// Values side by side that are one word.
    struct Word: BitwiseCopyable {
        var first: Int
        var last: Int
    }

    /// Its number among all plans of a reading.
    let number: Int
    /// The plan for all rows of the shape; nil if this is it.
    let whole: Unmanaged<OFXRowPlan>?
    private let shape: RowShape
    @exclusivity(unchecked) private var variants = FlatMemory<Variant>([])
    private static let maximumVariants = 16
    let slots: FlatMemory<Slot>
    let elements: [Int]
    /// The values of each use, by their places.
    let words: FlatMemory<Word>
    let numbers: FlatMemory<Int>
    let moments: FlatMemory<Int>
    let texts: FlatMemory<Int>
    /// The parts of a description that has two.
    let name: Int
    let memo: Int
    var numberCount: Int { numbers.count }
    var momentCount: Int { moments.count }
    /// The description has two parts and is a text of its own, the last one.
    let hasTwoParts: Bool
    let textCount: Int
    /// The places of numbers that must fit each other; −1 where there is none.
    let units: Int
    let price: Int
    let total: Int
    /// Numbers that must be zero.
    let nothing: [Int]
    let isSale: Bool
    /// Whether units below zero may undo something: of a reinvestment, or of a purchase with an amount above zero.
    let isPurchase: Bool
    let isReinvestment: Bool
    /// Texts that may say what the row is: values' indices.
    let speaking: [Int]
    /// The id without which a row of a bank may be a balance; −1 where that does not matter.
    let id: Int
    /// The texts of such a row by which it may be one in spite of its id; −1 where there is none.
    let balanceWords: (name: Int, memo: Int)

    /// Leaves that no mapping reads.
    private static let idle = ElementNames(
        """
        DTUSER DTAVAIL SRVRTID CHECKNUM REFNUM SIC PAYEEID SUBACCTFUND SUBACCTSEC DTPAYROLL EXTDNAME \
        ADDR1 ADDR2 ADDR3 CITY STATE POSTALCODE COUNTRY PHONE BANKID BRANCHID ACCTID ACCTTYPE ACCTKEY
        """)
    /// Leaves after which a row goes the long way: they refer to other rows, or bring another currency.
    private static let refused = ElementNames(
        """
        CORRECTFITID CORRECTACTION REVERSALFITID CURSYM CURRATE SHPERCTRCT
        """)
    private static let numberNames: [ElementName] = [
        OFXLeaf.units, OFXLeaf.unitprice, OFXLeaf.total, OFXLeaf.trnamt, OFXLeaf.commission, OFXLeaf.fees, OFXLeaf.load,
        OFXLeaf.penalty, OFXLeaf.taxes, OFXLeaf.withholding, OFXLeaf.statewithholding, OFXLeaf.markup,
        OFXLeaf.markdown, OFXLeaf.accrdint,
    ]
    private static let momentNames: [ElementName] = [OFXLeaf.dttrade, OFXLeaf.dtsettle, OFXLeaf.dtposted]
    /// Aggregates whose mapping depends on magnitudes in no other way than is looked at here.
    private static let rows = ElementNames(
        """
        BUYDEBT BUYMF BUYOTHER BUYSTOCK SELLDEBT SELLMF SELLOTHER SELLSTOCK INCOME REINVEST INVEXPENSE MARGININTEREST \
        RETOFCAP STMTTRN INVBANKTRAN
        """)

    /// The plan for a row, of which this is that for all rows of its shape: what they have in common need not be looked at
    /// where it only says what a row is. Another plan that is needed is made by the number that it gets.
    @inline(__always)
    func variant(for row: MarkupRow, _ keep: (_ make: (Int) -> OFXRowPlan?) -> OFXRowPlan?) -> Unmanaged<OFXRowPlan> {
        let shortcuts = row.shortcuts
        if shortcuts == 0 { return .passUnretained(self) }
        for index in 0..<variants.count where variants[index].shortcuts == shortcuts { return variants[index].plan }
        return addVariant(row, keep)
    }

    @inline(never)
    private func addVariant(_ row: MarkupRow, _ keep: (_ make: (Int) -> OFXRowPlan?) -> OFXRowPlan?)
        -> Unmanaged<OFXRowPlan>
    {
        guard variants.count < Self.maximumVariants,
            let plan = keep({ OFXRowPlan(self.shape, number: $0, common: Set(row.commonValues), of: self) })
        else { return .passUnretained(self) }
        variants.append(Variant(shortcuts: row.shortcuts, plan: .passUnretained(plan)))
        return .passUnretained(plan)
    }

    /// Nil for rows that go the long way.
    ///
    /// - Parameters:
    ///   - common: values that are the same in all rows of the plan.
    ///   - whole: the plan for all rows of the shape, which lives as long as this one.
    init?(_ shape: RowShape, number planNumber: Int, common: Set<Int> = [], of whole: OFXRowPlan? = nil) {
        let row = shape.example
        guard Self.rows.contains(row.name) else { return nil }
        let names = shape.elements.map { row[$0].name }
        // Of elements that stand twice, the first counts: too rare to be quick.
        guard names.areDistinct, Self.refused.isDisjoint(with: names),
            row.first(OFXName.currency) < 0, row.first(OFXName.origcurrency) < 0
        else { return nil }
        let isBank = row.name == OFXName.stmttrn || row.name == OFXName.invbanktran
        let hasTwoParts = isBank && names.contains(OFXLeaf.name) && names.contains(OFXLeaf.memo)
        self.hasTwoParts = hasTwoParts
        var counts = [Int](repeating: 0, count: Int(Use.memo.rawValue) + 1)
        var slots: [Slot] = []
        for (index, name) in names.enumerated() {
            let use = Self.use(name, isBank: isBank, hasTwoParts: hasTwoParts)
            if use == .none || (use == .word && common.contains(index)) { continue }
            if use == .word, let last = slots.last, last.use == .word, last.last == index - 1 {
                slots[slots.count - 1].last = index
                continue
            }
            let place = counts[Int(use.rawValue)]
            counts[Int(use.rawValue)] += 1
            slots.append(Slot(use: use, place: place, first: index, last: index))
        }
        func values(_ use: Use) -> [Int] { slots.filter { $0.use == use }.map(\.first) }
        func place(_ name: ElementName) -> Int {
            slots.first { $0.use == .number && names[$0.first] == name }?.place ?? -1
        }
        number = planNumber
        self.shape = shape
        self.whole = whole.map { .passUnretained($0) }
        self.slots = FlatMemory(slots)
        elements = shape.elements
        words = FlatMemory(slots.filter { $0.use == .word }.map { Word(first: $0.first, last: $0.last) })
        numbers = FlatMemory(values(.number))
        moments = FlatMemory(values(.moment))
        texts = FlatMemory(values(.text))
        self.name = values(.name).first ?? -1
        memo = values(.memo).first ?? -1
        textCount = counts[Int(Use.text.rawValue)] + (hasTwoParts ? 1 : 0)
        units = place(OFXLeaf.units)
        price = place(OFXLeaf.unitprice)
        total = isBank ? -1 : place(OFXLeaf.total)
        nothing = [OFXLeaf.markup, OFXLeaf.markdown, OFXLeaf.accrdint].map(place).filter { $0 >= 0 }
        isSale = OFXName.role(row.name) == .trade && !OFXImporter.isBuy(row.name)
        isPurchase = OFXName.role(row.name) == .trade && OFXImporter.isBuy(row.name)
        isReinvestment = row.name == OFXName.reinvest
        let spoken: [ElementName] =
            isBank
            ? [OFXLeaf.name, OFXLeaf.memo]
            : [OFXName.income, OFXName.invexpense, OFXName.reinvest].contains(row.name) ? [OFXLeaf.memo] : []
        speaking = spoken.compactMap { names.firstIndex(of: $0) }
        id = isBank ? names.firstIndex(of: OFXLeaf.fitid) ?? -1 : -1
        balanceWords =
            isBank ? (names.firstIndex(of: OFXLeaf.name) ?? -1, names.firstIndex(of: OFXLeaf.memo) ?? -1) : (-1, -1)
        if isBank, id < 0 { return nil }
        guard numberCount <= RowValues.capacity, momentCount <= RowValues.capacity, textCount <= RowValues.capacity
        else { return nil }
    }

    private static func use(_ name: ElementName, isBank: Bool, hasTwoParts: Bool) -> Use {
        if idle.contains(name) { return .none }
        if numberNames.contains(name) { return .number }
        if momentNames.contains(name) { return .moment }
        if name == OFXLeaf.fitid { return .text }
        if name == OFXLeaf.memo || (isBank && name == OFXLeaf.name) {
            return hasTwoParts ? (name == OFXLeaf.name ? .name : .memo) : .text
        }
        return .word
    }
}
