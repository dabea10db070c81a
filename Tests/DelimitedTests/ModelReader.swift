@testable import Delimited

/// The grammar once more, over a whole input and without any care for speed, written from the rules alone.
struct ModelReader {
    var bytes: [UInt8]
    var dialect: Dialect

    struct Line: Equatable {
        var cells: [[UInt8]]
        var raw: [UInt8]
        var line: Int
        var lines: Int
        var flags: RecordFlags
    }

    private enum Oops: Error { case broken }

    /// All records; valid UTF-8 input, no limit on a record.
    func read() -> [Line] {
        var result: [Line] = []
        var position = 0
        var line = 1
        while position < bytes.count {
            var found: (record: Line, next: Int)
            do {
                found = try record(at: position, in: bytes[...], alone: false)
            } catch {
                let end = bytes[position...].firstIndex(where: isEnd) ?? bytes.count
                found =
                    (try? record(at: position, in: bytes[..<end], alone: true)) ?? (
                        record: Line(
                            cells: [], raw: [], line: 0, lines: 0, flags: []), next: end
                    )
                found.next = end + lineEnd(end)
            }
            found.record.line = line
            line += found.record.lines
            result.append(found.record)
            position = found.next
        }
        return result
    }

    private func isEnd(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
    private func isPad(_ byte: UInt8) -> Bool { (byte == 32 || byte == 9) && byte != dialect.delimiter }

    private func lineEnd(_ position: Int) -> Int {
        for candidate in [[13, 13, 10], [13, 10], [13], [10]] as [[UInt8]]
        where bytes[position...].starts(with: candidate) { return candidate.count }
        return 0
    }

    private func record(at start: Int, in text: ArraySlice<UInt8>, alone: Bool) throws -> (record: Line, next: Int) {
        var record = Line(cells: [], raw: [], line: 0, lines: 1, flags: [])
        var position = start
        var hidden: [[UInt8]] = []
        if position < text.endIndex, !isEnd(text[position]) {
            while true {
                let (content, end, newlines, flags) = try cell(at: position, in: text, alone: alone)
                record.cells.append(content)
                record.lines += newlines
                if newlines > 0 { hidden.append(content) }
                record.flags.formUnion(flags)
                position = end
                if end == text.endIndex || text[end] != dialect.delimiter { break }
                position += 1
            }
        }
        if hides(hidden, beside: record.cells.count) { record.flags.insert(.hidesRecords) }
        record.raw = Array(text[start..<position])
        if record.raw.contains(0) { record.flags.insert(.nul) }
        return (record, position + (position < text.endIndex ? lineEnd(position) : 0))
    }

    /// Whether cells that go over lines hold records: as many delimiters as this one has, and two numbers before them.
    private func hides(_ cells: [[UInt8]], beside count: Int) -> Bool {
        let delimiters = cells.joined().filter { $0 == dialect.delimiter }.count
        let parts = cells.flatMap { cell in
            cell.split(omittingEmptySubsequences: false) { isEnd($0) || $0 == dialect.delimiter }.dropLast()
        }
        let numbers = parts.filter { part in
            part.contains { (0x30...0x39).contains($0) } && part.allSatisfy { (0x20...0x3A).contains($0) }
        }
        return count >= 4 && delimiters >= count - 1 && numbers.count >= 2
    }

    private func cell(
        at start: Int, in text: ArraySlice<UInt8>, alone: Bool
    ) throws -> (content: [UInt8], end: Int, newlines: Int, flags: RecordFlags) {
        let open = text[start...].firstIndex { !isPad($0) } ?? text.endIndex
        guard open < text.endIndex, text[open] == dialect.quote else { return plain(start, from: open, in: text) }
        var content: [UInt8] = []
        var position = open + 1
        var newlines = 0
        while true {
            guard position < text.endIndex else {
                guard alone else { throw Oops.broken }
                var result = plain(start, from: open + 1, in: text)
                result.flags.insert(.unclosedQuote)
                return result
            }
            if text[position] == dialect.quote {
                position += 1
                guard position < text.endIndex, text[position] == dialect.quote else { break }
                content.append(dialect.quote)
                position += 1
            } else if isEnd(text[position]) {
                newlines += 1
                content += text[position..<position + lineEnd(position)]
                position += lineEnd(position)
            } else {
                content.append(text[position])
                position += 1
            }
        }
        let after = text[position...].firstIndex { !isPad($0) } ?? text.endIndex
        if after == text.endIndex || isEnd(text[after]) || text[after] == dialect.delimiter {
            return (content, after, newlines, [])
        }
        guard newlines == 0 else { throw Oops.broken }
        let end = text[after...].firstIndex { isEnd($0) || $0 == dialect.delimiter } ?? text.endIndex
        return (Array(text[start..<end]), end, 0, .textAfterQuote)
    }

    private func plain(
        _ start: Int, from: Int, in text: ArraySlice<UInt8>
    ) -> (content: [UInt8], end: Int, newlines: Int, flags: RecordFlags) {
        let end = text[from...].firstIndex { isEnd($0) || $0 == dialect.delimiter } ?? text.endIndex
        let content = Array(text[start..<end])
        let quotes = text[from..<end].filter { $0 == dialect.quote }.count
        let isFormula =
            quotes == 2 && content.starts(with: [0x3D, dialect.quote]) && content.last == dialect.quote
            && content.count > 2
        return (content, end, 0, quotes > 0 && !isFormula ? .strayQuote : [])
    }
}
