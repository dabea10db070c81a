import Digests
import Dispatch

/// Hashes and writes what a spool hands over, on another thread, one buffer at a time.
///
/// Invariant: between `start` and the `wait` that follows, only the other thread touches `memory`, `hash` and `code`.
final class SpoolAside: @unchecked Sendable {
    /// The bytes that are on their way; outside of that, a buffer that is free.
    var memory: UnsafeMutablePointer<UInt8>
    let hash: StreamDigest
    /// Whether somebody wants it.
    private let isHashed: Bool
    private var code: Int32 = 0
    private let queue = DispatchQueue(label: "spool")
    private let isIdle = DispatchSemaphore(value: 1)

    init(capacity: Int, hash: StreamDigest, isHashed: Bool) {
        memory = .allocate(capacity: capacity)
        self.hash = hash
        self.isHashed = isHashed
    }

    deinit { memory.deallocate() }

    /// Begins to write the first `count` bytes of `memory`; `wait` has come before. Nothing is written below 0.
    func start(_ count: Int, to descriptor: Int32) {
        queue.async { [self] in
            let bytes = UnsafeRawBufferPointer(start: memory, count: count)
            if isHashed { hash.update(bytes) }
            if descriptor >= 0, code == 0 { code = POSIX.writeAll(descriptor, bytes) }
            isIdle.signal()
        }
    }

    /// Waits until what was begun is written; `start` or `release` follows.
    ///
    /// - Returns: the code of the first write that failed, or 0.
    func wait() -> Int32 {
        isIdle.wait()
        return code
    }

    /// Nothing is to be begun now.
    func release() { isIdle.signal() }
}
