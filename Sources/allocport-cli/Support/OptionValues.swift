public import Allocport
public import ArgumentParser
import NearWords
import OpenAlloc
import Zones

/// The strict reading of option values: what is not understood is an error with a remedy, never a default.
enum OptionValues {
    /// Seconds after midnight of `HH:MM` or `HH:MM:SS`.
    static func secondOfDay(_ text: String, option: String) throws -> Int {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.map { part in
            part.utf8.count == 2 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) ?? -1 : -1
        }
        guard (2...3).contains(numbers.count), (0...23).contains(numbers[0]),
            numbers.dropFirst().allSatisfy({ (0...59).contains($0) })
        else {
            throw ValidationError("\(option): ‘\(text)’ is no time of day; write HH:MM, for example 09:30")
        }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }

    /// The zone's id, when there is such a zone.
    static func timeZone(_ text: String, option: String) throws -> String {
        do throws(ZoneError) {
            _ = try Zone.named(text)
            return text
        } catch {
            throw ValidationError("\(option): \(error)")
        }
    }

    /// The schema of a name: `openalloc/transaction`, `openalloc.transaction` or `transaction`.
    static func schema(_ text: String) throws -> SchemaID {
        if let schema = SchemaID(name: text) ?? SchemaID(name: "openalloc/\(text)") { return schema }
        let names = SchemaID.allCases.map { String($0.rawValue.dropFirst("openalloc/".count)) }
        let word = text.hasPrefix("openalloc/") ? String(text.dropFirst("openalloc/".count)) : text
        let hint = NearWords.nearest(to: word, among: names).map { ", did you mean ‘openalloc/\($0)’?" } ?? ";"
        throw ValidationError("there is no schema ‘\(text)’\(hint) `allocport list schemas` shows all")
    }
}

extension RunOptions.Format: ExpressibleByArgument {}
extension RunOptions.Columns: ExpressibleByArgument {}
extension RunOptions.Fees: ExpressibleByArgument {}
