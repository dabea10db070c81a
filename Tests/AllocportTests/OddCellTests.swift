import Importing
import TestSupport
import Testing

@testable import Allocport

/// Rows with cells in rare shapes become the same on the short road as on the long one.
@Suite struct OddCellTests {
    private static let before = ["-", "(", "$", "€", "+", " ", "\u{2212}", "USD ", "£", "x", "1'", "$-"]
    private static let after = [
        ")", "%", " USD", "-", "E2", " 10:15:00", "T10:15:00.5Z", " EUR", ".123456", "\u{A0}€", " as of 01/02/2024",
        " 02:30:00", "T01:30", " 7:05 PM", "x",
    ]

    @Test func agreesWithTheProjection() async throws {
        let tried = try await timesTried(over: Sample.all) { try Self.agreesWithTheProjection($0) }
        #expect(tried > 200)
    }

    /// How often it was tried on a sample.
    private static func agreesWithTheProjection(_ sample: Sample) throws -> Int {
        let lines = Lines(sample.bytes)
        guard lines.lines.count > 1, lines.lines.count < 400 else { return 0 }
        var tried = 0
        var random = SplitMix64(seed: UInt64(lines.lines.count) &* 31)
        for round in 0..<Sample.effort {
            var bytes: [UInt8] = []
            for line in lines.lines {
                bytes += line
                if line.last != 0x0A { bytes.append(0x0A) }
                for _ in 0..<5 { bytes += Self.odd(Lines.text(line), &random) + [0x0A] }
            }
            let change: (inout RunOptions) -> Void = {
                $0.columns = round % 2 == 0 ? .extended : .core
                $0.jobs = 1 + (round + lines.lines.count) % 2
            }
            let inputs = [MemoryInput(name: sample.name, bytes: bytes)]
            let short = try ShortRoad.outputs(inputs, isShort: true, change)
            let long = try ShortRoad.outputs(inputs, isShort: false, change)
            for (name, file) in long.files { #expect(short.files[name] == file, "\(sample.path): \(name)") }
            #expect(short.files.count == long.files.count)
            if short.prepared > 0 { tried += 1 }
        }
        return tried
    }

    /// Most lines with a digit or two that are others, some with something before or behind a cell that begins or ends
    /// with a digit, some without their last cells.
    private static func odd(_ line: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var result: [UInt8] = []
        let isOdd = random.next() % 3 > 0
        func isDigit(_ place: Int) -> Bool { line.indices.contains(place) && line[place] &- 0x30 < 10 }
        func isEdge(_ place: Int) -> Bool {
            !line.indices.contains(place) || [0x2C, 0x3B, 0x09, 0x22].contains(line[place])
        }
        for (place, byte) in line.enumerated() {
            let isFirst = isDigit(place) && isEdge(place - 1)
            if isOdd, isFirst, random.next() % 8 == 0 {
                result += Array((before.randomElement(using: &random) ?? "").utf8)
            }
            result.append(isDigit(place) && random.next() % 12 == 0 ? 0x30 + UInt8(random.next() % 10) : byte)
            let isLast = isDigit(place) && isEdge(place + 1)
            if isOdd, isLast, random.next() % 8 == 0 {
                result += Array((after.randomElement(using: &random) ?? "").utf8)
            }
        }
        if random.next() % 20 == 0, let end = result.lastIndex(of: 0x2C) { result.removeSubrange(end...) }
        return result
    }
}
