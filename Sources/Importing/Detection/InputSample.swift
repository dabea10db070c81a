public import Delimited

/// What is known of an input from its first (and last) bytes: enough to detect its format.
public struct InputSample: Sendable {
    /// What sort of content it is.
    public enum Format: Sendable, Hashable {
        case delimited, json, html
        /// OFX 1.x (SGML) or 2.x (XML).
        case ofx
        /// IBKR Flex.
        case flex
        /// XML that is neither.
        case xml
        /// No text; the kind in words.
        case binary(String)
        /// No bytes, or white space only.
        case empty

        /// The word that reports use.
        public var name: String {
            switch self {
            case .delimited: "delimited"
            case .json: "json"
            case .html: "html"
            case .ofx: "ofx"
            case .flex: "flex"
            case .xml: "xml"
            case .binary(let kind): "binary.\(kind)"
            case .empty: "empty"
            }
        }
    }

    /// One record of the sample.
    public struct Row: Sendable, Hashable {
        /// 1-based physical line; 0 in the tail of a large file.
        public var line: Int
        /// The cells, untrimmed.
        public var cells: [String]
    }

    /// A record that looks like names rather than values.
    struct HeaderRow: Sendable {
        /// 1-based physical line.
        let line: Int
        /// How many records stand before it.
        let place: Int
        let header: HeaderCells
    }

    /// The input's file name.
    public var name: String
    /// The input's size.
    public var byteCount: Int
    /// What sort of content it is.
    public var format: Format
    /// The encoding of its text.
    public var encoding: TextEncoding
    /// Its delimiter, quote and line end.
    public var dialect: Dialect
    /// The first bytes, decoded to UTF-8.
    public var head: [UInt8]
    /// Whether `head` is the whole input.
    public var isWhole: Bool
    /// Records that look like names rather than values, up to a number.
    var headerRows: [HeaderRow] = []
    /// What tells inputs of another header apart, for guesses; 0 when there is none.
    package private(set) var headerHash: UInt64 = 0
    /// What the name says to the definition that reads the input, where that is known already.
    var nameValues: [(slot: Int, text: String)]?
    /// Whether the name says whose the input is, where `nameValues` are known.
    public internal(set) var isNamed = false
    /// What the first lines say as a whole.
    var lineTexts = LineTexts()
    /// All records of `head`, where it is small: what looks at them does not read them again.
    var records: RecordTape?
    /// The last records (delimited only), when `head` is not the whole.
    public var tail: [Row]

    /// How many bytes are looked at in front, and at the end.
    public static let headBytes = 128 * 1024
    static let tailBytes = 16 * 1024
    static let maximumRows = 600
    static let tapeBytes = 64 * 1024
    /// Rows that look like names are held against every definition: so many of them at most.
    static let maximumHeaders = 80

    /// Looks at an input.
    ///
    /// - Throws: what reading throws. Content that is no text is no error here: see `format`.
    public init(_ input: any InputSource) throws(InputError) { try self.init(input, as: nil) }

    /// The same of text in an encoding that is known from elsewhere.
    init(_ input: any InputSource, as known: TextEncoding?) throws(InputError) {
        name = input.name
        byteCount = input.byteCount
        let raw = try input.bytes(at: 0, count: Self.headBytes)
        isWhole = raw.count >= input.byteCount
        encoding = .utf8
        dialect = .csv
        head = []
        tail = []
        switch EncodingDetector.detect(raw, isWhole: isWhole) {
        case .binary(let kind):
            format = .binary(kind.rawValue)
            return
        case .text(let found, let bomLength):
            encoding = known ?? found
            // A text in UTF-8 without a mark was seen to be sound: it decodes to itself, unless a character is cut off.
            if found == .utf8, bomLength == 0, isWhole || raw.last ?? 0 < 0x80 { head = raw }
        }
        if head.isEmpty { head = TextDecoder.decode(raw, as: encoding, isWhole: isWhole) }
        format = FormatSniffer.format(of: head)
        guard format == .delimited else { return }
        dialect = DialectSniffer.sniff(head)
        readHead()
        if !isWhole {
            let start = max(0, input.byteCount - Self.tailBytes)
            var bytes = try input.bytes(at: start, count: Self.tailBytes)
            // UTF-16 code units must not be cut in two.
            if encoding.isWide, start % 2 == 1 { bytes.removeFirst() }
            let text = TextDecoder.decode(bytes, as: encoding)
            tail = Self.rows(text, dialect, isWhole: true, maximum: .max).dropFirst().suffix(60).map {
                Row(line: 0, cells: $0.cells)
            }
        }
    }

    /// Gives back the memory of what detection looked at; how the input is written stays known.
    public mutating func forget() {
        head = []
        records = nil
        headerRows = []
        lineTexts = LineTexts()
        tail = []
    }

    /// The first records (delimited only), read anew at each call.
    public var rows: [Row] {
        format == .delimited ? Self.rows(head, dialect, isWhole: isWhole, maximum: Self.maximumRows) : []
    }

    /// Whether one of the first records satisfies a test.
    func hasRecord(_ test: (borrowing RecordView) -> Bool) -> Bool {
        var place = 0
        var isFound = false
        if let records {
            records.forEachWhile { (record: borrowing RecordView) -> Bool in
                isFound = test(record)
                return !isFound
            }
            return isFound
        }
        var reader = DelimitedReader(dialect: dialect)
        head.withUnsafeBytes { buffer in
            _ = reader.feedWhile(buffer, isLast: isWhole) { (record: borrowing RecordView) -> Bool in
                isFound = test(record)
                place += 1
                return !isFound && place < Self.maximumRows
            }
        }
        return isFound
    }

    /// Whether one of the first records, wider than `width`, has a word of headers in the column of its kind.
    func hasHeader(kind: Int, width: Int, _ isWord: ([UInt8]) -> Bool) -> Bool {
        var word: [UInt8] = []
        return hasRecord { record in
            guard record.count > width else { return false }
            foldedWords(record.cell(kind).unwrappedFormula(), into: &word)
            return isWord(word)
        }
    }

    /// Finds headers and lines around the rows; of all other records no text is made.
    private mutating func readHead() {
        var found: [HeaderRow] = []
        var lines = LineTexts()
        var place = 0
        var hash: UInt64 = 0
        let delimiter = dialect.delimiter
        var tape = isWhole && head.count <= Self.tapeBytes ? RecordTape(room: head.count) : nil
        var reader = DelimitedReader(dialect: dialect)
        head.withUnsafeBytes { buffer in
            _ = reader.feedWhile(buffer, isLast: isWhole) { (record: borrowing RecordView) -> Bool in
                if found.count < Self.maximumHeaders, HeaderCells.mayBe(record) {
                    let header = HeaderCells.of(DefinitionRun.cells(of: record))
                    if found.isEmpty { hash = record.rawBytes.mix(into: UInt64(delimiter)) | 1 }
                    found.append(HeaderRow(line: record.line, place: place, header: header))
                }
                if place < LineTexts.maximum { lines.append(record, delimiter: delimiter) }
                tape?.append(record)
                place += 1
                return place < Self.maximumRows
            }
        }
        if place < Self.maximumRows {
            tape?.seal()
            records = tape
        }
        headerRows = found
        headerHash = hash
        lineTexts = lines
    }

    private static func rows(_ bytes: [UInt8], _ dialect: Dialect, isWhole: Bool, maximum: Int) -> [Row] {
        var rows: [Row] = []
        var reader = DelimitedReader(dialect: dialect)
        bytes.withUnsafeBytes { buffer in
            _ = reader.feedWhile(buffer, isLast: isWhole) { (record: borrowing RecordView) -> Bool in
                rows.append(Row(line: record.line, cells: DefinitionRun.cells(of: record)))
                return rows.count < maximum
            }
        }
        return rows
    }
}
