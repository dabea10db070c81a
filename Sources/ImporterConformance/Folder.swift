import Foundation

/// Files of a test.
enum Folder {
    /// The files below a folder, with their paths, in order; none that is hidden.
    static func files(below folder: String) -> [String] {
        entries(folder).filter { !isFolder($0) }
    }

    /// The files in a folder alone.
    static func files(in folder: String) -> [String] {
        files(below: folder).filter { !$0.dropFirst(folder.count + 1).contains("/") }
    }

    /// The folders below a folder, with their paths, in order.
    static func folders(below folder: String) -> [String] { entries(folder).filter(isFolder) }

    /// The bytes of a file; nil when it cannot be read.
    static func bytes(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

    /// A new folder for what a run writes.
    static func temporary() -> String? {
        let manager = FileManager.default
        let path =
            manager.temporaryDirectory.path + "/allocport-conformance-" + ProcessInfo.processInfo.globallyUniqueString
        do {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            return path
        } catch {
            return nil
        }
    }

    static func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }

    private static func entries(_ folder: String) -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted()
            .filter { !$0.hasPrefix(".") && !$0.contains("/.") }.map { "\(folder)/\($0)" }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
