/// The sixteen schemas of openalloc. The raw value is the schema's name.
public enum SchemaID: String, Sendable, Hashable, CaseIterable {
    /// Accounts.
    case account = "openalloc/account"
    /// Target slices of strategies.
    case allocation = "openalloc/allocation"
    /// Asset classes.
    case asset = "openalloc/asset"
    /// Limits of an asset class in an account.
    case cap = "openalloc/cap"
    /// Positions, by lot where known.
    case holding = "openalloc/holding"
    /// Securities and their last price.
    case security = "openalloc/security"
    /// Strategies.
    case strategy = "openalloc/strategy"
    /// Indices that securities track.
    case tracker = "openalloc/tracker"
    /// Events in accounts.
    case transaction = "openalloc/transaction"
    /// Target amounts of a rebalance.
    case rebalanceAllocation = "openalloc/rebalance/allocation"
    /// Purchases that a rebalance needs.
    case rebalancePurchase = "openalloc/rebalance/purchase"
    /// Sales that a rebalance needs.
    case rebalanceSale = "openalloc/rebalance/sale"
    /// Moments at which a portfolio was valued.
    case valuationSnapshot = "openalloc/valuation/snapshot"
    /// Positions at a snapshot.
    case valuationPosition = "openalloc/valuation/position"
    /// Cash that moved between snapshots.
    case valuationCashflow = "openalloc/valuation/cashflow"
    /// The files that rows came from.
    case metaSource = "openalloc/meta/source"

    /// The schema's columns and what they mean.
    public var schema: Schema { rowType.schema }

    /// The type whose values are rows of the schema.
    public var rowType: any AllocRow.Type {
        switch self {
        case .account: MAccount.self
        case .allocation: MAllocation.self
        case .asset: MAsset.self
        case .cap: MCap.self
        case .holding: MHolding.self
        case .security: MSecurity.self
        case .strategy: MStrategy.self
        case .tracker: MTracker.self
        case .transaction: MTransaction.self
        case .rebalanceAllocation: MRebalanceAllocation.self
        case .rebalancePurchase: MRebalancePurchase.self
        case .rebalanceSale: MRebalanceSale.self
        case .valuationSnapshot: MValuationSnapshot.self
        case .valuationPosition: MValuationPosition.self
        case .valuationCashflow: MValuationCashflow.self
        case .metaSource: MSourceMeta.self
        }
    }

    /// The name with dots for slashes, for file names: `openalloc.rebalance.allocation`.
    public var fileStem: String {
        String(decoding: rawValue.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
    }

    /// The schema of that name, with slashes or with dots; `nil` when there is none.
    public init?(name: String) {
        self.init(rawValue: String(name.map { $0 == "." ? "/" : $0 }))
    }
}
