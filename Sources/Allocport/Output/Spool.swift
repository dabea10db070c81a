import Digests

/// A file on its way: written under a temporary name, changed where a later input asks for it, and then moved into place.
///
/// Invariant of the buffer: the first `used` bytes of `memory` are initialised and not yet written.
final class Spool {
    /// A part of what was written that is replaced in the end.
    struct Patch: Sendable {
        var offset: Int
        var length: Int
        var replacement: [UInt8]
    }

    private let path: String?
    /// The name that it will have, for messages.
    private let finalPath: String
    private let makeFile: OutputFolder.FileMaker
    private let trouble: OutputFolder.Trouble?
    private let mayWriteAside: Bool
    private var descriptor: Int32 = -1
    @exclusivity(unchecked) private var memory: SpoolMemory
    @exclusivity(unchecked) private var used = 0
    private var hash = StreamDigest()
    /// The same, where several threads have pieces of it.
    private var chain: DigestChain?
    /// Whether somebody wants the hash; set before anything is appended.
    var isHashed = true
    /// Where digests are made beside other work of this thread.
    private let desk: DigestDesk?
    /// Writes while rows are made; the hash is its until then.
    private var aside: SpoolAside?
    /// What names the input of its rows, and hashes them, later.
    private var late: LateName?
    private var patches: [Patch] = []
    /// The first write that failed.
    private(set) var failure: RunError?
    private var movedTo: String?
    private var isKept = false
    /// Bytes appended so far.
    var count: Int { flushed + used }
    @exclusivity(unchecked) private var flushed = 0
    /// The bytes, when they are kept in memory instead of a file.
    private(set) var content: [UInt8]?
    /// So many bytes are worth a call of the system; and so many are worth to be hashed beside other work.
    private static let leastDirect = 1 << 14, leastLent = 1 << 14

    /// A spool whose bytes are kept in memory, or (a dry run) only counted and hashed.
    init(inMemory: Bool) throws(RunError) {
        mayWriteAside = false
        desk = nil
        path = nil
        finalPath = ""
        makeFile = POSIX.create
        trouble = nil
        memory = SpoolMemory()
        if inMemory { content = [] }
    }

    /// A spool at a path that does not exist yet, for a file of another name.
    ///
    /// - Parameter isAside: whether another thread may write.
    init(
        path: String, for finalPath: String, makeFile: @escaping OutputFolder.FileMaker, trouble: OutputFolder.Trouble,
        isAside: Bool = false, desk: DigestDesk? = nil
    ) throws(RunError) {
        mayWriteAside = isAside
        self.desk = desk
        self.path = path
        self.finalPath = finalPath
        self.makeFile = makeFile
        self.trouble = trouble
        memory = SpoolMemory(desk)
        descriptor = makeFile(path)
        if descriptor < 0 { throw .creating(finalPath, POSIX.lastError) }
    }

    deinit { discard() }

    /// Where the next bytes go; there is room for so many. `advance` must follow with how many were written.
    @inline(__always)
    func tail(_ needed: Int) -> UnsafeMutablePointer<UInt8> {
        if used + needed > memory.room { makeRoom(needed) }
        return memory.base + used
    }

    /// Says that so many bytes now stand at `tail`.
    @inline(__always)
    func advance(by written: Int) { used += written }

    @inline(never)
    private func makeRoom(_ needed: Int) {
        flush()
        if needed > memory.room { memory.grow(to: needed) }
    }

    /// Appends bytes. A failure to write is kept and thrown by `finish`.
    func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Appends bytes.
    func append(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        while position < bytes.count {
            if used == memory.room { flush() }
            let size = min(memory.room - used, bytes.count - position)
            UnsafeMutableRawBufferPointer(start: memory.base + used, count: size)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + size]))
            used += size
            position += size
        }
    }

    /// Appends a part of rows, which may be hashed later.
    func append(_ range: Range<Int>, of rows: RowBuffer) {
        let bytes = rows.bytes(range)
        let isDirect = bytes.count >= Spool.leastDirect
        // What is written before is hashed before; this thread may hold the digest.
        if isDirect ? used > 0 : used + bytes.count > memory.room { rows.desk?.letGo() }
        guard isDirect else { return append(bytes) }
        flush()
        drain()
        if isHashed, late == nil { hash(bytes, of: rows) }
        write(bytes)
        flushed += bytes.count
        late?.note(written: flushed)
    }

    /// From now on rows may have stand-ins, and are hashed by another thread, until the name is put off no more.
    func putOff(_ name: LateName) {
        flush()
        drain()
        name.begin(descriptor, hash, at: flushed)
        late = name
    }

    /// Names and hashes what is left of the rows that have stand-ins: no other comes.
    func endPuttingOff() {
        guard let late else { return }
        flush()
        late.end()
        self.late = nil
        if late.failure != 0, failure == nil { fail(late.failure) }
    }

    private func hash(_ bytes: UnsafeRawBufferPointer, of rows: RowBuffer) {
        guard let owner = rows.desk else { return update(bytes) }
        let (chain, number) = putOff(bytes, owner, isAlone: rows.isAlone)
        rows.lend(to: chain, as: number)
    }

    /// Hashes what waits in memory, which was written, if possible while others take its place.
    private func hashWaiting() {
        let bytes = UnsafeRawBufferPointer(start: memory.base, count: used)
        guard used >= Spool.leastLent, memory.lends, chain == nil, let desk = memory.desk else { return update(bytes) }
        memory.lend(as: desk.putOff(bytes, to: hash))
    }

    /// Leaves bytes to a thread's desk: by itself, or with the pieces of other threads as a chain.
    ///
    /// - Returns: the chain, and the number to settle.
    private func putOff(_ bytes: UnsafeRawBufferPointer, _ owner: DigestDesk, isAlone: Bool) -> (DigestChain?, Int) {
        if isAlone, let desk {
            chain?.settle()
            return (nil, desk.putOff(bytes, to: hash))
        }
        desk?.settle()
        let chain = self.chain ?? DigestChain(hash)
        self.chain = chain
        return (chain, owner.add(bytes, to: chain))
    }

    private func update(_ bytes: UnsafeRawBufferPointer) {
        settle()
        hash.update(bytes)
    }

    /// Sees to it that all rows that were lent are hashed.
    private func settle() {
        desk?.settle()
        chain?.settle()
    }

    /// Replaces bytes that were appended, in the end. Patches must not overlap.
    func patch(offset: Int, length: Int, with replacement: [UInt8] = []) {
        patches.append(Patch(offset: offset, length: length, replacement: replacement))
    }

    private func flush() {
        if used == 0 { return }
        if mayWriteAside, late == nil, memory.room == SpoolMemory.size, used > memory.room / 2 {
            flushAside()
        } else {
            drain()
            write(UnsafeRawBufferPointer(start: memory.base, count: used))
            if isHashed, late == nil { hashWaiting() }
        }
        flushed += used
        used = 0
        late?.note(written: flushed)
    }

    /// Writes what waits and goes on in other memory: each of several threads that append in turns has its own, which
    /// stays with its processor.
    func exchange(_ other: inout SpoolMemory) {
        flush()
        swap(&memory, &other)
    }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        content?.append(contentsOf: bytes)
        if descriptor >= 0, failure == nil {
            let code = POSIX.writeAll(descriptor, bytes)
            if code != 0 { fail(code) }
        }
    }

    /// Gives the buffer away and goes on with the other one.
    private func flushAside() {
        let aside = self.aside ?? SpoolAside(capacity: SpoolMemory.size, hash: hash, isHashed: isHashed)
        self.aside = aside
        let code = aside.wait()
        if code != 0, failure == nil { fail(code) }
        settle()
        memory.exchange(&aside.memory)
        aside.start(used, to: failure == nil ? descriptor : -1)
    }

    /// Waits for what is written aside, and takes the hash back.
    private func drain() {
        guard let aside else { return }
        let code = aside.wait()
        aside.release()
        self.aside = nil
        if code != 0, failure == nil { fail(code) }
    }

    private func fail(_ code: Int32) {
        failure = .writeFailed(path: finalPath, code: code)
        trouble?.raise()
    }

    /// Writes what is left, applies the patches, and closes the file.
    ///
    /// - Parameter body: rows stand after so many bytes and each ends in a line feed; `separator` goes between two.
    /// - Returns: the SHA-256 in hex.
    func finish(rowsFrom start: Int = 0, separator: [UInt8] = [], closing: [UInt8] = []) throws(RunError) -> String {
        if patches.isEmpty && separator.isEmpty {
            append(closing)
        } else {
            flush()
            try rewrite(rowsFrom: start, separator: separator, closing: closing)
        }
        flush()
        drain()
        if let failure { throw failure }
        if descriptor >= 0 {
            // Some file systems say only now that there was no room.
            let code = POSIX.close(descriptor)
            descriptor = -1
            if code != 0 { throw .writeFailed(path: finalPath, code: code) }
        }
        // Many finished spools may wait for the end of the run.
        settle()
        memory = SpoolMemory(room: 1)
        return hash.finish()
    }

    /// Copies the file into a new one without what is patched away.
    private func rewrite(rowsFrom start: Int, separator: [UInt8], closing: [UInt8]) throws(RunError) {
        drain()
        hash = StreamDigest()
        chain = nil
        let source = descriptor
        let old = content
        let end = count
        var buffer: [UInt8] = []
        if let path {
            POSIX.remove(path)
            descriptor = makeFile(path)
            if descriptor < 0 {
                let code = POSIX.lastError
                POSIX.close(source)
                throw .creating(finalPath, code)
            }
        } else if old == nil {
            return
        }
        defer { if source >= 0 { POSIX.close(source) } }
        content = old.map { _ in [] }
        var joiner = RowJoiner(start: start, separator: separator)
        var position = 0
        for patch in patches.sorted(by: { $0.offset < $1.offset }) {
            try copy(source, old, position..<patch.offset, &joiner, &buffer)
            joiner.append(patch.replacement[...], &buffer)
            position = patch.offset + patch.length
            joiner.skip(patch.length)
        }
        try copy(source, old, position..<end, &joiner, &buffer)
        joiner.finish(&buffer)
        append(buffer)
        append(closing)
    }

    private func copy(
        _ source: Int32, _ content: [UInt8]?, _ range: Range<Int>, _ joiner: inout RowJoiner, _ buffer: inout [UInt8]
    ) throws(RunError) {
        if let content {
            joiner.append(content[range], &buffer)
            return
        }
        var piece = [UInt8](repeating: 0, count: SpoolMemory.size)
        var position = range.lowerBound
        while position < range.upperBound {
            let wanted = min(piece.count, range.upperBound - position)
            let got = piece.withUnsafeMutableBytes {
                POSIX.read(source, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]), at: position)
            }
            if got <= 0 {
                throw .writeFailed(path: finalPath, code: got < 0 ? POSIX.lastError : POSIX.isTooShort)
            }
            joiner.append(piece[..<got], &buffer)
            position += got
            append(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
    }

    /// Moves the finished file to its name.
    func move(to name: String) throws(RunError) {
        guard let path else { return }
        let code = POSIX.move(path, to: name)
        if code != 0 { throw .writeFailed(path: name, code: code) }
        movedTo = name
    }

    /// The file stays where it was moved to, whatever becomes of the spool.
    func keep() { isKept = true }

    /// Closes and removes the file, temporary or moved, unless it is to be kept.
    func discard() {
        drain()
        if descriptor >= 0 { POSIX.close(descriptor) }
        descriptor = -1
        if let path, !isKept { POSIX.remove(movedTo ?? path) }
    }
}

/// Puts a separator between rows while they are copied.
private struct RowJoiner {
    /// Bytes left before the first row.
    var start: Int
    let separator: [UInt8]
    private var owesLineFeed = false

    init(start: Int, separator: [UInt8]) {
        self.start = start
        self.separator = separator
    }

    mutating func skip(_ length: Int) { start = max(0, start - length) }

    mutating func append(_ bytes: ArraySlice<UInt8>, _ out: inout [UInt8]) {
        if separator.isEmpty {
            out.append(contentsOf: bytes)
            return
        }
        var rest = bytes
        if start > 0 {
            out.append(contentsOf: rest.prefix(start))
            let taken = min(start, rest.count)
            rest = rest.dropFirst(taken)
            start -= taken
        }
        // The line feed of a row is held back until it is known whether another row follows.
        for byte in rest {
            if owesLineFeed {
                out.append(contentsOf: separator)
                out.append(0x0A)
                owesLineFeed = false
            }
            if byte == 0x0A {
                owesLineFeed = true
            } else {
                out.append(byte)
            }
        }
    }

    mutating func finish(_ out: inout [UInt8]) {
        if owesLineFeed { out.append(0x0A) }
        owesLineFeed = false
    }
}
