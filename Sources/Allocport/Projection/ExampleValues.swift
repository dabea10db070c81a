import Importing
import OpenAlloc

/// The values of a class's two examples as texts, by which they are found in what was made of them.
struct ExampleValues {
    private var numbers: [([UInt8], [UInt8])]
    private let moments: [([UInt8], [UInt8])]
    private let texts: [([UInt8], [UInt8])]
    private let words: [(field: Record.Text, first: [UInt8], second: [UInt8])]

    init(_ recordClass: RecordClass) {
        words = recordClass.words
        let (first, second) = recordClass.examples
        numbers = zip(first.numbers, second.numbers).map { ($0.magnitude.bytes, $1.magnitude.bytes) }
        moments = zip(first.moments, second.moments).map { ($0.bytes, $1.bytes) }
        texts = zip(first.texts, second.texts).map { ($0, $1) }
    }

    /// How many numbers a row has.
    var numberCount: Int { numbers.count }

    /// Gives a number that is worked out the next place.
    mutating func append(_ first: ExactDecimal, _ second: ExactDecimal) {
        numbers.append((first.magnitude.bytes, second.magnitude.bytes))
    }

    /// The place of the number that both texts are, whatever their sign, which must be the same.
    func number(_ first: [UInt8], _ second: [UInt8]) -> Int? {
        guard (first.first == 0x2D) == (second.first == 0x2D) else { return nil }
        func magnitude(_ text: [UInt8]) -> [UInt8] { text.first == 0x2D ? Array(text.dropFirst()) : text }
        return place(of: magnitude(first), magnitude(second), in: numbers)
    }

    /// The place of a number of the examples: the sign with which the class has it.
    func number(_ value: ExactDecimal) -> Int? {
        numbers.firstIndex { $0.0 == value.magnitude.bytes }
    }

    func moment(_ first: [UInt8], _ second: [UInt8]) -> Int? { place(of: first, second, in: moments) }
    func text(_ first: [UInt8], _ second: [UInt8]) -> Int? { place(of: first, second, in: texts) }

    /// The word of the class that both texts are.
    func word(_ first: [UInt8], _ second: [UInt8]) -> Record.Text? {
        words.first { $0.first == first && $0.second == second }?.field
    }

    /// The value of a row with which both fields end after the same bytes.
    func suffix(_ first: [UInt8], _ second: [UInt8]) -> (gap: RowTemplate.Gap, place: Int, length: Int)? {
        for (gap, list) in [(RowTemplate.Gap.moment, moments), (.text, texts), (.number, numbers)] {
            for (index, pair) in list.enumerated() where !pair.0.isEmpty && pair.0 != pair.1 {
                guard first.ends(with: pair.0), second.ends(with: pair.1),
                    first.dropLast(pair.0.count) == second.dropLast(pair.1.count)
                else { continue }
                return (gap, index, pair.0.count)
            }
        }
        return nil
    }

    private func place(of first: [UInt8], _ second: [UInt8], in list: [([UInt8], [UInt8])]) -> Int? {
        list.firstIndex { $0.0 == first && $0.1 == second && $0.0 != $0.1 }
    }
}

extension [UInt8] {
    fileprivate func ends(with bytes: [UInt8]) -> Bool { count >= bytes.count && Array(suffix(bytes.count)) == bytes }
}

extension ExactDecimal {
    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }
}

extension Instant {
    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }
}
