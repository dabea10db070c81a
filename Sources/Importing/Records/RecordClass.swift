public import OpenAlloc

/// The rows of one class: their words are the same, and their numbers have the same signs. Their records differ only in
/// the numbers, dates and texts that a row brings (``RowValues``).
///
/// With ``words`` it is a form of many classes, whose records also differ in these texts.
public struct RecordClass: Sendable {
    /// A made-up row of the class, with values that no other example has.
    public struct Example: Sendable {
        /// Its record, as the importer would hand it over.
        public var record: Record
        /// The others, where the row becomes several.
        public var others: [Record] = []
        /// Its numbers as the row states them, by place in ``RowValues``; meaningless where rows of the class have none.
        public var numbers: [ExactDecimal]
        /// Its moments by place.
        public var moments: [Instant]
        /// Its texts by place.
        public var texts: [[UInt8]]
    }

    /// The digits of an example's number: seven, the last none that can be left out.
    ///
    /// No sum of some of them is a multiple of another, or a price that follows from them would look like one that all
    /// rows have. Steps of equal width, of which the outer ones make twice the middle one, did just that.
    static func exampleDigits(_ index: Int, _ variant: Int) -> Int128 {
        // SplitMix64, for numbers that have nothing to do with each other.
        var mixed = UInt64(truncatingIfNeeded: 2 * index + variant + 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return 6_700_407 + Int128(mixed % 160_000) * 10
    }

    /// Two examples: what is the same in both is the same in all rows.
    public var examples: (Example, Example)
    /// The sign that the class fixes for each number; 0 for zero, nil for none.
    public var signs: [Int?]
    /// How many records each of its rows becomes.
    public var recordCount: Int { 1 + examples.0.others.count }
    /// Which of its texts is the account that a row names; nil where the class has the account.
    public var account: Int?
    /// Texts that each class of a form has its own of, and what stands for them in the two examples, in any record.
    public var words: [(field: Record.Text, first: [UInt8], second: [UInt8])] = []

    /// Has another word stand for a text of a record in each example.
    mutating func setWord(_ field: Record.Text, ofRecord index: Int) {
        let words = [0, 1].map { Array("example \($0) word \(field.rawValue)".utf8) }
        if index == 0 {
            examples.0.record.set(field, utf8: words[0])
            examples.1.record.set(field, utf8: words[1])
        } else {
            examples.0.others[index - 1].set(field, utf8: words[0])
            examples.1.others[index - 1].set(field, utf8: words[1])
        }
        if !self.words.contains(where: { $0.field == field }) { self.words.append((field, words[0], words[1])) }
    }

    /// The same with one of the records alone.
    public func alone(_ record: Int) -> RecordClass {
        if recordCount == 1 { return self }
        var alone = self
        if record > 0 {
            alone.examples.0.record = examples.0.others[record - 1]
            alone.examples.1.record = examples.1.others[record - 1]
        }
        (alone.examples.0.others, alone.examples.1.others) = ([], [])
        return alone
    }

    /// What is worked out for each of its rows before it is taken, among that the last of its numbers; nil for nothing.
    public var program: RowProgram?
}
