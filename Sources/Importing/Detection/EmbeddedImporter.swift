public import OpenAlloc
import Synchronization

/// A definition that came with the program: read only when an input may be its, for start-up must not read them all.
public final class EmbeddedImporter: Importer {
    /// `<brokerage>.<report>`.
    public let id: String
    /// What it reads, for a person.
    public let title: String
    /// For each table the names of its required columns; a column that is not found by plain names is not among them.
    private let names: NameIndex
    private let path: StaticString
    private let tree: StaticString
    private let loaded = Mutex(Loaded.not)

    private enum Loaded {
        case not
        case definition(DefinitionImporter)
        case failed(DefinitionError)
    }

    /// An importer of an embedded definition; `index` and `tree` are what the build wrote of it.
    public init(
        path: StaticString, id: String, title: String, index: StaticString, tree: StaticString
    ) {
        self.path = path
        self.id = id
        self.title = title
        names = NameIndex(index)
        self.tree = tree
    }

    /// Whether it reads only what no other fits.
    var isFallback: Bool { names.isFallback }
    /// Other ids that `--importer` takes for it.
    public var aliases: [String] { names.aliases }
    /// The schemas that it can fill.
    public var schemas: [SchemaID] { (try? definition())?.schemas ?? [] }
    /// Whether a record can be a closed lot.
    public var yieldsClosedLots: Bool { (try? definition())?.yieldsClosedLots ?? true }

    /// The definition, read at the first call.
    ///
    /// - Throws: ``DefinitionError`` when the tree is no definition.
    public func definition() throws(DefinitionError) -> DefinitionImporter {
        let result = loaded.withLock { known in
            if case .not = known { known = load() }
            return known
        }
        switch result {
        case .definition(let definition): return definition
        case .failed(let error): throw error
        case .not: throw DefinitionError(file: path.description, line: 1, column: 1, message: "not read", hint: "")
        }
    }

    private func load() -> Loaded {
        do throws(DefinitionError) {
            return .definition(try DefinitionLoader.load(prepared: tree, file: path.description))
        } catch {
            return .failed(error)
        }
    }

    /// Judges the beginning of an input; nil when nothing of it fits.
    public func examine(_ sample: InputSample) -> Examination? {
        guard sample.format == .delimited else { return nil }
        let headers = HeaderNames(sample)
        if mayFit(headers) { return examineFitting(sample) }
        return nearness(headers).map { examination($0, headers) }
    }

    /// The same where a header is known to have all required names of a table.
    func examineFitting(_ sample: InputSample) -> Examination? {
        // What lacks the lines that must be there is not read at all.
        hasLines(sample) ? (try? definition())?.examine(sample) : nil
    }

    /// Whether the lines that must be there are.
    func hasLines(_ sample: InputSample) -> Bool { !lacksLines(sample) && !lacksHeader(sample) }

    /// How many of some names its text has, told without reading it: a name that is written in other capitals is missed.
    func mentions(_ names: [String]) -> Int {
        guard tree.hasPointerRepresentation else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: tree.utf8Start, count: tree.utf8CodeUnitCount)
        return names.count { name in
            // Decorations such as ` ($)` are no part of a name.
            let end = name.firstRange(of: " (")?.lowerBound ?? name.endIndex
            return hasPart(Array(name[..<end].utf8), in: bytes)
        }
    }

    /// What it says of headers that lack some of what it requires, in all columns that it knows.
    func nearest(_ sample: InputSample) -> Examination? { (try? definition())?.nearest(sample) }

    /// Those that its rules for lines speak of, and that look like names.
    public func decidingRows(in sample: InputSample) -> DecidingRows? {
        if lacksLines(sample) { return DecidingRows(lines: names.lines.compactMap { try? Template($0) }, kind: nil) }
        if lacksHeader(sample), let layout = names.layout {
            return DecidingRows(lines: names.lines.compactMap { try? Template($0) }, kind: (layout.kind, layout.words))
        }
        return (try? definition()).map { DecidingRows($0) }
    }

    /// Whether none of the lines of which one must be there is there; false when one of their patterns is none.
    private func lacksLines(_ sample: InputSample) -> Bool {
        var patterns: [Template] = []
        for line in names.lines {
            guard let pattern = try? Template(line) else { return false }
            patterns.append(pattern)
        }
        return !patterns.isEmpty && !sample.lineTexts.fit(patterns)
    }

    /// Whether lines say what they are, and none of the first says that it is a header.
    private func lacksHeader(_ sample: InputSample) -> Bool {
        guard let layout = names.layout else { return false }
        let width = max(layout.section, layout.kind) + 1
        return !sample.hasHeader(kind: layout.kind, width: width) { layout.words.contains($0) }
    }

    /// Whether one of the headers has all required names of a table.
    func mayFit(_ headers: HeaderNames) -> Bool { names.mayFit(headers) }

    /// How much of what a table requires stands in the nearest header.
    typealias Nearness = (missing: Int, required: Int, table: Int, header: Int)

    func nearness(_ headers: HeaderNames) -> Nearness? { names.nearest(headers) }

    func examination(_ best: Nearness, _ headers: HeaderNames) -> Examination {
        let missing = names.missing(headers, header: best.header, table: best.table)
        return Examination.nearest(missing: missing, required: best.required)
    }

    /// What the input says of itself besides its rows.
    public func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext {
        guard let definition = try? definition() else { return InputContext() }
        return try definition.context(of: input, sample: sample, options: options)
    }

    /// Whether several threads read an input in blocks.
    public func readsInBlocks(_ input: any InputSource, sample: InputSample, options: ImportOptions) -> Bool {
        (try? definition())?.readsInBlocks(input, sample: sample, options: options) ?? false
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

extension Importer {
    /// The definition that it is made of; nil for one that is code.
    var asDefinition: DefinitionImporter? {
        if let made = self as? DefinitionImporter { return made }
        return try? (self as? EmbeddedImporter)?.definition()
    }
}
