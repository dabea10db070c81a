import Foundation
import Testing

/// The built command line, for what only it can show.
enum Program {
    struct Result {
        let code: Int32
        let output: String
        let words: String
    }

    /// Beside the test bundle; nil when it was not built.
    static let path: String? = {
        if let path = ProcessInfo.processInfo.environment["ALLOCPORT"] { return path }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        var folders = CommandLine.arguments.filter { $0.contains(".xctest") }.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().path
        }
        folders += [root + "/.build/debug", root + "/.build/release"]
        return folders.map { $0 + "/allocport" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = "", folder: Folder
    ) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path, "build the product allocport first"))
        process.arguments = arguments
        var all = ProcessInfo.processInfo.environment
        // The definitions of whoever runs the tests must not play a part.
        all["XDG_CONFIG_HOME"] = "/nonexistent"
        all["HOME"] = "/nonexistent"
        process.environment = all.merging(environment) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        func handle(_ name: String, _ text: String) throws -> FileHandle {
            folder.write(name, text)
            return try #require(FileHandle(forUpdatingAtPath: folder.path + "/" + name))
        }
        process.standardInput = try handle(".in", input)
        process.standardOutput = try handle(".out", "")
        process.standardError = try handle(".err", "")
        try process.run()
        process.waitUntilExit()
        // A signal is no exit code: it must not pass for one.
        let code = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Result(code: code, output: folder.text(".out") ?? "", words: folder.text(".err") ?? "")
    }
}
