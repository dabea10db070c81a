import Allocport
import ArgumentParser
import Importing

/// Exit codes, as the manual lists them (sysexits where there is one).
enum Exit {
    static let rejected: Int32 = 1
    static let unrecognised: Int32 = 3
    static let ambiguous: Int32 = 4
    static let usage: Int32 = 64
    static let notText: Int32 = 65
    static let noInput: Int32 = 66
    static let broken: Int32 = 70
    static let cannotWrite: Int32 = 74
    static let badDefinition: Int32 = 78
    static let interrupted: Int32 = 130

    /// The smallest code that is no success.
    static func smallest(_ codes: [Int32]) -> Int32 { codes.filter { $0 != 0 }.min() ?? 0 }

    /// Says what is wrong and ends with a code.
    static func failure(_ code: Int32, _ message: String) -> ExitCode {
        Terminal.complain(message)
        return ExitCode(code)
    }
}

extension InputError {
    /// The exit code that the input alone calls for.
    var exitCode: Int32 {
        switch self {
        case .notFound, .notPermitted, .notAFile: Exit.noInput
        case .unreadable, .changed, .noTemporaryFile: Exit.cannotWrite
        case .notText: Exit.notText
        }
    }

    /// What is wrong, for a person; the name is of a file that was found, and may be an account's number.
    var words: String {
        switch self {
        case .notFound(let name): "there is no file or folder ‘\(Words.masked(name))’"
        case .notPermitted(let name): "‘\(Words.masked(name))’ may not be read; check its permissions"
        case .notAFile(let name): "‘\(Words.masked(name))’ is no regular file"
        case .unreadable(let name, let code):
            "‘\(Words.masked(name))’ cannot be read: \(FileSystem.message(code))"
        case .changed(let name): "‘\(Words.masked(name))’ was changed while it was read"
        case .noTemporaryFile(let name, let folder, let code):
            "‘\(Words.masked(name))’ is too large to be kept in memory, and not in a file in ‘\(folder)’ either: "
                + FileSystem.message(code)
        case .notText(let name, let kind): "‘\(Words.masked(name))’: \(InputError.reason(kind: kind))"
        }
    }
}
