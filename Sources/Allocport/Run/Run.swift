import Digests
import Dispatch
public import Importing
public import OpenAlloc

/// One conversion of any number of inputs.
///
/// Row order, and with it every output byte, is fixed by the inputs' content: inputs by export date (those without one
/// first), then by the hash of their bytes, then by name.
public struct Run: Sendable {
    /// What the user asked for.
    public var options: RunOptions
    /// The importers.
    public var catalog: any ImporterCatalog
    /// The version that `report.json` names.
    public var version = Allocport.version
    /// Called while inputs are read.
    public var onProgress: (@Sendable (RunProgress) -> Void)?
    /// Called with the number of their bytes when all inputs are read and the tables are to be finished.
    public var onRead: (@Sendable (Int) -> Void)?
    /// Asked while inputs are read; true stops the run, which then leaves nothing behind.
    public var isStopped: @Sendable () -> Bool = { false }

    /// Whether the process ends after the run: then what it has made is left to the system.
    package var endsProcess = false

    /// How output files are made; a test puts a full disk here.
    var makeFile: OutputFolder.FileMaker = POSIX.create
    /// Off in tests that hold inputs that begin alike to each looked at by itself.
    var reusesPlans = true
    /// Off in tests that hold rows of prepared classes to the projection.
    var preparesClasses = true
    /// Off in tests that hold reading on a guess to reading twice.
    var takesGuesses = true

    /// A run.
    public init(options: RunOptions, catalog: any ImporterCatalog) {
        self.options = options
        self.catalog = catalog
    }

    /// Converts everything that paths name: files, folders, `-` for standard input.
    ///
    /// - Throws: ``RunError``; then nothing is left of the output, nor of a folder that was made for it.
    public func convert(paths: [String]) throws(RunError) -> RunReport {
        try convert(InputFinder(outputFolder: options.outputFolder).list(paths))
    }

    /// Converts inputs.
    ///
    /// - Throws: ``RunError``; then nothing is left of the output, nor of a folder that was made for it.
    public func convert(_ found: FoundInputs) throws(RunError) -> RunReport {
        let path = options.isDryRun ? nil : options.outputFolder
        let folder = try OutputFolder(path: path, force: options.force, makeFile: makeFile)
        // Two threads have enough to do with rows and digests.
        folder.writesAside = options.jobs > 2
        folder.desk = DigestDesk()
        return try convert(found, into: folder)
    }

    /// Converts one input and returns one table in memory; nothing is written.
    ///
    /// - Returns: the table's bytes (its header alone when it has no rows), `rejects.csv`, and the report.
    /// - Throws: ``RunError``.
    public func transform(
        _ input: any InputSource, schema: SchemaID
    ) throws(RunError) -> (table: [UInt8], rejects: [UInt8], report: RunReport) {
        let folder = try OutputFolder(path: nil, force: true, inMemory: true)
        var found = FoundInputs()
        found.inputs = [input]
        let report = try convert(found, into: folder)
        let name = "\(schema.fileStem).\(options.format.rawValue)"
        let columns = options.columns == .core ? schema.schema.columns : schema.schema.allColumns
        let writer = options.tableWriter
        let table = folder.content(name) ?? (writer.opening(columns) + writer.closing)
        return (table, folder.content("rejects.csv") ?? [], report)
    }

    private func convert(_ found: FoundInputs, into folder: OutputFolder) throws(RunError) -> RunReport {
        let released = DeferredRelease()
        defer {
            // Another thread gives it back, if that takes longer than to start one.
            if options.jobs > 1, released.isLarge, !endsProcess {
                DispatchQueue.global().async { withExtendedLifetime(released) {} }
            }
        }
        do throws(RunError) {
            try options.check()
            if let id = options.importerID, catalog.importer(id: id) == nil { throw .unknownImporter(id) }
            var found = found
            released.plans = try plan(&found)
            let report = try convert(released, found, folder)
            if endsProcess { _ = Unmanaged.passRetained(released) }
            return report
        } catch {
            folder.abandon()
            throw error
        }
    }

    private func convert(
        _ released: DeferredRelease, _ found: FoundInputs, _ folder: OutputFolder
    ) throws(RunError) -> RunReport {
        let plans = released.plans
        var state = try read(plans, found, folder)
        let headerless = Set(state.inputs.indices.filter { state.inputs[$0].isHeaderless })
        if options.importerID != nil, !headerless.isEmpty {
            folder.discard()
            state = try read(plans, found, folder, headerless: headerless)
        }
        if state.told == nil, InputKinds.someNameNoAccount(state.inputs) {
            // Files of one kind of which some name their account and others do not: equal rows are none then.
            folder.discard()
            state = try read(plans, found, folder, headerless: state.headerless, looksForRepeats: true)
        }
        let corrections = Corrections.find(plans, state.inputs, state.memory, options) { [state] index in
            RowKeys.read(index, of: plans, options, headerless: state.headerless)
        }
        let doubtful = corrections.doubts(plans, state.memory)
        if corrections.matter(state.memory) {
            // Only now is it known that rows were taken for an overlap which are none.
            folder.discard()
            state = try read(
                plans, found, folder, corrections, headerless: state.headerless, looksForRepeats: state.told != nil)
        }
        released.state = state
        onRead?(plans.reduce(0) { $0 + $1.byteCount })
        state.corrections = corrections
        for (index, root) in corrections.roots.enumerated() where root != index {
            state.inputs[index].evidence.append(
                "its lines are rejected lines of \(plans[root].report.sourceMetaID), corrected")
            state.inputs[index].corrects = plans[root].report.name
        }
        for (index, count) in corrections.counts { state.inputs[index].corrected = count }
        for (index, issue) in doubtful { state.inputs[index].warn(issue) }
        try TableFinisher(state: state, plans: plans).finish()
        let report = try finalReport(state, failures: found.failures, folder)
        try folder.commit { Set(plans.compactMap { ($0.source as? FileInput)?.identity }) }
        return report
    }

    private func plan(_ found: inout FoundInputs) throws(RunError) -> [InputPlan] {
        let given = found.inputs.map { FirstLook.Given.input($0) } + found.listed.map { .listed($0) }
        let seen = reusesPlans && given.count > 1 && options.importerID == nil ? SeenInputs() : nil
        // Inputs do not depend on each other here; the order that counts comes from what they say, not from when.
        let planned = Parallel.map(FirstLook.groups(of: given), jobs: options.threads) {
            [catalog, options, isStopped] in
            FirstLook(catalog, options, isAlone: given.count == 1, seen: seen, isStopped: isStopped)
        } _: { group, look in
            look.plan(given[group])
        }
        if isStopped() { throw .interrupted }
        var plans: [InputPlan] = []
        plans.reserveCapacity(given.count)
        for planned in planned.joined() {
            switch planned {
            case .plan(let plan): plans.append(plan)
            case .empty(let name): found.passedOver.append(PassedOver(emptyFile: name))
            case .failed(let error): found.failures.append(error)
            }
        }
        // White space alone is as empty as no bytes.
        for blank in plans where blank.isBlank {
            found.passedOver.append(PassedOver(name: blank.report.name, reason: "blank file"))
        }
        plans.removeAll(where: \.isBlank)
        return InputPlan.sorted(plans)
    }

    private func read(
        _ plans: [InputPlan], _ found: FoundInputs, _ folder: OutputFolder, _ corrections: Corrections? = nil,
        headerless: Set<Int> = [], looksForRepeats: Bool = false
    ) throws(RunError) -> RunState {
        // What is read on a guess must be the run's only input: it is all taken back if the guess was wrong.
        let guessed = try read(
            plans, found, folder, corrections, headerless: headerless, looksForRepeats: looksForRepeats,
            takesGuesses: takesGuesses && plans.count == 1)
        guard guessed.isTakenBack else { return guessed }
        folder.discard()
        let state = try read(
            plans, found, folder, corrections, headerless: headerless, looksForRepeats: false, takesGuesses: false)
        state.report.wasTakenBack = true
        return state
    }

    private func read(
        _ plans: [InputPlan], _ found: FoundInputs, _ folder: OutputFolder, _ corrections: Corrections?,
        headerless: Set<Int>, looksForRepeats: Bool, takesGuesses: Bool
    ) throws(RunError) -> RunState {
        let state = try RunState(
            options: options, inputCount: plans.count, folder: folder, corrections: corrections,
            headerless: headerless)
        state.takesGuesses = takesGuesses
        state.preparesClasses = preparesClasses
        state.report.passedOver = found.passedOver.sorted { ($0.name, $0.reason) < ($1.name, $1.reason) }
        state.inputs = plans.map(\.report)
        // One importer reads thousands of files: each is asked once.
        var importers: [String: any Importer] = [:]
        var last: String?
        for plan in plans where plan.report.importer != last {
            guard let importer = plan.importer else { continue }
            importers[importer.id] = importer
            last = plan.report.importer
        }
        let schemas = Set(importers.values.flatMap(\.schemas))
        state.tracksLots = plans.count > 1 && importers.values.contains(where: \.yieldsClosedLots)
        // A bare conversion of one file remembers nothing, and so covers no days.
        if schemas.isSuperset(of: [.transaction, .holding]), state.countsRows { state.held = HeldUnits() }
        if looksForRepeats || InputKinds.mayTellTwice(plans, importers) {
            state.told = ToldRows(inputCount: plans.count)
        }
        try read(plans, state)
        return state
    }

    private func read(_ plans: [InputPlan], _ state: RunState) throws(RunError) {
        let reading = InputReading(self, plans, state)
        if options.jobs > 1, plans.count > 1 {
            try readInTurns(reading, InputKinds(plans))
        } else {
            let ahead = ReadAhead(plans, state)
            for index in plans.indices { try reading.read(index, ahead) }
        }
        if isStopped() { throw .interrupted }
        if state.isTakenBack { return }
        reading.settleDigests()
    }

    /// Reads on several threads in turns.
    private func readInTurns(_ reading: InputReading, _ kinds: InputKinds) throws(RunError) {
        let (plans, state) = (reading.plans, reading.state)
        guard let ahead = ReadAhead(plans, state, kinds) else {
            for index in plans.indices { try reading.read(index, nil) }
            return
        }
        let turns = InputTurns(count: plans.count)
        for number in 1..<min(options.threads, plans.count) {
            guard let ahead = ReadAhead(plans, state, kinds) else { continue }
            let reader = InputTurns.Reader(ahead)
            DispatchQueue(label: "turns \(number)").async { turns.join(reader, reading.read) }
        }
        turns.lead(InputTurns.Reader(ahead), reading.read)
        if let failure = reading.failure { throw failure }
    }

    private func finalReport(
        _ state: RunState, failures: [InputError], _ folder: OutputFolder
    ) throws(RunError) -> RunReport {
        var report = state.report
        for error in failures.sorted(by: { $0.name < $1.name }) {
            var input = InputReport(name: error.name)
            input.fail(error)
            report.inputs.append(input)
        }
        // Moved, not copied: there may be thousands.
        var inputs = state.inputs
        state.inputs = []
        for index in inputs.indices { inputs[index].sumUp() }
        if report.inputs.isEmpty { report.inputs = inputs } else { report.inputs += inputs }
        var codes = report.inputs.indices.map { report.inputs[$0].exitCode }
        if report.outcomes[.rejected] > options.maxRejects { codes.append(1) }
        if !report.isBalanced { codes.append(70) }
        report.exitCode = codes.filter { $0 != 0 }.min() ?? 0
        try state.rejects.finish()
        report.rejectFiles = state.rejects.files
        if let verdicts = state.verdicts { _ = try verdicts.finish() }
        let file = try folder.spool("report.json", isHashed: false)
        report.write(version: version, jobs: options.threads) { file.append($0) }
        _ = try file.finish()
        return report
    }
}

/// What a run has made of its inputs, and leaves behind when it is done: of thousands of inputs it takes a while to be
/// given back.
///
/// Invariant: one thread at a time uses it.
private final class DeferredRelease: @unchecked Sendable {
    var plans: [InputPlan] = []
    var state: RunState?

    var isLarge: Bool { plans.count > 16 || plans.contains { $0.byteCount > 1 << 20 } }
}
