import Foundation
import Testing

/// The built `allocport`, run as a user runs it.
enum Binary {
    /// What a run left.
    struct Result {
        let code: Int32
        let standardOutput: String
        let standardError: String
    }

    /// Beside the test bundle, or where `ALLOCPORT` says.
    static let path: String? = {
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

    static func process(
        _ arguments: [String], environment: [String: String] = [:], folder: String? = nil, executable: String? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(
            fileURLWithPath: try #require(executable ?? path, "build the product allocport first"))
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
    static func watch(_ process: Process) {
        let id = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 240) { if process.isRunning { kill(id, SIGKILL) } }
    }

    /// Runs to the end. Output goes through files, so that no pipe can fill up.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], folder: String? = nil, input: Data? = nil,
        executable: String? = nil
    ) throws -> Result {
        let process = try process(arguments, environment: environment, folder: folder, executable: executable)
        let place = try TemporaryFolder()
        func handle(_ name: String, _ content: Data = Data()) throws -> FileHandle {
            try content.write(to: URL(fileURLWithPath: place / name))
            return try #require(FileHandle(forUpdatingAtPath: place / name))
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

/// Places in the repository.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static func text(_ path: String) throws -> String { try String(contentsOfFile: root + "/" + path, encoding: .utf8) }

    /// All files below a folder of the repository whose names end so, sorted.
    static func files(_ folder: String, suffix: String) -> [String] {
        TemporaryFolder.names(below: root + "/" + folder).filter { $0.hasSuffix(suffix) }.map { folder + "/" + $0 }
    }
}

/// A folder of a test's own, removed with the last reference to it.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/allocport-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static func / (folder: TemporaryFolder, name: String) -> String { folder.path + "/" + name }

    /// Writes a file, with the folders above it, and returns its path.
    @discardableResult
    func write(_ name: String, _ content: String) throws -> String { try write(name, Data(content.utf8)) }

    @discardableResult
    func write(_ name: String, _ content: Data) throws -> String {
        let url = URL(fileURLWithPath: self / name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: url)
        return url.path
    }

    /// A file's text; empty when there is none.
    func text(_ name: String) -> String {
        (FileManager.default.contents(atPath: self / name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self / name) }

    /// All files below, with their bytes.
    func contents(_ name: String = "") -> [String: Data] {
        let folder = name.isEmpty ? path : self / name
        var found: [String: Data] = [:]
        for file in TemporaryFolder.names(below: folder) {
            found[file] = FileManager.default.contents(atPath: folder + "/" + file)
        }
        return found
    }

    /// All files below a folder, hidden ones too, as sorted relative paths.
    static func names(below folder: String) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }
}

/// What JSON text says, for tests that look into it.
func json(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
