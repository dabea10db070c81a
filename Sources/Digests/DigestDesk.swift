public import CDigest

/// The digests that one thread makes while it turns an input into rows: half a block between two pieces of that work
/// takes almost no time.
///
/// Whoever puts bytes off vouches for them until they are settled (`use(input:)`, ``StreamDigest/settle(beside:)``).
public final class DigestDesk {
    /// The digest of the input that is read, and that of the rows that are written.
    private var input: StreamDigest
    private var output: StreamDigest
    private let nothing = StreamDigest()
    fileprivate let pair: UnsafeMutablePointer<digest_pair>

    /// A desk without work.
    public init() {
        (input, output) = (nothing, nothing)
        pair = .allocate(capacity: 1)
        pair.initialize(to: digest_pair(one: nothing.work, other: nothing.work))
    }

    deinit { pair.deallocate() }

    /// Notes whose digest is that of the input; nil when nobody vouches any more for what it has put off.
    public func use(input: StreamDigest?) {
        self.input = input ?? nothing
        pair.pointee.one = self.input.work
    }

    /// Takes what waits of the input.
    public func settleInput() { input.settle(beside: output) }

    /// Puts off bytes of an output, which stay as they are until it is settled.
    public func putOff(_ bytes: UnsafeRawBufferPointer, to output: StreamDigest) {
        self.output.settle(beside: input)
        self.output = output
        pair.pointee.other = output.work
        output.putOff(bytes)
    }
}

/// The way to a desk for those who do some of its work with every row: no reference is counted.
///
/// Invariant: `pair` is that of a desk, which whoever has the steps keeps; nil without one.
public struct DigestSteps: BitwiseCopyable {
    @usableFromInline let pair: UnsafeMutablePointer<digest_pair>?

    /// Steps of the work of a desk, which must outlive them; none without one.
    public init(_ desk: DigestDesk? = nil) { pair = desk?.pair }

    /// Does a little of the work that waits.
    @inlinable
    @inline(__always)
    public func take() {
        if let pair { digest_step(pair) }
    }
}
