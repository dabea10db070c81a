import Importing

/// Tables of earlier runs that lie in the folders of a run, each beside its report.
///
/// They say again what the exports say from which they were made. Read together with these, every event would count
/// twice, so they are read only where nothing else is: to put tables together.
struct EarlierTables {
    /// Those that were found in folders.
    var tables: [ListedFile] = []
    /// Whether anything else was found, or named, that is no table and no reject file of an earlier run.
    var hasSources = false

    /// Whether a file of a folder is the report of a run that wrote there.
    static func isReport(_ folder: String, _ name: String) -> Bool {
        name == "report.json" && OwnReport.isAt("\(folder)/\(name)")
    }

    /// Whether a file that was named is a table beside its report.
    func isTable(_ file: ListedFile) -> Bool {
        guard EarlierRun.isTable(file.name) else { return false }
        let folder = file.path.dropLast(file.name.utf8.count)
        return EarlierTables.isReport(folder.isEmpty ? "." : String(folder), "report.json")
    }

    /// Lists the tables with what was found, or passes them over.
    func settle(_ found: inout FoundInputs) {
        if hasSources {
            found.passedOver += tables.map { PassedOver(name: $0.name, reason: PassedOver.earlierTable) }
        } else {
            found.listed += tables
        }
    }
}

extension OwnReport {
    /// Whether the file at a path is a report or list of a run.
    static func isAt(_ path: String) -> Bool {
        guard let input = try? FileInput(path: path),
            let head = try? input.bytes(at: 0, count: min(1024, input.byteCount))
        else { return false }
        return OwnReport(head: head) != nil
    }
}
