import Dispatch
import Synchronization

/// SHA-256 of a stream whose pieces are with several threads: each takes its own beside its other work when those before
/// it are taken, since it has them in the memory nearest to its processor.
///
/// Whoever adds a piece vouches for its bytes until the piece is settled. One thread at a time holds the digest; it lets
/// go of it before it waits for another one (``DigestDesk/letGo()``), so that whoever needs a piece either waits for a
/// thread that is at work, or takes the piece itself.
public final class DigestChain: @unchecked Sendable {
    private struct Piece: @unchecked Sendable {
        var bytes: UnsafeRawBufferPointer
        /// The desk whose it is.
        var owner: ObjectIdentifier
    }

    private struct State {
        /// The pieces that were added and not yet taken, in order; the first may be held.
        var pieces: [Piece] = []
        /// How many were taken.
        var taken = 0
        var isHeld = false
        /// How many threads wait for who holds it.
        var waiting = 0
    }

    private let state = Mutex(State())
    /// The owner of the next piece; 0 while the digest is held, or there is none. A hint.
    private let next = Atomic<UInt>(0)
    private let ended = DispatchSemaphore(value: 0)
    /// The digest so far, of the thread that holds it.
    let hash: StreamDigest

    /// The chain that goes on with a digest.
    public init(_ hash: StreamDigest) { self.hash = hash }

    /// Adds a piece for the thread of a desk; it stays as it is until it is settled.
    ///
    /// - Returns: its number, for `settle`.
    func add(_ bytes: UnsafeRawBufferPointer, of desk: DigestDesk) -> Int {
        let piece = Piece(bytes: bytes, owner: ObjectIdentifier(desk))
        return state.withLock { state in
            state.pieces.append(piece)
            call(state)
            return state.taken + state.pieces.count - 1
        }
    }

    /// Takes all pieces, or waits for who does. The thread's desk has let go before.
    public func settle() { settle(state.withLock { $0.taken + $0.pieces.count - 1 }) }

    /// Takes all pieces up to one, or waits for who does. A thread whose desk holds a piece lets go of it before.
    func settle(_ number: Int) { while !settled(number) {} }

    /// Whether a piece was taken.
    func isTaken(_ number: Int) -> Bool { state.withLock { $0.taken > number } }

    /// Takes a piece, or waits for another thread that does; true when there is none left to wait for.
    private func settled(_ number: Int) -> Bool {
        let (piece, isHeld): (Piece?, Bool) = state.withLock { state in
            guard state.taken <= number, let piece = state.pieces.first else { return (nil, false) }
            if state.isHeld {
                state.waiting += 1
                return (nil, true)
            }
            state.isHeld = true
            call(state)
            return (piece, true)
        }
        if let piece {
            hash.putOff(piece.bytes)
            end()
        } else if isHeld {
            ended.wait()
        } else {
            return true
        }
        return false
    }

    /// Whether the next piece is a desk's, as far as one can tell without asking all.
    @inline(__always)
    func calls(_ desk: DigestDesk) -> Bool {
        next.load(ordering: .relaxed) == UInt(bitPattern: ObjectIdentifier(desk))
    }

    /// Gives the digest to a desk whose piece is next, and puts the piece off; how many pieces there are, nil if it is
    /// not.
    func begin(for desk: DigestDesk) -> Int? {
        let (piece, count): (Piece?, Int) = state.withLock { state in
            guard !state.isHeld, let piece = state.pieces.first, piece.owner == ObjectIdentifier(desk) else {
                return (nil, 0)
            }
            state.isHeld = true
            call(state)
            return (piece, state.pieces.count)
        }
        guard let piece else { return nil }
        hash.putOff(piece.bytes)
        return count
    }

    /// Takes what is left of the piece, and gives the digest back.
    func end() {
        hash.settle()
        let waiting = state.withLock { state in
            state.pieces.removeFirst()
            state.taken += 1
            state.isHeld = false
            call(state)
            defer { state.waiting = 0 }
            return state.waiting
        }
        for _ in 0..<waiting { ended.signal() }
    }

    private func call(_ state: State) {
        let owner = state.isHeld ? nil : state.pieces.first?.owner
        next.store(owner.map { UInt(bitPattern: $0) } ?? 0, ordering: .relaxed)
    }
}
