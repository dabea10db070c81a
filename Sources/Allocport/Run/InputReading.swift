import Importing
import OpenAlloc

/// The second pass over the inputs of a run: each is read by its importer, in row order.
///
/// One thread at a time uses it, and with it the run's state (`InputTurns`).
final class InputReading: @unchecked Sendable {
    let run: Run
    let plans: [InputPlan]
    let state: RunState
    /// Why it ended before its end.
    private(set) var failure: RunError?
    private var seen: Set<String>
    private var done = 0
    private let total: Int
    private let isEnded: @Sendable () -> Bool
    private let statedURL: String?
    private var options: RunOptions { run.options }

    init(_ run: Run, _ plans: [InputPlan], _ state: RunState) {
        self.run = run
        self.plans = plans
        self.state = state
        seen = Set(minimumCapacity: plans.count)
        statedURL = run.options.sourceURL
        state.sources.reserveCapacity(plans.count)
        total = plans.reduce(0) { $0 + $1.byteCount }
        isEnded = { [isStopped = run.isStopped, trouble = state.folder.trouble] in isStopped() || trouble.isRaised }
    }

    /// Reads the inputs of a thread's turn; false when the run is to end.
    func read(_ reader: InputTurns.Reader, _ range: Range<Int>) -> Bool {
        // One that is made in this turn keeps its own memory.
        let spool = state.transactionSpool
        spool?.exchange(&reader.memory)
        defer { spool?.exchange(&reader.memory) }
        do throws(RunError) {
            for index in range { try read(index, reader.ahead) }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Reads an input, which may have been read ahead.
    func read(_ index: Int, _ ahead: ReadAhead?) throws(RunError) {
        let plan = plans[index]
        state.occurrences.read.note(done, of: total)
        let rehearsal = ahead?.rehearsal(for: index)
        let guess = rehearsal == nil ? ahead?.guess(for: index) : nil
        defer {
            if let guess { ahead?.giveBack(guess) }
            if let rehearsal { ahead?.giveBack(rehearsal) }
            done += plan.byteCount
        }
        guard let importer = plan.importer, let sample = plan.sample else {
            return noteSource(index, isTwin: seen.contains(plan.report.sha256))
        }
        let isTwin = !seen.insert(plan.report.sha256).inserted
        let firstVerdict = state.verdicts?.count ?? 0
        let sink = InputSink(
            state: state, input: index, exportedAt: plan.context.exportedAt, isTwin: isTwin, source: plan.source,
            guess: guess, digest: plan.digest)
        state.rejects.begin(
            name: plan.report.name, sourceMetaID: plan.report.sourceMetaID, digest: plan.digest, facts: plan.facts,
            isTwin: isTwin)
        // What was read ahead is not read again: nobody would be told, or stop.
        if guess != nil || rehearsal != nil {
            if run.isStopped() { throw .interrupted }
            tell(plan.byteCount, of: index)
        }
        do throws(InputError) {
            if let rehearsal {
                state.report.rehearsedInputs += 1
                try rehearsal.replay(into: sink)
            } else {
                var importOptions = options.importOptions
                if plans.count == 1, plan.byteCount <= options.bytesByRules { importOptions.readsByRules = true }
                try importer.read(
                    source(of: index), sample: sample, context: plan.context, options: importOptions, into: sink)
            }
        } catch {
            if run.isStopped() { throw .interrupted }
            state.inputs[index].fail(error)
        }
        sink.finish()
        if options.importerID != nil, state.inputs[index].isForeign {
            refuse(plan, importer, index)
            // The report has no units of it, and so there is none to tell of.
            if let verdicts = state.verdicts {
                verdicts.patch(offset: firstVerdict, length: verdicts.count - firstVerdict)
            }
        }
        try state.rejects.end()
        if let failure = state.failure ?? state.folder.failure { throw failure }
        noteAssumption(sink, index)
        noteSource(index, isTwin: isTwin)
    }

    /// Settles the digests that had to wait for the rows.
    func settleDigests() {
        for (index, plan) in plans.enumerated() {
            guard let digest = plan.digest else { continue }
            do throws(InputError) {
                state.inputs[index].sha256 = try digest.value()
            } catch {
                // As a rule that was said when its rows were read.
                if state.inputs[index].errors.isEmpty { state.inputs[index].fail(error) }
            }
            // It is the run's only input; one that nobody reads has no row.
            guard let place = state.sources.firstIndex(where: { $0.input == index }) else { continue }
            state.sources[place].values[0] = .string(state.inputs[index].sourceMetaID)
        }
    }

    /// Notes the input's row of openalloc/meta/source, which is stored when all were read.
    private func noteSource(_ index: Int, isTwin: Bool) {
        guard state.inputs[index].importer != nil else { return }
        let plan = plans[index]
        let values: [AllocValue] = [
            .string(plan.report.sourceMetaID), .string(statedURL ?? plan.report.name),
            .string(plan.report.importer ?? ""), plan.context.exportedAt.map { .date($0) } ?? .null,
        ]
        state.sources.append((index, values, isTwin))
    }

    private func source(of index: Int) -> WatchedInput {
        let plan = plans[index]
        let (before, total, share) = (done, total, state.occurrences.read)
        guard let onProgress = run.onProgress else {
            return WatchedInput(base: plan.digest?.source ?? plan.source, isStopped: isEnded) { read in
                share.note(before + read, of: total)
            }
        }
        let progress = RunProgress(
            input: index, inputCount: plans.count, name: plan.report.name, bytesRead: done, byteCount: total)
        return WatchedInput(base: plan.digest?.source ?? plan.source, isStopped: isEnded) { read in
            share.note(before + read, of: total)
            var progress = progress
            progress.bytesRead += read
            onProgress(progress)
        }
    }

    private func tell(_ read: Int, of index: Int) {
        guard let onProgress = run.onProgress else { return }
        onProgress(
            RunProgress(
                input: index, inputCount: plans.count, name: plans[index].report.name, bytesRead: done + read,
                byteCount: total))
    }

    /// An importer that was asked for found nothing of its own in the input: that is no success.
    private func refuse(_ plan: InputPlan, _ importer: any Importer, _ index: Int) {
        let sample = try? InputSample(plan.source, for: importer)
        let missing = sample.flatMap { importer.examine($0) }?.missing ?? []
        state.inputs[index].forgetUnits()
        state.inputs[index].finds(nothingFor: importer.id, missing: missing)
    }

    private func noteAssumption(_ sink: InputSink, _ index: Int) {
        guard let account = sink.accountAssumed else { return }
        let count = state.inputs[index].wouldMerge
        var reason = "neither the file nor its name says which account it is; \(account) stands for it"
        if count > 0 {
            reason +=
                "; " + (count == 1 ? "1 row stands" : "\(count) rows stand")
                + " in another file as well and \(count == 1 ? "counts" : "count") twice, as that may be another account's"
        }
        let suggestion =
            count == 0
            ? "Name it with --account."
            : "If all files are of one account, name it with --account; equal rows count once then."
        let finding = Finding(.accountAssumed, value: account, reason: reason, suggestion: suggestion)
        state.inputs[index].warn(Issue(finding, line: nil))
    }
}
