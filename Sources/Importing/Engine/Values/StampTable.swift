import Delimited
import OpenAlloc

/// What a date with or without a time of day says.
struct Stamp: BitwiseCopyable {
    /// Days since 1970; meaningless of a time alone.
    var day = 0
    /// −1 when the text has no time of day.
    var secondOfDay = -1
    var nanoseconds: UInt32 = 0
    /// Seconds ahead of UTC; `noOffset` where the text does not say it.
    var offset = Stamp.noOffset
    /// The number of the zone word; −1 where the text has none.
    var zone = -1

    static let noOffset = Int.min
}

/// Reads dates, most of which have a time of day and are met once, by their shape: what a text is without what its digits
/// say. The first text of a shape is held against the patterns; those after it only bring digits.
///
/// Which pattern reads a shape does not depend on digits, but for months, hours and the like that do not exist: such a
/// text is left to the patterns, as another one of them may read it.
struct StampTable: ~Copyable {
    struct Shape: BitwiseCopyable {
        var key: Key
        var layout = DateLayout()
        /// −1 where the text has no zone word.
        var zone = -1
        /// Whether texts of the shape can be read by the layout.
        var isReadable = false
    }

    /// The text with zeros for digits.
    struct Key: BitwiseCopyable, Equatable {
        var words: (UInt64, UInt64, UInt64, UInt64)
        var count: Int

        static func == (left: Key, right: Key) -> Bool {
            (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1) | (left.words.2 ^ right.words.2)
                | (left.words.3 ^ right.words.3) == 0 && left.count == right.count
        }
    }

    private let patterns: [DatePattern]
    /// Whether the texts are times of day alone.
    private let areTimes: Bool
    private let isUsable: Bool
    private var shapes = FlatMemory<Shape>([])
    /// Open addressing: the shape, or −1 in a free place; half of them at least are free.
    private var places = FlatMemory<Int16>(repeating: -1, count: 256)
    /// The zone words, by their numbers.
    private(set) var zoneWords: [String] = []

    private static let largest = 128
    private static let longest = 32

    init(_ patterns: [DatePattern], areTimes: Bool = false) {
        self.patterns = patterns
        self.areTimes = areTimes
        isUsable = patterns.allSatisfy { DateLayout.covers($0) }
    }

    /// What a text without white space at its ends says; nil where that is left to the patterns.
    mutating func read(_ text: ByteView) -> Stamp? {
        guard isUsable, let key = StampTable.key(text) else { return nil }
        var place = place(key)
        while true {
            let index = Int(places[place])
            if index < 0 { break }
            if shapes[index].key == key { return stamp(text, shapes[index]) }
            place = (place &+ 1) & (places.count &- 1)
        }
        guard let index = learn(text, key, place) else { return nil }
        return stamp(text, shapes[index])
    }

    // MARK: shapes

    @inline(never)
    private mutating func learn(_ text: ByteView, _ key: Key, _ place: Int) -> Int? {
        guard shapes.count < StampTable.largest else { return nil }
        var shape = Shape(key: key)
        for pattern in patterns {
            guard let found = pattern.layout(of: text), areTimes ? pattern.hasTime : pattern.hasDate else { continue }
            shape.layout = found.layout
            shape.isReadable = true
            if let word = found.zoneWord {
                shape.zone = zoneWords.firstIndex(of: word) ?? zoneWords.count
                if shape.zone == zoneWords.count { zoneWords.append(word) }
            }
            break
        }
        places[place] = Int16(truncatingIfNeeded: shapes.count)
        shapes.append(shape)
        return shapes.count - 1
    }

    @inline(__always)
    private func place(_ key: Key) -> Int {
        let mixed = (key.words.0 &* 3) ^ (key.words.1 &* 5) ^ (key.words.2 &* 7) ^ key.words.3
        let wide = mixed.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: wide.high ^ wide.low) & (places.count &- 1)
    }

    /// Loads that overlap where the text is short; nil of long texts.
    @inline(__always)
    private static func key(_ text: ByteView) -> Key? {
        guard text.count > 0, text.count <= longest, let tail = text.suffix(16).words else { return nil }
        var words = (UInt64(0), UInt64(0), withoutDigits(tail.0), withoutDigits(tail.1))
        if text.count > 16, let head = text.prefix(16).words {
            words.0 = withoutDigits(head.0)
            words.1 = withoutDigits(head.1)
        }
        return Key(words: words, count: text.count)
    }

    /// Eight bytes with zeros for digits.
    @inline(__always)
    private static func withoutDigits(_ word: UInt64) -> UInt64 {
        let bytes = word ^ 0x3030_3030_3030_3030
        let others = (bytes & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7676_7676_7676_7676) | bytes
        return word & ~((~others & 0x8080_8080_8080_8080) &>> 7 &* 0x0F)
    }

    // MARK: digits

    /// What a text of a shape says; nil for what does not exist.
    @inline(__always)
    private func stamp(_ text: ByteView, _ shape: Shape) -> Stamp? {
        guard shape.isReadable else { return nil }
        let layout = shape.layout
        var stamp = Stamp()
        if !areTimes {
            var year = StampTable.value(text, layout.year)
            if layout.year.count == 2 { year &+= year >= 70 ? 1900 : 2000 }
            let month = layout.monthName > 0 ? Int(layout.monthName) : StampTable.value(text, layout.month)
            guard let date = CivilDate(year: year, month: month, day: StampTable.value(text, layout.day)) else {
                return nil
            }
            stamp.day = date.daysSinceEpoch
        }
        if layout.hour.count > 0 {
            var hour = StampTable.value(text, layout.hour)
            let minute = StampTable.value(text, layout.minute)
            let second = StampTable.value(text, layout.second)
            guard hour < 24, minute < 60, second < 60 else { return nil }
            if layout.half != .none, hour <= 12 { hour = hour % 12 &+ (layout.half == .afternoon ? 12 : 0) }
            stamp.secondOfDay = hour &* 3600 &+ minute &* 60 &+ second
            if layout.fraction.count > 0 { stamp.nanoseconds = StampTable.nanoseconds(text, layout.fraction) }
        } else if layout.minute.count > 0 || layout.second.count > 0 {
            return nil
        }
        if layout.offset != .none {
            let hours = StampTable.value(text, layout.offsetHours)
            let minutes = StampTable.value(text, layout.offsetMinutes)
            guard hours <= 18, minutes < 60 else { return nil }
            let seconds = hours &* 3600 &+ minutes &* 60
            stamp.offset = layout.offset == .behind ? -seconds : seconds
        }
        stamp.zone = shape.zone
        return stamp
    }

    @inline(__always)
    private static func value(_ text: ByteView, _ digits: DateLayout.Digits) -> Int {
        var value = 0
        let start = Int(digits.start)
        for place in start..<(start &+ Int(digits.count)) { value = value &* 10 &+ Int(text[place] &- 0x30) }
        return value
    }

    private static func nanoseconds(_ text: ByteView, _ digits: DateLayout.Digits) -> UInt32 {
        var value = UInt32(value(text, digits))
        for _ in Int(digits.count)..<9 { value *= 10 }
        return value
    }
}

extension DatePattern {
    /// Whether it has a day.
    var hasDate: Bool { isEpoch || fields.contains { if case .day = $0 { true } else { false } } }
}
