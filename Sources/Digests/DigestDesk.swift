public import CDigest

/// The digests that one thread makes while it turns an input into rows: half a block between two pieces of that work
/// takes almost no time.
///
/// Whoever puts bytes off vouches for them until they are settled (`use(input:)`, ``settle(_:)``).
public final class DigestDesk {
    /// Bytes of an output that wait.
    private struct Piece {
        let output: StreamDigest
        let bytes: UnsafeRawBufferPointer
    }

    /// The digest of the input that is read, and the one of which rows are taken.
    @exclusivity(unchecked) private var input: StreamDigest
    @exclusivity(unchecked) private var output: StreamDigest
    /// The chains that pieces of this thread belong to; and the same without counting references: other threads count
    /// those of the same objects.
    private var chains: [DigestChain] = []
    @exclusivity(unchecked) private var first: Unmanaged<DigestChain>?
    @exclusivity(unchecked) private var second: Unmanaged<DigestChain>?
    /// The one of which a piece is being taken, as `input`.
    @exclusivity(unchecked) private var held: DigestChain?
    /// What was put off and is not taken whole; the first is begun.
    @exclusivity(unchecked) private var pieces: [Piece] = []
    @exclusivity(unchecked) private var waiting = 0
    private var taken = 0
    private let nothing = StreamDigest()
    /// When so many pieces of a chain wait, half steps are too slow.
    private let manyPieces: Int
    fileprivate let pair: UnsafeMutablePointer<digest_pair>

    /// A desk without work.
    ///
    /// - Parameter manyPieces: so many pieces of a chain wait only when half steps are too slow.
    public init(manyPieces: Int = 3) {
        self.manyPieces = manyPieces
        (input, output) = (nothing, nothing)
        pair = .allocate(capacity: 1)
        pair.initialize(to: digest_pair(one: nothing.work, other: nothing.work, is_hurried: false))
    }

    deinit { pair.deallocate() }

    // MARK: input

    /// Notes whose digest is that of the input; nil when nobody vouches any more for what it has put off.
    public func use(input: StreamDigest?) {
        self.input = input ?? nothing
        pair.pointee.one = self.input.work
    }

    /// Takes what waits of the input.
    public func settleInput() { input.settle(beside: output) }

    // MARK: outputs

    /// Puts off bytes of an output, which stay as they are until they are settled.
    ///
    /// - Returns: their number, for `settle`.
    public func putOff(_ bytes: UnsafeRawBufferPointer, to output: StreamDigest) -> Int {
        pieces.append(Piece(output: output, bytes: bytes))
        waiting += 1
        if waiting == 1 { begin() }
        return taken + waiting - 1
    }

    /// Takes what was put off up to a number.
    public func settle(_ number: Int) {
        while taken <= number, waiting > 0 {
            output.settle(beside: input)
            end()
        }
    }

    /// Takes all that was put off.
    public func settle() { settle(taken + waiting - 1) }

    private func begin() {
        guard let piece = pieces.first else { return }
        output = piece.output
        output.putOff(piece.bytes)
        pair.pointee.other = output.work
    }

    private func end() {
        output.settle()
        pieces.removeFirst()
        waiting -= 1
        taken += 1
        begin()
    }

    // MARK: chains

    /// Adds a piece of a stream of which other threads have pieces too; it stays as it is until it is settled.
    ///
    /// - Returns: its number, for `settle`.
    public func add(_ bytes: UnsafeRawBufferPointer, to chain: DigestChain) -> Int {
        if !chains.contains(where: { $0 === chain }) { note(chain) }
        return chain.add(bytes, of: self)
    }

    /// Goes by a chain and the one that was noted before it: an input and an output.
    private func note(_ chain: DigestChain) {
        letGo()
        chains = chains.suffix(1) + [chain]
        first = .passUnretained(chains[0])
        second = chains.count > 1 ? .passUnretained(chains[1]) : nil
    }

    /// Takes what is left of the piece that it holds. To be called before its thread waits for another one.
    public func letGo() {
        guard let held else { return }
        use(input: nil)
        self.held = nil
        held.end()
    }

    /// Takes the pieces of its own that are next, so that none of them keeps another thread's waiting. To be called before
    /// its thread goes on to work beside which nothing is taken.
    public func takeNext() {
        letGo()
        for chain in chains {
            while chain.begin(for: self) != nil { chain.end() }
        }
    }

    /// Sees to it that all pieces of a chain up to one are taken.
    public func settle(_ number: Int, of chain: DigestChain) {
        if chain.isTaken(number) { return }
        // Else two threads might wait for each other.
        letGo()
        chain.settle(number)
    }

    /// Goes on to what is next, where something is taken. To be called now and then.
    @inline(__always)
    public func turn() {
        if held != nil ? input.isNearlyTaken : isCalled(first) || isCalled(second) { goOn() }
        if waiting > 0, output.isNearlyTaken { end() }
    }

    @inline(__always)
    private func isCalled(_ chain: Unmanaged<DigestChain>?) -> Bool {
        chain?._withUnsafeGuaranteedRef { $0.calls(self) } ?? false
    }

    /// To the next piece, of the first chain if possible.
    @inline(never)
    private func goOn() {
        letGo()
        for chain in chains {
            guard let count = chain.begin(for: self) else { continue }
            held = chain
            use(input: chain.hash)
            pair.pointee.is_hurried = count >= manyPieces
            return
        }
    }
}

/// The way to a desk for those who do some of its work with every row: no reference is counted.
///
/// Invariant: `pair` and `desk` are those of a desk, which whoever has the steps keeps; nil without one.
public struct DigestSteps: BitwiseCopyable {
    @usableFromInline let pair: UnsafeMutablePointer<digest_pair>?
    @usableFromInline let desk: Unmanaged<DigestDesk>?

    /// No steps.
    @inlinable
    public init() { (pair, desk) = (nil, nil) }

    /// Steps of the work of a desk, which must outlive them; none without one.
    public init(_ desk: DigestDesk?) {
        pair = desk?.pair
        self.desk = desk.map { .passUnretained($0) }
    }

    /// Does a little of the work that waits.
    @inlinable
    @inline(__always)
    public func take() {
        if let pair { digest_step(pair) }
    }

    /// Has the desk go on to what is next; to be called once in some thousand bytes.
    public func turn() { desk?._withUnsafeGuaranteedRef { $0.turn() } }
}
