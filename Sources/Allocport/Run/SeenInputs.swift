import Importing
import Synchronization

/// What the first pass has found out about inputs of a run, for those that begin like them.
final class SeenInputs: Sendable {
    private struct Entry: Sendable {
        let likeness: InputLikeness
        /// The plan of the first such input.
        let plan: InputPlan
    }

    private let entries = Mutex<[Entry]>([])
    /// A folder has a few kinds of reports; each input is held against all that are kept.
    private static let maximum = 16

    /// The plan of an input that begins like one that was seen; nil when it must be looked at itself.
    ///
    /// - Parameter fresh: its plan so far: name, size and digest.
    func plan(
        for content: any InputSource, _ fresh: InputPlan, _ scanner: PlainRowScanner
    ) throws(InputError) -> InputPlan? {
        let entries = entries.withLock { $0 }
        guard !entries.isEmpty, content.byteCount <= InputSample.headBytes else { return nil }
        let bytes = try content.bytes(at: 0, count: InputSample.headBytes)
        guard bytes.count == content.byteCount else { return nil }
        for entry in entries {
            guard let sample = entry.likeness.sample(of: bytes, name: fresh.source.name, scanner) else { continue }
            var plan = entry.plan
            plan.source = fresh.source
            plan.sample = sample
            plan.report.name = fresh.report.name
            plan.report.bytes = fresh.report.bytes
            plan.report.sha256 = fresh.report.sha256
            return plan
        }
        return nil
    }

    /// Keeps the plan of an input that was recognised, and whose sample still has what detection looks at.
    func keep(_ plan: InputPlan, _ catalog: any ImporterCatalog, _ scanner: PlainRowScanner) {
        guard let importer = plan.importer, let sample = plan.sample, plan.report.errors.isEmpty,
            plan.context.warnings.isEmpty, plan.context.survey == nil,
            entries.withLock({ $0.count }) < SeenInputs.maximum,
            let likeness = catalog.likeness(of: sample, readBy: importer, scanner)
        else { return }
        var plan = plan
        plan.sample = nil
        let entry = Entry(likeness: likeness, plan: plan)
        // Threads that met the same kind at once keep it twice, which costs nothing.
        entries.withLock { if $0.count < SeenInputs.maximum { $0.append(entry) } }
    }
}
