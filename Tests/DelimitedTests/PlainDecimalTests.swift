import TestSupport
import Testing

@testable import Delimited

/// The number reader that takes eight digits at a time, held to one that takes one.
@Suite struct PlainDecimalTests {
    private struct Reading: Equatable, CustomStringConvertible {
        var coefficient: Int64
        var scale: Int
        var text: String
        var description: String { "\(coefficient) / 10^\(scale) `\(text)`" }
    }

    private func read(_ text: String, mark: UInt8 = 0x2E) -> Reading? {
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: PlainDecimal.scratchBytes)
        scratch.initialize(repeating: 0xFF, count: PlainDecimal.scratchBytes)
        defer { scratch.deallocate() }
        return ByteView.with(Array(text.utf8)) { view in
            PlainDecimal.read(view, mark: mark, scratch: scratch).map {
                Reading(coefficient: $0.coefficient, scale: Int($0.scale), text: $0.magnitude.string)
            }
        }
    }

    /// The same of a cell of a record, behind which bytes are readable; by both kinds of record.
    private func readPadded(_ text: String, mark: UInt8 = 0x2E) -> [Reading?] {
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: PlainDecimal.scratchBytes)
        scratch.initialize(repeating: 0x39, count: PlainDecimal.scratchBytes)
        defer { scratch.deallocate() }
        func reading<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> Reading? {
            record.plainDecimal(1, record.cell(1), mark: mark, scratch: scratch).map {
                #expect(!$0.isShort || $0.coefficient.magnitude < 100_000_000 && $0.scale <= 6, "`\(text)`")
                return Reading(coefficient: $0.coefficient, scale: Int($0.scale), text: $0.magnitude.string)
            }
        }
        var found: [Reading?] = []
        let bytes = Array("x\t\(text)\t123\n".utf8)
        var reader = DelimitedReader(dialect: .tsv)
        reader.read(bytes) { found.append(reading($0)) }
        let block = ByteBlock(capacity: bytes.count)
        block.tail.copyBytes(from: bytes)
        block.advance(by: bytes.count)
        var blocks = BlockReader(dialect: .tsv)
        blocks.read(block, line: 1) { (record: borrowing CleanRecord) in
            found.append(reading(record))
            return true
        } leave: { _ in
        }
        return found
    }

    /// The same by characters.
    private func model(_ text: String, mark: Character = ".") -> Reading? {
        var rest = text[...]
        var isNegative = false
        if let sign = rest.first, sign == "-" || sign == "+" {
            isNegative = sign == "-"
            rest = rest.dropFirst()
        }
        if rest.first == "$" { rest = rest.dropFirst() }
        // Thousands do not begin with a zero.
        if rest.first == "0", rest.contains(mark == "." ? "," : ".") { return nil }
        while rest.count > 1, rest.first == "0", rest.dropFirst().first.map({ "0"..."9" ~= $0 }) == true {
            rest = rest.dropFirst()
        }
        let parts = rest.split(separator: mark, omittingEmptySubsequences: false)
        guard let head = parts.first, parts.count <= 2 else { return nil }
        let groups = head.split(separator: mark == "." ? "," : ".", omittingEmptySubsequences: false)
        if groups.count > 1 {
            guard let first = groups.first, (1...3).contains(first.count), first.first != "0",
                groups.dropFirst().allSatisfy({ $0.count == 3 })
            else { return nil }
        }
        let whole = groups.joined()
        var decimals = parts.count == 2 ? String(parts[1]) : ""
        guard (whole + decimals).allSatisfy({ "0"..."9" ~= $0 }), !(whole + decimals).isEmpty,
            whole.count + decimals.count <= 18
        else { return nil }
        while decimals.last == "0" { decimals.removeLast() }
        guard let value = Int64("0" + whole + decimals) else { return nil }
        if value == 0 { return Reading(coefficient: 0, scale: 0, text: "0") }
        let shown = (whole.isEmpty ? "0" : whole) + (decimals.isEmpty ? "" : "." + decimals)
        return Reading(coefficient: isNegative ? -value : value, scale: decimals.count, text: shown)
    }

    @Test(arguments: [
        "0", "1", "12", "12345678", "123456789", "1234567890123456789", "1.5", "1.50", "1.00", "-1.50", "+7", "$5",
        "-$5.25", ".5", "5.", ".", "", "-", "$", "1,234", "1,234.50", "12,34", "1234,567", "0,123", "007", "00.10",
        "1.2.3", "1e5", "12345678.12345678", "123456789.1", "0.000000001", "99999999.999999999", "1,234,567,890.12",
        "1 234", "1.-5", "--1", "999,999,999,999,999,999", "123456789012345678", "0.0", "-0",
    ])
    func known(_ text: String) { #expect(read(text) == model(text), "\(text)") }

    @Test func agreesWithTheModel() {
        var random = SplitMix64(seed: 5)
        let alphabet = Array("0001234567890123456789.,-$+ ")
        for _ in 0..<iterations(50_000) {
            let count = Int(random.next() % 22)
            var text = ""
            for _ in 0..<count { text.append(alphabet[Int(random.next() % UInt64(alphabet.count))]) }
            #expect(read(text) == model(text), "\(text)")
            #expect(read(text, mark: 0x2C) == model(text, mark: ","), "\(text) with a comma")
            // Of a cell, white space around the number is no part.
            let cell = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            for mark in [Character("."), ","] {
                let expected = model(String(cell), mark: mark)
                #expect(readPadded(text, mark: mark.asciiValue ?? 0) == [expected, expected], "`\(text)` \(mark)")
            }
        }
    }

    /// Hashes and comparisons by words see every byte.
    @Test func wordsSeeEveryByte() {
        var random = SplitMix64(seed: 6)
        for count in 0..<300 {
            for _ in 0..<(count < 140 ? 50 : 10) {
                let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                var other = bytes
                if count > 0 { other[Int(random.next() % UInt64(count))] ^= 1 << UInt8(random.next() % 8) }
                ByteView.with(bytes) { view in
                    ByteView.with(other) { changed in
                        #expect((view == changed) == (bytes == other))
                        if count > 0, count <= 16 {
                            #expect(view.words.map { [$0.0, $0.1] } != changed.words.map { [$0.0, $0.1] })
                        }
                        if count > 0 { #expect(view.mix(into: 1) != changed.mix(into: 1)) }
                    }
                    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: count + 1)
                    defer { copy.deallocate() }
                    copy[count] = 0xEE
                    view.copy(to: copy)
                    #expect(Array(UnsafeBufferPointer(start: copy, count: count)) == bytes && copy[count] == 0xEE)
                }
            }
        }
    }
}
