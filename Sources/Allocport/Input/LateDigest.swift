import Dispatch
import Importing
import Synchronization

/// The digest of an input that is not asked for before its rows are read: it comes of that reading, or is made by another
/// thread.
final class LateDigest: Sendable {
    /// The input to read the rows from.
    var source: any InputSource { hashed }
    private let hashed: HashedInput
    private let base: any InputSource
    private let known = Mutex<Result<String, InputError>?>(nil)

    init(_ base: any InputSource) {
        self.base = base
        hashed = HashedInput(base)
    }

    /// Has another thread make it now; who asks for it waits.
    func begin() {
        let processor = Processor.current
        DispatchQueue.global().async { [self] in
            processor.leave()
            _ = read()
        }
    }

    /// SHA-256 in hex. The input is read for it if its rows were not read to the end.
    func value() throws(InputError) -> String { try read().get() }

    /// What names the input in tables; empty when it cannot be read.
    var sourceMetaID: String { String(((try? value()) ?? "").prefix(32)) }

    private func read() -> Result<String, InputError> {
        known.withLock { known in
            if let known { return known }
            let result: Result<String, InputError>
            if let digest = hashed.digest {
                result = .success(digest)
            } else {
                do throws(InputError) { result = .success(try InputPlan.digest(base)) } catch {
                    result = .failure(error)
                }
            }
            known = result
            return result
        }
    }
}
