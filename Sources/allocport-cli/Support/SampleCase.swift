import Allocport
import ArgumentParser

/// A folder with an invented export and, in `expected`, the files that it must become.
///
/// All tables, the rejects and `rows.ndjson` (what became of every line) are compared byte for byte. `report.json` is
/// not: it names the runners-up, and so changes with every importer that is added.
struct SampleCase {
    /// The folder.
    let path: String

    /// What came of a case.
    enum Result {
        case same, recorded, unchanged
        case different([String])
    }

    /// The folder's name of what is expected.
    static let expected = "expected"

    /// The cases at or below a folder: those that hold `expected`, and with `bare` also those that hold only files.
    static func find(in folder: String, bare: Bool) -> [SampleCase] {
        let names = FileSystem.names(in: folder) ?? []
        if names.contains(expected) { return [SampleCase(path: folder)] }
        let folders = names.filter { FileSystem.isFolder("\(folder)/\($0)") && !$0.hasPrefix(".") }
        if bare, folders.isEmpty, names.contains(where: { !$0.hasPrefix(".") && !$0.hasSuffix(".md") }) {
            return [SampleCase(path: folder)]
        }
        return folders.flatMap { find(in: "\(folder)/\($0)", bare: bare) }
    }

    /// The inputs beside `expected`; notes (`*.md`) are none.
    var inputs: [String] {
        (FileSystem.names(in: path) ?? [])
            .filter { $0 != SampleCase.expected && !$0.hasPrefix(".") && !$0.hasSuffix(".md") }
            .map { "\(path)/\($0)" }
    }

    /// Converts the inputs into a folder and compares, or records.
    func run(_ set: ImporterSet, record: Bool) throws -> Result {
        guard let folder = FileSystem.temporaryFolder() else {
            throw Exit.failure(Exit.cannotWrite, "no temporary folder can be made")
        }
        defer { FileSystem.remove(folder) }
        var options = RunOptions(outputFolder: folder)
        options.bytesByRules = 0
        options.verdicts = true
        options.force = true
        options.maxRejects = .max
        _ = try Conversion(set: set, options: options, showsProgress: false).convert(inputs)
        if !record, !FileSystem.isFolder("\(path)/\(SampleCase.expected)") {
            return .different(["nothing is expected yet: there is no \(SampleCase.expected)/; --record writes it"])
        }
        let differences = differences(folder)
        if !record { return differences.isEmpty ? .same : .different(differences) }
        if differences.isEmpty { return .unchanged }
        try write(folder)
        return .recorded
    }

    private func contents(_ folder: String) -> [String] {
        FileSystem.files(below: folder).filter { $0 != "report.json" && !$0.hasPrefix(".") }
    }

    private func differences(_ folder: String) -> [String] {
        let wanted = contents("\(path)/\(SampleCase.expected)")
        let got = contents(folder)
        var found = wanted.filter { !got.contains($0) }.map { "\($0): expected, and not written" }
        for name in got {
            guard wanted.contains(name) else {
                found.append("\(name): written, and not expected")
                continue
            }
            let left = FileSystem.read("\(path)/\(SampleCase.expected)/\(name)") ?? []
            let right = FileSystem.read("\(folder)/\(name)") ?? []
            if left != right { found.append(SampleCase.difference(name, left, right)) }
        }
        return found
    }

    /// The first line that differs.
    private static func difference(_ name: String, _ left: [UInt8], _ right: [UInt8]) -> String {
        let wanted = left.split(separator: 0x0A, omittingEmptySubsequences: false)
        let got = right.split(separator: 0x0A, omittingEmptySubsequences: false)
        let index =
            zip(wanted, got).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(wanted.count, got.count)
        func line(_ lines: [ArraySlice<UInt8>]) -> String {
            index < lines.count ? Words.plain(String(decoding: lines[index], as: UTF8.self), limit: 400) : "(the end)"
        }
        return "\(name): line \(index + 1) differs\n    expected  \(line(wanted))\n    got       \(line(got))"
    }

    private func write(_ folder: String) throws {
        let target = "\(path)/\(SampleCase.expected)"
        FileSystem.remove(target)
        FileSystem.makeFolder(target)
        for name in contents(folder) {
            let code = FileSystem.write(FileSystem.read("\(folder)/\(name)") ?? [], to: "\(target)/\(name)")
            if code != 0 {
                throw Exit.failure(Exit.cannotWrite, "cannot write \(target)/\(name): \(FileSystem.message(code))")
            }
        }
    }
}
