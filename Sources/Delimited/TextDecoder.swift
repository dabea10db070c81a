/// Transcodes a stream to UTF-8, whatever its split into chunks. It never fails: in UTF-8 a byte that is not valid is
/// read as Windows-1252, in UTF-16 a lone surrogate or a last half unit becomes U+FFFD, and so do bytes that a code page
/// has no character for; all are reported by place.
public struct TextDecoder: Sendable {
    /// The encoding of the input.
    public let encoding: TextEncoding
    /// How many bytes (or units) were not valid so far.
    public private(set) var invalidCount = 0

    /// The bytes that end the last chunk and do not make a character yet: at most three.
    private var pending: [UInt8] = []
    /// Whether no sequence is half read.
    var isIdle: Bool { pending.isEmpty }

    /// A decoder at the start of a stream.
    public init(encoding: TextEncoding) { self.encoding = encoding }

    /// Decodes a whole text, or the beginning of one, without its byte order mark.
    public static func decode(_ bytes: [UInt8], as encoding: TextEncoding, isWhole: Bool = true) -> [UInt8] {
        var decoder = TextDecoder(encoding: encoding)
        var result: [UInt8] = []
        var invalid: [Int] = []
        bytes.withUnsafeBytes { decoder.decode($0, isLast: isWhole, into: &result, invalid: &invalid) }
        if result.starts(with: [0xEF, 0xBB, 0xBF]) { result.removeFirst(3) }
        return result
    }

    /// Decodes a chunk to the end of `output`; `invalid` gets the places in `output` of what was not valid.
    ///
    /// A byte order mark is passed on as U+FEFF.
    public mutating func decode(
        _ chunk: UnsafeRawBufferPointer, isLast: Bool, into output: inout [UInt8], invalid: inout [Int]
    ) {
        let old = output.count
        let room = Self.room(for: chunk.count)
        // A temporary keeps `output` at its true size; this form is for prefixes and tests.
        let added = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            var places: [Int] = []
            count = decode(chunk, isLast: isLast, to: base, invalid: &places)
            invalid += places.map { $0 + old }
        }
        output += added
    }

    /// How many bytes of room the decoding of a chunk may need.
    static func room(for count: Int) -> Int { 3 * (count + 4) }

    /// Decodes a chunk to `output`, which has `room(for:)` bytes; returns how many were written.
    mutating func decode(
        _ chunk: UnsafeRawBufferPointer, isLast: Bool, to output: UnsafeMutablePointer<UInt8>, invalid: inout [Int]
    ) -> Int {
        var sink = DecoderSink(output: output)
        var start = 0
        if !pending.isEmpty {
            let taken = min(chunk.count, 4)
            let isEnd = isLast && taken == chunk.count
            let joined = pending + chunk[0..<taken]
            let used = joined.withUnsafeBytes { step($0, isLast: isEnd, into: &sink) }
            if used < pending.count || taken == chunk.count {
                pending = [UInt8](joined[used...])
                return close(sink, into: &invalid)
            }
            start = used - pending.count
            pending.removeAll(keepingCapacity: true)
        }
        let rest = UnsafeRawBufferPointer(rebasing: chunk[start...])
        let used = step(rest, isLast: isLast, into: &sink)
        pending.append(contentsOf: rest[used...])
        return close(sink, into: &invalid)
    }

    private mutating func close(_ sink: DecoderSink, into invalid: inout [Int]) -> Int {
        invalidCount += sink.invalid.count
        invalid += sink.invalid
        return sink.count
    }

    /// Decodes what can be decided; returns how many bytes were used. At most three are left, none if `isLast`.
    private func step(_ bytes: UnsafeRawBufferPointer, isLast: Bool, into sink: inout DecoderSink) -> Int {
        switch encoding {
        case .utf8: return sink.utf8(bytes, isLast: isLast)
        case .utf16LE: return sink.utf16(bytes, low: 0, isLast: isLast)
        case .utf16BE: return sink.utf16(bytes, low: 1, isLast: isLast)
        case .windows1252:
            for byte in bytes { sink.append(codePoint: Windows1252.codePoint(of: byte)) }
            return bytes.count
        case .windows1250:
            for byte in bytes { sink.append(codePoint: Windows1250.codePoint(of: byte)) }
            return bytes.count
        case .shiftJIS: return sink.pairs(bytes, .shiftJIS, isLast: isLast)
        case .gbk: return sink.pairs(bytes, .gbk, isLast: isLast)
        case .eucKR: return sink.pairs(bytes, .eucKR, isLast: isLast)
        case .big5: return sink.pairs(bytes, .big5, isLast: isLast)
        case .windows1255: return sink.windows1255(bytes)
        }
    }
}

/// Where a decoder writes.
///
/// Invariant: `output` has `TextDecoder.room(for:)` bytes for the chunk at hand. One byte of input never becomes more
/// than three of output, and at most four bytes of earlier input are still to be decoded.
struct DecoderSink {
    let output: UnsafeMutablePointer<UInt8>
    var count = 0
    var invalid: [Int] = []

    init(output: UnsafeMutablePointer<UInt8>) { self.output = output }

    /// Appends a code point below U+110000 that is no surrogate.
    mutating func append(codePoint value: UInt32) {
        if value < 0x80 {
            put(value)
        } else if value < 0x800 {
            put(0xC0 | value >> 6)
            put(0x80 | value & 0x3F)
        } else if value < 0x1_0000 {
            put(0xE0 | value >> 12)
            put(0x80 | value >> 6 & 0x3F)
            put(0x80 | value & 0x3F)
        } else {
            put(0xF0 | value >> 18)
            put(0x80 | value >> 12 & 0x3F)
            put(0x80 | value >> 6 & 0x3F)
            put(0x80 | value & 0x3F)
        }
    }

    private mutating func put(_ byte: UInt32) {
        output[count] = UInt8(truncatingIfNeeded: byte)
        count += 1
    }

    /// Copies what is valid UTF-8, decodes what is not as Windows-1252.
    mutating func utf8(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var position = 0
        var copied = 0
        while position < bytes.count {
            position += UTF8Check.asciiRun(bytes, from: position)
            if position == bytes.count { break }
            switch UTF8Check.sequence(bytes, at: position) {
            case .valid(let length):
                position += length
            case .truncated where !isLast:
                copy(base, from: copied, to: position)
                return position
            case .truncated, .invalid:
                copy(base, from: copied, to: position)
                invalid.append(count)
                append(codePoint: Windows1252.codePoint(of: bytes[position]))
                position += 1
                copied = position
            }
        }
        copy(base, from: copied, to: position)
        return position
    }

    private mutating func copy(_ base: UnsafeRawPointer, from start: Int, to end: Int) {
        guard end > start else { return }
        UnsafeMutableRawPointer(output + count).copyMemory(from: base + start, byteCount: end - start)
        count += end - start
    }

    /// Decodes UTF-16; `low` is where in a unit its low byte stands.
    mutating func utf16(_ bytes: UnsafeRawBufferPointer, low: Int, isLast: Bool) -> Int {
        var position = 0
        while position + 1 < bytes.count {
            let unit = UInt32(bytes[position + low]) | UInt32(bytes[position + 1 - low]) << 8
            if unit & 0xF800 != 0xD800 {
                append(codePoint: unit)
                position += 2
                continue
            }
            if unit < 0xDC00 {
                if position + 3 >= bytes.count, !isLast { return position }
                if position + 3 < bytes.count {
                    let trail = UInt32(bytes[position + 2 + low]) | UInt32(bytes[position + 3 - low]) << 8
                    if trail & 0xFC00 == 0xDC00 {
                        append(codePoint: 0x1_0000 + (unit - 0xD800) << 10 + (trail - 0xDC00))
                        position += 4
                        continue
                    }
                }
            }
            replace()
            position += 2
        }
        if isLast, position < bytes.count {
            replace()
            position += 1
        }
        return position
    }

    mutating func replace() {
        invalid.append(count)
        append(codePoint: 0xFFFD)
    }
}
