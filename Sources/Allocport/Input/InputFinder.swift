public import Importing

/// Something that was given and is no input, and why.
public struct PassedOver: Sendable, Hashable {
    /// The file name alone.
    public var name: String
    /// Why, in a few words.
    public var reason: String

    /// The reason where tables of an earlier run lie beside exports.
    public static let earlierTable = "a table of an earlier run"

    init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }

    /// A file without bytes.
    init(emptyFile name: String) { self.init(name: name, reason: "empty file") }
}

/// What the paths of a command line come to.
public struct FoundInputs: Sendable {
    /// The inputs.
    public var inputs: [any InputSource] = []
    /// What was passed over.
    public var passedOver: [PassedOver] = []
    /// What could not be opened.
    public var failures: [InputError] = []
    /// Files that were not opened yet: whoever reads them opens each once.
    var listed: [ListedFile] = []

    /// Nothing yet.
    public init() {}
}

/// A file of a folder.
struct ListedFile: Sendable {
    let path: String
    let name: String
}

/// Finds the inputs that paths name: files, folders (recursive, sorted) and `-` for standard input.
public struct InputFinder: Sendable {
    /// A folder that is not looked into: where the run writes.
    public var outputFolder: String?

    /// A finder that stays out of the folder where the run writes.
    public init(outputFolder: String? = nil) { self.outputFolder = outputFolder }

    /// Opens everything that the paths name. Nothing is thrown: what cannot be opened is listed.
    public func find(_ paths: [String]) -> FoundInputs {
        var found = list(paths)
        for file in found.listed { open(file, &found) }
        found.listed.removeAll()
        return found
    }

    /// Finds the same, and leaves the files of folders to be opened, where there are several.
    func list(_ paths: [String]) -> FoundInputs {
        var found = FoundInputs()
        var earlier = EarlierTables()
        let output = outputFolder.flatMap(POSIX.realPath)
        for path in paths {
            if path == "-" {
                earlier.hasSources = true
                do throws(InputError) {
                    take(try StdinInput.spool(), &found)
                } catch {
                    found.failures.append(error)
                }
            } else if POSIX.status(path)?.kind == .folder {
                let root = POSIX.realPath(path) ?? path
                walk(path, root: root, output: output, &found, &earlier)
            } else if let file = list(path, FileInput.lastComponent(of: path), &found) {
                if !earlier.isTable(file) { earlier.hasSources = true }
                open(file, &found)
            }
        }
        earlier.settle(&found)
        return found
    }

    /// The file, unless its name says that it is none of ours.
    private func list(_ path: String, _ name: String, _ found: inout FoundInputs) -> ListedFile? {
        if let reason = InputFinder.reasonToPassOver(name) {
            found.passedOver.append(PassedOver(name: name, reason: reason))
            return nil
        }
        return ListedFile(path: path, name: name)
    }

    private func open(_ file: ListedFile, _ found: inout FoundInputs) {
        do throws(InputError) {
            take(try FileInput(path: file.path, name: file.name), &found)
        } catch {
            found.failures.append(error)
        }
    }

    private func take(_ input: any InputSource, _ found: inout FoundInputs) {
        if input.byteCount == 0 {
            found.passedOver.append(PassedOver(emptyFile: input.name))
        } else {
            found.inputs.append(input)
        }
    }

    /// - Parameter isCorrection: what is found are the reject files of an earlier run.
    private func walk(
        _ folder: String, root: String, output: String?, isCorrection: Bool = false, _ found: inout FoundInputs,
        _ earlier: inout EarlierTables
    ) {
        if let output, POSIX.realPath(folder) == output {
            found.passedOver.append(PassedOver(name: FileInput.lastComponent(of: folder), reason: "the output folder"))
            return
        }
        guard let entries = POSIX.entries(in: folder) else {
            let code = POSIX.lastError
            found.failures.append(InputError(opening: FileInput.lastComponent(of: folder), code))
            return
        }
        if entries.isEmpty {
            found.passedOver.append(PassedOver(name: FileInput.lastComponent(of: folder), reason: "empty folder"))
        }
        let isEarlier = entries.contains { $0.kind == .file && EarlierTables.isReport(folder, $0.name) }
        for (name, kind) in entries {
            let path = "\(folder)/\(name)"
            switch kind {
            case .folder:
                let isCorrection = isCorrection || isEarlier && name == "rejects"
                walk(path, root: root, output: output, isCorrection: isCorrection, &found, &earlier)
            case .file where isOwnReport(path, name):
                found.passedOver.append(PassedOver(name: name, reason: "the report of an earlier run"))
            case .file:
                guard let file = list(path, name, &found) else { continue }
                if isEarlier, EarlierRun.isTable(name) {
                    earlier.tables.append(file)
                } else {
                    found.listed.append(file)
                    if !isCorrection { earlier.hasSources = true }
                }
            case .link: follow(path, name, root: root, &found)
            default: found.passedOver.append(PassedOver(name: name, reason: "neither file nor folder"))
            }
        }
    }

    private func isOwnReport(_ path: String, _ name: String) -> Bool {
        OwnReport.names.contains(name) && OwnReport.isAt(path)
    }

    /// A link within the folder leads to what is found anyway; one out of it is not followed.
    private func follow(_ path: String, _ name: String, root: String, _ found: inout FoundInputs) {
        let inside = POSIX.realPath(path).map { $0.hasPrefix(root + "/") } ?? false
        let reason = inside ? "link within the folder" : "link out of the folder"
        found.passedOver.append(PassedOver(name: name, reason: reason))
    }

    static func reasonToPassOver(_ name: String) -> String? {
        if name.hasPrefix("._") { return "AppleDouble file" }
        if OutputFolder.isPartial(name) { return "left by a run that was killed" }
        if name.hasPrefix("~$") || name.hasPrefix(".~lock.") { return "lock of a document that is open" }
        return [".ds_store", "desktop.ini", "thumbs.db"].contains(name.lowercased()) ? "folder settings" : nil
    }
}
