import Synchronization

/// The importers of a run, and the decision which of them reads an input.
public struct Registry: Sendable {
    /// Those that must look at every sample themselves, in order of their ids.
    private let others: [any Importer]
    private let embedded: EmbeddedImporters
    /// The numbers of those that no other stands for.
    private let numbers: [Int]
    /// What is known of the headers of all that are embedded; nil where each is asked.
    private let index: CatalogueIndex?
    private let memory = Memory()

    /// A registry of these importers; of equal ids the last one wins (a user's own stand last).
    public init(_ importers: [any Importer]) {
        self.init(
            embedded: EmbeddedImporters(importers.compactMap { $0 as? EmbeddedImporter }),
            others: importers.filter { !($0 is EmbeddedImporter) })
    }

    /// The same of definitions that came with the program and others; of equal ids the others win, and the last one of
    /// them. `index` is what the build wrote of all of `embedded`.
    package init(embedded: EmbeddedImporters, index: CatalogueIndex? = nil, others: [any Importer]) {
        var byID: [String: any Importer] = [:]
        for importer in others { byID[importer.id] = importer }
        self.others = byID.values.sorted { $0.id < $1.id }
        // Few of a catalogue, or none, have an id of the others.
        var numbers = Array(0..<embedded.count)
        for id in byID.keys { if let number = embedded.number(of: id) { numbers[number] = -1 } }
        numbers.removeAll { $0 < 0 }
        self.embedded = embedded
        self.numbers = numbers
        self.index = index
    }

    /// All importers, in order of their ids.
    public var importers: [any Importer] {
        var importers: [any Importer] = []
        importers.reserveCapacity(numbers.count + others.count)
        var rest = others[...]
        for number in numbers {
            let importer = embedded[number]
            while let first = rest.first, first.id < importer.id { importers.append(rest.removeFirst()) }
            importers.append(importer)
        }
        return importers + rest
    }

    /// How many importers that do not fit are named.
    static let maximumRunnersUp = 10
    /// How many are read to find those whose header it may have been before it was changed.
    private static let maximumAkin = 48

    /// Which built-in definitions may fit the header last seen, and how near the others come: a folder's files mostly
    /// have the same header.
    private struct Shortlist: Sendable {
        let headers: [[String]]
        var fitting: [EmbeddedImporter] = []
        var fallbacks: [EmbeddedImporter] = []
        var nearest: [Candidate] = []
        /// Those that have most of what they require, those that lack least first.
        var akin: [EmbeddedImporter] = []
        /// What these say of the header, once nothing fits it; nothing of the lines around it, which are another file's.
        var drifted: [(importer: EmbeddedImporter, examination: Examination)]?
    }

    private final class Memory: Sendable {
        let shortlist = Mutex<Shortlist?>(nil)
    }

    private func shortlist(_ sample: InputSample) -> Shortlist {
        let headers = sample.headerRows.map(\.header.cells)
        if let known = memory.shortlist.withLock({ $0 }), known.headers == headers { return known }
        var fresh = Shortlist(headers: headers)
        let names = HeaderNames(sample)
        var near: [(number: Int, nearness: EmbeddedImporter.Nearness, score: Double)] = []
        var akin: [(number: Int, missing: Int)] = []
        func take(_ number: Int, fits: Bool, nearness: @autoclosure () -> EmbeddedImporter.Nearness?) {
            if fits {
                let importer = embedded[number]
                if importer.isFallback { fresh.fallbacks.append(importer) } else { fresh.fitting.append(importer) }
            } else if let nearness = nearness(), !embedded[number].isFallback {
                if nearness.required - nearness.missing >= max(2, nearness.missing) {
                    akin.append((number, nearness.missing))
                }
                // What the others lack is named of the nearest only; none of them reaches the threshold. Of those that
                // are as near as each other the first stays first.
                let score = Examination.nearness(missing: nearness.missing, required: nearness.required)
                let place = near.lastIndex { $0.score >= score }.map { $0 + 1 } ?? 0
                guard place < Self.maximumRunnersUp else { return }
                if near.count == Self.maximumRunnersUp { near.removeLast() }
                near.insert((number, nearness, score), at: place)
            }
        }
        if let index {
            let found = index.find(sample.headerRows.map(\.header), names, count: embedded.count)
            for number in numbers { take(number, fits: found.fits[number], nearness: found.nearest[number]) }
        } else {
            for number in numbers {
                take(number, fits: embedded[number].mayFit(names), nearness: embedded[number].nearness(names))
            }
        }
        fresh.nearest = near.map { near in
            let importer = embedded[near.number]
            return Candidate(importer: importer, examination: importer.examination(near.nearness, names))
        }
        akin.sort { ($0.missing, $0.number) < ($1.missing, $1.number) }
        fresh.akin = akin.prefix(Self.maximumAkin).map { embedded[$0.number] }
        memory.shortlist.withLock { $0 = fresh }
        return fresh
    }

    /// The importers that knew most of a header before it was changed: what they require tells little of it, so that
    /// they are read. Only of a header that nothing fits.
    private func drifted(_ sample: InputSample) -> [Candidate] {
        let list = shortlist(sample)
        let found = list.drifted ?? list.akin.compactMap { importer in importer.nearest(sample).map { (importer, $0) } }
        if list.drifted == nil {
            memory.shortlist.withLock { shortlist in
                if shortlist?.headers == list.headers { shortlist?.drifted = found }
            }
        }
        return found.filter { $0.importer.hasLines(sample) }.map { Candidate(importer: $0, examination: $1) }
    }

    /// Where a fallback reads a sample: an importer that knew the header before it was changed. It has to know names
    /// that the fallback has no use for: a list of one's own has the same plain ones as many an export.
    private func likelierImporter(than importer: EmbeddedImporter, _ sample: InputSample) -> Candidate? {
        guard let fallback = try? importer.definition() else { return nil }
        let foreign = fallback.foreignNames(sample)
        func isTold(by known: Int) -> Bool { known > 0 && known * 2 >= foreign.count }
        var near: [Candidate] = []
        // Of lists of one's own there are many: few definitions are read for them.
        for importer in shortlist(sample).akin where isTold(by: importer.mentions(foreign)) && importer.hasLines(sample)
        {
            guard let definition = try? importer.definition(), let examination = definition.nearest(sample),
                examination.isNear, isTold(by: foreign.count { definition.definition.names($0) })
            else { continue }
            near.append(Candidate(importer: importer, examination: examination))
        }
        return near.min(by: Self.isBefore)
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
        public internal(set) var examination: Examination
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
        // Those that were asked as nothing else fits.
        var fallbacks: [EmbeddedImporter] = []
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
                fallbacks = list.fallbacks
                examine(fallbacks)
            }
            candidates += list.nearest
        }
        let fitting = candidates.filter { $0.examination.score >= Examination.threshold }.sorted(by: Self.isBefore)
        guard let best = fitting.first else {
            if sample.format != .delimited { return .unknown(nearest: Self.first(candidates)) }
            let drifted = drifted(sample)
            let known = Set(drifted.map(\.importer.id))
            return .unknown(nearest: Self.first(candidates.filter { !known.contains($0.importer.id) } + drifted))
        }
        let equals = fitting.filter {
            $0.examination.specificity == best.examination.specificity && $0.examination.score == best.examination.score
        }
        if equals.count > 1 { return .ambiguous(equals) }
        if best.examination.refusal != nil { return .refused(best) }
        // By its id: a cast would have each start look through the conformances of the program.
        let fallback = fallbacks.first { $0.id == best.importer.id }
        if let likelier = fallback.flatMap({ likelierImporter(than: $0, sample) }) {
            var named = best
            named.examination.likelier = likelier.importer.id
            let others = candidates.filter { ![best.importer.id, likelier.importer.id].contains($0.importer.id) }
            return .recognised(named, runnersUp: [likelier] + Self.first(others).prefix(Self.maximumRunnersUp - 1))
        }
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
