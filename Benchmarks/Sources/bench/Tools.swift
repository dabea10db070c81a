/// The programs that are there: ours, and those that it is compared with.
struct Tools {
    /// What counts instructions.
    enum Counter { case perf, callgrind, none }

    let binary: String
    /// The binary without debug information, which valgrind does not always read.
    let stripped: String
    /// The folder of the peers' scripts.
    let peers: String
    let hasPython: Bool
    let hasDuckDB: Bool
    let hasPolars: Bool
    let hasXMLLint: Bool
    let counter: Counter

    init(binary: String, peers: String, folder: String) {
        self.binary = binary
        self.peers = peers
        hasPython = Child.has("python3")
        hasDuckDB = hasPython && Child.canImport("duckdb")
        hasPolars = hasPython && Child.canImport("polars")
        hasXMLLint = Child.has("xmllint")
        let copy = "\(folder)/stripped"
        stripped = Child.run(["strip", "-g", "-o", copy, binary]).status == 0 ? copy : binary
        if Tools.perf(["true"], folder) != nil {
            counter = .perf
        } else {
            counter = Child.has("valgrind") ? .callgrind : .none
        }
    }

    /// The instructions of a run, in user mode; nil when it could not be counted.
    func instructions(of command: [String], in folder: String) -> Int? {
        switch counter {
        case .none: nil
        case .perf: Tools.perf(command, folder)
        case .callgrind: callgrind(command, folder)
        }
    }

    private static func perf(_ command: [String], _ folder: String) -> Int? {
        let path = "\(folder)/counts"
        defer { unlink(path) }
        let options = ["perf", "stat", "-x", ",", "-e", "instructions:u", "-o", path, "--"]
        guard Child.run(options + command).status == 0 else { return nil }
        let line = Child.read(path).split(separator: "\n").first { $0.contains("instructions") }
        return line?.split(separator: ",").first.flatMap { Int($0) }
    }

    private func callgrind(_ command: [String], _ folder: String) -> Int? {
        let path = "\(folder)/counts"
        defer { unlink(path) }
        let words = command.map { $0 == binary ? stripped : $0 }
        let options = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(path)"]
        _ = Child.run(options + words)
        guard let line = Child.read(path).split(separator: "\n").first(where: { $0.contains("Collected :") }) else {
            return nil
        }
        return line.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) }
    }

    /// What the results say of the machine and the programs: no names of hosts, no paths.
    func facts(in folder: String) -> [String] {
        func text(_ command: [String]) -> String? { Child.text(command, in: folder) }
        var facts: [String] = []
        let model =
            text(["sh", "-c", "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1"]).flatMap {
                $0.isEmpty ? nil : $0
            } ?? text(["sysctl", "-n", "machdep.cpu.brand_string"])
        let count = text(["getconf", "_NPROCESSORS_ONLN"]) ?? "?"
        facts.append("\(model ?? "unknown processor"), \(count) processors, \(text(["uname", "-sm"]) ?? "")")
        if let swift = text(["sh", "-c", "swift --version 2>/dev/null | grep -o 'Swift version [0-9.]*' | head -n 1"]) {
            facts.append(swift)
        }
        if hasPython, let version = text(["python3", "--version"]) { facts.append(version) }
        for (module, isThere) in [("duckdb", hasDuckDB), ("polars", hasPolars)] {
            let script = "import \(module); print('\(module)', \(module).__version__)"
            facts.append(isThere ? text(["python3", "-c", script]) ?? module : "\(module) is not installed")
        }
        if hasXMLLint, let lines = text(["sh", "-c", "xmllint --version 2>&1 | grep -o 'libxml version [0-9]*'"]) {
            facts.append(lines)
        }
        switch counter {
        case .perf: facts.append("instructions by perf")
        case .callgrind: facts.append("instructions by callgrind")
        case .none: facts.append("no instructions counted")
        }
        return facts
    }
}
