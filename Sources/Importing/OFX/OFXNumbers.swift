import Delimited
import OpenAlloc

/// Numbers of OFX: a decimal point or comma, no grouping; and what writers make of it.
///
/// A point alone is the decimal mark. `1,234` is read only where other numbers of the file prove which mark the file
/// uses; else it is invalid, for it may be a thousand times the other.
struct OFXNumbers: Sendable {
    private let reader = NumberReader(blanks: [])
    private(set) var provesPoint = false
    private(set) var provesComma = false

    /// Whether there is anything left to learn.
    var mayLearn: Bool { !provesPoint || !provesComma }

    /// Learns from a number which mark the file uses.
    mutating func learn(_ text: ByteView) {
        guard mayLearn else { return }
        // What has no comma can only prove the point.
        if provesPoint, text.firstIndex(of: UInt8(ascii: ",")) == nil { return }
        switch reader.proof(text) {
        case UInt8(ascii: "."): provesPoint = true
        case UInt8(ascii: ","): provesComma = true
        default: break
        }
    }

    /// Reads a text.
    func read(_ text: ByteView) -> NumberReading {
        var commas = 0
        var points = 0
        for place in 0..<text.count {
            if text[place] == UInt8(ascii: ",") { commas += 1 }
            if text[place] == UInt8(ascii: ".") { points += 1 }
        }
        if commas == 0, points <= 1, points == 0 || provesPoint || !provesComma {
            let reading = check(reader.read(text, .us))
            return reading == .invalid ? inReais(text) : reading
        }
        let reading = reader.read(text, .auto)
        if reading == .invalid { return inReais(text) }
        guard reading == .ambiguous else { return check(reading) }
        if provesPoint, !provesComma { return check(reader.read(text, .us)) }
        if provesComma, !provesPoint { return check(reader.read(text, .eu)) }
        return commas == 0 ? check(reader.read(text, .us)) : .ambiguous
    }

    /// `R$ 1.234,56`: who writes the sign writes the comma, whatever stands elsewhere.
    private func inReais(_ text: ByteView) -> NumberReading {
        guard text.count > 2, text[0] == UInt8(ascii: "R"), text[1] == UInt8(ascii: "$") else { return .invalid }
        return check(reader.read(text[2..<text.count].trimmed(), .eu))
    }

    private func check(_ reading: NumberReading) -> NumberReading {
        if case .value(_, isPercent: true) = reading { return .invalid }
        return reading
    }
}
