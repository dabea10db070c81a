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

    /// The plan of an input that was seen and begins like another one, and the other's sample; nil when it must be looked
    /// at itself.
    ///
    /// - Parameter bytes: the whole input.
    func find(_ bytes: [UInt8], name: String, _ scanner: PlainRowScanner) -> (plan: InputPlan, sample: InputSample)? {
        let entries = entries.withLock { $0 }
        for entry in entries {
            if let sample = entry.likeness.sample(of: bytes, name: name, scanner) { return (entry.plan, sample) }
        }
        return nil
    }

    /// Keeps the plan of an input that was recognised by its sample.
    func keep(_ plan: InputPlan, _ sample: InputSample, _ catalog: any ImporterCatalog, _ scanner: PlainRowScanner) {
        guard let importer = plan.importer, plan.report.errors.isEmpty, plan.context.warnings.isEmpty,
            plan.context.survey == nil, entries.withLock({ $0.count }) < SeenInputs.maximum,
            let likeness = catalog.likeness(of: sample, readBy: importer, scanner)
        else { return }
        let entry = Entry(likeness: likeness, plan: plan)
        // Threads that met the same kind at once keep it twice, which costs nothing.
        entries.withLock { if $0.count < SeenInputs.maximum { $0.append(entry) } }
    }
}
