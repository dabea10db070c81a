import CCodePages

/// The code pages of East Asia as Windows has them: a character is a byte of ASCII, for a few another byte, or a pair.
///
/// No second byte of a pair is below 0x40, so that delimiters, quotes and line ends stand for themselves; `|` and `\`
/// may be second bytes. Pairs for private use have no meaning here.
enum DoubleBytePage: Sendable, CaseIterable {
    /// Code page 932.
    case shiftJIS
    /// Code page 936 with the pairs that GB 18030 added; its characters of four bytes have no meaning.
    case gbk
    /// Code page 949.
    case eucKR
    /// Code page 950.
    case big5

    private var number: UInt8 {
        switch self {
        case .shiftJIS: UInt8(truncatingIfNeeded: code_page_is_shift_jis.rawValue)
        case .gbk: UInt8(truncatingIfNeeded: code_page_is_gbk.rawValue)
        case .eucKR: UInt8(truncatingIfNeeded: code_page_is_euc_kr.rawValue)
        case .big5: UInt8(truncatingIfNeeded: code_page_is_big5.rawValue)
        }
    }

    /// The code point of a pair; nil if it has no meaning.
    func codePoint(_ lead: UInt8, _ trail: UInt8) -> UInt32? {
        let found = code_page_character(number, lead, trail)
        return found == 0 ? nil : UInt32(found)
    }

    /// The code point of a byte from 0x80 on that is a character by itself; nil for all others.
    func codePoint(ofByte byte: UInt8) -> UInt32? {
        switch self {
        // Katakana of half the width.
        case .shiftJIS where (0xA1...0xDF).contains(byte): 0xFF61 + UInt32(byte - 0xA1)
        case .gbk where byte == 0x80: 0x20AC
        default: nil
        }
    }

    /// Whether a byte from 0x80 on begins a pair.
    func isLead(_ byte: UInt8) -> Bool {
        switch self {
        case .shiftJIS: (0x81...0x9F).contains(byte) || (0xE0...0xFC).contains(byte)
        case .gbk, .eucKR, .big5: (0x81...0xFE).contains(byte)
        }
    }

    // MARK: Writing

    /// The bytes of a character, `?` if there are none.
    func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        let value = scalar.value
        if value < 0x80 { return output.append(UInt8(value)) }
        let pair = value < 0x1_0000 ? pairs[Int(value)] : 0
        if pair >= 0x100 { output.append(UInt8(pair >> 8)) }
        output.append(pair == 0 ? 0x3F : UInt8(pair & 0xFF))
    }

    /// The pairs of the characters below U+10000, or their single byte; 0 where there is none. Made when first asked for.
    private var pairs: [UInt16] {
        switch self {
        case .shiftJIS: Self.shiftJISPairs
        case .gbk: Self.gbkPairs
        case .eucKR: Self.eucKRPairs
        case .big5: Self.big5Pairs
        }
    }

    private static let shiftJISPairs = reversed(.shiftJIS)
    private static let gbkPairs = reversed(.gbk)
    private static let eucKRPairs = reversed(.eucKR)
    private static let big5Pairs = reversed(.big5)

    /// Of the pairs that mean the same the first is written, but for two numerals of Big5.
    private static func reversed(_ page: DoubleBytePage) -> [UInt16] {
        var pairs = [UInt16](repeating: 0, count: 0x1_0000)
        for byte in UInt8(0x80)...0xFF {
            if let value = page.codePoint(ofByte: byte) { pairs[Int(value)] = UInt16(byte) }
        }
        for lead in UInt8(0x81)...0xFE where page.isLead(lead) {
            for trail in UInt8(0x40)...0xFE {
                let pair = UInt16(lead) << 8 | UInt16(trail)
                guard let value = page.codePoint(lead, trail), pairs[Int(value)] == 0 else { continue }
                if page == .big5, pair == 0xA2CC || pair == 0xA2CE { continue }
                pairs[Int(value)] = pair
            }
        }
        return pairs
    }
}

extension DecoderSink {
    /// Decodes pairs of bytes. A byte of ASCII after a byte that it makes no pair with is kept: it may end the line.
    mutating func pairs(_ bytes: UnsafeRawBufferPointer, _ page: DoubleBytePage, isLast: Bool) -> Int {
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                append(codePoint: UInt32(byte))
            } else if let value = page.codePoint(ofByte: byte) {
                append(codePoint: value)
            } else if !page.isLead(byte) {
                replace()
            } else if position + 1 == bytes.count {
                if !isLast { return position }
                replace()
            } else if let value = page.codePoint(byte, bytes[position + 1]) {
                append(codePoint: value)
                position += 1
            } else {
                replace()
                if bytes[position + 1] >= 0x80 { position += 1 }
            }
            position += 1
        }
        return position
    }

    /// Decodes Windows-1255.
    mutating func windows1255(_ bytes: UnsafeRawBufferPointer) -> Int {
        for byte in bytes {
            if let value = Windows1255.codePoint(of: byte) { append(codePoint: value) } else { replace() }
        }
        return bytes.count
    }
}
