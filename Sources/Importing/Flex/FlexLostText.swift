import Delimited
import Markup

/// Text where a report has elements: what is left of a row whose tag is damaged.
struct FlexLostText {
    let input: MarkupInput
    let encoding: MarkupEncoding

    static let row = Finding(
        .markupMalformed,
        reason: "this is no element of a report: a mark of a tag (< or >) is missing, or stands in a value",
        suggestion: "Write < in a value as &lt;, or download the report again.")
    static let root = Finding(
        .markupMalformed,
        reason: "the root of a report is FlexQueryResponse, in just these letters; nothing in this one was read",
        suggestion: "Download the report again, and do not save it with another program.")

    /// Gives the text of a range as a unit, without the blanks around it.
    ///
    /// - Parameter position: where the element before it begins, at the range's begin or before it.
    func withUnit(_ range: Range<Int>, after position: MarkupPosition, _ body: (SourceUnit) -> Void) {
        let end = min(range.upperBound, input.input.byteCount)
        let start = min(max(range.lowerBound, position.offset), end)
        let gap = input.raw(min(position.offset, start)..<start, encoding)
        input.withRaw(start..<end, encoding) { text in
            let skipped = Self.lead(of: text, isAfterTag: position.offset == start)
            let before = gap + text[0..<skipped].array
            let (lines, characters) = Self.lines(before)
            let unit = SourceUnit(
                line: position.line + lines, column: characters + (lines == 0 ? position.column : 1),
                byteOffset: start + skipped * (isWide ? 2 : 1),
                raw: Self.withoutBlanksBehind(Self.withoutCloseTag(text[skipped..<text.count])))
            body(unit)
        }
    }

    private var isWide: Bool { encoding == .utf16LE || encoding == .utf16BE }

    /// How many bytes stand before the text itself: blanks, and the open tag that it follows.
    private static func lead(of text: ByteView, isAfterTag: Bool) -> Int {
        var place = 0
        if isAfterTag, text.count > 0, text[0] == UInt8(ascii: "<"),
            let close = (0..<text.count).first(where: { text[$0] == UInt8(ascii: ">") })
        {
            place = close + 1
        }
        let lead = place
        while place < text.count, text[place] <= 0x20 { place += 1 }
        // Where nothing else is left, the tag is what is odd.
        return place < text.count ? place : lead == 0 ? place : 0
    }

    /// Without the blanks of XML at its end: what nobody sees is text there, and may be all of it.
    private static func withoutBlanksBehind(_ text: ByteView) -> ByteView {
        var end = text.count
        while end > 0, text[end - 1] <= 0x20 { end -= 1 }
        return text[0..<end]
    }

    /// The close tag of what is around it is read with a text.
    private static func withoutCloseTag(_ text: ByteView) -> ByteView {
        guard let open = text.indices.last(where: { text[$0] == UInt8(ascii: "<") }), open > 0,
            open + 1 < text.count, text[open + 1] == UInt8(ascii: "/")
        else { return text }
        return text[0..<open]
    }

    /// How many lines end in a text, and how many characters follow.
    private static func lines(_ text: [UInt8]) -> (lines: Int, characters: Int) {
        var (lines, characters) = (0, 0)
        for (place, byte) in text.enumerated() {
            let isEnd = byte == 0x0A || byte == 0x0D
            if isEnd {
                if byte == 0x0A || place + 1 == text.count || text[place + 1] != 0x0A { lines += 1 }
                characters = 0
            } else if byte & 0xC0 != 0x80 {
                characters += 1
            }
        }
        return (lines, characters)
    }
}
