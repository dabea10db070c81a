public import Delimited
import OpenAlloc

/// What one row brings to the record of its class: numbers, dates and texts, in memory that every row uses again.
///
/// Invariant: places are checked against the fixed counts; views in it are valid only until the row's record is done.
public final class RowValues {
    /// A date of a row.
    public struct Moment: BitwiseCopyable {
        /// Seconds since 1970, rounded down. `Int64.min` when the row has none.
        public internal(set) var secondsSince1970 = Int64.min
        /// RFC 3339 in UTC, the first `count` bytes; the first in the lowest byte of the first word.
        @usableFromInline var text: (UInt64, UInt64, UInt64) = (0, 0, 0)
        /// The bytes after those, of which only fractions of a second have some.
        @usableFromInline var rest: UInt64 = 0
        @usableFromInline var count = 0

        /// A moment that the row does not have.
        public init() {}

        /// Nil for an instant that has a fraction of a second.
        init?(_ instant: Instant) {
            guard instant.nanoseconds == 0 else { return nil }
            secondsSince1970 = instant.secondsSince1970
            count = MomentText.count
            text = MomentText.words(of: instant)
        }

        /// The same for any instant.
        init(exactly instant: Instant) {
            secondsSince1970 = instant.secondsSince1970
            count = MomentText.count
            text = MomentText.words(of: instant)
            if instant.nanoseconds > 0 { add(nanoseconds: instant.nanoseconds) }
        }

        /// Puts decimals between the seconds and the `Z`.
        mutating func add(nanoseconds: UInt32) {
            let (decimals, length) = MomentText.decimals(nanoseconds)
            let end = UInt128(text.2 & 0xFF_FFFF) | decimals << 24
            text.2 = UInt64(truncatingIfNeeded: end)
            rest = UInt64(truncatingIfNeeded: end >> 64)
            count = MomentText.count + length
        }

        /// Whether the row has none.
        @inlinable public var isBlank: Bool { secondsSince1970 == .min }

        /// The room that the text is copied to.
        @inlinable public static var textRoom: Int { 32 }

        /// Copies the text; returns how many bytes it has.
        ///
        /// - Parameter target: room for ``textRoom`` bytes; what stands after the text is undefined.
        @inlinable
        @inline(__always)
        public func copyText(to target: UnsafeMutablePointer<UInt8>) -> Int {
            let raw = UnsafeMutableRawPointer(target)
            raw.storeBytes(of: text.0.littleEndian, as: UInt64.self)
            raw.storeBytes(of: text.1.littleEndian, toByteOffset: 8, as: UInt64.self)
            raw.storeBytes(of: text.2.littleEndian, toByteOffset: 16, as: UInt64.self)
            raw.storeBytes(of: rest.littleEndian, toByteOffset: 24, as: UInt64.self)
            return count
        }
    }

    /// The most numbers, moments or texts that a row brings.
    package static let capacity = 16

    @exclusivity(unchecked) @usableFromInline var numbers = InlineArray<16, PlainDecimal>(repeating: PlainDecimal())
    @exclusivity(unchecked) @usableFromInline var moments = InlineArray<16, Moment>(repeating: Moment())
    @exclusivity(unchecked) @usableFromInline var texts = InlineArray<16, ByteView>(repeating: .empty)
    /// Places of cells whose numbers are known to have few digits (`DigitBounds`) and not to be zero, a bit each; of those
    /// of other rows nothing is known.
    @exclusivity(unchecked) @usableFromInline var fewDigits: UInt64 = 0
    /// Room for the digits of numbers that the source writes in another way.
    let scratch: UnsafeMutablePointer<UInt8>

    init() {
        scratch = .allocate(capacity: RowValues.capacity * PlainDecimal.scratchBytes)
        scratch.initialize(repeating: 0, count: RowValues.capacity * PlainDecimal.scratchBytes)
    }

    deinit { scratch.deallocate() }

    /// The room for the digits of a number; traps outside the places.
    @inline(__always)
    func scratch(_ place: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(place >= 0 && place < RowValues.capacity, "no such place")
        return scratch + place * PlainDecimal.scratchBytes
    }

    /// A number of the row.
    @inlinable public func number(_ place: Int) -> PlainDecimal { numbers[place] }

    /// A moment of the row.
    @inlinable public func moment(_ place: Int) -> Moment { moments[place] }

    /// A text of the row; empty when it has none.
    @inlinable public func text(_ place: Int) -> ByteView { texts[place] }

    func set(number place: Int, _ value: PlainDecimal) { numbers[place] = value }
    func set(moment place: Int, _ value: Moment) { moments[place] = value }
    func set(text place: Int, _ value: ByteView) { texts[place] = value }
}
