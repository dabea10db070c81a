import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport
@testable import Importing

/// Positions of a prepared class become the cells that the projection makes of their records.
@Suite struct PositionFormTests {
    /// What a form of positions says.
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var numbers: [Record.Number]
        var signs: [Int]
        var unit = PriceUnit.share
        var pricedAt: Int64?
        var isAcquired = false
        var kind = RecordKind.position
        var isPrepared = true
    }

    static let shapes = [
        Shape(testDescription: "as stated", numbers: [.units, .price, .unitCost, .marketValue], signs: [1, 1, 1, 1]),
        Shape(testDescription: "short", numbers: [.units, .price, .marketValue], signs: [-1, 1, -1]),
        Shape(testDescription: "worked out", numbers: [.units, .marketValue, .costBasis], signs: [1, 1, 1]),
        Shape(testDescription: "short, worked out", numbers: [.units, .marketValue, .costBasis], signs: [-1, -1, 1]),
        Shape(testDescription: "nothing held", numbers: [.units, .marketValue, .costBasis], signs: [0, 1, 1]),
        Shape(testDescription: "pence", numbers: [.units, .price, .costBasis], signs: [1, 1, 1], unit: .minor),
        Shape(testDescription: "bonds", numbers: [.units, .price, .unitCost], signs: [1, 1, 1], unit: .percentOfPar),
        Shape(testDescription: "negative pence", numbers: [.units, .price], signs: [1, -1], unit: .minor),
        Shape(testDescription: "lots", numbers: [.units, .costBasis], signs: [1, 1], isAcquired: true),
        Shape(testDescription: "dated", numbers: [.units, .price], signs: [1, 1], pricedAt: 1_650_000_000),
        Shape(testDescription: "a price", numbers: [.price], signs: [1], kind: .security),
        Shape(testDescription: "an account", numbers: [], signs: [], kind: .account),
        Shape(
            testDescription: "contracts", numbers: [.units, .price], signs: [1, 1], unit: .contract, isPrepared: false),
        Shape(testDescription: "no units", numbers: [.price], signs: [1], isPrepared: false),
    ]

    private static let exportedAt = Instant(secondsSince1970: 1_700_000_000)

    @Test(arguments: shapes, [true, false])
    func agreesWithTheProjection(_ shape: Shape, _ isExtended: Bool) throws {
        let form = PositionForm(Self.recordClass(shape), exportedAt: Self.exportedAt, extended: isExtended)
        #expect((form != nil) == shape.isPrepared)
        guard let form else { return }
        let prepared = PositionClass(form, Self.record(shape))
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: 16 * PlainDecimal.scratchBytes)
        defer { scratch.deallocate() }
        let values = RowValues()
        var random = SplitMix64(seed: 3)
        var rows = PendingRows()
        var wanted = PendingRows()
        for _ in 0..<500 {
            var record = Self.record(shape)
            for (place, field) in shape.numbers.enumerated() {
                let digits = shape.signs[place] == 0 ? 0 : Int64(1 + random.next() % (1 << (8 + random.next() % 40)))
                let scale = Int(random.next() % 7)
                let number = try #require(
                    ExactDecimal(coefficient: Int128(digits * Int64(shape.signs[place])), scale: scale))
                record[field] = number
                let plain = ByteView.with(Array(number.description.utf8)) {
                    PlainDecimal.read($0, mark: 0x2E, scratch: scratch + place * PlainDecimal.scratchBytes)
                }
                values.set(number: place, try #require(plain))
            }
            if shape.isAcquired {
                let instant = Instant(secondsSince1970: 1_500_000_000 + Int64(random.next() % 1_000_000))
                record[.acquiredAt] = instant
                values.set(moment: 0, try #require(instant.flatMap { RowValues.Moment($0) }))
            }
            record[.pricedAt] = record[.pricedAt] ?? (shape.kind == .position ? Self.exportedAt : nil)
            rows.removeAll()
            wanted.removeAll()
            #expect(prepared.fill(values, into: &rows))
            try ReferenceProjection(exportedAt: Self.exportedAt).project(record, extended: isExtended, into: &wanted)
            #expect(rows.count == wanted.count && rows.cells.cells.isSame(as: wanted.cells.cells))
            for (one, other) in zip(rows.rows, wanted.rows) {
                #expect(one.schema == other.schema && one.end == other.end && one.flags == other.flags)
            }
        }
    }

    /// A class's record without its numbers.
    private static func record(_ shape: Shape) -> Record {
        var record = Record()
        record.kind = shape.kind
        record.priceUnit = shape.unit
        record.set(.account, "X1")
        record.set(.symbol, "ACME")
        record.set(.description, "A company of more than thirty-one letters")
        record.set(.currency, "EUR")
        record.covers = shape.isAcquired ? .security : .account
        record.isTaxable = false
        record[.pricedAt] = shape.pricedAt.flatMap { Instant(secondsSince1970: $0) }
        return record
    }

    private static func recordClass(_ shape: Shape) -> RecordClass {
        let examples = [0, 1].map { variant in
            var example = RecordClass.Example(record: record(shape), numbers: [], moments: [], texts: [])
            for (place, field) in shape.numbers.enumerated() {
                let digits = RecordClass.exampleDigits(place, variant) * Int128(shape.signs[place])
                let number = ExactDecimal(coefficient: digits, scale: 3) ?? .zero
                example.numbers.append(number)
                example.record[field] = number
            }
            if shape.isAcquired, let instant = Instant(secondsSince1970: 1_000_000_000 + 40_000_003 * Int64(variant)) {
                example.moments.append(instant)
                example.record[.acquiredAt] = instant
            }
            if shape.kind == .position, shape.pricedAt == nil { example.record[.pricedAt] = exportedAt }
            return example
        }
        return RecordClass(examples: (examples[0], examples[1]), signs: shape.signs, account: nil)
    }

    /// The road is taken, in inputs of different days, with what must be said of some rows; what comes out is the same.
    @Test(arguments: RunOptions.Format.allCases) func isTaken(_ format: RunOptions.Format) throws {
        let header =
            "Account Type,Account Name,Ticker,Account Number,Owners,Quantity,Price,Change,Market Value,Daily $ Change,"
            + "Daily % Change,PRR\n"
        let inputs = [1, 2].map { number in
            var text = header
            for index in 0..<400 {
                let ticker = ["QYGX", "QYBX", "=QYX", ""][index % 4]
                let (sign, units) = index % 7 == 0 ? ("-", index * 100 + 150) : ("", index * number * 100 + 25)
                // Of some, units × price is not the value.
                let value = units * (index * 10 + 4) * (index % 50 == 49 ? 3 : 1)
                text += "Roth IRA,\"Fund, \(index % 4)\",\(ticker),3100-\(index % 3),Dana,"
                text += "\"\(sign)\(units / 100).\(units / 10 % 10)\(units % 10)\",\(index).40,"
                let decimals = String(1000 + value % 1000).dropFirst()
                text += "$0.10,\(sign)$\(value / 1000).\(decimals),$1.25,0.25%,8.10%\n"
            }
            return MemoryInput(name: "holdings-\(number).csv", bytes: Array(text.utf8))
        }
        for inputs in [[inputs[0]], inputs] {
            for columns in RunOptions.Columns.allCases {
                let change: (inout RunOptions) -> Void = {
                    $0.columns = columns
                    $0.format = format
                    $0.csvSafe = format == .csv
                }
                let short = try ShortRoad.outputs(inputs, isShort: true, change)
                let long = try ShortRoad.outputs(inputs, isShort: false, change)
                #expect(short.prepared > 300 * inputs.count && long.prepared == 0)
                for (name, file) in long.files { #expect(short.files[name] == file, "\(name)") }
                #expect(short.files.count == long.files.count)
            }
        }
    }
}
