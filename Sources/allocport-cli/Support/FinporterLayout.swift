import Delimited
import OpenAlloc

/// The account table as FINporter writes it, for scripts that call `transform` with one of its importer ids: an older
/// openalloc layout with `isActive`, and `false` where nothing is stated.
enum FinporterLayout {
    /// FINporter's importer ids, which our importers take as aliases.
    static let importerIDs: Set<String> = [
        "fido_history", "fido_positions", "fido_sales", "chuck_history", "chuck_positions_all", "chuck_positions_indiv",
        "chuck_sales", "alloc_smart", "tabular",
    ]

    private static let columns = ["accountID", "title", "isActive", "isTaxable", "canTrade", "accountStrategyID"]
    private static let flags: Set<String> = ["isActive", "isTaxable", "canTrade"]

    static func applies(importer: String?, schema: SchemaID) -> Bool {
        schema == .account && importer.map { importerIDs.contains($0) } ?? false
    }

    /// The account table with extended columns, laid out anew.
    static func accounts(_ table: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var places: [Int] = []
        var reader = DelimitedReader(dialect: .csv)
        reader.read(table) { (record: borrowing RecordView) in
            let cells = (0..<record.count).map { record.cell($0).string }
            if places.isEmpty {
                places = columns.map { cells.firstIndex(of: $0) ?? -1 }
                RFC4180.appendRow(columns.map { Array($0.utf8) }, to: &result)
                return
            }
            let row = zip(columns, places).map { name, place in
                let cell = place >= 0 && place < cells.count ? cells[place] : ""
                return cell.isEmpty && flags.contains(name) ? "false" : cell
            }
            RFC4180.appendRow(row.map { Array($0.utf8) }, to: &result)
        }
        return result
    }
}
