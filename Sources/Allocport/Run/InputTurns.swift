import Importing
import Dispatch
import Synchronization

/// Several threads that read the inputs of a run in turns, a few inputs at a time.
///
/// In its turn a thread is the thread of the run: it does with its inputs what a single thread would do, in their order,
/// and nobody else touches the run's state. Between its turns it reads ahead the inputs of its next one, in memory of its
/// own: rows do not travel from one processor to another. So nothing that comes out depends on who had which turn.
///
/// Invariant: `next`, `waiting`, `isStopped` and the `range` of every reader are touched by the thread whose turn it is; a
/// reader looks at its own range after it was given its first one, and until its turn has come.
final class InputTurns: @unchecked Sendable {
    /// What a thread has of its own.
    final class Reader: @unchecked Sendable {
        let ahead: ReadAhead
        /// Memory for what its rows become.
        var memory = SpoolMemory()
        /// The inputs of its next turn; nil when there is none.
        fileprivate var range: Range<Int>?
        fileprivate let start = DispatchSemaphore(value: 0)
        fileprivate let baton = Baton()

        init(_ ahead: ReadAhead) { self.ahead = ahead }
    }

    /// Reads inputs; false when no others are to be read.
    typealias Turn = (Reader, Range<Int>) -> Bool

    private let count: Int
    /// The first input that nobody was given.
    private var next = 0
    /// Who has the turns to come.
    private var waiting: [Reader] = []
    private var isStopped = false
    /// Threads that have come to take part: a thread that never comes leaves all turns to the others.
    private let joining = Mutex<(readers: [Reader], isEnded: Bool)>(([], false))
    private let end = DispatchSemaphore(value: 0)
    /// Turns are short in the beginning, when every input teaches something.
    static let longest = 8
    private static let growth = 8

    /// Turns of so many inputs.
    init(count: Int) { self.count = count }

    /// Reads with the thread that has the first turn; comes back when all turns are over.
    func lead(_ reader: Reader, _ turn: Turn) {
        assign(reader)
        _ = waiting.popLast()
        if !run(reader, hasBaton: true, turn) { end.wait() }
    }

    /// Reads with another thread, which comes back when it has no more turns.
    func join(_ reader: Reader, _ turn: Turn) {
        let isEnded = joining.withLock { joining in
            if !joining.isEnded { joining.readers.append(reader) }
            return joining.isEnded
        }
        if isEnded { return }
        reader.start.wait()
        if run(reader, hasBaton: false, turn) { end.signal() }
    }

    /// Whether the last turn of all was the reader's.
    private func run(_ reader: Reader, hasBaton: Bool, _ turn: Turn) -> Bool {
        var hasBaton = hasBaton
        while let range = reader.range {
            reader.ahead.work()
            if !hasBaton { reader.baton.take() }
            reader.range = nil
            if !isStopped, !turn(reader, range) {
                isStopped = true
                next = count
            }
            assign(reader)
            guard let following = pass() else { return true }
            hasBaton = following === reader
            if !hasBaton { following.baton.give() }
        }
        return false
    }

    /// Gives a reader its next turn, if there is one.
    private func assign(_ reader: Reader) {
        let most = min(InputTurns.longest, 1 + next / InputTurns.growth, count - next)
        guard most > 0 else { return }
        let size = reader.ahead.size(ofTurn: next..<next + most)
        reader.ahead.prepare(next..<next + size)
        reader.range = next..<next + size
        waiting.append(reader)
        next += size
    }

    /// Who has the next turn, now that one is over; nil when there is none.
    private func pass() -> Reader? {
        let fresh = joining.withLock { joining in
            defer { joining.readers = [] }
            joining.isEnded = next >= count
            return joining.readers
        }
        for reader in fresh {
            assign(reader)
            reader.start.signal()
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}
