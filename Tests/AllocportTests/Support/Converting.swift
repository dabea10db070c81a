import Allocport
import Delimited
import Importing
import OpenAlloc
import TestSupport
import Testing

/// The importers that the program brings along.
enum BuiltIn {
    static let importers = Registry.builtIn()
    static func registry() throws -> Registry { importers }
}

/// A table of a run, read back.
struct Table {
    var header: [String] = []
    var rows: [[String]] = []

    init(_ bytes: [UInt8]) {
        var lines: [[String]] = []
        var reader = DelimitedReader(dialect: .csv)
        reader.read(bytes) { (record: borrowing RecordView) in
            var cells: [String] = []
            for index in 0..<record.count { cells.append(record.cell(index).string) }
            lines.append(cells)
        }
        header = lines.first ?? []
        rows = Array(lines.dropFirst())
    }

    /// The cells of a column.
    subscript(column: String) -> [String] {
        guard let place = header.firstIndex(of: column) else { return [] }
        return rows.map { $0[place] }
    }

    /// The chosen columns of each row, joined by `|`.
    func shown(_ columns: String...) -> [String] {
        let places = columns.compactMap { header.firstIndex(of: $0) }
        return rows.map { row in places.map { row[$0] }.joined(separator: "|") }
    }

    /// The nine columns of the model, joined by `|`.
    var core: [String] { rows.map { $0.prefix(9).joined(separator: "|") } }

    /// The rows as a multiset, sorted, without what tells where they stood.
    var content: [String] {
        let provenance: Set<String> = ["sourceMetaID", "sourceLine", "rowID"]
        let places = header.indices.filter { !provenance.contains(header[$0]) }
        return rows.map { row in places.map { row[$0] }.joined(separator: "|") }.sorted()
    }
}

/// What a run with the built-in importers made.
struct Converted {
    let report: RunReport
    let folder: TemporaryFolder

    func bytes(_ name: String) -> [UInt8]? { folder.bytes("out/" + name) }
    func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }
    func table(_ schema: String) -> Table { Table(bytes("openalloc.\(schema).csv") ?? []) }
    var transactions: Table { table("transaction") }
    var holdings: Table { table("holding") }
    var rejects: Table { Table(bytes("rejects.csv") ?? []) }
    var firstInput: InputReport? { report.inputs.first }

    /// What became of each line of an input: its outcome, and its rows as text.
    var verdicts: [Verdict] { Verdict.read(text("rows.ndjson") ?? "") }

    /// All lines are accounted for, and the rejects are listed.
    var isWhole: Bool {
        report.isBalanced && report.outcomes[.rejected] == rejects.rows.count
            && report.inputs.allSatisfy { $0.units > 0 }
    }
}

/// One line of `rows.ndjson`.
struct Verdict: Hashable {
    let line: Int
    let outcome: Outcome
    let code: String
    let rows: String

    static func read(_ text: String) -> [Verdict] {
        text.split(separator: "\n").compactMap { line in
            func after(_ mark: String, until end: Character?) -> Substring? {
                guard let range = line.firstRange(of: mark) else { return nil }
                let rest = line[range.upperBound...]
                return end.map { end in rest.prefix { $0 != end } } ?? rest
            }
            guard let number = after(#","line":"#, until: ",").flatMap({ Int($0) }),
                let outcome = after(#","outcome":""#, until: "\"").flatMap({ Outcome(rawValue: String($0)) }),
                let code = after(#","code":""#, until: "\""), let rows = after(#","rows":"#, until: nil)
            else { return nil }
            return Verdict(line: number, outcome: outcome, code: String(code), rows: String(rows))
        }
    }
}

/// Converts with the built-in importers into a folder of its own.
func convertBuiltIn(
    _ inputs: [(name: String, bytes: [UInt8])], _ change: (inout RunOptions) -> Void = { _ in }
) throws -> Converted {
    let folder = try TemporaryFolder()
    var options = RunOptions(outputFolder: folder.path + "/out")
    change(&options)
    var found = FoundInputs()
    found.inputs = inputs.map { MemoryInput(name: $0.name, bytes: $0.bytes) }
    let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
    return Converted(report: report, folder: folder)
}

/// Converts one text.
func convertBuiltIn(
    _ name: String, _ text: String, _ change: (inout RunOptions) -> Void = { _ in }
) throws -> Converted {
    try convertBuiltIn([(name, Array(text.utf8))], change)
}

/// What one multiset has and the other has not: `- row` is missing, `+ row` too many.
func difference(_ wanted: [String], _ got: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for row in wanted { counts[row, default: 0] -= 1 }
    for row in got { counts[row, default: 0] += 1 }
    return counts.filter { $0.value != 0 }.map { "\($0.value < 0 ? "-" : "+") \($0.key)" }.sorted()
}
