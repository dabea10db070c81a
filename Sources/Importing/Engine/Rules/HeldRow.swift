import Delimited
import OpenAlloc

/// A row that later lines may continue: its own copy of the variables. One object holds one row after the other.
final class HeldRow {
    @exclusivity(unchecked) private var binding: TableBinding?
    /// The table of the row.
    @exclusivity(unchecked) private(set) var table = -1
    @exclusivity(unchecked) private var anomaly: Finding?
    private let arena = ByteArena()
    @exclusivity(unchecked) private var texts = FlatMemory<ByteView>([])
    @exclusivity(unchecked) private var units: [SourceUnit] = []
    @exclusivity(unchecked) private var contextVersion = 0
    /// The texts of variables that are joined over lines.
    @exclusivity(unchecked) private var growing: [(slot: Int, text: [UInt8])] = []

    /// Takes the row that is in `state`.
    func begin(_ state: RowState, _ unit: SourceUnit, _ anomaly: Finding?, _ binding: TableBinding) {
        self.binding = binding
        table = binding.table
        contextVersion = state.contextVersion
        self.anomaly = anomaly
        arena.reset()
        if texts.count != state.count { texts = FlatMemory(repeating: .empty, count: state.count) }
        for slot in 0..<state.count {
            let text = state.text(slot)
            texts[slot] = text.isEmpty ? .empty : arena.copy(text)
        }
        units.removeAll(keepingCapacity: true)
        growing.removeAll()
        keep(unit)
    }

    private func keep(_ unit: SourceUnit) {
        var copy = unit
        copy.raw = arena.copy(unit.raw)
        units.append(copy)
    }

    /// Something is wrong with a continuing line: all lines stand or fall together.
    func note(_ finding: Finding) { anomaly = anomaly ?? finding }

    /// Takes over the cells of a continuing line that are not blank.
    func overlay(
        _ state: RowState, _ evaluator: Evaluator, _ unit: SourceUnit, _ binding: TableBinding, joined: [Int]
    ) {
        for (slot, _) in binding.bound where !evaluator.isBlank(slot) {
            if joined.contains(slot) {
                join(state.text(slot), to: slot)
            } else {
                texts[slot] = arena.copy(state.text(slot))
            }
        }
        keep(unit)
    }

    /// A cell that was wrapped over lines: a hyphen at the end glues, else a space stands between.
    private func join(_ below: ByteView, to slot: Int) {
        var place = growing.count
        if let known = growing.firstIndex(where: { $0.slot == slot }) {
            place = known
        } else {
            growing.append((slot, texts[slot].array))
        }
        if let last = growing[place].text.last, last != UInt8(ascii: "-") { growing[place].text.append(0x20) }
        below.withUnsafeBytes { growing[place].text.append(contentsOf: $0) }
    }

    /// Decides the whole row, all its lines standing or falling together.
    func replay(into run: DefinitionRun) {
        guard let binding, let first = units.first else { return }
        run.state.putAside()
        for (slot, text) in growing { texts[slot] = arena.copy(text) }
        for slot in 0..<texts.count { run.state.set(slot, texts[slot]) }
        let proxy = run.units
        run.units = units
        run.ground.isContextOfRow = contextVersion == run.state.contextVersion
        run.decide(first, binding, anomaly)
        run.units = proxy
        run.ground.isContextOfRow = true
        run.state.takeUp()
    }
}
