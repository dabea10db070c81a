public import OpenAlloc
import Synchronization

/// A definition that came with the program: read only when an input may be its, for start-up must not read them all.
public final class EmbeddedImporter: Importer {
    /// `<brokerage>.<report>`.
    public let id: String
    /// What it reads, for a person.
    public let title: String
    /// Other ids that `--importer` takes for it.
    public let aliases: [String]
    /// For each table the names of its required columns; a column that is not found by plain names is not among them.
    private let names: NameIndex
    /// Patterns of lines of which one must be there; nil when one of them is no pattern.
    private let lines: [Template]?
    private let path: String
    private let text: StaticString
    private let loaded = Mutex<Result<DefinitionImporter, DefinitionError>?>(nil)

    /// An importer of an embedded definition; `index` is what the build wrote beside its text.
    public init(path: StaticString, index: StaticString, text: StaticString) {
        self.path = "\(path)"
        self.text = text
        var id = ""
        var title = ""
        var aliases: [String] = []
        var lines: [Template]? = []
        var names = NameIndex(index)
        index.withUTF8Buffer { bytes in
            var start = 0
            for place in 0...bytes.count where place == bytes.count || bytes[place] == UInt8(ascii: "\n") {
                defer { start = place + 1 }
                guard place > start else { continue }
                let rest = min(start + 2, place)..<place
                switch bytes[start] {
                case UInt8(ascii: "I"): id = String(decoding: bytes[rest], as: UTF8.self)
                case UInt8(ascii: "N"): title = String(decoding: bytes[rest], as: UTF8.self)
                case UInt8(ascii: "A"): aliases.append(String(decoding: bytes[rest], as: UTF8.self))
                case UInt8(ascii: "L"):
                    let line = try? Template(String(decoding: bytes[rest], as: UTF8.self))
                    lines = line.flatMap { line in lines.map { $0 + [line] } }
                case UInt8(ascii: "T"): names.beginTable()
                default: names.addColumn(bytes, rest)
                }
            }
        }
        self.id = id
        self.title = title
        self.aliases = aliases
        self.names = names
        self.lines = lines
    }

    /// The schemas that it can fill.
    public var schemas: [SchemaID] { (try? definition())?.schemas ?? [] }
    /// Whether a record can be a closed lot.
    public var yieldsClosedLots: Bool { (try? definition())?.yieldsClosedLots ?? true }

    /// The definition, read at the first call.
    ///
    /// - Throws: ``DefinitionError`` when the text is no definition.
    public func definition() throws(DefinitionError) -> DefinitionImporter {
        let result = loaded.withLock { known in
            if let known { return known }
            let fresh: Result<DefinitionImporter, DefinitionError>
            do throws(DefinitionError) {
                fresh = .success(try DefinitionLoader.load(text.withUTF8Buffer { Array($0) }, file: path))
            } catch {
                fresh = .failure(error)
            }
            known = fresh
            return fresh
        }
        return try result.get()
    }

    /// Judges the beginning of an input; nil when nothing of it fits.
    public func examine(_ sample: InputSample) -> Examination? {
        guard sample.format == .delimited else { return nil }
        guard mayFit(sample) else { return nearest(sample) }
        // What lacks the lines that must be there is not read at all.
        if let lines, !lines.isEmpty, !sample.lineTexts.fit(lines) { return nil }
        return (try? definition())?.examine(sample)
    }

    /// Whether a row of the sample has all required names of a table.
    func mayFit(_ sample: InputSample) -> Bool { sample.headerRows.contains { names.mayFit($0.header) } }

    /// What the nearest header lacks.
    func nearest(_ sample: InputSample) -> Examination? { nearness(sample).map { examination($0, sample) } }

    /// How much of what a table requires stands in the nearest header.
    typealias Nearness = (missing: Int, required: Int, table: Int, header: Int)

    func nearness(_ sample: InputSample) -> Nearness? {
        var best: (missing: Int, required: Int, table: Int, header: Int)?
        for (place, row) in sample.headerRows.prefix(20).enumerated() where row.header.cells.count > 1 {
            guard let found = names.nearest(row.header) else { continue }
            if let best, best.missing * found.required <= found.missing * best.required { continue }
            best = (found.missing, found.required, found.table, place)
        }
        return best
    }

    func examination(_ best: Nearness, _ sample: InputSample) -> Examination {
        let missing = names.missing(sample.headerRows[best.header].header, table: best.table)
        return Examination.nearest(missing: missing, required: best.required)
    }

    /// What the input says of itself besides its rows.
    public func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext {
        guard let definition = try? definition() else { return InputContext() }
        return try definition.context(of: input, sample: sample, options: options)
    }

    /// Reads the whole input and hands every unit to the sink.
    public func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) {
        guard let definition = try? definition() else { return }
        try definition.read(input, sample: sample, context: context, options: options, into: sink)
    }
}
