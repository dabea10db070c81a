import Importing

/// The rows of one input of a run, read apart from the run.
enum RowKeys {
    /// The line and the key of each; none when it cannot be read.
    static func read(
        _ index: Int, of plans: [InputPlan], _ options: RunOptions, headerless: Set<Int>
    ) -> [(line: Int, key: StableHash)] {
        let plan = plans[index]
        var options = options
        (options.outputFolder, options.isDryRun, options.verdicts, options.jobs) = (nil, true, false, 1)
        guard let importer = plan.importer, let sample = plan.sample,
            let folder = try? OutputFolder(path: nil, force: true),
            let state = try? RunState(
                options: options, inputCount: plans.count, folder: folder, headerless: headerless)
        else { return [] }
        defer { folder.discard() }
        state.inputs = plans.map(\.report)
        state.preparesClasses = false
        state.keptRows = []
        let sink = InputSink(state: state, input: index, exportedAt: plan.context.exportedAt, isTwin: false)
        state.rejects.begin(name: plan.report.name, sourceMetaID: plan.report.sourceMetaID, facts: plan.facts)
        try? importer.read(
            plan.source, sample: sample, context: plan.context, options: options.importOptions, into: sink)
        return state.keptRows ?? []
    }
}
