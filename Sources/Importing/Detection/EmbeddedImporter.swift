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
    private let tables: [[[HeaderName]]]
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
        var tables: [[[HeaderName]]] = []
        index.withUTF8Buffer { bytes in
            for line in bytes.split(separator: UInt8(ascii: "\n")) where !line.isEmpty {
                let rest = line.dropFirst(2)
                switch line[line.startIndex] {
                case UInt8(ascii: "I"): id = String(decoding: rest, as: UTF8.self)
                case UInt8(ascii: "N"): title = String(decoding: rest, as: UTF8.self)
                case UInt8(ascii: "A"): aliases.append(String(decoding: rest, as: UTF8.self))
                case UInt8(ascii: "T"): tables.append([])
                default:
                    let names = rest.split(separator: 0x1F).map { HeaderName(String(decoding: $0, as: UTF8.self)) }
                    tables[tables.count - 1].append(names)
                }
            }
        }
        self.id = id
        self.title = title
        self.aliases = aliases
        self.tables = tables
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
        return (try? definition())?.examine(sample)
    }

    /// Whether a row of the sample has all required names of a table.
    private func mayFit(_ sample: InputSample) -> Bool {
        sample.headers.contains { header in
            tables.contains { table in
                table.allSatisfy { names in names.contains { header.keys.contains($0.key) } }
            }
        }
    }

    /// What the nearest header lacks.
    private func nearest(_ sample: InputSample) -> Examination? {
        var best: (missing: [String], required: Int)?
        for header in sample.headers.prefix(20) where header.cells.count > 1 {
            for table in tables where !table.isEmpty {
                let missing = table.filter { names in !names.contains { header.keys.contains($0.key) } }
                guard missing.count < table.count else { continue }
                if let best, best.missing.count * table.count <= missing.count * best.required { continue }
                best = (missing.compactMap(\.first?.key), table.count)
            }
        }
        return best.map { Examination.nearest(missing: $0.missing, required: $0.required) }
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
