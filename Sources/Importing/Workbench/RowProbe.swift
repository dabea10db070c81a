import Delimited
import OpenAlloc

/// Looks at single rows of a file: in which columns their values stand, and which decimal mark they prove themselves.
final class RowProbe {
    struct Place {
        /// The column of each variable; -1 where it has none.
        var columns: [Int] = []
        /// What the row's own cells prove, where the definition states no style.
        var style: NumberStyle?
    }

    private let run: DefinitionRun
    private var known: TableBinding?

    /// The run is the probe's alone.
    init(_ run: DefinitionRun) {
        run.usesRecipes = false
        self.run = run
    }

    func look(_ record: borrowing RecordView, _ binding: TableBinding) -> Place {
        var place = Place(columns: binding.columns)
        let table = run.definition.tables[binding.table]
        let isAuto = (table.numbers ?? run.definition.numbers).decimal == nil
        guard isAuto || !table.repairs.isEmpty else { return place }
        if known?.table != binding.table || known?.header != binding.header {
            run.use(binding)
            known = binding
        }
        run.state.beginRow()
        run.bindCells(record, binding)
        run.fill(table.fill)
        for repair in table.repairs where run.evaluator.holds(repair.condition) {
            place.columns = Self.moved(place.columns, repair)
            run.apply(repair)
        }
        if isAuto { place.style = run.evaluator.markOfRow.map { NumberStyle(decimal: $0) } }
        return place
    }

    private static func moved(_ columns: [Int], _ repair: RepairRule) -> [Int] {
        var result = columns
        var taken: Set<Int> = []
        for set in repair.sets {
            var column = -1
            if case .variable(let from) = set.expression { column = columns[from] }
            result[set.slot] = column
            taken.insert(result[set.slot])
        }
        let moved = Set(repair.sets.map(\.slot))
        for slot in result.indices where !moved.contains(slot) && taken.contains(result[slot]) { result[slot] = -1 }
        return result
    }
}

extension ByteView {
    /// Where in another view this part of it begins; nil when it is none.
    func position(in whole: ByteView) -> Int? {
        withUnsafeBytes { part in
            whole.withUnsafeBytes { all in
                guard let start = part.baseAddress, let first = all.baseAddress else { return nil }
                let offset = start - first
                return offset >= 0 && offset + part.count <= all.count ? offset : nil
            }
        }
    }
}
