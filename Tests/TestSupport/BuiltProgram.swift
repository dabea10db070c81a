package import Foundation

/// The built `allocport`, run as a user runs it.
package enum BuiltProgram {
    /// There is no program to run: build the product allocport first.
    package struct NotBuilt: Error {}

    /// What a run left.
    package struct Result: Sendable {
        /// The exit code, or a signal below 0.
        package let code: Int32
        package let standardOutput: String
        package let standardError: String
    }

    /// Beside the test bundle, or where `ALLOCPORT` says.
    package static let path: String? = {
        if let path = ProcessInfo.processInfo.environment["ALLOCPORT"] { return path }
        var places = CommandLine.arguments.filter { $0.contains(".xctest") || $0.contains("/.build/") }
        places += [Bundle.main.bundlePath, Repository.root + "/.build/debug/x"]
        for place in places {
            var folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            while folder.pathComponents.count > 2 {
                let candidate = folder.appendingPathComponent("allocport").path
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue,
                    FileManager.default.isExecutableFile(atPath: candidate)
                {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    package static func process(
        _ arguments: [String], environment: [String: String] = [:], folder: String? = nil, executable: String? = nil
    ) throws -> Process {
        let process = Process()
        guard let executable = executable ?? path else { throw NotBuilt() }
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        var all = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
        // The definitions of whoever runs the tests must not play a part.
        all["XDG_CONFIG_HOME"] = "/nonexistent"
        all["HOME"] = "/nonexistent"
        all.merge(environment) { $1 }
        process.environment = all
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        return process
    }

    /// Ends a process that does not end by itself, so that a test fails instead of waiting for ever.
    package static func watch(_ process: Process) {
        let id = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 240) { if process.isRunning { kill(id, SIGKILL) } }
    }

    /// Runs to the end. Output goes through files, so that no pipe can fill up.
    package static func run(
        _ arguments: [String], environment: [String: String] = [:], folder: String? = nil, input: Data? = nil,
        executable: String? = nil
    ) throws -> Result {
        let process = try process(arguments, environment: environment, folder: folder, executable: executable)
        let place = try TemporaryFolder()
        func handle(_ name: String, _ content: Data = Data()) throws -> FileHandle {
            try content.write(to: URL(fileURLWithPath: place / name))
            return try FileHandle(forUpdating: URL(fileURLWithPath: place / name))
        }
        process.standardInput = try handle("in", input ?? Data())
        process.standardOutput = try handle("out")
        process.standardError = try handle("err")
        try process.run()
        watch(process)
        process.waitUntilExit()
        // A signal is no exit code: it must not pass for one.
        let code = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Result(code: code, standardOutput: place.text("out"), standardError: place.text("err"))
    }
}
