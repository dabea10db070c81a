import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Positions in flat memory are settled as rows of values are.
@Suite struct PositionTableTests {
    private static let texts = ["X1", "x1 ", "Konto é", "KONTO E\u{301}", "X2"]
    private static let securities = ["VTI", "BND", "vti", "CORE"]
    private static let lots: [AllocValue] = [.null, .null, .string("#2"), .string("A"), .string("a")]

    @Test(arguments: [1, 2, 5]) func agreesWithTheSimpleTable(_ inputs: Int) {
        var random = SplitMix64(seed: UInt64(inputs))
        for round in 0..<60 * Sample.effort {
            let exportedAt: [Instant?] = (0..<inputs).map { _ in
                let day = Int64(random.next() % 4)
                return day == 0 ? nil : Instant(secondsSince1970: 1_700_000_000 + day * 86_400)
            }
            // Now and then an input corrects the first one.
            let corrected = (0..<inputs).map { round % 3 == 0 && random.next() % 3 == 0 ? 0 : $0 }
            var simple = SimplePositions()
            let table = PositionTable(isExtended: true)
            for input in 0..<inputs {
                for index in 0..<Int(random.next() % 30) {
                    // Rows of groups come late, and those of one line have one place.
                    let row = Self.row(input, line: round % 2 == 0 ? index : Int(random.next() % 9), &random)
                    simple.take(row)
                    Self.take(row, table)
                }
            }
            var gone = 0
            let times = exportedAt.map { $0.map { ListTime(exportedAt: $0) } }
            _ = table.settle(times: times, corrected: corrected) { _, _ in gone += 1 }
            let wanted = simple.settled(exportedAt, corrected)
            #expect(gone == wanted.gone && table.count == wanted.kept.count)
            var got: [String] = []
            table.forEachInOrder(hasIDs: true) { row, lot, id in
                let lot = lot.map { String(decoding: $0, as: UTF8.self) } ?? row.cells[2].text
                got.append("\(row.input) \(row.line) \(row.cells[1].text) \(lot) \(row.cells[3].text) \(id)")
            }
            #expect(
                got
                    == wanted.kept.map { row, id in
                        "\(row.input) \(row.line) \(row.values[1].text) \(row.values[2].text) \(row.values[3].text) \(id)"
                    })
        }
    }

    private static func row(_ input: Int, line: Int, _ random: inout SplitMix64) -> SimpleRow {
        func one<T>(_ list: [T]) -> T { list[Int(random.next() % UInt64(list.count))] }
        var values: [AllocValue] = [
            .string(one(texts)), .string(one(securities)), one(lots), .int(Int(random.next() % 3)), .null, .null,
        ]
        values += [AllocValue](repeating: .null, count: Schema.holding.allColumns.count - values.count)
        var row = SimpleRow(values: values, input: input, line: line)
        row.isVerbatim = random.next() % 4 == 0
        row.isAccountAssumed = random.next() % 5 == 0
        row.coversSecurityOnly = random.next() % 6 == 0
        row.coversDays = !row.coversSecurityOnly && random.next() % 3 == 0
        let day = Int64(random.next() % 8)
        if day > 0 { row.pricedAt = Instant(secondsSince1970: 1_700_000_000 + day * 86_400) }
        return row
    }

    private static func take(_ row: SimpleRow, _ table: PositionTable) {
        var flags: RowHead.Flags = []
        if row.isVerbatim { flags.insert(.verbatim) }
        if row.isAccountAssumed { flags.insert(.accountAssumed) }
        if row.coversSecurityOnly { flags.insert(.coversSecurityOnly) }
        if row.coversDays { flags.insert(.coversDays) }
        var cells = CellBuffer()
        table.layout.append(row.values, to: &cells)
        cells.moment(row.pricedAt)
        table.take(RowHead(input: row.input, line: row.line, ordinal: 0, flags: flags), cells.cells, unit: -1)
    }
}
