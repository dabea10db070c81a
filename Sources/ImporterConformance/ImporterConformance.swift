import Allocport
public import Importing

/// Holds definitions of your own to what the built-in ones are held to: that they load, that each sample becomes what
/// is expected of it, and that each is claimed by its own definition alone, whatever happens to the columns.
///
/// A test of another package:
///
/// ```swift
/// let conformance = ImporterConformance(definitions: "my-importers")
/// #expect(conformance.problems == [])
/// for sample in conformance.samples(in: "my-samples") { #expect(conformance.problems(of: sample) == []) }
/// ```
public struct ImporterConformance: Sendable {
    /// Something that is wrong, and where.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The definition's file, or the sample's folder.
        public let file: String
        /// 1-based; 0 where no place can be named.
        public let line: Int
        /// 1-based, in characters; 0 where no place can be named.
        public let column: Int
        /// What is wrong, and what to do about it.
        public let message: String

        /// `file:line:column: message`.
        public var description: String { line == 0 ? "\(file): \(message)" : "\(file):\(line):\(column): \(message)" }

        init(file: String, line: Int, column: Int, message: String) {
            self.file = file
            self.line = line
            self.column = column
            self.message = message
        }

        init(_ error: DefinitionError) {
            self.init(
                file: error.file, line: error.line, column: error.column, message: "\(error.message); \(error.hint)")
        }
    }

    /// An export with what it must become: a folder with the files, and `expected/` beside them.
    public struct Sample: Sendable, Hashable, CustomStringConvertible {
        /// The folder.
        public let folder: String
        /// `<brokerage>.<report>` when the folder stands in `<brokerage>/<report>/`, else nil: any definition may claim
        /// it.
        public let importer: String?
        /// The exports.
        public let inputs: [String]

        /// The folder.
        public var description: String { folder }
    }

    /// The definitions that load, in the order of their files.
    public let importers: [DefinitionImporter]
    /// What is wrong with the definitions themselves.
    public let problems: [Problem]
    /// What is unusual about them: see ``DefinitionLint``.
    public let warnings: [DefinitionWarning]
    private let registry: Registry

    /// Reads all definitions (`*.yaml`) below a folder; they stand beside the built-in ones, and win over them.
    public init(definitions folder: String) {
        var importers: [DefinitionImporter] = []
        var problems: [Problem] = []
        var warnings: [DefinitionWarning] = []
        let lint = DefinitionLint(against: Registry.builtIn().importers)
        var parts = SharedParts.builtIn
        var files: [(path: String, bytes: [UInt8])] = []
        for path in Folder.files(below: folder) where path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
            guard let bytes = Folder.bytes(path) else { continue }
            files.append((path, bytes))
        }
        // Parts come first, wherever they stand among the others.
        for (path, bytes) in files.filter({ SharedParts.isPart($0.bytes) }) {
            do throws(DefinitionError) { try parts.add(bytes, file: path) } catch { problems.append(Problem(error)) }
        }
        for (path, bytes) in files where !SharedParts.isPart(bytes) {
            do throws(DefinitionError) {
                let importer = try DefinitionLoader.load(bytes, file: path, parts: parts)
                if importers.contains(where: { $0.id == importer.id }) {
                    problems.append(
                        Problem(file: path, line: 1, column: 1, message: "‘\(importer.id)’ is defined twice"))
                }
                importers.append(importer)
                warnings += lint.warnings(bytes, file: path, parts: parts)
            } catch {
                problems.append(Problem(error))
            }
        }
        if importers.isEmpty, problems.isEmpty {
            problems.append(Problem(file: folder, line: 0, column: 0, message: "no definition is there"))
        }
        self.importers = importers
        self.problems = problems
        self.warnings = warnings
        registry = Registry.builtIn(and: importers)
    }

    /// The samples below a folder: those that have an `expected/`.
    public func samples(in folder: String) -> [Sample] {
        Folder.folders(below: folder).filter { $0.hasSuffix("/expected") }.map { expected in
            let parts = expected.split(separator: "/").map(String.init)
            let id = parts.count >= 4 ? "\(parts[parts.count - 4]).\(parts[parts.count - 3])" : ""
            let own = String(expected.dropLast("/expected".count))
            return Sample(
                folder: own, importer: importers.contains { $0.id == id } ? id : nil,
                inputs: Folder.files(in: own).filter { !$0.hasSuffix(".md") })
        }
    }

    /// What is wrong with a sample; empty when it holds.
    public func problems(of sample: Sample) -> [Problem] {
        func problem(_ message: String) -> Problem {
            Problem(file: sample.folder, line: 0, column: 0, message: message)
        }
        var found: [Problem] = []
        if sample.inputs.isEmpty { found.append(problem("it holds no export")) }
        for path in sample.inputs {
            guard let bytes = Folder.bytes(path) else {
                found.append(problem("‘\(path)’ cannot be read"))
                continue
            }
            let input = MemoryInput(name: String(path.split(separator: "/").last ?? ""), bytes: bytes)
            found += claims(input, sample.importer).map(problem)
        }
        return found + differences(sample).map(problem)
    }

    // MARK: Claims

    private func claims(_ input: MemoryInput, _ wanted: String?) -> [String] {
        guard let first = claimant(input) else { return ["\(input.name): no definition claims it"] }
        guard let owner = registry.importer(wanted ?? first) else { return ["there is no importer ‘\(first)’"] }
        guard importers.contains(where: { $0.id == owner.id }) else {
            return ["\(input.name): \(first) claims it, which is none of yours"]
        }
        var found: [String] = first == owner.id ? [] : ["\(input.name): \(first) claims it, not \(owner.id)"]
        for change in ColumnChange.allCases {
            guard let changed = (try? change.applied(to: input, readBy: owner)) ?? nil else { continue }
            let other = claimant(changed)
            if other != owner.id {
                found.append(
                    "\(input.name), \(change.rawValue): \(other ?? "no definition") claims it, not \(owner.id)")
            }
        }
        return found
    }

    private func claimant(_ input: MemoryInput) -> String? {
        guard var sample = try? InputSample(input),
            let decision = try? sample.decide(of: input, by: { registry.decide($0) })
        else { return nil }
        switch decision {
        case .recognised(let best, _), .refused(let best): return best.importer.id
        case .ambiguous(let several): return several.map(\.importer.id).joined(separator: " and ")
        case .unknown: return nil
        }
    }

    // MARK: Expectations

    private func differences(_ sample: Sample) -> [String] {
        guard let folder = Folder.temporary() else { return ["no temporary folder can be made"] }
        defer { Folder.remove(folder) }
        var options = RunOptions(outputFolder: folder)
        options.bytesByRules = 0
        options.verdicts = true
        options.force = true
        options.maxRejects = .max
        var found: [String] = []
        do throws(RunError) {
            let report = try Run(options: options, catalog: registry).convert(paths: sample.inputs)
            if !report.isBalanced { found.append("a line is not accounted for") }
        } catch {
            return [error.message]
        }
        let expected = sample.folder + "/expected"
        // The report names runners-up, and so changes with every importer that is added.
        func names(_ folder: String) -> Set<String> {
            Set(Folder.files(below: folder).map { String($0.dropFirst(folder.count + 1)) }).subtracting(["report.json"])
        }
        let wanted = names(expected)
        let got = names(folder)
        found += wanted.subtracting(got).sorted().map { "\($0): expected, and not written" }
        found += got.subtracting(wanted).sorted().map { "\($0): written, and not expected" }
        for name in wanted.intersection(got).sorted()
        where Folder.bytes("\(expected)/\(name)") != Folder.bytes("\(folder)/\(name)") {
            found.append("\(name): not as expected; `allocport importer test` shows the line")
        }
        return found
    }
}
