import Importing
import OpenAlloc

/// The rows of a reference table: each key once. Rows come in the order of the inputs, so that a later one is the newer.
final class StoredTable {
    let layout: TableLayout
    @exclusivity(unchecked) private var memory = RowMemory()
    @exclusivity(unchecked) private var index = RowIndex()
    @exclusivity(unchecked) private var key = KeyBytes()
    /// The row that the last one went into: mostly the next one says the same.
    @exclusivity(unchecked) private var last: StoredRow?
    @exclusivity(unchecked) private var merged = CellBuffer()
    /// How often a row that was there has changed.
    @exclusivity(unchecked) private(set) var changes = 0
    @exclusivity(unchecked) private var rowCount: UInt32 = 0

    /// A table; of a schema with our own columns its rows have them all.
    init(_ id: SchemaID, isExtended: Bool) { layout = TableLayout(id, isExtended: isExtended) }

    var count: Int { Int(rowCount) }

    /// A row says something else about a key that is there: the newer value stands.
    struct Conflict {
        let column: String
        let old: Cell
        let new: Cell
        let isSameInput: Bool
    }

    /// Takes a row; false when its key is there.
    ///
    /// - Parameter onConflict: is told of the first contradiction before the row changes.
    func take(_ head: RowHead, _ cells: Cells, onConflict: (Conflict) -> Void) -> Bool {
        if let last, last.cells.isSame(as: cells) { return false }
        let hash = hash(of: cells)
        let slot = index.slot(of: hash)
        guard let row = index[slot] else {
            var head = head
            head.tag = (hash.high >> 32) << 32 | UInt64(rowCount)
            rowCount += 1
            let row = memory.append(head, cells)
            index.put(row, hash, at: slot)
            last = row
            return true
        }
        last = row
        if row.cells.isSame(as: cells) { return false }
        merge(head, cells, into: row, hash, slot, onConflict)
        return false
    }

    /// The rows in row order; of one place, the first that came.
    func forEachInOrder(_ body: (StoredRow) -> Void) {
        memory.forEach(
            by: { left, right in
                if StoredRow.precedes(left, right) { return true }
                return !StoredRow.precedes(right, left) && StoredTable.number(left) < StoredTable.number(right)
            }, body)
    }

    /// Its place among the keys as they came, which is the lower half of its tag.
    private static func number(_ row: StoredRow) -> UInt32 { UInt32(truncatingIfNeeded: row.head.pointee.tag) }

    private func hash(of cells: Cells) -> StableHash {
        key.removeAll()
        var cursor = CellCursor(cells)
        for place in 0..<layout.keyEnd {
            let cell = cursor.next()
            if layout.isKey[place] { key.append(cell) }
        }
        return key.hash
    }

    // MARK: merging

    private func merge(
        _ head: RowHead, _ cells: Cells, into row: StoredRow, _ hash: StableHash, _ slot: Int,
        _ onConflict: (Conflict) -> Void
    ) {
        guard let isNewer = compose(head, cells, with: row, onConflict) else { return }
        changes += 1
        var target = row
        if !row.replace(merged.cells) {
            // Prices change their length: a row that was moved has room to grow.
            target = memory.append(row.head.pointee, merged.cells, spare: 16 + merged.count / 4)
            row.head.pointee.flags.insert(.isGone)
            index.put(target, hash, at: slot)
            last = target
        }
        if isNewer {
            target.head.pointee.input = head.input
            target.head.pointee.line = head.line
            target.head.pointee.ordinal = head.ordinal
        }
    }

    /// Puts both together in `merged`: whether the new row says something newer; nil when it says nothing new.
    private func compose(
        _ head: RowHead, _ cells: Cells, with row: StoredRow, _ onConflict: (Conflict) -> Void
    ) -> Bool? {
        merged.removeAll()
        var (isChanged, isNewer, isTold) = (false, false, false)
        var stale: Bool?
        var (old, new) = (CellCursor(row.cells), CellCursor(cells))
        var provenance: Cell?
        for place in layout.roles.indices {
            let (was, now) = (old.next(), new.next())
            let role = layout.roles[place]
            var stands = was
            if role == .provenance {
                provenance = now
            } else if now.isBlank {
                stands = was
            } else if was.isBlank {
                (stands, isChanged) = (now, true)
            } else if role != .key, !was.says(now) {
                if role == .moving, isStale(cells, row, &stale) {
                    stands = was
                } else {
                    (stands, isChanged, isNewer) = (now, true, true)
                    if role == .other, !isTold, !isSpelling(place, was, now) {
                        isTold = true
                        onConflict(
                            Conflict(
                                column: layout.names[place], old: was, new: now,
                                isSameInput: row.head.pointee.input == head.input))
                    }
                }
            }
            merged.cell(stands)
        }
        if isNewer, let provenance { replaceProvenance(provenance) }
        return isChanged ? isNewer : nil
    }

    /// Whether a security has the same name, written otherwise, which contradicts nothing.
    private func isSpelling(_ place: Int, _ old: Cell, _ new: Cell) -> Bool {
        layout.id == .security && layout.names[place] == "title" && SecurityTitles.mayNameOne(old.text, new.text)
    }

    /// What names an input is its own key, in the table of the inputs alone: of one key both say the same but for case.
    private func replaceProvenance(_ new: Cell) {
        var other = CellBuffer()
        var cursor = CellCursor(merged.cells)
        for place in layout.roles.indices {
            let cell = cursor.next()
            other.cell(layout.roles[place] == .provenance ? new : cell)
        }
        swap(&merged, &other)
    }

    /// A price that is older than the one that is there stays out.
    private func isStale(_ new: Cells, _ old: StoredRow, _ known: inout Bool?) -> Bool {
        if let known { return known }
        var isStale = false
        if let place = layout.updatedAt, let newer = new[place].moment, let older = old.cells[place].moment {
            isStale = newer < older
        }
        known = isStale
        return isStale
    }
}
