import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Rows in flat memory merge as rows of values do.
@Suite struct StoredTableTests {
    /// A row that says less takes over what another one says.
    @Test(arguments: [SchemaID.security, .account, .strategy]) func blanksAreFilled(_ id: SchemaID) throws {
        let schema = id.schema
        func value(_ column: Column, _ number: Int) -> AllocValue { .string(column.isKey ? "k" : "v\(number)") }
        let short = schema.columns.map { value($0, 1) }
        let long = schema.allColumns.map { value($0, 1) }
        let table = StoredTable(id, isExtended: true)
        #expect(take(SimpleRow(values: short, input: 0, line: 1), table).isNew)
        #expect(!take(SimpleRow(values: long, input: 1, line: 7), table).isNew)
        var found = rows(table)
        #expect(found.count == 1)
        // Where a row is from stays with the row that says it.
        #expect(found[0].hasPrefix("0 1 0"))
        for (index, name) in table.layout.names.enumerated() {
            let column = try #require(schema.column(name))
            #expect(
                found[0].split(separator: "|", omittingEmptySubsequences: false)[index + 1] == value(column, 1).text)
        }
        // A newer value brings its place with it.
        var newer = long
        guard let moved = schema.columns.firstIndex(where: { !$0.isKey }) else { return }
        newer[moved] = .string("v2")
        _ = take(SimpleRow(values: newer, input: 1, line: 9), table)
        found = rows(table)
        #expect(found[0].hasPrefix("1 9 0"))
    }

    /// Seeded rows of few keys: blanks, other cases, blanks around, other ways to write é, prices that move back and forth
    /// and grow.
    @Test(arguments: [SchemaID.security, .account, .strategy, .allocation, .metaSource])
    func agreesWithTheSimpleTable(_ id: SchemaID) {
        var random = SplitMix64(seed: UInt64(id.rawValue.utf8.count))
        for _ in 0..<40 * Sample.effort {
            var simple = SimpleTable(id)
            let table = StoredTable(id, isExtended: true)
            var conflicts: [String] = []
            var changes = table.changes
            for index in 0..<120 {
                let values = id.schema.allColumns.map { Self.value($0, &random) }
                let row = SimpleRow(
                    values: values, input: index / 40, line: Int(random.next() % 50), ordinal: Int(random.next() % 3))
                let before = rows(table)
                let got = take(row, table)
                conflicts += got.conflicts
                #expect(simple.take(row) == got.isNew)
                // Who remembers what a row would do is told when it would do something else.
                if !got.isNew, table.changes == changes { #expect(rows(table) == before) }
                changes = table.changes
            }
            #expect(conflicts == simple.conflicts)
            #expect(table.count == simple.rows.count)
            let wanted = simple.rows.enumerated().sorted {
                if SimpleRow.precedes($0.element, $1.element) { return true }
                return !SimpleRow.precedes($1.element, $0.element) && $0.offset < $1.offset
            }
            let places = id.schema.allColumns.indices.filter {
                table.layout.names.contains(id.schema.allColumns[$0].name)
            }
            #expect(
                rows(table)
                    == wanted.map { _, row in
                        "\(row.input) \(row.line) \(row.ordinal)|"
                            + places.map { row.values[$0].text }.joined(separator: "|")
                    })
        }
    }

    private static let keys = [
        "VTI", "vti ", " VTI", "Žižkov é", "ŽIŽKOV É", "žižkov e\u{301}", "K", "\u{212A}", "A;", "B",
    ]
    private static let words = ["", "x", "X", "é", "e\u{301}", "a longer text of more than thirty-one bytes, é", "y"]

    private static func value(_ column: Column, _ random: inout SplitMix64) -> AllocValue {
        let choice = Int(random.next() % 8)
        if column.isKey { return .string(keys[Int(random.next() % UInt64(keys.count))]) }
        if choice == 0 { return .null }
        switch column.type {
        case .string: return .string(words[Int(random.next() % UInt64(words.count))])
        case .double:
            let digits = Int128(Int64(truncatingIfNeeded: random.next() >> (random.next() % 60)))
            return ExactDecimal(coefficient: choice == 1 ? digits * 1_000_003 : digits, scale: choice * 3).map {
                .decimal($0)
            } ?? .null
        case .int: return .int(choice - 4)
        case .bool: return .bool(choice < 4)
        case .date:
            let instant = Instant(
                secondsSince1970: 1_700_000_000 + Int64(choice) * 43_200, nanoseconds: choice == 7 ? 5_000_000 : 0)
            return instant.map { .date($0) } ?? .null
        }
    }

    /// Numbers, moments and texts stand in cells as they stand in rows of values.
    @Test func cellsSayWhatValuesSay() {
        var random = SplitMix64(seed: 8)
        var buffer = CellBuffer()
        var values: [AllocValue] = [
            .null, .string(""), .string("é"), .int(.min), .int(.max), .bool(true), .bool(false),
            .string(String(repeating: "x", count: 30)), .string(String(repeating: "y", count: 31)),
            .string(String(repeating: "z", count: 70_000)),
        ]
        for scale in 0...76 {
            for coefficient in [0, 1, -1, 10, -99_999, Int128(UInt64.max), -Int128(UInt64.max), Int128(UInt64.max) + 1]
            {
                if let number = ExactDecimal(coefficient: coefficient, scale: scale) { values.append(.decimal(number)) }
            }
        }
        for _ in 0..<2000 {
            let seconds = Int64(random.next() % 4_000_000_000) - 2_000_000_000
            let nanoseconds: UInt32 = random.next() % 4 == 0 ? 120_000_000 : 0
            let rounded = random.next() % 2 == 0 ? seconds / 43_200 * 43_200 : seconds
            if let instant = Instant(secondsSince1970: rounded, nanoseconds: nanoseconds) {
                values.append(.date(instant))
            }
            let number = Int128(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
            if let number = ExactDecimal(coefficient: number, scale: Int(random.next() % 25)) {
                values.append(.decimal(number))
            }
        }
        for value in values { buffer.value(value) }
        var cursor = CellCursor(buffer.cells)
        for value in values {
            let cell = cursor.next()
            #expect(cell.text == value.text)
            #expect(cell.isBlank == value.isBlank)
            if case .date(let instant) = value { #expect(cell.moment == instant) }
        }
        #expect(cursor.isAtEnd && cursor.next().isBlank)
    }

    // MARK: tools

    private func take(_ row: SimpleRow, _ table: StoredTable) -> (isNew: Bool, conflicts: [String]) {
        var cells = CellBuffer()
        var conflicts: [String] = []
        table.layout.append(row.values, to: &cells)
        let head = RowHead(input: row.input, line: row.line, ordinal: row.ordinal)
        let isNew = table.take(head, cells.cells) {
            conflicts.append("\($0.column) \($0.old.text) \($0.new.text) \($0.isSameInput ? "same" : "other")")
        }
        return (isNew, conflicts)
    }

    private func rows(_ table: StoredTable) -> [String] {
        var rows: [String] = []
        table.forEachInOrder { row in
            var cursor = CellCursor(row.cells)
            let texts = table.layout.names.map { _ in cursor.next().text }
            rows.append(
                "\(row.input) \(row.line) \(row.head.pointee.ordinal)|" + texts.joined(separator: "|"))
        }
        return rows
    }
}
