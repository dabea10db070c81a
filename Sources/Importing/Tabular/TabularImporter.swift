import Delimited
public import OpenAlloc

/// Reads openalloc tables themselves: any of the 16 schemas, as CSV, TSV or with other delimiters, as JSON array or NDJSON.
public struct TabularImporter: Importer {
    /// The importer.
    public init() {}

    /// `<brokerage>.<report>`.
    public let id = "openalloc.tabular"
    /// What it reads, for a person.
    public let title = "openalloc table"
    /// Other ids that `--importer` takes for it.
    public let aliases = ["tabular"]
    /// The schemas that it can fill.
    public var schemas: [SchemaID] { SchemaID.allCases }
    /// Its rows stand as they are.
    public var yieldsClosedLots: Bool { false }

    /// Judges the beginning of an input; nil when nothing of it fits.
    public func examine(_ sample: InputSample) -> Examination? {
        if let report = OwnReport(head: sample.head) {
            return Examination(score: 1, specificity: 1000, refusal: report.refusal)
        }
        return switch sample.format {
        case .delimited: TabularHeader.examine(sample)
        case .json: TabularJSON.examine(sample)
        default: nil
        }
    }

    /// What the input says of itself besides its rows.
    public func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext { InputContext() }

    /// Reads the whole input and hands every unit to the sink.
    public func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) {
        if sample.format == .json { return try TabularJSON.read(input, sample, into: sink) }
        let run = TabularRun(sink: sink)
        let stream = try input.open()
        var reader = DelimitedReader(dialect: sample.dialect, encoding: sample.encoding)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = try stream.read(into: buffer)
            reader.feed(UnsafeRawBufferPointer(rebasing: buffer[0..<count]), isLast: count == 0) {
                (record: borrowing RecordView) in run.take(record)
            }
            if count == 0 {
                run.finish()
                return sink.hasRead(units: reader.recordCount)
            }
        }
    }
}

/// A header of an openalloc table: which schema, and where its columns stand.
struct TabularHeader {
    let schema: SchemaID
    /// Column of each of the schema's columns, core and extended; -1 when the header does not have it.
    let places: [Int]
    let header: [String]
    let width: Int

    /// The schema whose required columns are all there; of several the one with most columns.
    init?(_ cells: [String]) {
        var best: TabularHeader?
        let names = cells.map { foldedWords($0) }
        for schema in SchemaID.allCases {
            guard let found = TabularHeader(cells, names, schema) else { continue }
            if best == nil || found.boundCount > (best?.boundCount ?? 0) { best = found }
        }
        guard let best else { return nil }
        self = best
    }

    /// The columns of each schema, folded.
    private static let columnNames: [SchemaID: [String]] = Dictionary(
        uniqueKeysWithValues: SchemaID.allCases.map { ($0, $0.schema.allColumns.map { $0.name.lowercased() }) })

    /// Those that a header must have.
    private static let requiredNames: [SchemaID: [String]] = Dictionary(
        uniqueKeysWithValues: SchemaID.allCases.map { schema in
            (
                schema,
                schema.schema.allColumns.filter { $0.isRequired && !$0.mayBeBlank }.map { $0.name.lowercased() }
            )
        })

    /// Every schema requires a column whose name ends in `ID`: what has none is none, and takes no schema to say so.
    private static func mayBe(_ header: HeaderCells) -> Bool {
        header.names.contains { $0.key.utf8.suffix(2).elementsEqual("id".utf8) }
    }

    private init?(_ cells: [String], _ names: [String], _ schema: SchemaID) {
        let columns = schema.schema.allColumns
        places = (Self.columnNames[schema] ?? []).map { names.firstIndex(of: $0) ?? -1 }
        for (column, place) in zip(columns, places) where column.isRequired && !column.mayBeBlank && place < 0 {
            return nil
        }
        guard places.prefix(schema.schema.columns.count).contains(where: { $0 >= 0 }) else { return nil }
        self.schema = schema
        header = cells
        width = (names.lastIndex { !$0.isEmpty } ?? -1) + 1
    }

    var boundCount: Int { places.filter { $0 >= 0 }.count }

    /// Names that are neither core nor extended columns.
    var unknown: [String] {
        let known = Set(schema.schema.allColumns.map { $0.name.lowercased() })
        // Of two columns of one name the second is not read.
        var seen: Set<String> = []
        return header.map { $0.trimmingSpaces }.filter {
            !$0.isEmpty && !(known.contains($0.lowercased()) && seen.insert($0.lowercased()).inserted)
        }
    }

    /// Why a column is not read.
    func unused(_ name: String) -> String {
        let isSecond = schema.schema.allColumns.contains { $0.name.lowercased() == name.lowercased() }
        return isSecond
            ? "a second column ‘\(name)’ was not used"
            : "the column ‘\(name)’ is no column of \(schema.rawValue) and was not used"
    }

    static func examine(_ sample: InputSample) -> Examination? {
        for row in sample.headerRows where row.place < 20 && mayBe(row.header) {
            // A name that is a column's folds to itself.
            guard SchemaID.allCases.contains(where: { row.header.keys.isSuperset(of: requiredNames[$0] ?? []) }),
                let found = TabularHeader(row.header.cells)
            else { continue }
            let count = found.boundCount
            // A report that has a column of that name by chance has many others.
            guard found.unknown.count <= 2 * count else { continue }
            return Examination(
                score: 0.9, specificity: count * 4 + count,
                evidence: ["line \(row.line): \(count) columns of \(found.schema.rawValue)"],
                drift: found.unknown.map(found.unused))
        }
        return nil
    }
}

/// Reads one delimited openalloc table.
private final class TabularRun {
    private let sink: any RecordSink
    private var header: TabularHeader?
    /// What the header begins with: no row but another header does.
    private var firstName: [UInt8] = []
    /// Lines above the header, until it says how many cells a row has.
    private var above: [(unit: SourceUnit, raw: [UInt8], cells: Int)] = []
    /// Of more lines than a header is looked for in, none is kept.
    private static let mostAbove = 20

    init(sink: any RecordSink) { self.sink = sink }

    /// After the last line.
    func finish() { settle(under: nil) {} }

    /// Gives back the lines above the header: those that have the cells of a row are rejected, below it.
    private func settle(under found: TabularHeader?, header: () -> Void) {
        let lines = above
        above = []
        func isRow(_ cells: Int) -> Bool { found.map { cells >= 3 && cells >= $0.width } ?? false }
        func lend(_ line: (unit: SourceUnit, raw: [UInt8], cells: Int), _ body: (SourceUnit) -> Void) {
            ByteView.with(line.raw) {
                var unit = line.unit
                unit.raw = $0
                body(unit)
            }
        }
        for line in lines where !isRow(line.cells) { lend(line) { sink.mark($0, .preamble, code: "") } }
        header()
        for line in lines where isRow(line.cells) {
            lend(line) {
                sink.reject(
                    Finding(
                        .rowUnplaced, reason: "the line has as many cells as a row, and stands above the header.",
                        suggestion: "Convert the reject file as it is, where it stands below the header."),
                    from: [$0])
            }
        }
    }

    func take(_ record: borrowing RecordView) {
        let unit = SourceUnit(line: record.line, byteOffset: record.byteOffset, raw: record.rawBytes)
        if record.isBlank { return sink.mark(unit, .blank, code: "") }
        guard let header else {
            guard let found = TabularHeader(DefinitionRun.cells(of: record)) else {
                if above.count >= TabularRun.mostAbove { return sink.mark(unit, .preamble, code: "") }
                return above.append((unit, unit.raw.array, record.count))
            }
            self.header = found
            firstName = record.cell(0).array
            for name in found.unknown {
                sink.warn(
                    Finding(
                        .headerDrift, column: name,
                        reason: found.unused(name) + "."), line: unit.line)
            }
            return settle(under: found) { sink.mark(unit, .header, code: "") }
        }
        // Tables that were put together have their header once more.
        if record.count == header.header.count, record.cell(0) == firstName,
            DefinitionRun.cells(of: record) == header.header
        {
            return sink.mark(unit, .header, code: "")
        }
        do throws(Finding) {
            sink.acceptRows([TableRow(header.schema, try values(record, header))], from: unit, warnings: [])
        } catch {
            sink.reject(error, from: [unit])
        }
    }

    private func values(_ record: borrowing RecordView, _ header: TabularHeader) throws(Finding) -> [AllocValue] {
        for i in header.width..<max(header.width, record.count) where !record.cell(i).isBlank {
            throw Finding(
                .rowLong, column: "\(i + 1)", value: record.cell(i).string,
                reason: "the line has a value beyond the last column of the header.",
                suggestion:
                    "Check for a delimiter inside a cell that is not quoted; a note of your own needs a column with a "
                    + "name.")
        }
        if record.flags.contains(.unclosedQuote) {
            throw Finding(
                .quoteMalformed, reason: "a quotation mark opens a cell and is not closed on this line.",
                suggestion: "Close the quotation.")
        }
        if record.flags.contains(.tooLong) { throw Finding(.rowTooLong, reason: "the line is longer than 1 MiB.") }
        if record.flags.contains(.invalidEncoding) {
            throw Finding(
                .encodingInvalid, reason: "the line holds bytes that are not valid in the encoding of the file.",
                suggestion: "Save the file as UTF-8.")
        }
        if record.count < header.width {
            throw Finding(
                .rowShort, reason: "the line has \(record.count) of \(header.width) cells.",
                suggestion: Finding.completion(missing: header.width - record.count))
        }
        var values: [AllocValue] = []
        values.reserveCapacity(header.places.count)
        for (column, place) in zip(header.schema.schema.allColumns, header.places) {
            // A cell of spaces says no more than an empty one.
            let isBlank = place < 0 || record.cell(place).isBlank
            values.append(isBlank ? .null : try Self.value(record.cell(place), column))
        }
        return values
    }

    static func value(_ cell: ByteView, _ column: Column) throws(Finding) -> AllocValue {
        let result: Result<AllocValue, RowCode> = cell.withUnsafeBytes { bytes in
            do throws(RowCode) {
                return .success(try column.parse(bytes.assumingMemoryBound(to: UInt8.self)))
            } catch { return .failure(error) }
        }
        switch result {
        case .success(let value): return value
        case .failure(let code): throw Finding(code, column: column.name, value: cell.string)
        }
    }
}
