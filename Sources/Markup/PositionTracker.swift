/// Counts lines, characters and source bytes over the UTF-8 that the readers see.
struct PositionTracker {
    /// The next byte of the UTF-8 stream.
    private(set) var streamOffset = 0
    private(set) var position: MarkupPosition
    private let width: MarkupEncoding
    private var afterCR = false

    init(encoding: MarkupEncoding, skipped: Int) {
        width = encoding
        position = MarkupPosition(line: 1, column: 1, offset: skipped)
    }

    /// Counts `bytes`, which follow those counted so far.
    mutating func advance(_ bytes: UnsafeBufferPointer<UInt8>) {
        streamOffset += bytes.count
        var line = position.line
        var column = position.column
        var extra = 0
        for byte in bytes {
            if byte >= 0x20 && byte < 0x80 {
                afterCR = false
                column += 1
                extra += 1
            } else if byte == 0x0A {
                if !afterCR { line += 1 }
                column = 1
                afterCR = false
                extra += 1
            } else if byte == 0x0D {
                line += 1
                column = 1
                afterCR = true
                extra += 1
            } else {
                afterCR = false
                let leads = byte & 0xC0 != 0x80
                column += leads ? 1 : 0
                extra += leads ? 1 : 0
                // Above the basic plane: two UTF-16 units.
                if byte >= 0xF0 && width.isUTF16 { extra += 1 }
            }
        }
        position.line = line
        position.column = column
        switch width {
        case .utf8: position.offset += bytes.count
        case .windows1252: position.offset += extra
        case .utf16LE, .utf16BE: position.offset += extra * 2
        }
    }
}
