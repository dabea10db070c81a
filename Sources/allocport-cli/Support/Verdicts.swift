import Allocport
import Importing

/// The verdicts of two whole conversions, line by line.
enum Verdicts {
    /// What differs, in words without values.
    static func differences(
        _ original: MemoryInput, _ copy: MemoryInput, _ set: ImporterSet, importer: String
    ) throws -> [String] {
        let first = try VerdictLines(original, set, importer)
        let second = try VerdictLines(copy, set, importer)
        var found: [String] = []
        var counts = (0, 0)
        while true {
            let (a, b) = (try first.next(), try second.next())
            counts = (counts.0 + (a == nil ? 0 : 1), counts.1 + (b == nil ? 0 : 1))
            if let a, let b, a != b { found.append("\(a), in the copy \(b)") }
            if a == nil, b == nil { break }
        }
        if counts.0 != counts.1 { found.insert("\(counts.0) lines became \(counts.1)", at: 0) }
        return found
    }
}

/// Line, outcome, code and schemas of every line of an input, as `rows.ndjson` has them.
private final class VerdictLines {
    private let folder: String
    private let rows: FileInput?
    private var position = 0
    /// What was read and not given out, from `start` on.
    private var bytes: [UInt8] = []
    private var start = 0

    /// Converts the input in a folder that goes away with the lines.
    init(_ input: MemoryInput, _ set: ImporterSet, _ importer: String) throws {
        guard let folder = FileSystem.temporaryFolder() else {
            throw Exit.failure(Exit.cannotWrite, "no temporary folder can be made")
        }
        self.folder = folder
        let path = "\(folder)/in/\(input.name)"
        let bytes = try WorkbenchInput.words { () throws(InputError) in try input.bytes(at: 0, count: input.byteCount) }
        guard FileSystem.write(bytes, to: path) == 0 else {
            throw Exit.failure(Exit.cannotWrite, "no temporary file can be written")
        }
        var options = RunOptions(outputFolder: "\(folder)/out")
        options.verdicts = true
        options.force = true
        options.maxRejects = .max
        options.importerID = importer
        _ = try Conversion(set: set, options: options, showsProgress: false).convert([path])
        rows = try? FileInput(path: "\(folder)/out/rows.ndjson")
    }

    deinit { FileSystem.remove(folder) }

    /// The next line's verdict; nil when there is no other.
    func next() throws -> String? {
        while true {
            if let end = bytes[start...].firstIndex(of: 0x0A) {
                let line = bytes[start..<end]
                start = end + 1
                return Self.verdict(String(decoding: line, as: UTF8.self))
            }
            bytes.removeFirst(start)
            start = 0
            let more = try WorkbenchInput.words { () throws(InputError) in
                try rows?.bytes(at: position, count: 1 << 16) ?? []
            }
            if more.isEmpty { return nil }
            position += more.count
            bytes += more
        }
    }

    private static func verdict(_ line: String) -> String {
        let verdict = line.firstRange(of: "\"line\":").map { line[$0.lowerBound...] } ?? line[...]
        let head = verdict.firstRange(of: ",\"rows\"").map { verdict[..<$0.lowerBound] } ?? verdict
        let schemas = line.split(separator: "\"schema\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        return head.filter { $0 != "\"" } + " " + schemas.joined(separator: " ")
    }
}
