import Allocport
import ArgumentParser
import Importing

/// Where definitions besides the built-in ones come from.
struct ImporterOptions: ParsableArguments {
    @Option(
        name: .customLong("importers"),
        help: ArgumentHelp(
            "A folder with more importer definitions; may be given several times. Your own id wins over a built-in one.",
            valueName: "dir"),
        completion: .directory)
    var folders: [String] = []

    /// The importers of this call.
    ///
    /// - Throws: `ExitCode`; the reason is said.
    func load() throws -> ImporterSet { try ImporterSet(folders: folders) }
}

/// The importers that a call has: built in, the user's configuration, `--importers`; later ones win.
struct ImporterSet {
    let registry: Registry
    /// Where each definition that is not built in comes from, by id.
    let origins: [String: String]
    /// What tables of definitions may name; nil where there are only built-in ones.
    private let ownParts: SharedParts?

    /// The importers of a call.
    ///
    /// - Throws: `ExitCode`; the reason is said.
    init(folders: [String]) throws {
        var importers: [any Importer] = []
        var origins: [String: String] = [:]
        for folder in folders where FileSystem.kind(folder) != .folder {
            let what =
                FileSystem.kind(folder) == nil
                ? "there is no folder ‘\(folder)’" : "‘\(folder)’ is no folder; name the one that it is in"
            throw Exit.failure(Exit.noInput, "--importers: \(what)")
        }
        for folder in folders where FileSystem.names(in: folder) == nil {
            throw Exit.failure(Exit.noInput, "--importers: ‘\(folder)’ may not be read; check its permissions")
        }
        let all = ImporterSet.userFolders + folders
        // Most calls have no folder: the catalogue's parts are in its trees, and nobody reads them.
        var parts = all.isEmpty ? SharedParts() : .builtIn
        for folder in all {
            let files = try DefinitionFile.read(folder, &parts)
            if files.isEmpty, folders.contains(folder) {
                Terminal.complain("--importers: there are no definitions (.yaml) in ‘\(folder)’")
            }
            for (path, bytes) in files {
                let importer = try DefinitionFile.load(bytes, file: path, parts: parts)
                importers.append(importer)
                origins[importer.id] = path
            }
        }
        registry = Registry.builtIn(and: importers)
        self.origins = origins
        ownParts = all.isEmpty ? nil : parts
    }

    /// The user's own folders that exist.
    static var userFolders: [String] {
        let home = Terminal.environment("HOME")
        let configuration = Terminal.environment("XDG_CONFIG_HOME")
        var folders: [String] = []
        #if canImport(Darwin)
            if !home.isEmpty { folders.append("\(home)/Library/Application Support/allocport/importers") }
        #endif
        if configuration.hasPrefix("/") {
            folders.append("\(configuration)/allocport/importers")
        } else if !home.isEmpty {
            folders.append("\(home)/.config/allocport/importers")
        }
        return folders.filter { FileSystem.kind($0) == .folder }
    }

    /// What tables of definitions may name.
    var parts: SharedParts { ownParts ?? .builtIn }

    /// All ids and aliases.
    var names: [String] { registry.importers.flatMap { [$0.id] + $0.aliases } }

    /// Ends the call when no importer has this id or alias.
    func check(_ id: String?) throws {
        guard let id, registry.importer(id) == nil else { return }
        let hint = Nearest.hint(id, among: names)
        throw Exit.failure(
            Exit.usage, "--importer: there is no importer ‘\(id)’\(hint) `allocport list importers` shows all")
    }
}

/// Definition files on disk.
enum DefinitionFile {
    /// All definitions below a folder.
    static func paths(in folder: String) -> [String] {
        FileSystem.files(below: folder)
            .filter { ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) && !$0.hasPrefix(".") && !$0.contains("/.") }
            .map { "\(folder)/\($0)" }
    }

    /// What a definition's file has: what has its name may be a pipe that nobody writes to, or a device without end.
    static func bytes(of path: String) -> [UInt8]? { FileSystem.kind(path) == .file ? FileSystem.read(path) : nil }

    /// The definitions below a folder; its parts are added to those that are known. What is wrong ends the call.
    static func read(_ folder: String, _ parts: inout SharedParts) throws -> [(path: String, bytes: [UInt8])] {
        var definitions: [(path: String, bytes: [UInt8])] = []
        for path in paths(in: folder) {
            guard let bytes = bytes(of: path) else {
                throw Exit.failure(
                    Exit.badDefinition, "\(path): the definition cannot be read; is it a file, and may it be read?")
            }
            guard SharedParts.isPart(bytes) else {
                definitions.append((path, bytes))
                continue
            }
            do throws(DefinitionError) {
                try parts.add(bytes, file: path)
            } catch {
                throw Exit.failure(Exit.badDefinition, "\(error)")
            }
        }
        return definitions
    }

    /// The importer of a definition; one that is wrong ends the call.
    static func load(
        _ bytes: [UInt8], file: String, parts: SharedParts = .builtIn
    ) throws -> DefinitionImporter {
        do throws(DefinitionError) {
            return try DefinitionLoader.load(bytes, file: file, parts: parts)
        } catch {
            throw Exit.failure(Exit.badDefinition, "\(error)")
        }
    }
}
