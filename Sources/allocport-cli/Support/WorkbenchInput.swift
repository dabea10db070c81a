import Allocport
import Importing

/// One file that a person works on, whole in memory.
enum WorkbenchInput {
    /// The bytes of a file under its name, or those of standard input (`-`).
    ///
    /// - Throws: `ExitCode`; the reason is said.
    static func read(_ path: String) throws -> MemoryInput {
        if path == "-" {
            return try words { () throws(InputError) in
                let input = try StdinInput.spool()
                return MemoryInput(name: input.name, bytes: try input.bytes(at: 0, count: input.byteCount))
            }
        }
        switch FileSystem.kind(path) {
        case .file: break
        case .folder: throw Exit.failure(Exit.noInput, "‘\(path)’ is a folder; name one file in it")
        case .other:
            throw Exit.failure(Exit.noInput, "‘\(path)’ is no regular file; read it as standard input: - < FILE")
        case nil: throw Exit.failure(Exit.noInput, "there is no file ‘\(path)’")
        }
        guard let bytes = FileSystem.read(path) else {
            throw Exit.failure(Exit.noInput, "‘\(path)’ may not be read; check its permissions")
        }
        if bytes.isEmpty { throw Exit.failure(Exit.notText, "‘\(path)’ is empty") }
        return MemoryInput(name: String(path.split(separator: "/").last ?? ""), bytes: bytes)
    }

    /// What the work gives; an error that reading throws is said in words.
    static func words<Value>(_ work: () throws(InputError) -> Value) throws -> Value {
        do throws(InputError) {
            return try work()
        } catch {
            throw Exit.failure(error.exitCode, error.words)
        }
    }

    /// Ends the call when a file is there that may not be replaced: the input itself never is.
    static func refuse(_ path: String?, force: Bool, input: String) throws {
        guard let path, path != "-" else { return }
        if input != "-", FileSystem.isSame(path, input) {
            throw Exit.failure(
                Exit.cannotWrite, "‘\(path)’ is the file that is read, and it is never changed; name another with -o")
        }
        guard !force, FileSystem.kind(path) != nil else { return }
        throw Exit.failure(
            Exit.cannotWrite, "‘\(path)’ is there already; use --force to replace it, or name another with -o")
    }

    /// Writes what was made to a file.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let code = FileSystem.write(bytes, to: path)
        if code != 0 { throw Exit.failure(Exit.cannotWrite, "cannot write \(path): \(FileSystem.message(code))") }
    }
}
