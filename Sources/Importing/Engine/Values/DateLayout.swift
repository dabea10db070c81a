/// Where the parts of a date stand in all texts of one shape: texts that differ only in their digits.
struct DateLayout: BitwiseCopyable {
    /// A run of digits; none where the text does not have the part.
    struct Digits: BitwiseCopyable {
        var start: UInt8 = 0
        var count: UInt8 = 0

        init() {}

        init(_ start: Int, _ count: Int) {
            self.start = UInt8(clamping: start)
            self.count = UInt8(clamping: count)
        }
    }

    enum Half: UInt8, BitwiseCopyable { case none, morning, afternoon }
    enum Offset: UInt8, BitwiseCopyable { case none, zulu, ahead, behind }

    var year = Digits()
    var month = Digits()
    var day = Digits()
    var hour = Digits()
    var minute = Digits()
    var second = Digits()
    /// At most nine digits.
    var fraction = Digits()
    var offsetHours = Digits()
    var offsetMinutes = Digits()
    /// 1 to 12 where a word says the month.
    var monthName: UInt8 = 0
    var half = Half.none
    var offset = Offset.none

    /// Whether a pattern's parts are told by a text's shape: it asks for no digit by name and for nothing twice.
    static func covers(_ pattern: DatePattern) -> Bool {
        var kinds: [UInt8] = []
        for field in pattern.fields {
            switch field {
            case .year4, .year2: kinds.append(0)
            case .month, .monthName: kinds.append(1)
            case .day: kinds.append(2)
            case .hour, .hour12: kinds.append(3)
            case .minute: kinds.append(4)
            case .second: kinds.append(5)
            case .halfDay: kinds.append(6)
            case .fraction: kinds.append(7)
            case .offset: kinds.append(8)
            case .zoneWord: kinds.append(9)
            case .weekday, .space: break
            case .epoch, .epochMilliseconds: return false
            case .literal(let byte): if isDigit(byte) { return false }
            }
        }
        return Set(kinds).count == kinds.count
    }
}
