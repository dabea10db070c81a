import Dispatch
import Importing
import Synchronization

/// The digest of an input that is not asked for before its rows are read: it comes of that reading, or of another one on
/// a thread of its own.
final class LateDigest: Sendable {
    /// The input to read the rows from.
    let source: any InputSource
    private let base: any InputSource
    private let known = Mutex<Result<String, InputError>?>(nil)
    private let isStopped = Atomic<Bool>(false)

    /// - Parameter isAside: whether another thread reads the input for its digest.
    init(_ base: any InputSource, isAside: Bool) {
        self.base = base
        source = isAside ? base : HashedInput(base)
        if isAside { DispatchQueue(label: "digest").async { _ = self.read() } }
    }

    /// SHA-256 in hex. The input is read for it if its rows were not read to the end.
    func value() throws(InputError) -> String { try read().get() }

    /// What names the input in tables; empty when it cannot be read.
    var sourceMetaID: String { String(((try? value()) ?? "").prefix(32)) }

    /// The reading aside ends; nobody asks any more.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    private func read() -> Result<String, InputError> {
        known.withLock { known in
            if let known { return known }
            let result: Result<String, InputError>
            if let digest = (source as? HashedInput)?.digest {
                result = .success(digest)
            } else {
                let input = WatchedInput(
                    base: base, isStopped: { [self] in isStopped.load(ordering: .relaxed) }, onRead: { _ in })
                do throws(InputError) { result = .success(try InputPlan.digest(input)) } catch {
                    result = .failure(error)
                }
            }
            known = result
            return result
        }
    }
}
