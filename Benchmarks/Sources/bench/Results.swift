/// `RESULTS.md`: a section for each case, rewritten when the case is run; what stands between them is left alone.
struct Results {
    let path: String
    private var text: String

    init(path: String) {
        self.path = path
        text = Child.read(path)
        if text.isEmpty { text = "# Results\n" }
    }

    /// Puts a section in the place of the one of its name, or at the end.
    mutating func set(_ name: String, _ body: String) {
        let opening = "<!-- \(name) -->\n"
        let closing = "<!-- end of \(name) -->\n"
        let section = opening + body + closing
        if let start = text.firstRange(of: opening), let end = text.firstRange(of: closing) {
            text.replaceSubrange(start.lowerBound..<end.upperBound, with: section)
        } else {
            text += "\n" + section
        }
    }

    func save() {
        var file = OutputFile(path)
        file.write(text)
        file.finish()
    }

    /// A case's section.
    static func section(
        _ job: Case, _ results: [Result], command: String, date: String, machine: String
    ) -> String {
        let reference = results.first { $0.name == job.reference } ?? results[0]
        let run = "`\(command)`, \(date), medians of \(job.rounds) rounds, on \(machine)."
        var lines = ["## \(job.name): \(job.title)", "", run, ""]
        let isStepped = results.contains { $0.stepsPerByte != nil }
        lines.append(
            "| who | wall ms | × \(reference.name) | CPU ms | × CPU | MB/s | peak MiB | instructions/byte |"
                + (isStepped ? " … stepped |" : ""))
        lines.append("|---|--:|--:|--:|--:|--:|--:|--:|" + (isStepped ? "--:|" : ""))
        for result in results {
            let speed = Double(job.bytes) / 1_000_000 / max(result.wall, 1e-9)
            let cells = [
                result.name, (result.wall * 1000).rounded(to: result.wall < 0.1 ? 2 : 0),
                (result.wall / reference.wall).rounded(to: 2),
                (result.processor * 1000).rounded(to: result.processor < 0.1 ? 2 : 0),
                (result.processor / max(reference.processor, 1e-9)).rounded(to: 2),
                job.bytes > 1 << 16 ? speed.rounded(to: speed < 10 ? 1 : 0) : "",
                (Double(result.resident) / 1_048_576).rounded(to: 1),
                result.instructionsPerByte.map { $0.rounded(to: 1) } ?? "",
            ]
            let steps = isStepped ? [result.stepsPerByte.map { $0.rounded(to: 1) } ?? ""] : []
            lines.append("| " + (cells + steps).joined(separator: " | ") + " |")
        }
        lines += ["", agreement(results), ""]
        return lines.joined(separator: "\n")
    }

    private static func agreement(_ results: [Result]) -> String {
        let compared = results.filter(\.isCompared)
        let wrong = compared.compactMap { result in result.disagreement.map { "\(result.name): \($0)" } }
        if compared.count < 2 { return "No tables to compare." }
        if !wrong.isEmpty { return "**The tables differ.** " + wrong.joined(separator: "; ") }
        return "The tables agree row by row: " + compared.map(\.name).joined(separator: ", ") + "."
    }

    /// Today, UTC.
    static var date: String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        return "\(parts.tm_year + 1900)-\(History.two(Int(parts.tm_mon) + 1))-\(History.two(Int(parts.tm_mday)))"
    }
}
