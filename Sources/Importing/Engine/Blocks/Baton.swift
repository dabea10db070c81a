import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What tells one thread that its turn has come.
///
/// Turns are short. A thread that falls asleep for one is mostly woken where the other thread runs, and both are on one
/// processor for longer than the turn was worth: so it looks for the baton a while before it does.
package final class Baton: Sendable {
    private let isHere = Atomic(false)
    private let arrival = DispatchSemaphore(value: 0)
    private static let looks = 2_000, looksBetweenYields = 64

    package init() {}

    /// Says that it is the turn of the thread that takes it.
    package func give() {
        isHere.store(true, ordering: .releasing)
        arrival.signal()
    }

    /// Waits for the turn.
    package func take() {
        for _ in 0..<Baton.looks {
            if hasCome { break }
            _ = sched_yield()
        }
        arrival.wait()
        isHere.store(false, ordering: .relaxed)
    }

    /// Takes the turn if it has come.
    func takeIfHere() -> Bool {
        guard isHere.load(ordering: .acquiring) else { return false }
        arrival.wait()
        isHere.store(false, ordering: .relaxed)
        return true
    }

    private var hasCome: Bool {
        for _ in 0..<Baton.looksBetweenYields where isHere.load(ordering: .acquiring) { return true }
        return false
    }
}
