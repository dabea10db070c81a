/// Measures the release binary against what is installed. See `Benchmarks/README.md`.
@main
struct Bench {
    private static let usage = """
        usage: bench --binary FILE [--quick] [--dry-run] [--list] [CASE…]
          --quick    only inputs of up to 10 MB
          --dry-run  print, and leave RESULTS.md as it is
          --list     print the names of the cases
        """

    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        func take(_ flag: String) -> Bool {
            guard let place = words.firstIndex(of: flag) else { return false }
            words.remove(at: place)
            return true
        }
        var binary = ""
        if let place = words.firstIndex(of: "--binary"), place + 1 < words.count {
            binary = words[place + 1]
            words.removeSubrange(place...place + 1)
        }
        let (isQuick, isDry, isList) = (take("--quick"), take("--dry-run"), take("--list"))
        if words.contains(where: { $0.hasPrefix("-") }) { fail(usage) }
        let home = folder
        let folder = temporaryFolder()
        defer { _ = Child.run(["rm", "-rf", folder]) }
        let tools = Tools(binary: binary, peers: "\(home)/Peers", folder: folder)
        let cases = Cases(tools: tools).all()
        if isList {
            for job in cases { print(job.name) }
            return
        }
        guard access(binary, X_OK) == 0 else { fail("there is no program ‘\(binary)’\n\(usage)") }
        if let unknown = words.first(where: { name in !cases.contains { $0.name == name } }) {
            fail("there is no case ‘\(unknown)’")
        }
        let chosen = cases.filter { job in
            words.isEmpty ? job.bytes <= (isQuick ? 10 << 20 : Int.max) : words.contains(job.name)
        }
        run(chosen, tools, folder, home: home, isDry: isDry, command: command(isQuick, words))
    }

    private static func run(
        _ cases: [Case], _ tools: Tools, _ folder: String, home: String, isDry: Bool, command: String
    ) {
        var results = Results(path: "\(home)/RESULTS.md")
        let facts = tools.facts(in: folder)
        results.set("machine", facts.map { "- \($0)\n" }.joined())
        var agrees = true
        for job in cases {
            let found = Runner(tools: tools, folder: folder).run(job)
            let section = Results.section(job, found, command: command, date: Results.date, machine: facts[0])
            print(section)
            agrees = agrees && found.allSatisfy { $0.disagreement == nil }
            results.set(job.name, section)
            if !isDry { results.save() }
        }
        if !agrees { fail("the tables differ") }
    }

    private static func command(_ isQuick: Bool, _ words: [String]) -> String {
        let options = (isQuick ? ["--quick"] : []) + words
        return options.isEmpty ? "make bench" : "make bench BENCH=\"\(options.joined(separator: " "))\""
    }

    /// The folder of this package.
    private static var folder: String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return parts.joined(separator: "/")
    }

    /// A folder in memory where the system has such a file system, so that no disk is measured.
    private static func temporaryFolder() -> String {
        var places = ["/dev/shm", "/tmp"]
        if let path = getenv("TMPDIR") { places.insert(String(cString: path), at: 1) }
        for place in places where access(place, W_OK) == 0 {
            let path = "\(place)/allocport-bench.\(getpid())"
            if mkdir(path, 0o700) == 0 { return path }
        }
        fail("there is no place for temporary files")
    }
}
