import Synchronization

/// The importers of a run, and the decision which of them reads an input.
public struct Registry: Sendable {
    /// Those that must look at every sample themselves, in order of their ids.
    private let others: [any Importer]
    /// In order of their ids.
    private let embedded: [EmbeddedImporter]
    /// What is known of the headers of a whole catalogue, and the numbers there of those that are embedded; nil where each
    /// is asked.
    private let catalogue: (index: CatalogueIndex, numbers: [Int])?
    private let memory = Memory()

    /// A registry of these importers; of equal ids the last one wins (a user's own stand last).
    public init(_ importers: [any Importer]) {
        self.init(
            embedded: importers.compactMap { $0 as? EmbeddedImporter }.sorted { $0.id < $1.id },
            others: importers.filter { !($0 is EmbeddedImporter) })
    }

    /// The same of definitions that came with the program, in order of their ids, and others; of equal ids the others
    /// win, and the last one of them. `index` is what the build wrote of all of `embedded`.
    package init(embedded: [EmbeddedImporter], index: CatalogueIndex? = nil, others: [any Importer]) {
        var byID: [String: any Importer] = [:]
        for importer in others { byID[importer.id] = importer }
        self.others = byID.values.sorted { $0.id < $1.id }
        // Few of a catalogue, or none, have an id of the others.
        var numbers = Array(embedded.indices)
        for id in byID.keys { if let place = Self.place(of: id, in: embedded) { numbers[place] = -1 } }
        numbers.removeAll { $0 < 0 }
        self.embedded = numbers.count == embedded.count ? embedded : numbers.map { embedded[$0] }
        catalogue = index.map { ($0, numbers) }
    }

    private static func place(of id: String, in embedded: [EmbeddedImporter]) -> Int? {
        var (low, high) = (0, embedded.count)
        while low < high {
            let middle = (low + high) / 2
            if embedded[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < embedded.count && embedded[low].id == id ? low : nil
    }

    /// All importers, in order of their ids.
    public var importers: [any Importer] {
        var importers: [any Importer] = []
        importers.reserveCapacity(embedded.count + others.count)
        var rest = others[...]
        for importer in embedded {
            while let first = rest.first, first.id < importer.id { importers.append(rest.removeFirst()) }
            importers.append(importer)
        }
        return importers + rest
    }

    /// How many importers that do not fit are named.
    static let maximumRunnersUp = 10

    /// Which built-in definitions may fit the header last seen, and how near the others come: a folder's files mostly
    /// have the same header.
    private struct Shortlist: Sendable {
        let headers: [[String]]
        var fitting: [EmbeddedImporter] = []
        var fallbacks: [EmbeddedImporter] = []
        var nearest: [Candidate] = []
    }

    private final class Memory: Sendable {
        let shortlist = Mutex<Shortlist?>(nil)
    }

    private func shortlist(_ sample: InputSample) -> Shortlist {
        let headers = sample.headerRows.map(\.header.cells)
        if let known = memory.shortlist.withLock({ $0 }), known.headers == headers { return known }
        var fresh = Shortlist(headers: headers)
        let names = HeaderNames(sample)
        var near: [(importer: EmbeddedImporter, nearness: EmbeddedImporter.Nearness, score: Double)] = []
        func take(_ importer: EmbeddedImporter, fits: Bool, nearness: @autoclosure () -> EmbeddedImporter.Nearness?) {
            if fits {
                if importer.isFallback { fresh.fallbacks.append(importer) } else { fresh.fitting.append(importer) }
            } else if !importer.isFallback, let nearness = nearness() {
                // What the others lack is named of the nearest only; none of them reaches the threshold. Of those that
                // are as near as each other the first stays first.
                let score = Examination.nearness(missing: nearness.missing, required: nearness.required)
                let place = near.lastIndex { $0.score >= score }.map { $0 + 1 } ?? 0
                guard place < Self.maximumRunnersUp else { return }
                if near.count == Self.maximumRunnersUp { near.removeLast() }
                near.insert((importer, nearness, score), at: place)
            }
        }
        if let catalogue {
            let count = (catalogue.numbers.last ?? -1) + 1
            let found = catalogue.index.find(sample.headerRows.map(\.header), names, count: count)
            for (importer, number) in zip(embedded, catalogue.numbers) {
                take(importer, fits: found.fits[number], nearness: found.nearest[number])
            }
        } else {
            for importer in embedded {
                take(importer, fits: importer.mayFit(names), nearness: importer.nearness(names))
            }
        }
        fresh.nearest = near.map {
            Candidate(importer: $0.importer, examination: $0.importer.examination($0.nearness, names))
        }
        memory.shortlist.withLock { $0 = fresh }
        return fresh
    }

    /// Those that look at more of a delimited sample than its headers.
    func considered(_ sample: InputSample) -> [any Importer] {
        let list = shortlist(sample)
        return others + list.fitting + list.fallbacks
    }

    /// The importer of an id or alias.
    public func importer(_ id: String) -> (any Importer)? {
        importers.last { $0.aliases.contains(id) } ?? importers.first { $0.id == id }
    }

    /// A candidate of a decision.
    public struct Candidate: Sendable {
        /// The importer.
        public let importer: any Importer
        /// How well it fits.
        public let examination: Examination
    }

    /// The decision about an input.
    public enum Decision: Sendable {
        /// One importer fits; then others that were considered, best first.
        case recognised(Candidate, runnersUp: [Candidate])
        /// Several fit equally well.
        case ambiguous([Candidate])
        /// It is a known file of another purpose.
        case refused(Candidate)
        /// None fits; the nearest, best first.
        case unknown(nearest: [Candidate])
    }

    /// Decides which importer reads an input.
    public func decide(_ sample: InputSample) -> Decision {
        var candidates: [Candidate] = []
        for importer in others {
            if let examination = importer.examine(sample) {
                candidates.append(Candidate(importer: importer, examination: examination))
            }
        }
        if sample.format == .delimited {
            let list = shortlist(sample)
            func examine(_ importers: [EmbeddedImporter]) {
                for importer in importers {
                    guard let examination = importer.examineFitting(sample) else { continue }
                    candidates.append(Candidate(importer: importer, examination: examination))
                }
            }
            examine(list.fitting)
            // Most inputs need no fallback, and it is read only then.
            if !candidates.contains(where: { $0.examination.score >= Examination.threshold }) {
                examine(list.fallbacks)
            }
            candidates += list.nearest
        }
        let fitting = candidates.filter { $0.examination.score >= Examination.threshold }.sorted(by: Self.isBefore)
        guard let best = fitting.first else { return .unknown(nearest: Self.first(candidates)) }
        let equals = fitting.filter {
            $0.examination.specificity == best.examination.specificity && $0.examination.score == best.examination.score
        }
        if equals.count > 1 { return .ambiguous(equals) }
        if best.examination.refusal != nil { return .refused(best) }
        return .recognised(best, runnersUp: Self.first(candidates.filter { $0.importer.id != best.importer.id }))
    }

    private static func first(_ candidates: [Candidate]) -> [Candidate] {
        Array(candidates.sorted(by: isBefore).prefix(maximumRunnersUp))
    }

    /// The more specific first, then the higher score, then by id.
    private static func isBefore(_ a: Candidate, _ b: Candidate) -> Bool {
        let fits = (a.examination.score >= Examination.threshold, b.examination.score >= Examination.threshold)
        if fits.0 != fits.1 { return fits.0 }
        if fits.0, a.examination.specificity != b.examination.specificity {
            return a.examination.specificity > b.examination.specificity
        }
        if a.examination.score != b.examination.score { return a.examination.score > b.examination.score }
        return a.importer.id < b.importer.id
    }
}
