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

    /// Converts what the paths name.
    ///
    /// - Throws: `ExitCode`; the reason is said.
    func convert(_ paths: [String]) throws -> RunReport {
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
        run.onProgress = { line.show($0) }
        run.isStopped = { Interruption.isAsked }
        do throws(RunError) {
            let value = try work(run)
            line.clear()
            return value
        } catch {
            line.clear()
            throw Exit.failure(error.exitCode, error.message)
        }
    }
}

/// The progress line, shared with the threads of a run.
private final class ProgressCell: Sendable {
    private let line: Mutex<ProgressLine>
    private let isStarted = Atomic<Bool>(false)

    init(_ line: ProgressLine) { self.line = Mutex(line) }

    func show(_ progress: RunProgress) {
        if progress.byteCount >= CodePages.largeInput, !isStarted.exchange(true, ordering: .relaxed) {
            CodePages.giveBack()
        }
        line.withLock { $0.show(progress) }
    }

    func clear() { line.withLock { $0.clear() } }
}
