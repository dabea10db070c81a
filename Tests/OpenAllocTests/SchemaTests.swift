import OpenAlloc
import Testing

/// The sixteen schemas as the model's documentation lists them: `name`, then `column type flags`.
private let expected: [(String, [String])] = [
    (
        "openalloc/account",
        ["accountID string *k", "title string", "isTaxable bool", "canTrade bool", "accountStrategyID string"]
    ),
    (
        "openalloc/allocation",
        ["allocationStrategyID string *k", "allocationAssetID string *k", "targetPct double", "isLocked bool"]
    ),
    ("openalloc/asset", ["assetID string *k", "title string", "colorCode int", "parentAssetID string"]),
    ("openalloc/cap", ["capAccountID string *k", "capAssetID string *k", "limitPct double"]),
    (
        "openalloc/holding",
        [
            "holdingAccountID string *k", "holdingSecurityID string *k", "holdingLotID string *k",
            "shareCount double k", "shareBasis double k", "acquiredAt date k",
        ]
    ),
    (
        "openalloc/security",
        [
            "securityID string *k", "securityAssetID string", "sharePrice double", "updatedAt date",
            "securityTrackerID string",
        ]
    ),
    ("openalloc/strategy", ["strategyID string *k", "title string"]),
    ("openalloc/tracker", ["trackerID string *k", "title string"]),
    (
        "openalloc/transaction",
        [
            "txnAction string *k", "txnTransactedAt date *k", "txnAccountID string *k", "txnSecurityID string *k",
            "txnLotID string *k", "txnShareCount double *k", "txnSharePrice double", "realizedGainShort double",
            "realizedGainLong double",
        ]
    ),
    (
        "openalloc/rebalance/allocation",
        ["allocationAccountID string *k", "allocationAssetID string *k", "amount double *"]
    ),
    ("openalloc/rebalance/purchase", ["purchaseAccountID string *k", "purchaseAssetID string *k", "amount double *"]),
    (
        "openalloc/rebalance/sale",
        [
            "saleAccountID string *k", "saleSecurityID string *k", "saleLotID string *k", "amount double *",
            "shareCount double", "liquidateAll bool",
        ]
    ),
    ("openalloc/valuation/snapshot", ["valuationSnapshotID string *k", "capturedAt date *"]),
    (
        "openalloc/valuation/position",
        [
            "valuationPositionSnapshotID string *k", "valuationPositionAccountID string *k",
            "valuationPositionAssetID string *k", "totalBasis double *", "marketValue double *",
        ]
    ),
    (
        "openalloc/valuation/cashflow",
        [
            "valuationCashflowTransactedAt date *k", "valuationCashflowAccountID string *k",
            "valuationCashflowAssetID string *k", "amount double *",
        ]
    ),
    ("openalloc/meta/source", ["sourceMetaID string *k", "url string", "importerID string", "exportedAt date"]),
]

private let expectedExtended: [SchemaID: String] = [
    .transaction: """
    kind currency amount commission fees tax accruedInterest sourcePrice priceUnit settledAt isin cusip \
    description sourceAction sourceTxnID rowID sourceMetaID sourceLine
    """,
    .holding: "currency marketValue costBasis isin cusip description rowID sourceMetaID sourceLine",
    .security: "currency title isin cusip kind sourceMetaID sourceLine",
    .account: "currency institution kind sourceMetaID sourceLine isActive",
]

@Suite struct SchemaTests {
    @Test func theModelHasTheseSixteenAndNoOther() {
        #expect(Schema.all.map(\.name) == expected.map(\.0))
        #expect(Set(Schema.all.map(\.fileStem)).count == 16)
    }

    @Test(arguments: expected)
    func columnsTypesAndFlagsAreTheModels(name: String, columns: [String]) throws {
        let schema = try #require(SchemaID(rawValue: name)).schema
        let said = schema.columns.map { column in
            let flags = (column.isRequired ? "*" : "") + (column.isKey ? "k" : "")
            return "\(column.name) \(column.type.rawValue)" + (flags.isEmpty ? "" : " " + flags)
        }
        #expect(said == columns)
        #expect(schema.keyColumns == schema.columns.filter(\.isKey))
    }

    @Test(arguments: SchemaID.allCases)
    func extendedColumnsAreTheContracts(id: SchemaID) {
        let names = (expectedExtended[id] ?? "").split(separator: " ").map(String.init)
        #expect(id.schema.extendedColumns.map(\.name) == names)
        #expect(id.schema.extendedColumns.allSatisfy { !$0.isRequired && !$0.isKey })
    }

    @Test(arguments: SchemaID.allCases)
    func everythingIsDescribedAndFound(id: SchemaID) {
        let schema = id.schema
        #expect(schema.id == id)
        #expect(!schema.description.isEmpty && !schema.description.hasSuffix("."))
        #expect(Set(schema.allColumns.map(\.name)).count == schema.allColumns.count)
        for (index, column) in schema.allColumns.enumerated() {
            #expect(!column.description.isEmpty && !column.description.hasSuffix("."))
            #expect(schema.index(of: column.name) == index)
            #expect(schema.column(column.name) == column)
        }
        #expect(schema.index(of: "nonesuch") == nil)
        #expect(SchemaID(name: schema.fileStem) == id)
        #expect(SchemaID(name: schema.name) == id)
    }

    @Test func lotsAndCashMayBeBlankAndNothingElseThatIsRequired() {
        let blankable = Schema.all.flatMap(\.columns).filter { $0.isRequired && $0.mayBeBlank }.map(\.name)
        #expect(blankable == ["holdingLotID", "txnSecurityID", "txnLotID", "saleLotID"])
    }

    @Test func fileStemsHaveDots() {
        #expect(SchemaID.rebalanceAllocation.fileStem == "openalloc.rebalance.allocation")
        #expect(SchemaID(name: "openalloc.nonesuch") == nil)
    }
}
