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
}
