import Digests
import Importing

/// Has small inputs read before it is their turn, a few of them at a time: in the short way of blocks where like ones were
/// read before (`InputGuess`), else, if there are several threads, by their importers (`Rehearsal`).
///
/// What comes out does not depend on it. Memory is that of the few, however many inputs there are. It belongs to one
/// thread.
final class ReadAhead {
    private let plans: [InputPlan]
    private let state: RunState
    /// Made by the thread that uses it, near to it.
    private lazy var reader = GuessReader(desk, isAlone: kinds == nil)
    /// Where its thread makes digests.
    private let desk: DigestDesk?
    /// The rows of those that were given back last are not hashed yet: others are used before them.
    private var free: [InputGuess] = []
    /// What was prepared, and made, by input.
    private var ready: [(index: Int, guess: InputGuess)] = []
    private var freeRehearsals: [Rehearsal] = []
    private var rehearsals: [(index: Int, rehearsal: Rehearsal)] = []
    /// Whether rows may be taken on a guess: not where they are held against positions.
    private let guesses: Bool
    private let kinds: InputKinds?
    private var classes = ClassSnapshot([])
    /// The input for which they were copied, and how many go by a copy before a few new classes are worth another.
    private var lastCopy = 0
    private static let usesOfCopy = 32
    /// How many guesses are left alone.
    private let resting: Int

    /// Nil where nothing is read ahead.
    ///
    /// - Parameter kinds: what is known of the inputs together; nil where there is no other thread.
    init?(_ plans: [InputPlan], _ state: RunState, _ kinds: InputKinds? = nil) {
        guesses = !state.looksAtRows && state.preparesClasses && state.verdicts == nil
        guard state.options.readsAhead, plans.count > 1, guesses || kinds != nil else { return nil }
        self.plans = plans
        self.state = state
        self.kinds = kinds
        // A turn has a piece for each of its inputs, and most of the time until the next one to take them.
        let isAlone = kinds == nil || state.folder.desk == nil
        desk = isAlone ? state.folder.desk : DigestDesk(manyPieces: 2 * InputTurns.longest)
        resting = kinds == nil ? 1 : InputTurns.longest
    }

    /// How many of some inputs make a turn, so that what is read ahead stays small: one at least.
    func size(ofTurn range: Range<Int>) -> Int {
        var bytes = 0
        let size = range.prefix { index in
            bytes += plans[index].byteCount
            return bytes <= Rehearsal.maximumBytes
        }
        return max(1, size.count)
    }

    /// Prepares guesses of inputs that come in a later turn. No other thread is at the run.
    func prepare(_ range: Range<Int>) {
        for index in range {
            let guess = spare()
            if prepare(guess, index) {
                ready.append((index, guess))
                continue
            }
            free.append(guess)
            guard isToBeRehearsed(plans[index]) else { continue }
            rehearsals.append((index, freeRehearsals.popLast() ?? Rehearsal()))
        }
        // They are taken from the end.
        ready.reverse()
        rehearsals.reverse()
    }

    /// Makes what was prepared, while another thread may be at the run.
    func work() {
        for (_, guess) in ready.reversed() { guess.make(reader) }
        for (index, rehearsal) in rehearsals.reversed() { rehearsal.make(plans[index], state.options) }
        // Whose turn it is may wait for it; and in the turn to come nothing is taken.
        desk?.takeNext()
    }

    /// Whether an input is better read before its turn than in it, where its rows may need no records, and teach others.
    private func isToBeRehearsed(_ plan: InputPlan) -> Bool {
        guard let kinds, let importer = plan.importer, let sample = plan.sample,
            plan.byteCount <= min(Rehearsal.maximumBytes, 8 * state.options.importOptions.blockBytes)
        else { return false }
        if sample.format != .delimited || !state.preparesClasses || state.verdicts != nil { return true }
        if state.importMemory.isHopeless(sample, importer: importer.id) { return true }
        return plan.byteCount <= Rehearsal.fewBytes && (!guesses || !kinds.isFrequent(sample))
    }

    /// What the importer of an input had to say, whose turn it is; nil when it was not asked.
    func rehearsal(for index: Int) -> Rehearsal? {
        rehearsals.last?.index == index ? rehearsals.removeLast().rehearsal : nil
    }

    /// It was said again.
    func giveBack(_ rehearsal: Rehearsal) {
        rehearsal.forget()
        freeRehearsals.append(rehearsal)
    }

    /// What was guessed of an input, whose turn it is; nil when there is nothing to go by.
    func guess(for index: Int) -> InputGuess? {
        if ready.last?.index == index { return ready.removeLast().guess }
        // More may be known than when it was prepared.
        let guess = spare()
        guard prepare(guess, index) else {
            free.append(guess)
            return nil
        }
        guess.make(reader)
        desk?.letGo()
        return guess
    }

    /// The input was read.
    func giveBack(_ guess: InputGuess) { free.append(guess) }

    /// A guess to be made anew.
    private func spare() -> InputGuess { free.count > resting ? free.removeFirst() : InputGuess() }

    private func prepare(_ guess: InputGuess, _ index: Int) -> Bool {
        let plan = plans[index]
        guard guesses, let importer = plan.importer, let sample = plan.sample, InputGuess.suits(plan.source, sample)
        else { return false }
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
