import Delimited
import Importing

/// The prepared classes of a run. All its inputs have them in common; one thread at a time uses them.
final class PreparedClasses {
    @exclusivity(unchecked) private(set) var all: [PreparedClass] = []
    @exclusivity(unchecked) private var references = FlatMemory<Unmanaged<PreparedClass>>([])
    /// A record for each account that a class names.
    private var accounts: [StableHash: Record] = [:]

    private static let maximum = 1 << 15

    var isFull: Bool { all.count >= PreparedClasses.maximum }

    /// Keeps a class of whose rows one is `record`; its number.
    func append(_ new: PreparedClass, _ record: Record) -> Int {
        all.append(new)
        references.append(.passUnretained(new))
        if accounts[new.account] == nil { accounts[new.account] = record }
        return all.count - 1
    }

    /// A class without counting references for every row; it lives as long as the run.
    @inline(__always)
    subscript(_ index: Int) -> Unmanaged<PreparedClass> { references[index] }

    /// A record with the account of a class.
    func record(of account: StableHash) -> Record? { accounts[account] }
}
