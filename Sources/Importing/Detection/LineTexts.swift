import Delimited

/// The first lines of an input as rules for lines look at them: the first cell that says something, and all cells joined
/// by commas, whatever stands between them in the file.
struct LineTexts: Sendable {
    /// So many lines are kept.
    static let maximum = 60

    private struct Line: Sendable {
        let whole: Range<Int>
        let first: Range<Int>
    }

    private var bytes: [UInt8] = []
    private var lines: [Line] = []

    mutating func append(_ record: borrowing RecordView, delimiter: UInt8) {
        let start = bytes.count
        var first: Range<Int>?
        let comma = UInt8(ascii: ",")
        if delimiter == comma, LineTexts.isPlain(record) {
            record.rawBytes.withUnsafeBytes { bytes.append(contentsOf: $0.assumingMemoryBound(to: UInt8.self)) }
            var place = start
            for index in 0..<record.count where first == nil {
                let cell = record.cell(index)
                if LineTexts.saysSomething(cell) { first = place..<(place + cell.count) }
                place += cell.count + 1
            }
            lines.append(Line(whole: start..<bytes.count, first: first ?? start..<start))
            return
        }
        for index in 0..<record.count {
            if index > 0 { bytes.append(comma) }
            let cell = record.cell(index).unwrappedFormula()
            let place = bytes.count
            cell.withUnsafeBytes { bytes.append(contentsOf: $0.assumingMemoryBound(to: UInt8.self)) }
            if first == nil, LineTexts.saysSomething(cell) { first = place..<bytes.count }
        }
        lines.append(Line(whole: start..<bytes.count, first: first ?? start..<start))
    }

    /// Whether a record reads as its cells with commas between them: quotes would make it longer.
    private static func isPlain(_ record: borrowing RecordView) -> Bool {
        var length = record.count - 1
        for index in 0..<record.count {
            let cell = record.cell(index)
            if cell.first == UInt8(ascii: "=") { return false }
            length += cell.count
        }
        return length == record.rawBytes.count
    }

    /// How many of the first lines satisfy a test of their first cell and their whole.
    func count(_ limit: Int, _ test: (_ first: ByteView, _ whole: ByteView) -> Bool) -> Int {
        ByteView.with(bytes) { all in lines.prefix(limit).count { test(all[$0.first], all[$0.whole]) } }
    }

    /// Whether one of the first lines satisfies a test of its first cell and its whole.
    func contains(_ limit: Int, _ test: (_ first: ByteView, _ whole: ByteView) -> Bool) -> Bool {
        ByteView.with(bytes) { all in lines.prefix(limit).contains { test(all[$0.first], all[$0.whole]) } }
    }

    /// Whether one of the lines is as one of the patterns says.
    func fit(_ patterns: [Template]) -> Bool {
        contains(LineTexts.maximum) { first, whole in
            patterns.contains { $0.matches(first) } || patterns.contains { $0.matches(whole) }
        }
    }

    private static func saysSomething(_ cell: ByteView) -> Bool {
        guard let byte = cell.first else { return false }
        if byte > 0x20, byte < 0x80 { return true }
        return !cell.string.trimmingSpaces.isEmpty
    }
}
