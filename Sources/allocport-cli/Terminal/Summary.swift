import Allocport
import Importing

/// What a person wants to read at the end of a conversion.
struct Summary {
    let report: RunReport
    /// Where the files are; nil after a dry run.
    let folder: String?
    let isVerbose: Bool
    /// How many inputs are shown one by one when nothing is wrong with them.
    static let maximumInputs = 20
    static let maximumLines = 5
    /// Of how many reasons a code's lines are told apart.
    static let maximumReasons = 4

    /// The words, with a final line end; never empty.
    var text: String {
        var lines: [String] = []
        var hidden = 0
        var told: Set<[Issue]> = []
        // The first input of the same bytes: the others are copies of it.
        var originals: [String: String] = [:]
        for (index, input) in report.inputs.enumerated() {
            if input.importer == nil, !isVerbose {
                if told.insert(input.errors).inserted { lines += unread(like: input) }
                continue
            }
            let original = originals[input.sha256]
            if original == nil { originals[input.sha256] = input.name }
            let isQuiet = input.errors.isEmpty && input.outcomes[.rejected] == 0 && !isVerbose
            if isQuiet, index >= Summary.maximumInputs {
                hidden += 1
            } else {
                lines += self.lines(input, copyOf: original)
            }
        }
        if hidden > 0 { lines.append("… and \(Words.count(hidden, "more file")) without rejects") }
        if !report.passedOver.isEmpty { lines += passedOver }
        lines += tables
        lines += verdict
        return lines.joined(separator: "\n") + "\n"
    }

    /// Says what went wrong beyond single lines: inputs that were not read, and a report that does not add up.
    func complain() {
        for input in report.inputs {
            for issue in input.errors where input.importer == nil || input.exitCode != 0 && issue.line == nil {
                let message =
                    Summary.quoting.contains(issue.code)
                    ? Words.masked(issue.message, limit: 400) : Words.plain(issue.message, limit: 400)
                Terminal.complain("\(Words.masked(input.name)): \(message)")
            }
        }
        if !report.isBalanced {
            Terminal.complain("internal error: the sums of the report do not agree; please report this")
        }
    }

    /// All inputs that were not read for the same reason: a folder may have hundreds of pictures.
    private func unread(like input: InputReport) -> [String] {
        let names = report.inputs.filter { $0.importer == nil && $0.errors == input.errors }.map(\.name)
        let shown = names.prefix(Summary.maximumLines).map { Words.masked($0) }
        let more = names.count - shown.count
        let list = Style.bold.on(shown.joined(separator: ", ")) + (more > 0 ? " and \(more) more" : "")
        return [list] + input.errors.flatMap(Summary.lines)
    }

    // MARK: - One input

    private func lines(_ input: InputReport, copyOf original: String?) -> [String] {
        var lines = [Style.bold.on(Words.masked(input.name))]
        guard let importer = input.importer else {
            for issue in input.errors { lines += Summary.lines(issue) }
            if isVerbose { lines += candidates(input) }
            return lines
        }
        var what = "  read as \(importer)"
        if let exportedAt = input.exportedAt { what += ", exported \("\(exportedAt)".prefix(10))" }
        lines.append(what)
        // Both have the same name as a rule.
        if let other = input.corrects, input.outcomes[.accepted] > 0 {
            lines.append("  has rejected lines of \(Words.masked(other)), corrected")
        }
        if let original { lines.append("  a copy of \(Words.masked(original)), which counts alone") }
        lines.append("  " + Summary.outcomes(input))
        if isVerbose {
            for evidence in input.evidence { lines.append(Style.dim.on("  because \(Words.plain(evidence))")) }
            for drift in input.drift { lines.append("  differs: \(Words.plain(drift))") }
            lines += candidates(input)
        }
        // A code with more issues than are kept has one without a line that says so: it belongs to its group.
        let placed = Set(input.errors.filter { $0.line != nil }.map(\.code))
        lines += Summary.grouped(input.errors.filter { placed.contains($0.code) }, style: .red)
        for issue in input.errors where !placed.contains(issue.code) { lines += Summary.lines(issue) }
        lines += Summary.warnings(of: input)
        return lines
    }

    /// What an input's warnings say, those of one code together.
    static func warnings(of input: InputReport) -> [String] { grouped(input.warnings, style: .yellow) }

    private func candidates(_ input: InputReport) -> [String] {
        input.runnersUp.prefix(3).map { candidate in
            let missing = candidate.examination.missing
            let lacks = missing.isEmpty ? "" : ", lacks \(Words.plain(missing.joined(separator: ", ")))"
            return Style.dim.on(
                "  considered \(candidate.importerID) (\(Words.score(candidate.examination.score)))\(lacks)")
        }
    }

    private static func outcomes(_ input: InputReport) -> String {
        let told: [Outcome] = [.accepted, .rejected, .skipped, .duplicate]
        var parts = [Words.grouped(input.outcomes[.accepted]) + " accepted"]
        for outcome in told.dropFirst() where input.outcomes[outcome] > 0 {
            let text = "\(Words.grouped(input.outcomes[outcome])) \(outcome.rawValue)"
            parts.append(outcome == .rejected ? Style.red.on(text) : text)
        }
        let others = input.units - told.reduce(0) { $0 + input.outcomes[$1] }
        if others > 0 { parts.append("\(Words.grouped(others)) without data (headers, footers, blank lines)") }
        return Words.count(input.units, "line") + ": " + parts.joined(separator: ", ")
    }

    private static func lines(_ issue: Issue) -> [String] {
        var lines = ["  " + Style.red.on(issue.code) + "  " + Words.plain(issue.message, limit: 400)]
        if !issue.suggestion.isEmpty { lines.append("  " + Words.plain(issue.suggestion, limit: 400)) }
        return lines
    }

    /// Issues of one code together; those of a few reasons by their reasons.
    private static func groups(of issues: [Issue]) -> [(code: String, issues: [Issue])] {
        var reasons: [String: Set<String>] = [:]
        for issue in issues { reasons[issue.code, default: []].insert(issue.message) }
        var groups: [(code: String, issues: [Issue])] = []
        for issue in issues {
            let isApart = reasons[issue.code]?.count ?? 0 <= maximumReasons
            if let index = groups.firstIndex(where: {
                $0.code == issue.code && (!isApart || $0.issues.first?.message == issue.message)
            }) {
                groups[index].issues.append(issue)
            } else {
                groups.append((issue.code, [issue]))
            }
        }
        return groups
    }

    /// `2 × date.invalid  lines 14, 77: reason`, the most frequent first.
    private static func grouped(_ issues: [Issue], style: Style) -> [String] {
        // A code with more issues than are kept has one without a line that says so.
        let cut = Set(issues.filter { $0.line == nil }.map(\.code))
        var groups = Summary.groups(of: issues.filter { !cut.contains($0.code) })
        for code in cut.sorted() { groups.append((code, issues.filter { $0.code == code })) }
        groups.sort {
            ($1.issues.count, $0.code, $0.issues.first?.line ?? 0) < (
                $0.issues.count, $1.code, $1.issues.first?.line ?? 0
            )
        }
        return groups.flatMap { group -> [String] in
            var numbers: [Int] = []
            for issue in group.issues { if let line = issue.line, line != numbers.last { numbers.append(line) } }
            let limit = InputReport.maximumIssues
            let count = group.issues.count > limit ? "over \(limit)" : String(group.issues.count)
            var place = ""
            if !numbers.isEmpty {
                place = numbers.count == 1 ? "line " : "lines "
                place += numbers.prefix(Summary.maximumLines).map(String.init).joined(separator: ", ")
                if numbers.count > Summary.maximumLines { place += ", …" }
                place += Summary.cell(group.issues) + ": "
            }
            let message = group.issues.first?.message ?? ""
            let isQuoting = Summary.quoting.contains(group.code)
            let reason = isQuoting ? Words.masked(message, limit: 400) : Words.plain(message, limit: 400)
            let line = "  \(count) × " + style.on(group.code) + "  \(place)\(reason)"
            // What concerns the whole input is mended by an option, not in a line: say how.
            guard numbers.isEmpty, let advice = group.issues.first?.suggestion, !advice.isEmpty else { return [line] }
            return [line, "      " + (isQuoting ? Words.masked(advice) : Words.plain(advice))]
        }
    }

    /// Codes whose messages quote what a file says, which may be an account's number or title.
    private static let quoting: Set<String> = [
        FindingCode.referenceConflict.rawValue, FindingCode.keyDuplicate.rawValue, InputCode.positionConflict.rawValue,
        InputCode.positionStale.rawValue, InputCode.accountZeros.rawValue, InputCode.accountMasked.rawValue,
        InputCode.repeats.rawValue,
    ]

    /// `, Price ($) ‘bad price’`: the column that all issues share and the first value, if there are such. What may be an
    /// account number is masked.
    private static func cell(_ issues: [Issue]) -> String {
        guard let first = issues.first else { return "" }
        var parts: [String] = []
        if !first.column.isEmpty, issues.allSatisfy({ $0.column == first.column }) {
            parts.append(Words.plain(first.column, limit: 40))
        }
        if !first.value.isEmpty {
            let isOnly = issues.allSatisfy { $0.value == first.value }
            parts.append("‘\(Words.masked(Words.plain(first.value, limit: 40)))’" + (isOnly ? "" : " …"))
        }
        return parts.isEmpty ? "" : ", " + parts.joined(separator: " ")
    }

    // MARK: - The run

    private var passedOver: [String] {
        let shown = report.passedOver.prefix(isVerbose ? .max : 3).map { "\(Words.masked($0.name)) (\($0.reason))" }
        let more = report.passedOver.count - shown.count
        let list = Style.dim.on(
            "passed over: " + shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
        guard report.passedOver.contains(where: { $0.reason == PassedOver.earlierTable }) else { return [list] }
        return [
            list, "Tables of an earlier run are not read beside exports, so that nothing counts twice. For rows whose",
            "exports are not here any more, name the tables: allocport convert TABLES/openalloc.*.csv EXPORTS -o DIR",
        ]
    }

    private var tables: [String] {
        guard !report.tables.isEmpty else {
            return [folder == nil ? "no rows (dry run)" : "no rows, so no tables"]
        }
        let width = report.tables.map(\.file.count).max() ?? 0
        var lines = [folder.map { "wrote to \($0)" } ?? "would write (dry run)"]
        for table in report.tables {
            lines.append("  \(Words.padded(table.file, width))  \(Words.count(table.rows, "row"))")
        }
        return lines
    }

    private var verdict: [String] {
        guard report.isBalanced else {
            return [Style.red.on("internal error: the sums of the report do not agree; please report this")]
        }
        var lines: [String] = []
        let rejected = report.outcomes[.rejected]
        if rejected > 0 {
            let corrected = report.inputs.reduce(0) { $0 + $1.corrected }
            let what = Words.count(rejected, "line") + " rejected"
            let verb = corrected == 1 ? "is" : "are"
            let more =
                corrected == 0
                ? "" : "; \(Words.grouped(corrected)) of them \(verb) corrected in other files of this run"
            lines.append(Style.red.on(what + more + "."))
            if let folder, corrected < rejected {
                let rejects = Words.shell(folder + "/rejects")
                lines.append("What is wrong with each: \(folder)/rejects.csv")
                lines.append("Correct the lines in \(folder)/rejects, then: allocport convert \(rejects) -o DIR")
                lines.append("(alone, or together with the files that they came from).")
            }
        } else if report.inputs.isEmpty {
            lines.append("There was nothing to convert.")
        } else if report.exitCode == 0 {
            lines.append(Style.green.on("Every line is accounted for, none was rejected."))
        }
        let lost = report.inputs.filter { $0.importer == nil }
        let unknown = lost.filter { $0.exitCode == Exit.unrecognised || $0.exitCode == Exit.ambiguous }.count
        for (count, what) in [(unknown, "recognised"), (lost.count - unknown, "read")] where count > 0 {
            lines.append(Style.red.on("\(Words.count(count, "input")) could not be \(what); see above."))
        }
        let cut = report.inputs.count { $0.importer != nil && $0.exitCode != 0 }
        if cut > 0 { lines.append(Style.red.on("The end of \(Words.count(cut, "input")) is missing; see above.")) }
        return lines
    }
}

extension Words {
    /// A score between 0 and 1 with two decimals.
    static func score(_ score: Double) -> String {
        let hundredths = Int((min(max(score, 0), 1) * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
