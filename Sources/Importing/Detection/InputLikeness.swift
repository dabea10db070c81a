import Delimited

/// What was found out about an input, for others that begin with the same lines: of a folder's thousand exports of one
/// report each has the same header, and below it rows that decide nothing (`DecidingRows`).
///
/// What is true of one is true of the other, byte by byte: all that detection looks at is in the lines that both have, or
/// is compared here (encoding, dialect, the name).
public final class InputLikeness: Sendable {
    /// The names of files that a definition knows.
    private struct Names: Sendable {
        let files: [BoundTemplate]
        /// Whether the input has one of them.
        let fits: Bool
        /// Whether the definition reads the input.
        let isReader: Bool
    }

    /// The first lines, to the end of the last that may be a header.
    private let opening: [UInt8]
    private let rows: DecidingRows
    /// Whether the name of the input is one that a definition knows, of each that looks at it.
    private let names: [Names]
    /// The variable for when it was exported; −1 where there is none.
    private let dateSlot: Int
    /// The variable for the account.
    private let accountSlot: Int?
    /// Without its bytes.
    private let sample: InputSample

    /// Nil for an input whose rows decide something.
    init?(_ sample: InputSample, _ rows: DecidingRows, reader: DefinitionImporter, _ scanner: PlainRowScanner) {
        guard InputLikeness.suits(sample), let length = InputLikeness.opening(of: sample) else { return nil }
        let arePlain = sample.head.withUnsafeBytes { bytes in
            InputLikeness.isMarkupFree(bytes)
                && scanner.arePlain(UnsafeRawBufferPointer(rebasing: bytes[length...]), sample.dialect, rows)
        }
        guard arePlain else { return nil }
        opening = Array(sample.head[..<length])
        self.rows = rows
        names = rows.named.map {
            Names(
                files: $0.definition.files, fits: FileNameContext.matches(sample.name, $0.definition),
                isReader: $0.id == reader.id)
        }
        var sample = sample
        sample.forget()
        self.sample = sample
        accountSlot = reader.definition.variables.known("account")
        dateSlot = reader.definition.variables.known("exported") ?? -1
        // A name that says it is another matter.
        if values(of: sample.name) == nil { return nil }
    }

    private static func suits(_ sample: InputSample) -> Bool {
        sample.isWhole && sample.format == .delimited && sample.head.count == sample.byteCount
            && sample.head.first != UInt8(ascii: "{") && BlockReader.suits(sample.dialect, sample.encoding)
            && EncodingDetector.detect(sample.head, isWhole: true) == .text(.utf8, bomLength: 0)
    }

    /// Where the lines end that may be headers; nil when there are none, or one spans lines.
    private static func opening(of sample: InputSample) -> Int? {
        guard let last = sample.headerRows.last?.line, let records = sample.records else { return nil }
        var isOne = false
        records.forEachWhile { (record: borrowing RecordView) -> Bool in
            isOne = record.line == last && record.lineCount == 1
            return record.line < last
        }
        guard isOne else { return nil }
        return sample.head.withUnsafeBytes { bytes in
            var end = 0
            for _ in 0..<last {
                guard let feed = place(of: UInt8(ascii: "\n"), in: bytes, from: end) else { return nil }
                end = feed + 1
            }
            return end
        }
    }

    private static func isMarkupFree(_ bytes: UnsafeRawBufferPointer) -> Bool {
        place(of: UInt8(ascii: "<"), in: bytes) == nil
    }

    /// What a name says to the reader; nil when it fits the definitions otherwise than the sample's, or says when the input
    /// was exported.
    private func values(of name: String) -> [(slot: Int, text: String)]? {
        var values: [(slot: Int, text: String)] = []
        for names in names {
            let found = FileNameContext.read(name, names.files)
            if (found != nil) != names.fits { return nil }
            if names.isReader { values = found ?? [] }
        }
        return values.contains { $0.slot == dateSlot } ? nil : values
    }

    /// Whether rows that decide nothing are told many bytes at a time, without looking for their cells.
    var isToldManyBytesAtATime: Bool { rows.seconds != nil }

    /// The sample of an input of which all is true that was found out about this one; nil for any other input.
    ///
    /// - Parameter bytes: the whole input.
    public func sample(of bytes: [UInt8], name: String, _ scanner: PlainRowScanner) -> InputSample? {
        guard bytes.count <= InputSample.headBytes, bytes.count >= opening.count,
            bytes.withUnsafeBytes({ hasOpening($0) }), isSameText(bytes),
            isDelimited(bytes),
            let values = values(of: name),
            bytes.withUnsafeBytes({
                scanner.arePlain(UnsafeRawBufferPointer(rebasing: $0[opening.count...]), sample.dialect, rows)
            })
        else { return nil }
        var like = sample
        like.name = name
        like.byteCount = bytes.count
        like.nameValues = values
        like.isNamed = values.contains { $0.slot == accountSlot }
        return like
    }

    /// Whether the bytes are text without markup in the sample's encoding and dialect.
    private func isSameText(_ bytes: [UInt8]) -> Bool {
        // Then the encoding is UTF-8, for the opening has no signature, and the dialect the common one.
        if sample.dialect == Dialect.csv, bytes.withUnsafeBytes({ PlainText.isPlain($0) }) { return true }
        return bytes.withUnsafeBytes({ InputLikeness.isMarkupFree($0) })
            && EncodingDetector.detect(bytes, isWhole: true) == .text(.utf8, bomLength: 0)
            && DialectSniffer.sniff(bytes) == sample.dialect
    }

    /// Whether text without a tag that begins as the sample does is delimited: it may name OFX further down.
    private func isDelimited(_ bytes: [UInt8]) -> Bool {
        let mayName = bytes.withUnsafeBytes { place(of: UInt8(ascii: ":"), in: $0) != nil }
        return !mayName || FormatSniffer.format(of: bytes) == .delimited
    }

    private func hasOpening(_ bytes: UnsafeRawBufferPointer) -> Bool {
        opening.withUnsafeBytes { areSame($0, UnsafeRawBufferPointer(rebasing: bytes[..<$0.count])) }
    }
}

extension Registry {
    /// What holds for all inputs that begin like one that was recognised; nil when nothing does.
    public func likeness(
        of sample: InputSample, readBy importer: any Importer, _ scanner: PlainRowScanner
    ) -> InputLikeness? {
        guard sample.format == .delimited else { return nil }
        var rows = DecidingRows.none
        for considered in considered(sample) {
            guard let deciding = considered.decidingRows(in: sample) else { return nil }
            rows.formUnion(deciding)
        }
        guard let reader = importer as? DefinitionImporter ?? (try? (importer as? EmbeddedImporter)?.definition()),
            !DecidingRows(reader).areContext
        else { return nil }
        return InputLikeness(sample, rows, reader: reader, scanner)
    }
}
