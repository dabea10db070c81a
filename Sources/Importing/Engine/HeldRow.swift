import Delimited
import OpenAlloc

/// A row that later lines may continue: its own copy of the variables.
final class HeldRow {
    let binding: TableBinding
    private var anomaly: Finding?
    private let arena = ByteArena()
    private var texts: [ByteView]
    private var units: [SourceUnit]
    private let sink: any RecordSink
    private let contextVersion: Int

    init(state: RowState, unit: SourceUnit, anomaly: Finding?, binding: TableBinding, sink: any RecordSink) {
        self.binding = binding
        self.anomaly = anomaly
        self.sink = sink
        contextVersion = state.contextVersion
        let arena = arena
        texts = (0..<state.count).map { arena.copy(state.text($0)) }
        units = []
        units.append(kept(unit))
    }

    private func kept(_ unit: SourceUnit) -> SourceUnit {
        var copy = unit
        copy.raw = arena.copy(unit.raw)
        return copy
    }

    /// Something is wrong with a continuing line: all lines stand or fall together.
    func note(_ finding: Finding) { anomaly = anomaly ?? finding }

    /// Takes over the cells of a continuing line that are not blank.
    func overlay(_ state: RowState, _ evaluator: Evaluator, _ unit: SourceUnit, columns: [Int], joined: [Int]) {
        for slot in columns.indices where columns[slot] >= 0 && !evaluator.isBlank(slot) {
            texts[slot] = arena.copy(
                joined.contains(slot) ? self.joined(texts[slot], state.text(slot)) : state.text(slot).array)
        }
        units.append(kept(unit))
    }

    /// A cell that was wrapped over lines: a hyphen at the end glues, else a space stands between.
    private func joined(_ above: ByteView, _ below: ByteView) -> [UInt8] {
        let glue: [UInt8] = above.isEmpty || above.last == UInt8(ascii: "-") ? [] : [0x20]
        return above.array + glue + below.array
    }

    /// Decides the whole row, all its lines standing or falling together.
    func replay(into run: DefinitionRun) {
        let current = (0..<run.state.count).map { run.state.saved($0) }
        for slot in texts.indices { run.state.set(slot, texts[slot]) }
        let proxy = run.units
        run.units = units
        run.ground.isContextOfRow = contextVersion == run.state.contextVersion
        run.decide(units[0], binding, anomaly)
        run.units = proxy
        run.ground.isContextOfRow = true
        for value in current { run.state.restore(value) }
    }
}
