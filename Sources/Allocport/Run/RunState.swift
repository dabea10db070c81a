import Importing
import OpenAlloc

/// A unit whose outcome a later input may still change: its rows may be superseded.
struct LateUnit {
    var input: Int
    /// How many source units stand for it.
    var unitCount: Int
    /// Rows of it that still stand.
    var rowsLeft: Int
    /// Where its verdicts stand, in `RunState.verdictMarks`.
    var verdicts: Range<Int>
}

/// What all inputs of a run share: tables, merge memory, files.
final class RunState {
    let options: RunOptions
    let inputCount: Int
    let folder: OutputFolder
    let rejects: RejectsWriter
    let verdicts: Spool?
    let writer: any TableWriter
    let projector: Projector

    @exclusivity(unchecked) var inputs: [InputReport] = []
    @exclusivity(unchecked) var report = RunReport()
    /// The inputs' rows of openalloc/meta/source, and whether their bytes were read before, by another name.
    @exclusivity(unchecked) var sources: [(input: Int, values: [AllocValue], isTwin: Bool)] = []

    @exclusivity(unchecked) var transactions: TransactionTable
    /// Whether rows of a class that was met before may come without records.
    @exclusivity(unchecked) var preparesClasses = true
    @exclusivity(unchecked) var textCells: TextCells
    @exclusivity(unchecked) var transactionSpool: Spool?
    /// The name of the run's only input, as long as its rows may have a stand-in.
    @exclusivity(unchecked) private var late: LateName?
    @exclusivity(unchecked) var transactionRows = 0
    @exclusivity(unchecked) var transactionOpening = 0
    let occurrences = OccurrenceTable()
    /// Counts rows of unnamed accounts as if they were all one account.
    let assumed = OccurrenceTable()
    @exclusivity(unchecked) var keys = ContentKey()
    @exclusivity(unchecked) var lots = LotMatcher()
    /// Whether sales are kept in mind for closed lots of another input; memory then grows with every sale.
    @exclusivity(unchecked) var tracksLots = false
    let positions: PositionTable
    @exclusivity(unchecked) var lostPositions = LostPositions()
    /// By input: of which moment its holdings are, where it says so.
    @exclusivity(unchecked) var listedAt: [Int: Instant] = [:]
    /// Moves of units, where the run knows positions to hold them against.
    @exclusivity(unchecked) var held: HeldUnits?
    /// The rows of all inputs, where two of them may tell of the same in other words.
    @exclusivity(unchecked) var told: ToldRows?
    /// Whether each row is looked at beyond being counted.
    var looksAtRows: Bool { held != nil || told != nil }
    /// What names the inputs in rows; the digests of several are made before they are read.
    private(set) lazy var sourceIDs = Set(inputs.map(\.sourceMetaID).filter { !$0.isEmpty })
    /// What is known of inputs that correct others.
    @exclusivity(unchecked) var corrections: Corrections
    @exclusivity(unchecked) var memory: Corrections.Memory
    /// The rows as they come, where somebody wants them.
    @exclusivity(unchecked) var keptRows: [(line: Int, key: StableHash)]?
    /// What inputs keep for those that follow.
    let importMemory = ImportMemory()
    let classes = PreparedClasses()
    @exclusivity(unchecked) private var checks = RecordChecks(exportedAt: nil)
    @exclusivity(unchecked) var accounts = RowAccounts()
    @exclusivity(unchecked) var stored: StoredTables
    @exclusivity(unchecked) private var verdictWriters: [SchemaID: StoredRowWriter] = [:]
    @exclusivity(unchecked) var lateUnits: [LateUnit] = []
    /// Offsets of the outcome words of late units in the verdicts.
    @exclusivity(unchecked) var verdictMarks: [Int] = []
    @exclusivity(unchecked) var failure: RunError?
    /// Whether the run's input may be read on a guess.
    @exclusivity(unchecked) var takesGuesses = false
    /// The guess was wrong: nothing of this state counts.
    @exclusivity(unchecked) var isTakenBack = false
    /// Inputs in which no header stands: their lines are not above one, but lost.
    let headerless: Set<Int>

    init(
        options: RunOptions, inputCount: Int, folder: OutputFolder, corrections: Corrections? = nil,
        headerless: Set<Int> = []
    ) throws(RunError) {
        self.headerless = headerless
        memory = Corrections.Memory(inputCount: inputCount)
        self.corrections = corrections ?? Corrections(inputCount: inputCount)
        self.options = options
        self.inputCount = inputCount
        self.folder = folder
        writer = options.tableWriter
        projector = Projector(feesAsRows: options.fees == .miscflow)
        textCells = TextCells(writer: writer)
        let isExtended = options.columns == .extended
        transactions = TransactionTable(writer: writer, extended: isExtended)
        positions = PositionTable(isExtended: isExtended)
        stored = StoredTables(isExtended: isExtended)
        rejects = try RejectsWriter(folder, csvSafe: options.csvSafe)
        verdicts = options.verdicts ? try folder.spool("rows.ndjson") : nil
    }

    /// Checks of an input's records; most inputs are of one date, or of none.
    func freshChecks(exportedAt: Instant?) -> RecordChecks {
        if checks.exportedAt != exportedAt { checks = RecordChecks(exportedAt: exportedAt) }
        return checks
    }

    /// Whether equal rows must be counted: a bare conversion of one file remembers nothing.
    var countsRows: Bool { inputCount > 1 || options.columns == .extended }

    /// Counts a row among its equals: its number, and whether it is kept.
    func count(_ key: StableHash, input: Int, line: Int) -> (occurrence: Int, isKept: Bool) {
        guard inputCount > 1 else { return occurrences.count(key, input: input) }
        let result = countCorrected(key, input: input)
        memory.note(rows: 1, merged: result.isKept ? 0 : 1, input: input)
        keptRows?.append((line, key))
        return result
    }

    /// The same, of which nothing is remembered.
    func countCorrected(_ key: StableHash, input: Int) -> (occurrence: Int, isKept: Bool) {
        guard let occurrence = corrections.occurrence(key, input: input) else {
            return occurrences.count(key, input: input)
        }
        return (occurrence, occurrences.keep(key, upTo: occurrence))
    }

    /// Appends the row that `transactions` has built; the offset at which it stands.
    func writeTransaction() -> Int {
        let spool = openTransactions()
        let offset = spool?.count ?? 0
        spool?.append(transactions.row)
        transactionRows += 1
        return offset
    }

    /// The file of the transactions, made for the first row.
    @inline(__always)
    func openTransactions() -> Spool? { transactionSpool ?? makeTransactions() }

    @inline(never)
    private func makeTransactions() -> Spool? {
        if failure == nil {
            do throws(RunError) {
                let spool = try folder.spool(fileName(.transaction))
                let opening = writer.opening(transactions.columns)
                spool.append(opening)
                transactionOpening = opening.count
                transactionSpool = spool
                if let late { spool.putOff(late) }
            } catch {
                failure = error
            }
        }
        return transactionSpool
    }

    /// Has rows written with a stand-in for a name, if they go to a file of their own.
    func putOff(_ name: LateName) -> Bool {
        guard folder.isOnDisk, transactionSpool == nil else { return false }
        late = name
        return true
    }

    /// From now on rows have the name.
    func endPuttingOff() {
        transactionSpool?.endPuttingOff()
        late = nil
    }

    func fileName(_ schema: SchemaID) -> String { "\(schema.fileStem).\(options.format.rawValue)" }

    /// Takes a row of a reference table; says in the report what it contradicts.
    func store(_ schema: SchemaID, _ head: RowHead, _ cells: Cells) {
        report.rowsMade += 1
        let isNew = stored.table(schema).take(head, cells) { conflict in
            // Cash of all currencies is one security: each is right, and holdings have their own.
            if schema == .security, conflict.column == "currency", cells[0].text == "CORE" { return }
            inputs[Int(head.input)].warn(conflict.isSameInput ? .keyDuplicate : .referenceConflict, line: head.line) {
                let old = conflict.old.isBlank ? "blank" : conflict.old.text
                let isAccount = schema == .account && ["title", "kind"].contains(conflict.column)
                return Finding(
                    conflict.isSameInput ? .keyDuplicate : .referenceConflict, column: conflict.column,
                    value: conflict.new.text,
                    reason: "the same \(schema.rawValue) was \(old) before; the newer value stands",
                    suggestion: isAccount
                        ? "Check which one is right; if two accounts share the number, the rows of both stand under it."
                        : "Check which one is right.")
            }
        }
        if !isNew { report.rowsMerged += 1 }
    }

    /// Takes a position.
    ///
    /// - Parameter unit: its late unit, unless it is its unit itself.
    func store(position head: RowHead, _ cells: Cells, unit: Int) {
        report.rowsMade += 1
        positions.take(head, cells, unit: unit)
    }

    /// Writes rows as verdicts tell of them.
    func verdictWriter(_ schema: SchemaID) -> StoredRowWriter {
        if let known = verdictWriters[schema] { return known }
        let new = StoredRowWriter(TableLayout(schema, isExtended: false), JSONTableWriter(isLines: true))
        verdictWriters[schema] = new
        return new
    }

    /// A row that stood is gone.
    func drop(_ row: StoredRow) {
        guard row.flags.contains(.isUnit) else { return dropRow(ofUnit: PositionTable.unit(of: row)) }
        report.rowsMerged += 1
        inputs[row.input].outcomes[.accepted] -= 1
        inputs[row.input].outcomes[.duplicate] += 1
    }

    /// A row of a late unit is gone; with the last one the unit's outcome is `duplicate`.
    func dropRow(ofUnit index: Int) {
        report.rowsMerged += 1
        guard lateUnits.indices.contains(index) else { return }
        lateUnits[index].rowsLeft -= 1
        let unit = lateUnits[index]
        guard unit.rowsLeft == 0 else { return }
        inputs[unit.input].outcomes[.accepted] -= unit.unitCount
        inputs[unit.input].outcomes[.duplicate] += unit.unitCount
        for offset in verdictMarks[unit.verdicts] {
            verdicts?.patch(offset: offset, length: 8, with: Array("duplicate".utf8))
        }
    }
}

extension InputReport {
    /// Whether nothing in it was data, and no header was found either: its lines count as what stands above a header.
    var isHeaderless: Bool {
        let known: [Outcome] = [.header, .accepted, .rejected, .skipped, .duplicate]
        return outcomes[.preamble] > 0 && errors.isEmpty && known.allSatisfy { outcomes[$0] == 0 }
    }

    /// … and no other line is of the importer's kind.
    var isForeign: Bool {
        let known: [Outcome] = [.section, .footer, .total]
        return isHeaderless && known.allSatisfy { outcomes[$0] == 0 }
    }

    /// Turns it into the report of an input that was not recognised.
    mutating func forgetUnits() {
        importer = nil
        score = 0
        (evidence, drift, warnings) = ([], [], [])
        (units, outcomes) = (0, OutcomeCounts())
    }

    /// Keeps an issue among the warnings, at most so many of one code.
    mutating func warn(_ issue: Issue) { InputReport.keep(issue, in: &warnings, &warningCounts) }

    /// Keeps an issue among the errors, at most so many of one code.
    mutating func fail(_ issue: Issue) { InputReport.keep(issue, in: &errors, &errorCounts) }

    /// The same of an issue that is only made if it is kept.
    mutating func warn(_ code: FindingCode, line: Int, _ finding: () -> Finding) {
        let count = warningCounts[code.rawValue, default: 0] + 1
        warningCounts[code.rawValue] = count
        if count <= InputReport.maximumIssues { warnings.append(Issue(finding(), line: line)) }
    }

    private static func keep(_ issue: Issue, in issues: inout [Issue], _ counts: inout [String: Int]) {
        if count(&counts[issue.code, default: 0]) <= maximumIssues { issues.append(issue) }
    }

    private static func count(_ number: inout Int) -> Int {
        number += 1
        return number
    }

    /// Says how many issues were not kept.
    mutating func sumUp() {
        if errorCounts.isEmpty, warningCounts.isEmpty { return }
        for (code, count) in errorCounts.sorted(by: { $0.key < $1.key }) where count > InputReport.maximumIssues {
            errors.append(InputReport.more(code, count, "; rejects.csv has all"))
        }
        for (code, count) in warningCounts.sorted(by: { $0.key < $1.key }) where count > InputReport.maximumIssues {
            warnings.append(InputReport.more(code, count, ""))
        }
    }

    private static func more(_ code: String, _ count: Int, _ where: String) -> Issue {
        Issue(reported: code, message: "\(count) in all, the first \(maximumIssues) are shown\(`where`)")
    }
}
