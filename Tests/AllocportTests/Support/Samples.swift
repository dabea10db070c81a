import Allocport
import Delimited
import Importing
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An export of the repository's samples, or of a folder that a variable of the environment names.
struct Sample: Sendable, CustomTestStringConvertible {
    let path: String
    var name: String { String(path.split(separator: "/").last ?? "") }
    var testDescription: String { path.split(separator: "/").suffix(4).joined(separator: "/") }

    var bytes: [UInt8] {
        guard let input = try? FileInput(path: path) else { return [] }
        return (try? input.bytes(at: 0, count: input.byteCount)) ?? []
    }

    /// How often a property is tried on each sample; `FUZZ_ITERATIONS` raises it.
    static let effort = max(1, iterations(1))

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The samples, and the files of `ALLOCPORT_CORPUS` up to a size.
    static let all: [Sample] = {
        var paths = files(Repository.root + "/SampleData").filter { !$0.contains("/expected/") }
        if let corpus = environment("ALLOCPORT_CORPUS") { paths += files(corpus) }
        return paths.map(Sample.init).filter { !$0.name.hasSuffix(".md") && $0.isSmall }
    }()

    private var isSmall: Bool { ((try? FileInput(path: path))?.byteCount ?? .max) < 1 << 20 }

    private static func files(_ folder: String) -> [String] {
        TemporaryFolder.entries(folder).flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            var info = stat()
            guard stat(path, &info) == 0 else { return [] }
            return info.st_mode & S_IFMT == S_IFDIR ? files(path) : [path]
        }
    }
}

/// A text cut into its physical lines, each with its line end.
struct Lines {
    var lines: [[UInt8]] = []

    init(_ bytes: [UInt8]) {
        var line: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            line.append(byte)
            index += 1
            if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { continue }
            if byte == 0x0A || byte == 0x0D {
                lines.append(line)
                line = []
            }
        }
        if !line.isEmpty { lines.append(line) }
    }

    /// The text of a line without its end.
    func text(_ index: Int) -> [UInt8] { Lines.text(lines[index]) }

    static func text(_ line: [UInt8]) -> [UInt8] {
        var line = line
        while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
        return line
    }
}

/// A sample, converted, and its lines by what became of them.
struct Dissected {
    let name: String
    let account: String?
    let whole: Converted
    let lines: Lines
    /// The verdicts, each with the lines of its record.
    let records: [(verdict: Verdict, lines: Range<Int>)]

    /// Nil when no built-in importer reads it, or it yields no transactions.
    init?(_ sample: Sample) throws {
        let bytes = sample.bytes
        let input = MemoryInput(name: sample.name, bytes: bytes)
        guard let looked = try? InputSample(input), looked.format == .delimited else { return nil }
        var text = TextDecoder.decode(bytes, as: looked.encoding)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        let first = try convertBuiltIn([(sample.name, text)])
        let isAssumed = first.firstInput?.warnings.contains { $0.code == "account.assumed" } ?? false
        let account = isAssumed ? "TEST-1" : nil
        whole = try convertBuiltIn([(sample.name, text)]) {
            $0.account = account
            $0.verdicts = true
        }
        guard whole.firstInput?.importer != nil, !whole.transactions.rows.isEmpty else { return nil }
        let lines = Lines(text)
        // Rows of one event are decided together, after lines between them.
        let verdicts = whole.verdicts.sorted { $0.line < $1.line }
        var records: [(verdict: Verdict, lines: Range<Int>)] = []
        for (index, verdict) in verdicts.enumerated() {
            let end = index + 1 < verdicts.count ? verdicts[index + 1].line - 1 : lines.lines.count
            records.append((verdict, verdict.line - 1..<max(end, verdict.line - 1)))
        }
        name = sample.name
        self.account = account
        self.lines = lines
        self.records = records
    }

    /// The file with only some of its rows; what is no row stays.
    func piece(_ isKept: (Int) -> Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, record) in records.enumerated() where isKept(index) {
            for line in record.lines {
                if !bytes.isEmpty, bytes.last != 0x0A, bytes.last != 0x0D { bytes.append(0x0A) }
                bytes += lines.lines[line]
            }
        }
        return bytes
    }
}
