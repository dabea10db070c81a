package import Foundation

/// A folder of a test's own, removed with the last reference to it.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/allocport-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package static func / (folder: TemporaryFolder, name: String) -> String { folder.path + "/" + name }

    /// Writes a file, with the folders above it, and returns its path.
    @discardableResult
    package func write(_ name: String, _ content: String) throws -> String { try write(name, Data(content.utf8)) }

    @discardableResult
    package func write(_ name: String, _ content: Data) throws -> String {
        let url = URL(fileURLWithPath: self / name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: url)
        return url.path
    }

    /// A file's text; empty when there is none.
    package func text(_ name: String) -> String {
        (FileManager.default.contents(atPath: self / name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// A file's bytes; nil when there is none.
    package func bytes(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: self / name).map { [UInt8]($0) }
    }

    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self / name, withIntermediateDirectories: true)
    }

    package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self / name) }

    /// All files below, with their bytes.
    package func contents(_ name: String = "") -> [String: Data] {
        let folder = name.isEmpty ? path : self / name
        var found: [String: Data] = [:]
        for file in TemporaryFolder.names(below: folder) {
            found[file] = FileManager.default.contents(atPath: folder + "/" + file)
        }
        return found
    }

    /// The same as plain bytes.
    package func files(_ name: String) -> [String: [UInt8]] { contents(name).mapValues { [UInt8]($0) } }

    /// What stands in a folder itself, sorted.
    package static func entries(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// All files below a folder, hidden ones too, as sorted relative paths.
    package static func names(below folder: String) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }
}
