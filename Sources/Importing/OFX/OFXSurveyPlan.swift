import Delimited
import Markup
import OpenAlloc

/// What a first pass has to look at in the rows of one shape.
final class OFXSurveyPlan {
    /// The values that may prove the file's decimal mark.
    let numbers: FlatMemory<Int>
    /// The value whose sign says whether the file writes the customer's signs; −1 for none.
    let sign: Int
    /// The dates that may show what stands first in them.
    let dates: FlatMemory<Int>
    private let scratch: UnsafeMutablePointer<UInt8>

    /// Nil for rows that go the long way.
    init?(_ shape: RowShape) {
        let name = shape.example.name
        let isTrade = OFXName.role(name) == .trade
        let names = shape.elements.map { shape.example[$0].name }
        let telling: ElementNames = [OFXLeaf.inv401ksource, OFXLeaf.correctfitid, OFXLeaf.reversalfitid]
        guard isTrade || OFXName.role(name) == .other || name == OFXName.stmttrn, name != OFXName.buyopt,
            name != OFXName.sellopt, name != OFXName.invexpense, name != OFXName.margininterest, names.areDistinct,
            telling.isDisjoint(with: names)
        else { return nil }
        let learned = [OFXLeaf.trnamt, OFXLeaf.total, OFXLeaf.units, OFXLeaf.unitprice]
        numbers = FlatMemory(learned.compactMap { names.firstIndex(of: $0) })
        let signed = OFXImporter.isBuy(name) ? OFXLeaf.total : OFXLeaf.units
        sign = isTrade ? names.firstIndex(of: signed) ?? -1 : -1
        dates = FlatMemory([OFXLeaf.dtposted, OFXLeaf.dttrade].compactMap { names.firstIndex(of: $0) })
        scratch = .allocate(capacity: PlainDecimal.scratchBytes)
    }

    deinit { scratch.deallocate() }

    /// Whether a number is plain and not positive.
    func isQuiet(_ cell: ByteView, isPadded: Bool) -> Bool {
        guard let number = PlainNumber.read(cell, scratch, isPadded: isPadded) else { return false }
        return number.signum != 1
    }
}
