import OpenAlloc

/// Takes each unit of an input with its verdict, in words, and its records.
class VerdictSink: RecordSink {
    /// Does nothing with it.
    func take(_ unit: SourceUnit, _ verdict: String, _ records: ArraySlice<Record> = []) {}

    final func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        for (index, unit) in units.enumerated() { take(unit, "accepted", index == 0 ? records : []) }
    }

    final func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {
        take(unit, "accepted, \(rows.count) rows")
    }

    final func reject(_ finding: Finding, from units: [SourceUnit]) {
        for unit in units { take(unit, "rejected \(finding.code.rawValue)") }
    }

    final func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        take(unit, code.isEmpty ? outcome.rawValue : "\(outcome.rawValue) \(code)")
    }

    final func warn(_ finding: Finding, line: Int?) {}
}

/// Every unit of an input with its verdict and records, of which only what a proof compares is kept, in few bytes.
final class ProofUnits: VerdictSink {
    private struct Unit {
        var line: Int32
        var verdict: Int32
        var records: Int32
    }

    private var units: [Unit] = []
    private(set) var verdicts: [String] = []
    private var numbers: [String: Int32] = [:]
    private(set) var records = ProofRecords()

    var count: Int { units.count }

    /// A unit's line, its verdict by number, and how many records it has.
    subscript(index: Int) -> (line: Int, verdict: Int, records: Int) {
        (Int(units[index].line), Int(units[index].verdict), Int(units[index].records))
    }

    /// The number of a verdict.
    func number(_ verdict: String) -> Int {
        if let known = numbers[verdict] { return Int(known) }
        verdicts.append(verdict)
        numbers[verdict] = Int32(verdicts.count - 1)
        return verdicts.count - 1
    }

    override func take(_ unit: SourceUnit, _ verdict: String, _ records: ArraySlice<Record>) {
        let number = Int32(number(verdict))
        units.append(Unit(line: Int32(clamping: unit.line), verdict: number, records: Int32(records.count)))
        for record in records { self.records.append(record) }
    }
}

/// Holds each unit of a copy against the original's, as it comes.
final class ProofComparison: VerdictSink {
    private let original: ProofUnits
    private let days: Int
    private let factor: Int
    private var kept: ProofRecords.Reader
    private var counts: [Int] = []
    /// Units so far.
    private(set) var count = 0
    /// Records that were compared.
    private(set) var records = 0
    private(set) var differences: [String] = []
    private(set) var unchanged: [Int: [ExactDecimal]] = [:]

    init(_ original: ProofUnits, days: Int, factor: Int) {
        self.original = original
        self.days = days
        self.factor = factor
        kept = ProofRecords.Reader()
    }

    /// Units by verdict, of both.
    var verdicts: [(verdict: String, original: Int, copy: Int)] {
        var originals = [Int](repeating: 0, count: original.verdicts.count)
        for index in 0..<original.count { originals[original[index].verdict] += 1 }
        return original.verdicts.enumerated()
            .map { ($1, originals[$0], counts.indices.contains($0) ? counts[$0] : 0) }
            .sorted { $0.0 < $1.0 }
    }

    override func take(_ unit: SourceUnit, _ verdict: String, _ records: ArraySlice<Record>) {
        let number = original.number(verdict)
        while counts.count <= number { counts.append(0) }
        counts[number] += 1
        defer { count += 1 }
        guard count < original.count else { return }
        let (line, wanted, recordCount) = original[count]
        let isSame = line == unit.line && wanted == number
        if !isSame {
            differences.append(
                "line \(line): \(original.verdicts[wanted]), in the copy line \(unit.line): \(verdict)")
        } else if recordCount != records.count {
            differences.append("line \(line): \(recordCount) records became \(records.count)")
        }
        for place in 0..<recordCount {
            kept.next(of: original.records)
            guard isSame, recordCount == records.count else { continue }
            self.records += 1
            let record = records[records.startIndex + place]
            if let field = AnonymityProof.difference(kept.record, record, days: days, factor: factor) {
                differences.append("line \(line): \(field) differs in the copy")
                let numbers = AnonymityProof.unchanged(kept.record, record)
                if !numbers.isEmpty { unchanged[line, default: []] += numbers }
            }
        }
    }
}
