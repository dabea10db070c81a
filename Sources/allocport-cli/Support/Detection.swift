import Allocport
import Importing
import OpenAlloc

/// What was found out about one input, as words and as JSON.
struct Detection {
    enum Decision {
        case registry(Registry.Decision)
        case empty
        case binary(String)
        case unreadable(InputError)
        case passedOver(String)
    }

    let name: String
    /// Where it was found, as the arguments name it: files of several folders may have one name.
    private(set) var path: String?
    var sample: InputSample?
    let decision: Decision
    /// What would adapt the nearest definition to an input that drifted away from it.
    private(set) var patch: DriftPatch?

    init(name: String, decision: Decision) {
        self.name = name
        self.decision = decision
    }

    init(_ input: any InputSource, _ registry: Registry) {
        name = input.name
        path = (input as? FileInput)?.path
        do throws(InputError) {
            var sample = try InputSample(input)
            self.sample = sample
            switch sample.format {
            case .empty: decision = .empty
            case .binary(let kind): decision = .binary(kind)
            default: decision = .registry(try sample.decide(of: input) { registry.decide($0) })
            }
            self.sample = sample
            patch = Detection.patch(input, sample, decision)
        } catch {
            decision = .unreadable(error)
        }
    }

    /// The word of the decision.
    var word: String {
        switch decision {
        case .registry(.recognised(let best, _)): best.examination.drift.isEmpty ? "recognised" : "drifted"
        case .registry(.ambiguous): "ambiguous"
        case .registry(.refused): "refused"
        // What convert refuses, for it is known what it is.
        case .registry(.unknown): sample?.foreignKind == nil ? "unknown" : "refused"
        case .empty: "empty"
        case .binary: "binary"
        case .unreadable: "unreadable"
        case .passedOver: "passedOver"
        }
    }

    /// The exit code that the input alone calls for.
    var exitCode: Int32 {
        switch decision {
        case .registry(.recognised), .passedOver: 0
        case .registry(.ambiguous): Exit.ambiguous
        case .registry, .empty: Exit.unrecognised
        case .binary: Exit.notText
        case .unreadable(let error): error.exitCode
        }
    }

    /// The patch for the importer that reads the input, or for the first of the nearest that can be mended.
    private static func patch(_ input: any InputSource, _ sample: InputSample, _ decision: Decision) -> DriftPatch? {
        let candidates: [Registry.Candidate]
        switch decision {
        case .registry(.recognised(let best, let others)):
            if let near = best.examination.likelier {
                candidates = others.filter { $0.importer.id == near }
            } else {
                candidates = best.examination.drift.isEmpty ? [] : [best]
            }
        case .registry(.unknown(let nearest)): candidates = Array(nearest.prefix(5))
        default: candidates = []
        }
        guard !candidates.isEmpty, let sheet = try? Sheet(input, sample) else { return nil }
        return candidates.lazy.compactMap { DriftPatch($0.importer, for: sheet) }.first
    }

    /// The importer that reads the input.
    var best: Registry.Candidate? {
        if case .registry(.recognised(let best, _)) = decision { return best }
        return nil
    }

    /// The other importers that were considered, the nearest first.
    var others: [Registry.Candidate] {
        switch decision {
        case .registry(.recognised(_, let others)): others
        case .registry(.ambiguous(let equals)): equals
        case .registry(.unknown(let nearest)): nearest
        case .registry(.refused(let one)): [one]
        default: []
        }
    }
}

// MARK: - Words

extension Detection {
    /// The lines for a person, without a final line end.
    var text: String {
        var lines = [Style.bold.on(Words.plain(name))]
        if let best {
            lines.append("  \(best.importer.title) (\(best.importer.id)), score \(Words.score(best.examination.score))")
            lines.append("  schemas: " + best.importer.schemas.map(\.rawValue).joined(separator: ", "))
            lines += best.examination.evidence.map { "  evidence: " + Words.plain($0) }
            lines += best.examination.drift.map { Style.yellow.on("  differs: ") + Words.plain($0) }
            lines += others.prefix(3).map { "  runner-up: \($0.importer.id) \(Words.score($0.examination.score))" }
        } else {
            lines += reason
        }
        if let patch {
            let file = Words.plain(Words.shell(path ?? "-"), limit: 300)
            let command = "allocport importer adapt \(file) -o DEFINITION.yaml"
            lines.append("  to adapt a copy of \(patch.importer) (\(command)):")
            lines += patch.lines.map { "    " + Words.plain($0, limit: 300) }
        }
        return lines.joined(separator: "\n")
    }

    private var reason: [String] {
        switch decision {
        case .registry(.ambiguous(let equals)):
            let names = equals.map(\.importer.id)
            return ["  fits \(Words.list(names)) equally well; choose one with --importer"]
        case .registry(.refused(let one)):
            return ["  \(one.importer.title): \(Words.plain(one.examination.refusal ?? "", limit: 400))"]
        case .registry:
            if let kind = sample?.foreignKind { return ["  " + kind.reason, "  " + kind.advice] }
            var lines = ["  no importer recognises this file"]
            for candidate in others.prefix(3) {
                let missing = candidate.examination.missing
                let lacks =
                    missing.isEmpty ? "" : ", but lacks " + Words.plain(missing.joined(separator: ", "), limit: 300)
                lines.append("  near \(candidate.importer.id) (\(Words.score(candidate.examination.score)))\(lacks)")
            }
            return lines + (sample.map { ["  " + $0.unknownAdvice] } ?? [])
        case .empty: return ["  empty: nothing to convert"]
        case .binary(let kind):
            return ["  " + InputError.reason(kind: kind), "  " + InputError.notText(name: name, kind: kind).advice]
        case .unreadable(let error): return ["  " + error.words] + (error.advice.isEmpty ? [] : ["  " + error.advice])
        case .passedOver(let why): return ["  passed over: \(why)"]
        }
    }
}

// MARK: - JSON

extension Detection {
    /// All detections as a JSON array.
    static func json(_ detections: [Detection]) -> [UInt8] {
        var json = JSONWriter(pretty: true)
        json.array { json in for detection in detections { detection.write(&json) } }
        return json.bytes + [0x0A]
    }

    private func write(_ json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("decision", word)
            json.member("format", sample?.format.name ?? "")
            json.member("encoding", sample.map { "\($0.encoding)" } ?? "")
            json.member("importer", best.map { .string($0.importer.id) } ?? .null)
            json.member("title", best.map { .string($0.importer.title) } ?? .null)
            json.texts("schemas", best?.importer.schemas.map(\.rawValue) ?? [])
            json.member("score", Detection.score(best?.examination.score ?? 0))
            json.texts("evidence", best?.examination.evidence ?? [])
            json.texts("drift", best?.examination.drift ?? [])
            json.texts("patch", patch?.lines ?? [])
            json.member("reason", best == nil ? .string(reason.map { $0.trimmed }.joined(separator: "\n")) : .null)
            json.name("runnersUp")
            json.array { json in
                for candidate in others {
                    json.object { json in
                        json.member("importer", candidate.importer.id)
                        json.member("score", Detection.score(candidate.examination.score))
                        json.texts("missing", candidate.examination.missing)
                    }
                }
            }
            json.member("path", path.map { .string($0) } ?? .null)
        }
    }

    private static func score(_ score: Double) -> AllocValue {
        let thousandths = (min(max(score, 0), 1) * 1000).rounded()
        return .decimal(ExactDecimal(coefficient: Int128(thousandths), scale: 3) ?? .zero)
    }
}

extension JSONWriter {
    /// Writes a member that is a list of texts.
    mutating func texts(_ name: String, _ texts: [String]) {
        self.name(name)
        array { json in for text in texts { json.string(text) } }
    }
}

extension String {
    /// Without blanks in front.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
