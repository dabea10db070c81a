import Digests
import Delimited
import Importing
import OpenAlloc

/// What the first pass finds out about an input.
///
/// Who makes it changes it, and hands it on when it is done; nobody changes it any more.
final class InputPlan: @unchecked Sendable {
    let source: any InputSource
    let byteCount: Int
    /// Whether there is nothing but white space.
    private(set) var isBlank = false
    var report: InputReport
    var sample: InputSample?
    var facts = InputFacts()
    var importer: (any Importer)?
    var context = InputContext()
    /// The digest, when it is not in the report yet.
    var digest: LateDigest?

    /// What decides the order of rows.
    private struct Place {
        var exportedAt: Instant?
        /// Whether another input has the same bytes, and stands for this one.
        var isSecond = false
        /// The first eight digits of the hash, which sort as it does.
        let opening: UInt64
        let index: Int

        init(_ plan: InputPlan, index: Int) {
            exportedAt = plan.context.exportedAt
            opening = InputPlan.opening(of: plan.report.sha256)
            self.index = index
        }

        /// By the export's date (none first), then by content, then by name.
        static func precedes(_ left: Place, _ right: Place, _ plans: [InputPlan]) -> Bool {
            if left.exportedAt != right.exportedAt {
                guard let first = left.exportedAt else { return true }
                guard let second = right.exportedAt else { return false }
                return first < second
            }
            if left.opening != right.opening { return left.opening < right.opening }
            let (first, second) = (plans[left.index].report, plans[right.index].report)
            if left.isSecond != right.isSecond, first.sha256 == second.sha256 { return right.isSecond }
            return (first.sha256, first.name) < (second.sha256, second.name)
        }
    }

    /// Plans in row order.
    static func sorted(_ plans: [InputPlan]) -> [InputPlan] {
        var places = plans.indices.map { Place(plans[$0], index: $0) }
        for (index, twin) in twins(of: plans) ?? [:] {
            places[index].exportedAt = twin.exportedAt
            places[index].isSecond = twin.isSecond
        }
        return places.sorted { Place.precedes($0, $1, plans) }.map { plans[$0.index] }
    }

    /// Inputs of fewer bytes are hashed before anything else.
    private static let leastLateBytes = 1 << 20

    /// Reads an input once: its hash, its beginning, who reads it, and when it was exported.
    ///
    /// - Parameter isAlone: whether the run has no other input, to which it would have to be compared.
    ///   - content: all its bytes, where they were read already.
    ///   - sha256: their digest, where it was made already.
    ///   - seen: what is known of inputs that begin alike; nil where each is looked at by itself.
    init(
        _ source: any InputSource, content: [UInt8]? = nil, sha256: String? = nil, catalog: any ImporterCatalog,
        options: RunOptions,
        isAlone: Bool = false, isStopped: Bool = false, seen: (inputs: SeenInputs, scanner: PlainRowScanner)? = nil
    ) {
        self.source = source
        byteCount = source.byteCount
        report = InputReport(name: source.name)
        if isStopped { return }
        report.bytes = byteCount
        do throws(InputError) {
            let source = NamedInput.ofRejects(try InputPlan.inMemory(source, content))
            var time = sha256 == nil ? InputPlan.digestTime(source, options, isAlone: isAlone) : .first
            if let sha256 {
                report.sha256 = sha256
            } else if time == .first {
                report.sha256 = try InputPlan.digest(source)
            }
            if let seen, time == .first, try take(seen, source) { return }
            var sample = try InputSample(source)
            self.sample = sample
            // Markup is looked through before it is read, and hashed in that.
            if time == .beside, sample.format != .delimited { time = .withSurvey }
            if time == .late || time == .beside { digest = LateDigest(source) }
            if time == .beside { digest?.begin() }
            if sample.format == .empty { isBlank = try InputPlan.isBlank(source) }
            if case .binary(let kind) = sample.format { throw .notText(name: source.name, kind: kind) }
            let recognition = try recognise(&sample, source, catalog, options)
            self.sample = sample
            facts = InputFacts(sample, firstBytes: try source.bytes(at: 0, count: 4))
            report.format = facts.format
            report.encoding = facts.encoding.name
            take(recognition, sample)
            if let importer {
                context = try importer.context(of: source, sample: sample, options: options.importOptions)
                report.exportedAt = context.exportedAt
            }
            try survey(source, sample, time, options)
            guard importer != nil else { return }
            // What detection looked at is not needed again; thousands of inputs would hold it all.
            self.sample?.forget()
            if let seen, time == .first { seen.inputs.keep(self, sample, catalog, seen.scanner) }
            for finding in context.warnings { report.warn(Issue(finding, line: nil)) }
        } catch {
            importer = nil
            if digest == nil, report.sha256.isEmpty { report.sha256 = (try? InputPlan.digest(source)) ?? "" }
            report.fail(error)
        }
    }

    /// When the digest of an input is made.
    private enum DigestTime {
        /// Before all else.
        case first
        /// In the same reading as the importer's survey, or after it.
        case withSurvey
        /// While its rows are read, which do not name it, or when somebody asks.
        case late
        /// By another thread, from now on; rows that come earlier get its name later.
        case beside
    }

    /// Small inputs are hashed first, and those of a run that has several: which is a twin of another must be known.
    private static func digestTime(_ source: any InputSource, _ options: RunOptions, isAlone: Bool) -> DigestTime {
        guard isAlone, source.byteCount >= leastLateBytes else { return .first }
        if options.verdicts { return .withSurvey }
        if options.columns == .core { return .late }
        return options.jobs > 1 ? .beside : .withSurvey
    }

    /// Has the importer look through a large input, if it wants to: what it finds of many inputs would have to be kept.
    /// After that there is a digest, or one that is made beside the rows.
    private func survey(
        _ source: any InputSource, _ sample: InputSample, _ time: DigestTime, _ options: RunOptions
    ) throws(InputError) {
        guard time == .withSurvey || time == .beside else { return }
        let hashed = HashedInput(source)
        if let importer {
            // Why it fails is told when it is read.
            context.survey = try? importer.survey(
                time == .beside ? source : hashed, sample: sample, options: options.importOptions)
            if time == .beside, importer.readsInBlocks(source, sample: sample, options: options.importOptions) {
                return
            }
        }
        if let known = hashed.digest {
            report.sha256 = known
        } else if let digest {
            report.sha256 = try digest.value()
        } else {
            report.sha256 = try InputPlan.digest(source)
        }
        digest = nil
    }

    /// Takes what is known of an input that begins alike; false when there is none.
    private func take(
        _ seen: (inputs: SeenInputs, scanner: PlainRowScanner), _ source: any InputSource
    ) throws(InputError) -> Bool {
        guard source.byteCount <= InputSample.headBytes else { return false }
        let bytes = try source.bytes(at: 0, count: InputSample.headBytes)
        guard bytes.count == source.byteCount,
            let known = seen.inputs.find(bytes, name: RejectFileNames.unmarked(report.name), seen.scanner)
        else { return false }
        take(known.plan, known.sample)
        return true
    }

    /// All that is true of another input is true of this one.
    private func take(_ other: InputPlan, _ sample: InputSample) {
        // Else its report says nothing (`SeenInputs.keep`).
        report.recognition = other.report.recognition
        self.sample = sample
        (facts, importer, context) = (other.facts, other.importer, other.context)
        context.isNamed = sample.isNamed
    }

    /// A small file is read once for all that a first pass wants of it.
    private static func inMemory(
        _ source: any InputSource, _ content: [UInt8]?
    ) throws(InputError) -> any InputSource {
        if let content { return MemoryInput(name: source.name, bytes: content) }
        guard source is FileInput, source.byteCount <= InputSample.headBytes else { return source }
        return MemoryInput(name: source.name, bytes: try source.bytes(at: 0, count: source.byteCount))
    }

    static func digest(_ source: any InputSource) throws(InputError) -> String {
        let hash = StreamDigest()
        if let source = source as? MemoryInput {
            let bytes = try source.bytes(at: 0, count: source.byteCount)
            bytes.withUnsafeBytes { hash.update($0) }
            return hash.finish()
        }
        let stream = try source.open()
        var piece = [UInt8](repeating: 0, count: min(1 << 16, max(1, source.byteCount)))
        while true {
            // A closure cannot rethrow one error type here, so that its result is carried out.
            let got: Result<Int, InputError> = piece.withUnsafeMutableBytes { buffer in
                do throws(InputError) { return .success(try stream.read(into: buffer)) } catch {
                    return .failure(error)
                }
            }
            let count = try got.get()
            if count == 0 { break }
            piece.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        return hash.finish()
    }

    /// Whether there is nothing but white space, in any encoding, after what was looked at already.
    private static func isBlank(_ source: any InputSource) throws(InputError) -> Bool {
        var offset = InputSample.headBytes
        while offset < source.byteCount {
            let bytes = try source.bytes(at: offset, count: 1 << 16)
            if bytes.isEmpty { break }
            // Of white space in UTF-16, half the bytes are zero.
            guard bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == 0 }) else { return false }
            offset += bytes.count
        }
        return true
    }

    /// Who was asked for, or who was found.
    private enum Recognition {
        case forced(any Importer, Examination?)
        case decision(Registry.Decision)
    }

    /// Finds out who reads the input, and in which encoding the sample is to be.
    private func recognise(
        _ sample: inout InputSample, _ source: any InputSource, _ catalog: any ImporterCatalog, _ options: RunOptions
    ) throws(InputError) -> Recognition {
        if let id = options.importerID, let forced = catalog.importer(id: id) {
            try sample.settleEncoding(of: source, for: forced)
            return .forced(forced, forced.examine(sample))
        }
        return .decision(try sample.decide(of: source) { catalog.decide($0) })
    }

    private func take(_ recognition: Recognition, _ sample: InputSample) {
        switch recognition {
        case .forced(let forced, let examination):
            if let refusal = examination?.refusal { return report.refuse(refusal) }
            take(forced, examination ?? Examination(score: 0, specificity: 0), [])
        case .decision(let decision): take(decision, sample)
        }
    }

    private func take(_ decision: Registry.Decision, _ sample: InputSample) {
        switch decision {
        case .recognised(let best, let runnersUp):
            take(best.importer, best.examination, runnersUp.map(ConsideredImporter.init))
        case .ambiguous(let candidates): report.isAmbiguous(candidates.map(ConsideredImporter.init))
        case .unknown(let nearest):
            if let kind = sample.foreignKind {
                report.refuse(kind.reason, kind.advice)
            } else {
                report.isUnknown(nearest.map(ConsideredImporter.init), advice: sample.unknownAdvice)
            }
        case .refused(let candidate):
            report.runnersUp = [ConsideredImporter(candidate)]
            report.refuse(candidate.examination.refusal ?? "")
        }
    }

    private func take(_ importer: any Importer, _ examination: Examination, _ runnersUp: [ConsideredImporter]) {
        self.importer = importer
        report.importer = importer.id
        report.score = examination.score
        report.evidence = examination.evidence
        report.drift = examination.drift
        report.runnersUp = runnersUp
        if let likelier = examination.likelier { report.likelier = runnersUp.first { $0.importerID == likelier } }
    }
}

extension InputReport {
    mutating func refuse(_ reason: String, _ suggestion: String = "") {
        exitCode = 3
        fail(Issue(.refused, message: reason, suggestion: suggestion))
    }

    /// - Parameter advice: what to do where none is near.
    mutating func isUnknown(_ nearest: [ConsideredImporter], advice: String) {
        exitCode = 3
        runnersUp = nearest
        var message = "no importer recognises this file"
        if let first = nearest.first, first.examination.isNear {
            message += "; the nearest is \(first.importerID)"
            if !first.examination.missing.isEmpty {
                message += ", for which it lacks \(first.examination.missing.joined(separator: ", "))"
            }
        }
        let suggestion =
            nearest.isEmpty
            ? advice
            : "If it is an export, see what differs (allocport detect FILE), name its kind with --importer, adapt its "
                + "definition when columns were renamed (allocport importer adapt FILE), or draft a new one: allocport "
                + "importer new FILE."
        fail(Issue(.unrecognised, message: message, suggestion: suggestion))
    }

    /// The importer that was asked for is not this file's.
    mutating func finds(nothingFor id: String, missing: [String]) {
        exitCode = 3
        var message = "\(id) finds no header of its own in this file"
        if !missing.isEmpty { message += ": it lacks \(missing.joined(separator: ", "))" }
        fail(
            Issue(.unrecognised, message: message, suggestion: "Leave --importer out to have it recognised."))
    }

    mutating func isAmbiguous(_ candidates: [ConsideredImporter]) {
        exitCode = 4
        runnersUp = candidates
        let names = candidates.map(\.importerID).joined(separator: ", ")
        fail(
            Issue(
                .ambiguous, message: "several importers fit equally well: \(names)",
                suggestion: "Choose one with --importer."))
    }

    mutating func fail(_ error: InputError) {
        let (code, exit): (InputCode, Int32) =
            switch error {
            case .notFound: (.notFound, 66)
            case .notPermitted: (.notPermitted, 66)
            case .notAFile: (.notAFile, 66)
            case .unreadable, .changed, .noTemporaryFile: (.unreadable, 74)
            case .notText: (.notText, 65)
            }
        exitCode = exit
        fail(Issue(code, message: error.reason, suggestion: error.advice))
    }
}
