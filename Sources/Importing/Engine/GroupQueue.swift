import Delimited
import OpenAlloc

/// Holds rows back for a short while, so that rows with one key become one event: fees fold into their trade.
final class GroupQueue {
    private struct Entry {
        var key: [UInt8]
        var records: [Record]
        var units: [SourceUnit]
    }

    /// Rows of one event stand near each other; further apart they are taken for separate events.
    private static let window = 256
    private let rule: GroupRule
    private let sink: any RecordSink
    private var entries: [Entry] = []
    private var arenas: [ByteArena] = []

    init(rule: GroupRule, sink: any RecordSink) {
        self.rule = rule
        self.sink = sink
    }

    func add(_ records: ArraySlice<Record>, _ units: [SourceUnit], key: [UInt8]) {
        let arena = ByteArena()
        let kept = units.map { unit in
            var kept = unit
            kept.raw = arena.copy(unit.raw)
            return kept
        }
        if !key.isEmpty, let index = entries.lastIndex(where: { $0.key == key }) {
            entries[index].records += records
            entries[index].units += kept
        } else {
            entries.append(Entry(key: key, records: Array(records), units: kept))
        }
        arenas.append(arena)
        if entries.count > Self.window {
            emit(entries.removeFirst())
            // Memory of units that are still queued must stay; the oldest arenas go once all before them are out.
            if arenas.count > 4096, entries.count <= Self.window { compact() }
        }
    }

    func flush() {
        for entry in entries { emit(entry) }
        entries.removeAll()
        arenas.removeAll()
    }

    /// Copies what is still queued into fresh memory and frees the rest.
    private func compact() {
        let arena = ByteArena()
        for index in entries.indices {
            for unit in entries[index].units.indices {
                entries[index].units[unit].raw = arena.copy(entries[index].units[unit].raw)
            }
        }
        arenas = [arena]
    }

    private func emit(_ entry: Entry) {
        var records = entry.records
        if let leader = records.firstIndex(where: { rule.leaders.contains($0.kind) }) {
            var kept: [Record] = []
            let pairable = pairsAmounts(records)
            for index in records.indices where index != leader {
                let folds = pairable || rule.folds[records[index].kind] != .amount
                if !folds || !fold(records[index], into: &records[leader]) { kept.append(records[index]) }
            }
            kept.insert(records[leader], at: min(leader, kept.count))
            records = kept
            for index in records.indices where records[index][.amount] == nil {
                if let kind = rule.alone[records[index].kind] { records[index].kind = kind }
            }
        }
        sink.accept(records[...], from: entry.units, warnings: [])
    }

    /// Whether it is plain which amount belongs to which leader: not with several of either (fills of one second).
    private func pairsAmounts(_ records: [Record]) -> Bool {
        let leaders = records.count { rule.leaders.contains($0.kind) && $0[.amount] == nil }
        let amounts = records.count { rule.folds[$0.kind] == .amount && $0[.amount] != nil }
        return leaders < 2 && amounts < 2
    }

    /// Adds a row to its leader; false when it stands on its own (another currency, or not of a kind that folds).
    private func fold(_ record: Record, into leader: inout Record) -> Bool {
        guard let field = rule.folds[record.kind], let amount = record[.amount] else { return false }
        if field == .amount {
            guard leader[.amount] == nil else { return false }
            leader[.amount] = amount
            leader.set(.currency, utf8: record.bytes(.currency))
            for cost in [Record.Number.commission, .fees, .tax] {
                if let part = record[cost] { leader[cost] = (leader[cost] ?? .zero).adding(part) }
            }
            return true
        }
        guard record.bytes(.currency).elementsEqual(leader.bytes(.currency)),
            let total = (leader[field] ?? .zero).subtracting(amount)
        else { return false }
        leader[field] = total
        if let sum = leader[.amount]?.adding(amount) {
            leader[.amount] = sum
            leader.costsInAmount = true
        } else {
            leader.costsInAmount = false
        }
        return true
    }
}
