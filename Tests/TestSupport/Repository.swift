import Foundation

/// Places in the repository.
package enum Repository {
    package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    package static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    /// All files below a folder of the repository whose names end so, sorted.
    package static func files(_ folder: String, suffix: String) -> [String] {
        TemporaryFolder.names(below: root + "/" + folder).filter { $0.hasSuffix(suffix) }.map { folder + "/" + $0 }
    }
}
