import OpenAlloc
import TestSupport
import Testing

@Suite struct RowTests {
    private let sale = [
        "txnAction": "BuySell", "txnTransactedAt": "2021-03-01", "txnAccountID": "A1", "txnSecurityID": "VTI",
        "txnShareCount": "-1.50", "txnSharePrice": "200.10", "kind": "sell", "sourceLine": "7", "unheardOf": "x",
    ]

    @Test func decodesARow() throws {
        var rejected: [RejectedRow] = []
        let decoded = MTransaction.decode([sale], rejectedRows: &rejected)
        #expect(rejected.isEmpty)
        #expect(decoded.first?["sourceLine"] == .int(7))
        #expect(decoded.first?["unheardOf"] == nil)
        let row = try MTransaction(from: #require(decoded.first))
        #expect(row.txnAction == .buysell)
        #expect(row.txnShareCount?.description == "-1.5")
        #expect(row.txnLotID.isEmpty)
        #expect(row.realizedGainLong == nil)
        #expect(
            row.values.map(\.text) == ["buysell", "2021-03-01T00:00:00Z", "A1", "VTI", "", "-1.5", "200.1", "", ""])
    }

    @Test(arguments: [
        ("txnAction", "bought", RowCode.actionUnknown), ("txnAction", "", .fieldMissing),
        ("txnTransactedAt", "2021-02-30", .dateInvalid), ("txnTransactedAt", " ", .fieldMissing),
        ("txnAccountID", "  ", .fieldMissing), ("txnShareCount", "12 shares", .numberInvalid),
        ("txnShareCount", "1e3", .numberInvalid), ("txnShareCount", "", .fieldMissing),
        ("txnSharePrice", "1.00000000000000000000000000000000000001", .numberRange),
        ("sourceLine", "1.5", .numberInvalid), ("sourceLine", "9223372036854775808", .numberRange),
        ("priceUnit", "dozen", .valueInvalid),
    ])
    func rejectsARow(column: String, text: String, code: RowCode) {
        var raw = sale
        raw[column] = text
        var rejected: [RejectedRow] = []
        let decoded = MTransaction.decode([sale, raw], rejectedRows: &rejected)
        #expect(decoded.count == 1)
        #expect(rejected.map(\.code) == [code])
        #expect(rejected.map(\.column) == [column])
        #expect(rejected.map(\.index) == [1])
        #expect(rejected.first?.rawRow == raw)
        #expect(rejected.first?.reason.isEmpty == false)
    }

    @Test(arguments: [
        ("true", true), ("TRUE", true), ("Yes", true), ("1", true), ("false", false), ("no", false), ("0", false),
        (" true ", true), ("", nil),
    ])
    func readsFlags(text: String, expected: Bool?) throws {
        let raw = ["accountID": "A", "isTaxable": text]
        #expect(try MAccount(from: Schema.account.decode(raw)).isTaxable == expected)
    }

    @Test(arguments: ["y", "t", "2", "truee", "on", "да", "-1"])
    func rejectsWhatIsNoFlag(text: String) {
        #expect(throws: RowError(.valueInvalid, column: "isTaxable", value: text)) {
            try Schema.account.decode(["accountID": "A", "isTaxable": text])
        }
    }

    @Test func typedValuesAreChecked() {
        #expect(throws: RowError(.fieldMissing, column: "assetID", value: "")) { try MAsset(from: [:]) }
        #expect(throws: RowError(.valueInvalid, column: "colorCode", value: "red")) {
            try MAsset(from: ["assetID": .string("Bond"), "colorCode": .string("red")])
        }
        #expect(throws: RowError(.actionUnknown, column: "txnAction", value: "gift")) {
            try MTransaction(from: ["txnAction": .string("gift")])
        }
    }

    @Test func updateAddsAndChangesNothingWhenItFails() throws {
        var asset = MAsset {
            $0.assetID = "Bond"
            $0.title = "Bonds"
            $0.colorCode = 3
        }
        try asset.update(from: ["title": .string("Fixed income"), "colorCode": .null, "other": .bool(true)])
        #expect(asset.title == "Fixed income")
        #expect(asset.colorCode == 3)
        let before = asset
        #expect(throws: RowError.self) { try asset.update(from: ["title": .string("x"), "colorCode": .bool(true)]) }
        #expect(asset == before)
    }

    @Test func keysCompareTrimmedAndFolded() throws {
        let first = MCap {
            $0.capAccountID = " Straße 1 "
            $0.capAssetID = "ÉQUITY"
            $0.limitPct = 1
        }
        let second = MCap {
            $0.capAccountID = "STRAßE 1"
            $0.capAssetID = "équity\t"
        }
        #expect(first.primaryKey == second.primaryKey)
        #expect(first.id == second.id)
        #expect(first != second)
        #expect(first.primaryKey != MCap.emptyKey)
        #expect(MCap().primaryKey == MCap.emptyKey)
        #expect(first.primaryKey["capAssetID"] == .string("équity"))
        #expect(first.primaryKey["limitPct"] == nil)
        #expect(try MCap.getPrimaryKey(first.decodedRow) == second.primaryKey)
    }

    @Test func keysTellNumbersByValue() throws {
        let a = try MHolding(
            from: Schema.holding.decode(["holdingAccountID": "A", "holdingSecurityID": "V", "shareCount": "1.50"]))
        let b = try MHolding(
            from: Schema.holding.decode(["holdingAccountID": "A", "holdingSecurityID": "V", "shareCount": "1.5"]))
        let c = try MHolding(
            from: Schema.holding.decode(["holdingAccountID": "A", "holdingSecurityID": "V", "shareCount": "2"]))
        #expect(a.primaryKey == b.primaryKey)
        #expect(a.primaryKey != c.primaryKey)
    }

    @Test(arguments: SchemaID.allCases)
    func everySchemaRoundTripsThroughCellTexts(id: SchemaID) throws {
        try roundTrip(id.rowType, seed: 8)
    }

    private func roundTrip<Row: AllocRow>(_ type: Row.Type, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        #expect(Row.attributes == Row.schema.columns)
        for _ in 0..<iterations(50) {
            let raw = randomRawRow(Row.schema, &random)
            let row = try Row(from: Row.schema.decode(raw))
            var again: [String: String] = [:]
            for (column, value) in zip(Row.schema.columns, row.values) { again[column.name] = value.text }
            #expect(try Row(from: Row.schema.decode(again)) == row)
            #expect(try Row(from: row.decodedRow) == row)
            #expect(try Row.getPrimaryKey(row.decodedRow) == row.primaryKey)
            #expect(row.primaryKey.values.count == Row.schema.keyColumns.count)
        }
    }
}

/// A row of random texts that its schema accepts; what may be blank sometimes is.
func randomRawRow(_ schema: Schema, _ random: inout SplitMix64) -> [String: String] {
    var row: [String: String] = [:]
    for column in schema.allColumns {
        if column.mayBeBlank, random.below(3) == 0 { continue }
        row[column.name] =
            switch column.type {
            case .string: column.allowedValues.isEmpty ? "t" + randomText(&random) : random.pick(column.allowedValues)
            case .double: randomNumber(&random)
            case .int: String(Int.random(in: Int.min...Int.max, using: &random))
            case .bool: random.pick(["true", "false", "Yes", "0"])
            case .date: random.pick(["2021-03-01", "2021-03-01T10:00:00.25-05:00", "1969-12-31T23:59:59Z"])
            }
    }
    return row
}

/// Random text, with everything that coding has to escape.
func randomText(_ random: inout SplitMix64) -> String {
    let pieces = [
        "a", "Z", "\"", "\\", "/", ",", "\n", "\r", "\t", "\0", "\u{1F}", "\u{7F}", "é", "☃", "𝄞", "\u{2028}", " ", "{",
    ]
    return (0..<random.below(12)).map { _ in random.pick(pieces) }.joined()
}
