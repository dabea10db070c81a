import Delimited
import Importing

/// The prepared classes of a run. All its inputs have them in common; one thread at a time uses them.
final class PreparedClasses {
    @exclusivity(unchecked) private(set) var all: [PreparedClass] = []
    @exclusivity(unchecked) private var references = FlatMemory<Unmanaged<PreparedClass>>([])
    private var forms: [PreparedForm] = []
    /// A record for each account that a class names.
    private var accounts: [StableHash: Record] = [:]

    private static let maximum = 1 << 15

    var isFull: Bool { all.count >= PreparedClasses.maximum }

    /// Keeps a class of whose rows one is `record`; its number.
    func append(_ new: PreparedClass, _ record: borrowing Record) -> Int {
        all.append(new)
        references.append(.passUnretained(new))
        if accounts[new.account] == nil { accounts[new.account] = copy record }
        return all.count - 1
    }

    /// Keeps a form; its number.
    func append(_ new: PreparedForm) -> Int {
        forms.append(new)
        return forms.count - 1
    }

    /// A form.
    func form(_ index: Int) -> PreparedForm { forms[index] }

    /// A class without counting references for every row; it lives as long as the run.
    @inline(__always)
    subscript(_ index: Int) -> Unmanaged<PreparedClass> { references[index] }

    /// A record with the account of a class.
    func record(of account: StableHash) -> Record? { accounts[account] }
}
