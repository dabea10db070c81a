import OpenAlloc

/// Records one behind the other in few bytes, each with what an ``AnonymityProof`` compares: its words, its numbers and
/// moments, the texts that stay as they are, and of the others whether they are there.
struct ProofRecords {
    private struct Head {
        var kind: RecordKind
        var priceUnit: PriceUnit
        var isTaxable: Bool?
        var isReversal: Bool
    }

    private var heads: [Head] = []
    private var bytes: [UInt8] = []

    /// Texts that are kept whole: those that are compared, and the one that may stand for a symbol.
    private static let whole = AnonymityProof.identity + [.description]

    mutating func append(_ record: borrowing Record) {
        heads.append(
            Head(
                kind: record.kind, priceUnit: record.priceUnit, isTaxable: record.isTaxable,
                isReversal: record.isReversal))
        var mask: UInt64 = 0
        for (bit, text) in Record.Text.allCases.enumerated() where !record.isBlank(text) { mask |= 1 << UInt64(bit) }
        append(UInt128(mask))
        for text in Self.whole where !record.isBlank(text) {
            append(UInt128(record.bytes(text).count))
            bytes.append(contentsOf: record.bytes(text))
        }
        mask = 0
        for (bit, number) in Record.Number.allCases.enumerated() where record[number] != nil {
            mask |= 1 << UInt64(bit)
        }
        append(UInt128(mask))
        for number in Record.Number.allCases {
            guard let value = record[number] else { continue }
            bytes.append(value.scale)
            append(Self.folded(value.coefficient))
        }
        mask = 0
        for (bit, moment) in Record.Moment.allCases.enumerated() where record[moment] != nil {
            mask |= 1 << UInt64(bit)
        }
        append(UInt128(mask))
        for moment in Record.Moment.allCases {
            if let value = record[moment] { append(Self.folded(Int128(value.secondsSince1970))) }
        }
    }

    /// Small numbers take few bytes.
    private mutating func append(_ number: UInt128) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The sign in the lowest bit.
    private static func folded(_ number: Int128) -> UInt128 {
        UInt128(truncatingIfNeeded: number << 1) ^ UInt128(truncatingIfNeeded: number >> 127)
    }

    private static func unfolded(_ number: UInt128) -> Int128 {
        Int128(truncatingIfNeeded: number >> 1) ^ -Int128(truncatingIfNeeded: number & 1)
    }

    /// Gives the records back, in their order.
    struct Reader {
        /// The record at hand; a text that was not kept is a dash.
        private(set) var record = Record()
        private var index = 0
        private var position = 0

        /// Goes on to the next record, which must be there.
        mutating func next(of records: ProofRecords) {
            let head = records.heads[index]
            index += 1
            record.reset()
            record.kind = head.kind
            record.priceUnit = head.priceUnit
            record.isTaxable = head.isTaxable
            record.isReversal = head.isReversal
            let texts = number(records)
            for (bit, text) in Record.Text.allCases.enumerated() where texts & 1 << UInt128(bit) != 0 {
                if !ProofRecords.whole.contains(text) { record.set(text, "-") }
            }
            for text in ProofRecords.whole {
                guard let bit = Record.Text.allCases.firstIndex(of: text), texts & 1 << UInt128(bit) != 0 else {
                    continue
                }
                let count = Int(number(records))
                record.set(text, utf8: records.bytes[position..<position + count])
                position += count
            }
            let numbers = number(records)
            for (bit, number) in Record.Number.allCases.enumerated() where numbers & 1 << UInt128(bit) != 0 {
                let scale = Int(records.bytes[position])
                position += 1
                record[number] = ExactDecimal(coefficient: ProofRecords.unfolded(self.number(records)), scale: scale)
            }
            let moments = number(records)
            for (bit, moment) in Record.Moment.allCases.enumerated() where moments & 1 << UInt128(bit) != 0 {
                let seconds = Int64(truncatingIfNeeded: ProofRecords.unfolded(number(records)))
                record[moment] = Instant(secondsSince1970: seconds)
            }
        }

        private mutating func number(_ records: ProofRecords) -> UInt128 {
            var result: UInt128 = 0
            var shift: UInt128 = 0
            while true {
                let byte = records.bytes[position]
                position += 1
                result |= UInt128(byte & 0x7F) << shift
                if byte & 0x80 == 0 { return result }
                shift += 7
            }
        }
    }
}
