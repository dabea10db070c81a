/// A time of day on a clock of 24 hours, without a zone. Leap seconds (`23:59:60`) are not represented.
public struct CivilTime: Sendable, Hashable {
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int
    /// 0 to 59.
    public let second: Int
    /// 0 to 999 999 999.
    public let nanosecond: UInt32

    /// 00:00:00.
    public static let midnight = CivilTime(unchecked: 0, 0, 0, 0)
    /// 12:00:00.
    public static let noon = CivilTime(unchecked: 12, 0, 0, 0)

    /// A time that exists, or `nil`.
    @inlinable
    public init?(hour: Int, minute: Int, second: Int = 0, nanosecond: UInt32 = 0) {
        guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second, nanosecond < 1_000_000_000 else { return nil }
        self.init(unchecked: hour, minute, second, nanosecond)
    }

    /// The time that many seconds after midnight, or `nil` outside 0 to 86 399.
    @inlinable
    public init?(secondOfDay: Int, nanosecond: UInt32 = 0) {
        guard 0..<86_400 ~= secondOfDay, nanosecond < 1_000_000_000 else { return nil }
        self.init(unchecked: secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60, nanosecond)
    }

    @usableFromInline
    init(unchecked hour: Int, _ minute: Int, _ second: Int, _ nanosecond: UInt32) {
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
    }

    /// Whole seconds since midnight, 0 to 86 399.
    @inlinable
    public var secondOfDay: Int { hour * 3600 + minute * 60 + second }
}

extension CivilTime: Comparable {
    /// Earlier times first.
    @inlinable
    public static func < (left: CivilTime, right: CivilTime) -> Bool {
        (left.secondOfDay, left.nanosecond) < (right.secondOfDay, right.nanosecond)
    }
}

extension CivilTime: CustomStringConvertible {
    /// `19:00:00`, with as many decimals as it needs.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `19:00:00`, with as many decimals as it needs, in ASCII.
    public func append(to bytes: inout [UInt8]) {
        appendTwoDigits(hour, to: &bytes)
        bytes.append(0x3A)
        appendTwoDigits(minute, to: &bytes)
        bytes.append(0x3A)
        appendTwoDigits(second, to: &bytes)
        if nanosecond == 0 { return }
        bytes.append(0x2E)
        var rest = nanosecond
        var unit: UInt32 = 100_000_000
        while rest > 0 {
            bytes.append(0x30 + UInt8(rest / unit))
            rest %= unit
            unit /= 10
        }
    }
}
