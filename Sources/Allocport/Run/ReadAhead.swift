import Dispatch
import Importing
import Synchronization

/// Has small inputs read in the short way of blocks, a few of them at a time, by other threads before it is their turn.
///
/// What comes out does not depend on it (`InputGuess`). Memory is that of the few, however many inputs there are.
final class ReadAhead {
    private let plans: [InputPlan]
    private let state: RunState
    private var free: [InputGuess]
    /// Those that were offered, by input.
    private var offered: [Int: InputGuess] = [:]
    private let workers: [Worker]
    private let reader = GuessReader()
    /// How many inputs it looks ahead.
    private let reach: Int
    private var next = 0
    private var classes = ClassSnapshot([])
    /// The input for which they were copied, and how many go by a copy before a few new classes are worth another.
    private var lastCopy = 0
    private static let usesOfCopy = 32

    /// Nil where rows are not taken ahead: those that are held against positions.
    init?(_ plans: [InputPlan], _ state: RunState) {
        let jobs = state.options.jobs
        guard state.options.readsAhead, plans.count > max(1, jobs), state.held == nil, state.preparesClasses,
            state.verdicts == nil
        else {
            return nil
        }
        self.plans = plans
        self.state = state
        reach = jobs > 1 ? 8 * jobs : 1
        free = (0..<reach).map { _ in InputGuess() }
        workers = (1..<max(1, jobs)).map { Worker(label: "ahead \($0)") }
    }

    /// What was guessed of an input, whose turn it is; nil when there is nothing to go by.
    func guess(for index: Int) -> InputGuess? {
        if workers.isEmpty { return guessHere(index) }
        next = max(next, index + 1)
        if next - index <= reach / 2 { offer(upTo: min(plans.count, index + reach)) }
        guard let guess = offered.removeValue(forKey: index) else { return guessHere(index) }
        // Nobody has begun with it: this thread does.
        guess.workAside(reader)
        if !guess.isDone {
            // While another thread is at it, this one goes ahead.
            for ahead in index + 1..<next where !guess.isDone { offered[ahead]?.workAside(reader) }
        }
        guess.wait()
        return guess
    }

    /// Makes the guess on the thread of the run.
    private func guessHere(_ index: Int) -> InputGuess? {
        guard let guess = free.popLast() else { return nil }
        guard prepare(guess, index) else {
            free.append(guess)
            return nil
        }
        guess.offer()
        guess.workAside(reader)
        guess.wait()
        return guess
    }

    /// The input was read.
    func giveBack(_ guess: InputGuess) { free.append(guess) }

    /// Waits for all threads.
    func finish() {
        for guess in offered.values where guess.claim() { guess.wait() }
        offered.removeAll()
        for worker in workers { worker.end() }
    }

    private func offer(upTo end: Int) {
        var fresh: [InputGuess] = []
        while next < end, let guess = free.popLast() {
            if prepare(guess, next) {
                offered[next] = guess
                guess.offer()
                fresh.append(guess)
            } else {
                free.append(guess)
            }
            next += 1
        }
        if fresh.isEmpty { return }
        for worker in workers { worker.take(fresh) }
    }

    private func prepare(_ guess: InputGuess, _ index: Int) -> Bool {
        let plan = plans[index]
        guard let importer = plan.importer, let sample = plan.sample, InputGuess.suits(plan.source, sample) else {
            return false
        }
        return guess.prepare(plan.source, sample, importer: importer.id, memory: state.importMemory) { last in
            batch(index, plan, last as? AheadBatch)
        }
    }

    /// Who takes rows of an input; the batch of a former one, if it is there, is used again.
    private func batch(_ index: Int, _ plan: InputPlan, _ last: AheadBatch?) -> (any RowBatch)? {
        if state.tracksLots || state.classes.all.isEmpty { return nil }
        // Copies cost: rows of a few newer classes are left to the run.
        let new = state.classes.all.count - classes.count
        if new > classes.count / 8 || (new > 0 && index - lastCopy >= ReadAhead.usesOfCopy + classes.count / 4) {
            classes = ClassSnapshot(state.classes.all)
            lastCopy = index
        }
        let metaID = Array(plan.report.sourceMetaID.utf8)
        let checks = state.freshChecks(exportedAt: plan.context.exportedAt)
        if let last {
            last.begin(classes, metaID: metaID, checks)
            return last
        }
        let rows = PreparedBatch(
            [], of: index, metaID: metaID, checks, state.writer, countsRows: state.countsRows,
            hasIDs: state.transactions.isExtended)
        return AheadBatch(classes, rows)
    }
}

/// A thread that makes guesses for as long as the run reads: one that is woken again and again where it was runs beside
/// the run's, new ones often on the same processor.
private final class Worker: Sendable {
    private let list = Mutex<(guesses: [InputGuess], isEnded: Bool)>(([], false))
    private let news = DispatchSemaphore(value: 0)

    init(label: String) {
        DispatchQueue(label: label).async { [self] in
            let reader = GuessReader()
            while true {
                news.wait()
                let (guesses, isEnded) = list.withLock { list in
                    defer { list.guesses = [] }
                    return list
                }
                for guess in guesses { guess.workAside(reader) }
                if isEnded { return }
            }
        }
    }

    func take(_ fresh: [InputGuess]) {
        list.withLock { $0.guesses += fresh }
        news.signal()
    }

    func end() {
        list.withLock { $0.isEnded = true }
        news.signal()
    }
}
