import Digests
import Importing

/// What a thread makes plans of inputs with.
final class FirstLook {
    /// An input, or a file that nobody has opened yet.
    enum Given: Sendable {
        case input(any InputSource)
        case listed(ListedFile)
    }

    /// What became of it.
    enum Planned: Sendable {
        case plan(InputPlan)
        case empty(name: String)
        case failed(InputError)
    }

    private let catalog: any ImporterCatalog
    private let options: RunOptions
    private let isAlone: Bool
    private let seen: SeenInputs?
    private let isStopped: @Sendable () -> Bool
    private let scanner = PlainRowScanner()

    /// - Parameter isAlone: whether the run has one input only.
    ///   - seen: what is known of inputs that begin alike; nil where each is looked at by itself.
    init(
        _ catalog: any ImporterCatalog, _ options: RunOptions, isAlone: Bool, seen: SeenInputs?,
        isStopped: @escaping @Sendable () -> Bool
    ) {
        (self.catalog, self.options, self.isAlone, self.seen) = (catalog, options, isAlone, seen)
        self.isStopped = isStopped
    }

    /// Of so many inputs two are looked at together: two digests take the time of one.
    private static let leastInPairs = 64

    /// The inputs that are looked at together.
    static func groups(of given: [Given]) -> [Range<Int>] {
        let size = given.count < leastInPairs ? 1 : 2
        return stride(from: 0, to: given.count, by: size).map { $0..<min($0 + size, given.count) }
    }

    /// Plans of inputs.
    func plan(_ given: ArraySlice<Given>) -> [Planned] {
        if given.count == 2, let one = given.first, let other = given.last {
            let (first, second) = (open(one), open(other))
            let digests = digests(first, second)
            return [plan(first, sha256: digests?.0), plan(second, sha256: digests?.1)]
        }
        return given.map { plan(open($0), sha256: nil) }
    }

    /// A file, and its bytes if it is a small one.
    private typealias Opened = Result<(source: any InputSource, content: [UInt8]?), InputError>

    private func open(_ given: Given) -> Opened {
        switch given {
        case .input(let input): return .success((input, nil))
        case .listed(let listed):
            do throws(InputError) {
                let (file, bytes) = try FileInput.open(listed, upTo: InputSample.headBytes)
                return .success((file, bytes))
            } catch {
                return .failure(error)
            }
        }
    }

    private func plan(_ opened: Opened, sha256: String?) -> Planned {
        switch opened {
        case .failure(let error): return .failed(error)
        case .success((let source, let content)):
            if source.byteCount == 0, content != nil { return .empty(name: source.name) }
            return .plan(
                InputPlan(
                    source, content: content, sha256: sha256, catalog: catalog, options: options, isAlone: isAlone,
                    isStopped: isStopped(), seen: seen.map { ($0, scanner) }))
        }
    }

    /// The digests of two small files; nil when one is not.
    private func digests(_ one: Opened, _ other: Opened) -> (String, String)? {
        guard case .success((_, let one?)) = one, case .success((_, let other?)) = other else { return nil }
        let (first, second) = (StreamDigest(), StreamDigest())
        one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                // They stay where they are until all are taken.
                first.putOff(one)
                second.putOff(other)
                first.settle(beside: second)
                second.settle()
            }
        }
        return (first.finish(), second.finish())
    }
}
