import Delimited

@inline(__always) func asciiLower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
@inline(__always) func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
@inline(__always) func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
@inline(__always) func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 9 < 5 }
@inline(__always) func isWordByte(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == 0x5F }

/// The width in bytes of the white space at a position: ASCII, or a no-break or narrow space; nil when there is none.
@inline(__always)
func spaceWidth(_ text: ByteView, _ at: Int) -> Int? {
    guard at < text.count else { return nil }
    let byte = text[at]
    if isSpace(byte) { return 1 }
    if byte == 0xC2, at + 1 < text.count, text[at + 1] == 0xA0 { return 2 }
    if byte == 0xE2, at + 2 < text.count, text[at + 1] == 0x80, text[at + 2] == 0xAF || text[at + 2] == 0x89 {
        return 3
    }
    return nil
}

extension ByteView {
    /// Without white space of any kind at both ends, nor what nobody sees: also what ASCII has besides spaces, tabs and
    /// line ends.
    func stripped() -> ByteView {
        var view = trimmed()
        while let first = view.first, isSpace(first) { view = view.dropFirst(1).trimmed() }
        while let last = view.last, isSpace(last) { view = view.dropLast(1).trimmed() }
        return view
    }

    /// Whether a position lies between two characters, not within one (UTF-8).
    @inline(__always)
    func isBoundary(_ position: Int) -> Bool { position >= count || self[position] & 0xC0 != 0x80 }

    /// Whether a byte satisfies a test.
    @inline(__always)
    func contains(where test: (UInt8) -> Bool) -> Bool {
        for i in 0..<count where test(self[i]) { return true }
        return false
    }
}

/// Text compared as names and words are: letters small, white space trimmed and collapsed to one space.
func foldedWords(_ text: ByteView, into result: inout [UInt8]) {
    result.removeAll(keepingCapacity: true)
    let trimmed = text.stripped()
    if foldPlainWords(trimmed, into: &result) { return }
    result.removeAll(keepingCapacity: true)
    var i = 0
    var seen = 0 as UInt8
    while i < trimmed.count {
        if var width = spaceWidth(trimmed, i) {
            while let next = spaceWidth(trimmed, i + width) { width += next }
            result.append(0x20)
            i += width
        } else {
            seen |= trimmed[i]
            result.append(asciiLower(trimmed[i]))
            i += 1
        }
    }
    if seen >= 0x80 { foldLetters(&result) }
}

/// The same for ASCII with single spaces, byte by byte; false for other texts, of which `result` then has anything.
private func foldPlainWords(_ text: ByteView, into result: inout [UInt8]) -> Bool {
    text.withUnsafeBytes { bytes in
        result.append(contentsOf: bytes)
        return result.withUnsafeMutableBufferPointer { folded in
            var isPlain = true
            var last: UInt8 = 0x20
            for place in folded.indices {
                let byte = folded[place]
                isPlain = isPlain && byte >= 0x20 && byte < 0x80 && (byte != 0x20 || last != 0x20)
                folded[place] = asciiLower(byte)
                last = byte
            }
            return isPlain
        }
    }
}

/// Makes the capitals that take two bytes small, in place: Latin, Greek and Cyrillic ones, whose small letters take two
/// as well. Turkish `İ` stays, for its small letter is another's.
func foldLetters(_ text: inout [UInt8]) {
    var place = 0
    while place + 1 < text.count {
        let (lead, next) = (text[place], text[place + 1])
        guard 0xC3...0xD1 ~= lead, next & 0xC0 == 0x80 else {
            place += 1
            continue
        }
        let small = smallLetter(UInt16(lead & 0x1F) << 6 | UInt16(next & 0x3F))
        text[place] = 0xC0 | UInt8(small >> 6)
        text[place + 1] = 0x80 | UInt8(small & 0x3F)
        place += 2
    }
}

/// The small letter of a Latin, Greek or Cyrillic one that takes two bytes.
func smallLetter(_ letter: UInt16) -> UInt16 {
    switch letter {
    case 0xD7, 0x130, 0x3A2: letter
    case 0xC0...0xDE, 0x391...0x3A9, 0x410...0x42F: letter + 0x20
    case 0x400...0x40F: letter + 0x50
    case 0x100...0x137, 0x14A...0x177: letter | 1
    case 0x139...0x148, 0x179...0x17E: letter + (letter & 1)
    case 0x178: 0xFF
    case 0x386: 0x3AC
    case 0x388...0x38A: letter + 0x25
    case 0x38C: 0x3CC
    case 0x38E, 0x38F: letter + 0x3F
    default: letter
    }
}

/// The same of a word that a definition writes, so that it equals what rows fold to.
func foldedWordBytes(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    withView(text) { foldedWords($0, into: &result) }
    return result
}

/// Text compared as names and words are, decoded. Folds all scripts: for headers and definitions, not for rows.
func foldedWords(_ text: String) -> String {
    var words = ""
    for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "\u{FEFF}" }) {
        if !words.isEmpty { words += " " }
        words += String(word)
    }
    return words.lowercased()
}

/// A text as a view, for as long as the body runs.
func withView<R>(_ text: String, _ body: (ByteView) -> R) -> R { ByteView.with(Array(text.utf8), body) }
