/// What stands where a security is named and names none: a number with decimals or a sign, a sum, a per cent, a day. Cells
/// of its line have slipped or changed places.
package enum SlippedName {
    /// Whether a text is that. Digits alone are a code, and a letter makes a name.
    package static func isOne(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        var (digits, groups, points, dashes, signs) = (0, 0, 0, 0, 0)
        var isInGroup = false
        for (place, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                if !isInGroup { groups += 1 }
                isInGroup = true
                continue
            case UInt8(ascii: "."), UInt8(ascii: ","): points += 1
            case UInt8(ascii: "+") where place == 0, UInt8(ascii: "-") where place == 0: signs += 1
            case UInt8(ascii: "/"), UInt8(ascii: "-"): dashes += 1
            case UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "("), UInt8(ascii: ")"): signs += 1
            default: return false
            }
            isInGroup = false
        }
        guard digits > 0 else { return false }
        // 3/31/26, 2026-03-31
        let isDay = points == 0 && dashes == 2 && groups == 3 && (5...8).contains(digits)
        return isDay || dashes == 0 && (signs > 0 || points > 0)
    }

    /// What is said of it.
    package static let reason =
        "this names no security: it is a number, a sum or a day, as where cells of the line have slipped."
    /// What to do about it.
    package static let suggestion =
        "Put the cells of the line under their own columns, or convert the file as downloaded."
}
