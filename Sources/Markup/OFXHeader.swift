/// The header of an OFX document: the key:value lines of OFX 1.x or the processing instructions of OFX 2.x.
public struct OFXHeader: Sendable, Hashable {
    /// One field, its key in upper case.
    public struct Field: Sendable, Hashable {
        /// `OFXHEADER`, `VERSION`, …; an XML declaration's are `XMLVERSION`, `XMLENCODING`, `XMLSTANDALONE`.
        public var key: String
        /// The value as given, trimmed.
        public var value: String
    }

    /// The fields in the file's order.
    public var fields: [Field] = []

    /// No header.
    public init() {}

    /// The first value of a key (upper case).
    public subscript(key: String) -> String? { fields.first { $0.key == key }?.value }

    /// 102, 211, …
    public var version: Int? { self["VERSION"].flatMap { Int($0) } }
    /// `ENCODING`, or the XML declaration's.
    public var encoding: String? { self["ENCODING"] ?? self["XMLENCODING"] }
    /// `SECURITY`.
    public var security: String? { self["SECURITY"] }
    /// Whether the header is that of OFX 2 or an XML declaration.
    public var isXML: Bool {
        self["XMLVERSION"] != nil || (self["OFXHEADER"].flatMap { Int($0) } ?? 0) >= 200
            || (self["OFXHEADER"] == nil && (version ?? 0) >= 200)
    }

    static let keys = [
        "OFXHEADER", "DATA", "VERSION", "SECURITY", "ENCODING", "CHARSET", "COMPRESSION", "OLDFILEUID", "NEWFILEUID",
    ].map { Array($0.utf8) }

    private static let initials = Array("ODVSECN".utf8)

    /// Reads what stands before the first element; nothing in it is required.
    init(prolog: [UInt8]) {
        let bytes = prolog.filter { $0 != 0 }
        readInstructions(bytes)
        if fields.allSatisfy({ $0.key.hasPrefix("XML") }) { readLines(bytes) }
    }

    // MARK: - key:value

    private mutating func readLines(_ bytes: [UInt8]) {
        var marks: [(key: Int, start: Int, value: Int)] = []
        var index = 0
        while index < bytes.count {
            if let mark = Self.key(in: bytes, at: index) {
                marks.append((mark.key, index, mark.end))
                index = mark.end
            } else {
                index += 1
            }
        }
        for (number, mark) in marks.enumerated() {
            let limit = number + 1 < marks.count ? marks[number + 1].start : bytes.count
            var end = mark.value
            while end < limit, bytes[end] != 0x0A, bytes[end] != 0x0D, bytes[end] != 0x3C,
                !(bytes[end] == 0x2D && bytes[end...].starts(with: [0x2D, 0x2D, 0x3E]))
            {
                end += 1
            }
            add(String(decoding: Self.keys[mark.key], as: UTF8.self), bytes[mark.value..<end])
        }
    }

    /// A key and its colon, in upper case anywhere (headers without line breaks), in any case at a line's start.
    private static func key(in bytes: [UInt8], at index: Int) -> (key: Int, end: Int)? {
        guard initials.contains(upper(bytes[index])) else { return nil }
        let startsLine = index == 0 || bytes[index - 1] <= 0x20
        for (number, key) in keys.enumerated() where index + key.count < bytes.count {
            guard
                key.indices.allSatisfy({
                    key[$0] == bytes[index + $0] || (startsLine && key[$0] == upper(bytes[index + $0]))
                })
            else { continue }
            var end = index + key.count
            while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
            if end < bytes.count, bytes[end] == 0x3A { return (number, end + 1) }
        }
        return nil
    }

    // MARK: - <?xml …?> and <?OFX …?>

    private mutating func readInstructions(_ bytes: [UInt8]) {
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == 0x3C, bytes[index + 1] == 0x3F else {
                index += 1
                continue
            }
            var end = index + 2
            while end < bytes.count, bytes[end] != 0x3E, bytes[end] != 0x3C { end += 1 }
            let body = bytes[(index + 2)..<end]
            let target = body.prefix { $0 > 0x20 && $0 != 0x3F }
            switch target.map(upper) {
            case Array("XML".utf8): readPairs(body.dropFirst(target.count), prefix: "XML")
            case Array("OFX".utf8): readPairs(body.dropFirst(target.count), prefix: "")
            default: break
            }
            index = end
        }
    }

    private mutating func readPairs(_ body: ArraySlice<UInt8>, prefix: String) {
        var rest = body
        while let equals = rest.firstIndex(of: 0x3D) {
            let key = rest[..<equals].filter { $0 > 0x20 }.map(upper)
            rest = rest[(equals + 1)...].drop { $0 <= 0x20 }
            guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { return }
            rest = rest.dropFirst()
            let value = rest.prefix { $0 != quote }
            rest = rest.dropFirst(value.count).dropFirst()
            add(prefix + String(decoding: key, as: UTF8.self), value)
        }
    }

    private mutating func add(_ key: String, _ value: ArraySlice<UInt8>) {
        var text = value.drop { $0 <= 0x20 }
        while let last = text.last, last <= 0x20 { text.removeLast() }
        fields.append(Field(key: key, value: text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }))
    }
}
