/// Reads JSON as RFC 8259 has it, and nothing more: no comments, no trailing commas, no name twice, bounded depth.
public struct JSONReader {
    // Invariant of every read below: an index is compared with `bytes.count` before the byte is read, and `position`
    // only ever moves past bytes that were read. The buffer is the caller's and outlives the reader, which does not
    // escape the calls below.
    let bytes: UnsafeBufferPointer<UInt8>
    let maximumDepth: Int
    var position: Int
    var line = 1
    var lineStart = 0

    /// How deep values may be nested where the caller does not say.
    public static let defaultDepth = 64

    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0, line: Int = 1, depth: Int) {
        self.bytes = bytes
        self.maximumDepth = depth
        self.position = start
        self.line = line
        self.lineStart = start
    }

    /// Reads one value that is the whole text; a byte order mark before it is passed over.
    ///
    /// - Throws: ``JSONError``.
    public static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = defaultDepth
    ) throws(JSONError) -> JSONNode {
        var reader = JSONReader(bytes, from: markLength(bytes), depth: maximumDepth)
        reader.skipBlanks()
        let node = try reader.value(depth: 0)
        reader.skipBlanks()
        if reader.position < bytes.count { throw reader.failure(.trailing) }
        return node
    }

    /// Reads one value that is the whole text.
    ///
    /// - Throws: ``JSONError``.
    public static func parse(_ text: String, maximumDepth: Int = defaultDepth) throws(JSONError) -> JSONNode {
        var copy = text
        let result: Result<JSONNode, JSONError> = copy.withUTF8 { bytes in
            do throws(JSONError) {
                return .success(try parse(bytes, maximumDepth: maximumDepth))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Hands over the elements of a text that is one array, one at a time; a text that is another value is its own
    /// only element. What was handed over before an error stays good.
    ///
    /// - Throws: ``JSONError`` where the text stops being JSON.
    public static func forEachElement(
        in bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = defaultDepth, _ body: (JSONNode) -> Void
    ) throws(JSONError) {
        var reader = JSONReader(bytes, from: markLength(bytes), depth: maximumDepth)
        reader.skipBlanks()
        if reader.peek() == 0x5B {
            try reader.elements(depth: 0) { body($0) }
        } else {
            body(try reader.value(depth: 0))
        }
        reader.skipBlanks()
        if reader.position < bytes.count { throw reader.failure(.trailing) }
    }

    /// Hands over each line of a text of one value a line (NDJSON): its number, its bytes, and its value or what is
    /// wrong with it. Blank lines have no value and no error.
    public static func forEachLine(
        in bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = defaultDepth,
        _ body: (_ line: Int, _ range: Range<Int>, _ value: Result<JSONNode?, JSONError>) -> Void
    ) {
        var start = markLength(bytes)
        var line = 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            body(line, start..<end, readLine(bytes, start..<end, line: line, depth: maximumDepth))
            start = end + 1
            line += 1
        }
    }

    private static func readLine(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, line: Int, depth: Int
    ) -> Result<JSONNode?, JSONError> {
        // The line's own bytes are all that the reader sees, but its offsets are those of the whole text.
        let upToEnd = UnsafeBufferPointer(rebasing: bytes[..<range.upperBound])
        var reader = JSONReader(upToEnd, from: range.lowerBound, line: line, depth: depth)
        reader.skipBlanks()
        if reader.position == range.upperBound { return .success(nil) }
        do throws(JSONError) {
            let node = try reader.value(depth: 0)
            reader.skipBlanks()
            if reader.position < range.upperBound { throw reader.failure(.trailing) }
            return .success(node)
        } catch {
            return .failure(error)
        }
    }

    private static func markLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}

extension JSONReader {
    func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    /// The error that the byte at `position`, or the end, is.
    func failure(_ code: JSONError.Code) -> JSONError { failure(code, at: position) }

    func failure(_ code: JSONError.Code, at offset: Int) -> JSONError {
        JSONError(code: code, offset: offset, line: line, column: offset - lineStart + 1)
    }

    /// Passes over blanks, and counts lines: they can end nowhere else.
    mutating func skipBlanks() {
        while let byte = peek() {
            switch byte {
            case 0x20, 0x09: position += 1
            case 0x0D:
                position += 1
                if peek() != 0x0A { countLine() }
            case 0x0A:
                position += 1
                countLine()
            default: return
            }
        }
    }

    private mutating func countLine() {
        line += 1
        lineStart = position
    }

    mutating func value(depth: Int) throws(JSONError) -> JSONNode {
        if depth > maximumDepth { throw failure(.tooDeep) }
        let (start, startLine) = (position, line)
        let kind = try kind(depth: depth)
        return JSONNode(kind: kind, range: start..<position, line: startLine)
    }

    private mutating func kind(depth: Int) throws(JSONError) -> JSONNode.Kind {
        guard let byte = peek() else { throw failure(.endOfText) }
        switch byte {
        case 0x7B: return .object(try members(depth: depth))
        case 0x5B:
            var nodes: [JSONNode] = []
            try elements(depth: depth) { nodes.append($0) }
            return .array(nodes)
        case 0x22: return .string(try string())
        case 0x2D, 0x30...0x39: return .number(try number())
        case 0x74: try word("true"); return .bool(true)
        case 0x66: try word("false"); return .bool(false)
        case 0x6E: try word("null"); return .null
        default: throw failure(.unexpected)
        }
    }

    private mutating func word(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard let byte = peek() else { throw failure(.endOfText) }
            if byte != word.utf8Start[index] { throw failure(.unexpected) }
            position += 1
        }
    }

    /// The elements of the array whose `[` is next.
    mutating func elements(depth: Int, _ body: (JSONNode) -> Void) throws(JSONError) {
        position += 1
        skipBlanks()
        if take(0x5D) { return }
        while true {
            skipBlanks()
            body(try value(depth: depth + 1))
            skipBlanks()
            if take(0x5D) { return }
            try comma()
        }
    }

    private mutating func comma() throws(JSONError) {
        if take(0x2C) { return }
        throw failure(peek() == nil ? .endOfText : .unexpected)
    }

    private mutating func members(depth: Int) throws(JSONError) -> [JSONMember] {
        position += 1
        skipBlanks()
        if take(0x7D) { return [] }
        var members: [JSONMember] = []
        var names: Set<String> = []
        while true {
            skipBlanks()
            let start = position
            guard let quote = peek() else { throw failure(.endOfText) }
            if quote != 0x22 { throw failure(.unexpected) }
            let name = try string()
            if !names.insert(name).inserted { throw failure(.duplicateName, at: start) }
            skipBlanks()
            if !take(0x3A) { throw failure(peek() == nil ? .endOfText : .unexpected) }
            skipBlanks()
            members.append(JSONMember(name: name, value: try value(depth: depth + 1)))
            skipBlanks()
            if take(0x7D) { return members }
            try comma()
        }
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`, as its own text.
    private mutating func number() throws(JSONError) -> String {
        let start = position
        _ = take(0x2D)
        if !take(0x30) { try digits() }
        if take(0x2E) { try digits() }
        if take(0x65) || take(0x45) {
            if !take(0x2B) { _ = take(0x2D) }
            try digits()
        }
        // `01`, `1x` and `1.2.3` begin like numbers; nothing but a separator may follow one.
        if let next = peek(), next != 0x2C, next != 0x5D, next != 0x7D, next > 0x20 { throw failure(.badNumber) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = peek(), byte &- 0x30 <= 9 { position += 1 }
        if position == start { throw failure(peek() == nil ? .endOfText : .badNumber) }
    }
}
