/// Holds two tables against each other, row by row.
enum Agreement {
    /// Nil when both say the same; else where they first differ. Columns that hold numbers are compared as numbers:
    /// zeros at the end of a fraction, which some peers print, say nothing.
    static func difference(_ left: String, _ right: String, numbers: Range<Int>) -> String? {
        guard let first = Lines(left) else { return "\(left) is missing" }
        guard let second = Lines(right) else { return "\(right) is missing" }
        var line = 0
        while true {
            line += 1
            let (a, b) = (first.next(), second.next())
            if a == nil, b == nil { return line == 1 ? "both are empty" : nil }
            guard let a, let b else { return "line \(line): one has no more rows" }
            if a == b { continue }
            let (x, y) = (normal(a, numbers), normal(b, numbers))
            if x != y { return "line \(line): ‘\(text(a))’ is not ‘\(text(b))’" }
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The cells, numbers in their shortest form.
    private static func normal(_ line: [UInt8], _ numbers: Range<Int>) -> [[UInt8]] {
        let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return cells.enumerated().map { index, cell in
            var cell = Array(cell)
            // Blank texts are written quoted by some.
            if cell.count > 1, cell.first == UInt8(ascii: "\""), cell.last == UInt8(ascii: "\"") {
                cell = Array(cell.dropFirst().dropLast())
            }
            guard numbers.contains(index), cell.contains(UInt8(ascii: ".")) else { return cell }
            while cell.last == UInt8(ascii: "0") { cell.removeLast() }
            if cell.last == UInt8(ascii: ".") { cell.removeLast() }
            return cell
        }
    }

    /// A file's lines, one at a time.
    private final class Lines {
        private let file: UnsafeMutablePointer<FILE>
        private var buffer: UnsafeMutablePointer<CChar>?
        private var capacity = 0

        init?(_ path: String) {
            guard let file = fopen(path, "r") else { return nil }
            self.file = file
        }

        deinit {
            fclose(file)
            free(buffer)
        }

        func next() -> [UInt8]? {
            var count = getline(&buffer, &capacity, file)
            guard count >= 0, let buffer else { return nil }
            while count > 0, buffer[count - 1] == 0x0A || buffer[count - 1] == 0x0D { count -= 1 }
            return UnsafeRawBufferPointer(start: buffer, count: count).map { $0 }
        }
    }
}
