import Digests
import Synchronization

/// Reads an input once more, for its digest alone, beside other work of one thread: bytes that another thread has read
/// would have to come from its processor.
final class DigestReader: @unchecked Sendable {
    private let stream: any ByteStream
    private let hash: StreamDigest
    private let desk: DigestDesk
    /// How far the rows are.
    private let source: BlockSource
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: DigestReader.bufferBytes, alignment: 64)
    /// How many bytes were read.
    private var count = 0
    /// Whether all was read, or cannot be.
    private var isAtEnd = false
    /// Whether all was hashed.
    private(set) var isWhole = false
    private static let bufferBytes = 1 << 15
    /// So far behind the rows it may be, and so far before it hurries.
    private static let slack = 1 << 19, ease = 1 << 17

    init(_ stream: any ByteStream, _ hash: StreamDigest, _ desk: DigestDesk, _ source: BlockSource) {
        self.stream = stream
        self.source = source
        self.hash = hash
        self.desk = desk
        desk.use(input: hash) { [unowned self] in next() }
    }

    deinit {
        desk.use(input: nil)
        buffer.deallocate()
    }

    /// The bytes that follow; what was given before is taken.
    private func next() -> (bytes: UnsafeRawBufferPointer, isLate: Bool)? {
        guard !isAtEnd else { return nil }
        guard let got = try? stream.read(into: buffer) else {
            isAtEnd = true
            return nil
        }
        count += got
        (isAtEnd, isWhole) = (got == 0, got == 0)
        if got == 0 { return nil }
        let isLate = count + DigestReader.ease < source.position.load(ordering: .relaxed)
        return (UnsafeRawBufferPointer(rebasing: buffer[..<got]), isLate)
    }

    /// Takes so much at once that it is not far behind the rows.
    func follow() {
        let position = source.position.load(ordering: .relaxed)
        while !isAtEnd, count + DigestReader.slack < position { take() }
    }

    /// Takes all that is left.
    func finish() {
        while !isAtEnd { take() }
        desk.settleInput()
    }

    private func take() {
        desk.settleInput()
        desk.turn()
    }
}
