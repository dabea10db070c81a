import Importing
import Dispatch
import Synchronization

/// Work on several threads whose results come out in the order of the inputs.
enum Parallel {
    /// Maps every element, on at most `jobs` threads, each of which has a tool of its own.
    static func map<Input: Sendable, Output: Sendable, Tool>(
        _ inputs: [Input], jobs: Int, with makeTool: @escaping @Sendable () -> Tool,
        _ body: @escaping @Sendable (Input, Tool) -> Output
    ) -> [Output] {
        let workers = min(max(1, jobs), inputs.count)
        guard workers > 1 else {
            let tool = makeTool()
            return inputs.map { body($0, tool) }
        }
        let results = Mutex([Output?](repeating: nil, count: inputs.count))
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            let tool = makeTool()
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < inputs.count else { return }
                let output = body(inputs[index], tool)
                results.withLock { $0[index] = output }
            }
        }
        return results.withLock { $0.compactMap { $0 } }
    }

    /// Makes pieces on at most `jobs` threads, and takes each in its turn, one at a time.
    static func inOrder<Piece>(
        _ count: Int, jobs: Int, make: @escaping @Sendable (Int) -> Piece, take: @escaping (Piece) -> Void
    ) {
        let taker = Taker(take: take)
        let next = Atomic<Int>(0)
        let turns = (0...count).map { _ in Baton() }
        turns[0].give()
        DispatchQueue.concurrentPerform(iterations: min(max(1, jobs), count)) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                let piece = make(index)
                // Whoever has the piece before is at it, or done.
                turns[index].take()
                taker.take(piece)
                turns[index + 1].give()
            }
        }
    }

    /// Invariant: one thread at a time uses it.
    private struct Taker<Piece>: @unchecked Sendable {
        let take: (Piece) -> Void
    }
}
