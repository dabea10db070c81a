import Digests
import Synchronization

/// What names an input in its rows, while its digest is still made: rows have a stand-in of the same length, which is
/// replaced where they were written.
///
/// One other thread makes the digest, and then, until it has nearly caught up with who writes rows (`work`), puts the name
/// into the file and makes the file's digest. Who writes takes over from there (`end`).
///
/// Invariant: `place`, `hash` and `failure` belong to the other thread from `begin` until `isCaughtUp`, else to who
/// writes.
final class LateName: @unchecked Sendable {
    private struct Written {
        /// The file, below 0 as long as there is none, and how much of it was written.
        var descriptor: Int32 = -1
        var end = 0
    }

    private let digest: LateDigest
    private let name = Mutex<SourceName?>(nil)
    private let written = Mutex(Written())
    private let caughtUp = Atomic(false)
    /// So much of the file is named and hashed.
    private var place = 0
    private var hash: StreamDigest?
    private var piece: [UInt8] = []
    /// `errno` of the first call that failed.
    private(set) var failure: Int32 = 0

    /// As long as a name, and nothing that stands in a table: those are UTF-8.
    static let standIn = [UInt8](repeating: 0xFF, count: length)
    private static let length = 32
    private static let pieceBytes = 1 << 18

    init(_ digest: LateDigest) { self.digest = digest }

    /// The name if it is known.
    var known: SourceName? { name.withLock { $0 } }

    /// The name, in its digits; makes the digest, or waits for who does.
    func digits() -> [UInt8] {
        let digits = Array(digest.sourceMetaID.utf8)
        // The input could not be read, which its report says.
        return digits.count == LateName.length ? digits : [UInt8](repeating: 0x30, count: LateName.length)
    }

    /// The same, noted for all.
    @discardableResult
    func settle() -> SourceName {
        let known = SourceName(digits())
        name.withLock { $0 = known }
        return known
    }

    // MARK: on the other thread

    /// Makes the digest, names what was written meanwhile, and hashes it.
    func work() {
        let name = settle()
        while true {
            let written = written.withLock { $0 }
            // Before there is a file, `place` is not this thread's to read.
            guard written.descriptor >= 0, written.end - place >= LateName.pieceBytes, failure == 0 else { break }
            take(written.end, of: written.descriptor, name)
        }
        caughtUp.store(true, ordering: .releasing)
    }

    /// Whether the other thread has done what it had to do.
    var isCaughtUp: Bool { caughtUp.load(ordering: .acquiring) }

    // MARK: who writes

    /// Begins with a file of which so much was written and hashed.
    func begin(_ descriptor: Int32, _ hash: StreamDigest, at count: Int) {
        written.withLock { written in
            (place, self.hash) = (count, hash)
            written = Written(descriptor: descriptor, end: count)
        }
    }

    /// So much of the file is written.
    func note(written end: Int) { written.withLock { $0.end = end } }

    /// Names and hashes all of the file, when nobody is at it any more.
    func end() {
        let (written, name) = (written.withLock { $0 }, known ?? settle())
        while place < written.end, failure == 0 { take(written.end, of: written.descriptor, name) }
    }

    // MARK: both

    /// Names and hashes a piece of the file that ends at the latest at `end`.
    private func take(_ end: Int, of descriptor: Int32, _ name: SourceName) {
        if piece.isEmpty { piece = [UInt8](repeating: 0, count: LateName.pieceBytes) }
        let wanted = min(piece.count, end - place)
        piece.withUnsafeMutableBytes { piece in
            let got = POSIX.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted]), at: place)
            let count = got > 0 ? LateName.whole(piece[..<got]) : 0
            // Somebody else has changed the file.
            guard count > 0 else { return failure = got < 0 ? POSIX.lastError : POSIX.isTooShort }
            let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<count])
            let bytes = UnsafeRawBufferPointer(part)
            if LateName.put(name, into: part) { failure = POSIX.writeAll(descriptor, bytes, at: place) }
            hash?.update(bytes)
            place += count
        }
    }

    /// How many bytes there are without a stand-in that goes on behind them.
    private static func whole(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> Int {
        let open = bytes.reversed().prefix(length).prefix { $0 == standIn[0] }.count
        return open == length ? bytes.count : bytes.count - open
    }

    /// Puts a name into all stand-ins; whether there is one.
    @discardableResult
    static func put(_ name: SourceName, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        var (place, isFound) = (0, false)
        while let start = POSIX.find(standIn[0], in: UnsafeRawBufferPointer(bytes), from: place) {
            place = start + 1
            guard let found = bytes.baseAddress.map({ $0 + start }), bytes.count - start >= length,
                found.loadUnaligned(as: SIMD4<UInt64>.self) == SIMD4(repeating: .max)
            else { continue }
            place = start + name.write(to: found.assumingMemoryBound(to: UInt8.self))
            isFound = true
        }
        return isFound
    }
}
