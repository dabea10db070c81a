import CByteMask

/// Strict UTF-8 (Unicode table 3-7): no overlong form, no surrogate, nothing above U+10FFFF.
enum UTF8Check {
    enum Sequence: Equatable {
        case valid(Int)
        case invalid
        /// The bytes end within a sequence that is valid so far.
        case truncated
    }

    /// How many ASCII bytes stand from a position on.
    static func asciiRun(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var position = start
        if let base = bytes.baseAddress {
            let memory = base.assumingMemoryBound(to: UInt8.self)
            while position + 64 <= bytes.count, !byte_mask_has_high(memory + position) { position += 64 }
        }
        while position + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let high = word & 0x8080_8080_8080_8080
            if high != 0 { return position - start + UInt64(littleEndian: high).trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bytes.count, bytes[position] < 0x80 { position += 1 }
        return position - start
    }

    /// Judges the sequence at a position, which is within the bytes.
    static func sequence(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Sequence {
        let lead = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0x00...0x7F: return .valid(1)
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { second = 0xA0...0xBF }
            if lead == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { second = 0x90...0xBF }
            if lead == 0xF4 { second = 0x80...0x8F }
        default: return .invalid
        }
        for offset in 1..<length {
            guard position + offset < bytes.count else { return .truncated }
            let allowed = offset == 1 ? second : 0x80...0xBF
            if !allowed.contains(bytes[position + offset]) { return .invalid }
        }
        return .valid(length)
    }

    /// Whether all is valid; a sequence cut off at the end is, if `isWhole` is false.
    static func isValid(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Bool {
        var position = 0
        while position < bytes.count {
            position += asciiRun(bytes, from: position)
            if position == bytes.count { break }
            switch sequence(bytes, at: position) {
            case .valid(let length): position += length
            case .truncated: return !isWhole
            case .invalid: return false
            }
        }
        return true
    }

    /// Whether it is UTF-8 in which some bytes are none, as where a line of another file was pasted into it: text of a
    /// code page has hardly ever a sequence of several bytes that is valid, and many a byte that begins none.
    static func isDamaged(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (position, sequences, strays) = (0, 0, 0)
        while position < bytes.count {
            position += asciiRun(bytes, from: position)
            if position == bytes.count { break }
            if case .valid(let length) = sequence(bytes, at: position) {
                sequences += 1
                position += length
            } else {
                strays += 1
                position += 1
            }
        }
        return sequences >= 2 && sequences >= 4 * strays
    }
}
