import Allocport
import ArgumentParser
import Importing
import OpenAlloc
import Synchronization

/// A run of the library with what the command line adds: a progress line, and an end when a signal asks for it.
struct Conversion {
    let set: ImporterSet
    let options: RunOptions
    let showsProgress: Bool
    /// Whether the process ends after it.
    var endsProcess = false

    /// Converts what the paths name.
    ///
    /// - Throws: `ExitCode`; the reason is said.
    func convert(_ paths: [String]) throws -> RunReport {
        // One large file is read in less memory than the start has touched.
        if paths.count == 1, FileSystem.size(paths[0]) >= CodePages.largeInput { CodePages.giveBack() }
        return try guarded { run throws(RunError) in try run.convert(paths: paths) }
    }

    /// One table of one input in memory.
    func transform(
        _ input: any InputSource, schema: SchemaID
    ) throws -> (table: [UInt8], rejects: [UInt8], report: RunReport) {
        try guarded { run throws(RunError) in try run.transform(input, schema: schema) }
    }

    private func guarded<Value>(_ work: (Run) throws(RunError) -> Value) throws -> Value {
        Interruption.listen()
        let line = ProgressCell(ProgressLine(isWanted: showsProgress))
        var run = Run(options: options, catalog: set.registry)
        run.endsProcess = endsProcess
        run.onProgress = { line.show($0) }
        run.onRead = { byteCount in
            if byteCount >= CodePages.largeInput { CodePages.giveBackAll() }
        }
        run.isStopped = { Interruption.isAsked }
        do throws(RunError) {
            let value = try work(run)
            line.clear()
            return value
        } catch {
            line.clear()
            throw Exit.failure(error.exitCode, words(error))
        }
    }
}

extension Conversion {
    /// What went wrong, with what to do about it on a command line.
    fileprivate func words(_ error: RunError) -> String {
        switch error {
        case .wouldOverwrite(let names):
            return
                "‘\(options.outputFolder ?? ".")’ has \(Words.list(names)) already; use --force to replace what is there, "
                + "or name another folder with -o"
        case .cannotCreate(let path, _) where FileSystem.hasFileAbove(path):
            return "\(error.message); a file has the name of a folder there, so name another with -o"
        case .cannotCreate: return "\(error.message); name another folder with -o"
        case .wouldLoseCorrections:
            let path = options.outputFolder ?? "."
            let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
            return "\(error.message): allocport convert … \(folder)/rejects -o \(folder)-2"
        case .wouldReplaceInput, .linkInOutput: return "\(error.message) with -o"
        default: return error.message
        }
    }
}

/// The progress line, shared with the threads of a run.
private final class ProgressCell: Sendable {
    private let line: Mutex<ProgressLine>
    /// How many bytes are read when code pages are given back next.
    private let nextBytes = Atomic<Int>(0)

    init(_ line: ProgressLine) { self.line = Mutex(line) }

    func show(_ progress: RunProgress) {
        if progress.byteCount >= CodePages.largeInput { giveBackCode(progress) }
        line.withLock { $0.show(progress) }
    }

    /// Gives back code pages: those that detection has used, those that the first rows have, and those that have
    /// learned what rows are like.
    private func giveBackCode(_ progress: RunProgress) {
        let next = nextBytes.load(ordering: .relaxed)
        if progress.bytesRead < next { return }
        let after = max(next << 3, CodePages.firstRows)
        if nextBytes.compareExchange(expected: next, desired: after, ordering: .relaxed).exchanged {
            CodePages.giveBack()
        }
    }

    func clear() { line.withLock { $0.clear() } }
}
