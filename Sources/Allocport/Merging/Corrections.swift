import Delimited
import Importing
import OpenAlloc

/// Which inputs are corrected reject files of other inputs of the run.
///
/// A reject file has the lines that an input lost, and nothing else. Corrected and given together with that input it
/// is a part of it, not an overlapping export: what it has counts on top of what the input has, so that a line stays
/// whose twin was never broken. It is known by its lines alone (each is one of the rejected ones with hardly anything
/// changed, in their order), not by names or folders.
struct Corrections: Sendable {
    /// More rejects or rows than that are not compared.
    static let limit = 1024
    /// Reject files may repeat rows that only describe securities; an input with more rows is none.
    private static let largest = 4096

    /// A line that an input lost.
    struct Reject {
        var code: FindingCode
        var raw: [UInt8]
    }

    /// What a run remembers of its inputs until it knows of corrections.
    struct Memory {
        fileprivate var rejects: [Int: [Reject]] = [:]
        /// How many rows each input has had.
        fileprivate var rowCounts: [Int]
        /// Whether rows of an input were dropped, because an earlier input had equal ones.
        fileprivate var isMerged: [Bool]

        init(inputCount: Int) {
            rowCounts = Array(repeating: 0, count: inputCount)
            isMerged = Array(repeating: false, count: inputCount)
        }

        mutating func note(reject finding: Finding, _ raw: ByteView, input: Int) {
            if let count = rejects[input]?.count, count > Corrections.limit { return }
            rejects[input, default: []].append(Reject(code: finding.code, raw: raw.withUnsafeBytes { Array($0) }))
        }

        /// Notes rows of an input, of which `merged` were dropped.
        mutating func note(rows count: Int, merged: Int, input: Int) {
            rowCounts[input] += count
            if merged > 0 { isMerged[input] = true }
        }
    }

    /// Of each input the one whose rejects it corrects, at the end of the chain; else itself.
    private(set) var roots: [Int]
    /// Of each input how many of its rejected lines were accepted as others have them.
    private(set) var counts: [Int: Int] = [:]
    /// The rows of each correction that count on top.
    private var added: [Int: Set<StableHash>] = [:]
    /// How many of these rows an input and its corrections have had so far.
    private var seen: [Int: [StableHash: Int]] = [:]

    /// None.
    init(inputCount: Int) { roots = Array(0..<inputCount) }

    /// Whether there are any.
    var isEmpty: Bool { added.isEmpty }

    /// The number of a row among its equals in an input and its corrections; nil where no correction plays a part.
    mutating func occurrence(_ key: StableHash, input: Int) -> Int? {
        if added.isEmpty { return nil }
        let root = roots[input]
        guard let count = seen[root]?[key], root == input || added[input]?.contains(key) == true else { return nil }
        seen[root]?[key] = count + 1
        return count + 1
    }

    /// Whether counting anew gives another result: only where rows of these inputs were dropped.
    func matter(_ memory: Memory) -> Bool { added.keys.contains { matters($0, memory) } }

    private func matters(_ input: Int, _ memory: Memory) -> Bool {
        memory.isMerged[input] || memory.isMerged[roots[input]]
    }

    /// What is said of corrections that by their names could as well be small exports of their own: what they have counts
    /// on top of equal rows, which an overlap would not.
    func doubts(_ plans: [InputPlan], _ memory: Memory) -> [(input: Int, issue: Issue)] {
        added.keys.sorted().filter { added[$0]?.isEmpty == false && matters($0, memory) }.compactMap { index in
            let (own, root) = (plans[index].report, plans[roots[index]].report)
            if Self.isName(own.name, ofRejectsOf: root) { return nil }
            return (
                index,
                Issue(
                    .correction,
                    message:
                        "all its lines are rejected lines of \(root.name) with one cell changed: they count besides "
                        + "equal lines there, as corrections do",
                    suggestion: "If it is none, but an export of its own, convert it without \(root.name)."
                )
            )
        }
    }

    /// Whether a name is one that the reject file of an input gets; that of a correction of a correction has two marks.
    private static func isName(_ name: String, ofRejectsOf root: InputReport) -> Bool {
        RejectFileNames.unmarked(name) == RejectFileNames.unmarked(root.name)
    }

    /// Looks for corrections among inputs that were read.
    ///
    /// - Parameter rows: reads the rows of an input once more: few inputs are corrections, and all others would have kept
    ///   theirs for nothing.
    static func find(
        _ plans: [InputPlan], _ reports: [InputReport], _ memory: Memory, _ options: RunOptions,
        rows: (Int) -> [(line: Int, key: StableHash)]
    ) -> Self {
        var found = Corrections(inputCount: plans.count)
        if memory.rejects.isEmpty { return found }
        var claimed: [Int: Set<Int>] = [:]
        let dataCounts = reports.map(dataCount)
        let sourcesOfImporters = Dictionary(
            grouping: memory.rejects.keys.sorted().filter { memory.rejects[$0]?.count ?? 0 <= limit }
        ) { plans[$0].importer?.id }
        // Hundreds of inputs with rejects are held against each other: what does not depend on the other is made once.
        var numbers = CellNumbers()
        var brokenCells: [Int: [[Int32]]] = [:]
        for (index, plan) in plans.enumerated() {
            let count = dataCounts[index]
            let rowCount = memory.rowCounts[index]
            guard count > 0, count <= largest, let importer = plan.importer?.id, rowCount <= limit else { continue }
            let sources = (sourcesOfImporters[importer] ?? []).filter { source in
                source != index && dataCounts[source] > count
                    && plans[source].report.sha256 != plan.report.sha256
            }
            let most = sources.compactMap { memory.rejects[$0]?.count }.max() ?? 0
            // A line becomes a few rows at most.
            if sources.isEmpty || rowCount > 4 * most { continue }
            let lines = DataLines.read(plan, options)
            let lineCells = lines.map { numbers.cells($0.raw, plan) }
            var best: (source: Int, places: [Int: Int])?
            for source in sources {
                let rejects = memory.rejects[source] ?? []
                guard !lines.isEmpty, lines.count <= rejects.count else { continue }
                let broken = brokenCells[source] ?? rejects.map { numbers.cells($0.raw, plans[source]) }
                brokenCells[source] = broken
                guard let places = Alignment(lines, lineCells, rejects, broken).places else { continue }
                if places.count > best?.places.count ?? 0 { best = (source, places) }
            }
            guard let best else { continue }
            let free = best.places.filter { claimed[best.source, default: []].insert($0.value).inserted }
            // The same bytes were read before: there were none.
            let rows = rowCount > 0 ? rows(index) : []
            // The rows of an event carry its first line.
            let leads = Dictionary(lines.map { ($0.line, $0.lead) }) { first, _ in first }
            let mended = Set(free.keys.compactMap { leads[$0] })
            let accepted = rows.filter { mended.contains($0.line) }
            let acceptedLeads = Set(accepted.map(\.line))
            found.roots[index] = best.source
            found.added[index] = Set(accepted.map(\.key))
            found.counts[best.source, default: 0] += free.keys.count { leads[$0].map(acceptedLeads.contains) ?? false }
        }
        found.settle()
        return found
    }

    private mutating func settle() {
        for index in roots.indices {
            var steps = 0
            while roots[roots[index]] != roots[index], steps < roots.count {
                roots[index] = roots[roots[index]]
                steps += 1
            }
        }
        for (index, keys) in added {
            for key in keys { seen[roots[index], default: [:]][key] = 0 }
        }
    }

    private static func dataCount(_ report: InputReport) -> Int {
        report.outcomes[.accepted] + report.outcomes[.rejected] + report.outcomes[.duplicate]
    }
}

/// The lines of an input that tell of events or positions.
private final class DataLines: RecordSink {
    struct DataLine {
        var line: Int
        var raw: [UInt8]
        /// The first line of its event.
        var lead: Int
    }

    private(set) var lines: [DataLine] = []

    static func read(_ plan: InputPlan, _ options: RunOptions) -> [DataLine] {
        let sink = DataLines()
        guard let importer = plan.importer, let sample = plan.sample else { return [] }
        try? importer.read(
            plan.source, sample: sample, context: plan.context, options: options.importOptions, into: sink)
        return sink.lines.sorted { $0.line < $1.line }
    }

    private func take(_ units: [SourceUnit]) {
        for unit in units where lines.count <= Corrections.limit {
            lines.append(DataLine(line: unit.line, raw: unit.raw.array, lead: units.first?.line ?? unit.line))
        }
    }

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        for record in records where record.kind != .security && record.kind != .account { return take(units) }
    }
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) { take([unit]) }
    func reject(_ finding: Finding, from units: [SourceUnit]) { take(units) }
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {}
    func warn(_ finding: Finding, line: Int?) {}
}

/// Lines held against rejected ones, in order: without it, exports that overlap would more often look like corrections.
///
/// Who corrects lines may leave some out, or save them with a spreadsheet that writes them in its own way: with
/// other delimiters and quotation marks, and numbers and days without the zeros that say nothing.
private struct Alignment {
    /// Line → place among the rejects, of lines in which one cell was changed, and of those that fell only with such
    /// lines; nil when a line is none of them at all.
    private(set) var places: [Int: Int]?

    private let lines: [DataLines.DataLine]
    private let rejects: [Corrections.Reject]
    /// The cells of the lines and of the rejects.
    private let mended: [[Int32]]
    private let broken: [[Int32]]

    init(
        _ lines: [DataLines.DataLine], _ mended: [[Int32]], _ rejects: [Corrections.Reject], _ broken: [[Int32]]
    ) {
        (self.lines, self.rejects) = (lines, rejects)
        (self.mended, self.broken) = (mended, broken)
        for line in mended {
            guard broken.contains(where: { Alignment.isAkin(line, $0) }) else { return }
        }
        places = align()
    }

    /// Of all ways to find the lines among the rejects, in their order, the one with the most corrections, and of these
    /// the first.
    private func align() -> [Int: Int]? {
        if lines.count > rejects.count { return nil }
        // For the lines so far, within so many rejects: how many of them are corrections or as they were; −1 when they
        // cannot all be found.
        var best: [[Int32]] = [Array(repeating: 0, count: rejects.count + 1)]
        best.reserveCapacity(lines.count + 1)
        for line in lines.indices {
            var row: [Int32] = [-1]
            row.reserveCapacity(rejects.count + 1)
            for place in rejects.indices {
                var here: Int32 = -1
                // As many rejects must be left as there are lines.
                if best[line][place] >= 0, rejects.count - place >= lines.count - line, let worth = worth(line, place) {
                    here = best[line][place] + worth
                }
                row.append(max(row[place], here))
            }
            best.append(row)
        }
        guard best[lines.count][rejects.count] >= 0 else { return nil }
        var places: [Int: Int] = [:]
        var end = rejects.count
        for line in lines.indices.reversed() {
            while end > 1, best[line + 1][end - 1] == best[line + 1][end] { end -= 1 }
            end -= 1
            let isCorrected = isSame(line, end) ? rejects[end].code == .eventIncomplete : isCorrection(line, end)
            if isCorrected { places[lines[line].line] = end }
        }
        return places
    }

    /// 1 for a line that was corrected or left, 0 for one that is like the reject; nil for others.
    private func worth(_ line: Int, _ place: Int) -> Int32? {
        if isSame(line, place) || isAkin(line, place) && isCorrection(line, place) { return 1 }
        return isAkin(line, place) ? 0 : nil
    }

    private func isSame(_ line: Int, _ place: Int) -> Bool { lines[line].raw == rejects[place].raw }

    /// One cell was replaced, filled in or emptied; of a line that was too short or too long any number were.
    private func isCorrection(_ line: Int, _ place: Int) -> Bool {
        let (new, gone) = Alignment.differences(mended[line], broken[place])
        switch rejects[place].code {
        case .rowShort: return gone == 0
        case .rowLong: return new == 0
        default: return new <= 1 && gone <= 1
        }
    }

    private func isAkin(_ line: Int, _ place: Int) -> Bool { Alignment.isAkin(mended[line], broken[place]) }

    private static func isAkin(_ line: [Int32], _ broken: [Int32]) -> Bool {
        let common = line.count - differences(line, broken).onlyLeft
        return common > 0 && common * 2 >= min(line.count, broken.count)
    }

    /// How many cells of each the other has not.
    private static func differences(_ left: [Int32], _ right: [Int32]) -> (onlyLeft: Int, onlyRight: Int) {
        var (first, second, common) = (0, 0, 0)
        while first < left.count, second < right.count {
            if left[first] == right[second] {
                (first, second, common) = (first + 1, second + 1, common + 1)
            } else if left[first] < right[second] {
                first += 1
            } else {
                second += 1
            }
        }
        return (left.count - common, right.count - common)
    }
}
