import Testing

@testable import Delimited

/// A record as a value, to compare.
struct Record: Equatable, CustomStringConvertible {
    var cells: [[UInt8]] = []
    var rawCells: [[UInt8]] = []
    var raw: [UInt8] = []
    var line = 0
    var lines = 0
    var offset = 0
    var sourceOffset: Int?
    var flags: RecordFlags = []
    var isBlank = false

    init(_ record: borrowing RecordView) {
        for index in 0..<record.count {
            cells.append(record.cell(index).array)
            rawCells.append(record.rawCell(index).array)
        }
        raw = record.rawBytes.array
        line = record.line
        lines = record.lineCount
        offset = record.byteOffset
        sourceOffset = record.sourceOffset
        flags = record.flags
        isBlank = record.isBlank
    }

    var texts: [String] { cells.map { String(decoding: $0, as: UTF8.self) } }
    var description: String { "\(line)+\(lines)@\(offset) \(texts) \(flags.rawValue)" }
}

/// Reads bytes in chunks of a size.
func records(
    _ bytes: [UInt8], dialect: Dialect = .csv, encoding: TextEncoding = .utf8, chunk: Int = .max, max: Int = 1 << 20,
    fast: Bool = true
) -> [Record] {
    var reader = DelimitedReader(dialect: dialect, encoding: encoding, maxRecordBytes: max, usesFastPath: fast)
    var result: [Record] = []
    bytes.withUnsafeBytes { all in
        var position = 0
        repeat {
            let end = chunk < all.count - position ? position + chunk : all.count
            let piece = UnsafeRawBufferPointer(rebasing: all[position..<end])
            position = end
            reader.feed(piece, isLast: position == all.count) { record in result.append(Record(record)) }
        } while position < all.count
    }
    return result
}

func records(_ text: String, dialect: Dialect = .csv, chunk: Int = .max, max: Int = 1 << 20) -> [Record] {
    records(Array(text.utf8), dialect: dialect, chunk: chunk, max: max)
}

@Suite struct ReadingRules {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var input: String
        var cells: [[String]]
        var flags: [RecordFlags]?
        var dialect = Dialect.csv
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "empty input", input: "", cells: []),
        Case(name: "plain", input: "a,b\nc,d\n", cells: [["a", "b"], ["c", "d"]]),
        Case(name: "no line end at the end", input: "a,b\nc,d", cells: [["a", "b"], ["c", "d"]]),
        Case(name: "empty line has no cell", input: "\n\na\n", cells: [[], [], ["a"]]),
        Case(name: "empty cells", input: ",\n\"\"\n,,x\n", cells: [["", ""], [""], ["", "", "x"]]),
        Case(name: "CR LF", input: "a\r\nb\r\n", cells: [["a"], ["b"]]),
        Case(name: "CR", input: "a\rb\r\rc\r", cells: [["a"], ["b"], [], ["c"]]),
        Case(name: "CR CR LF is one", input: "a\r\r\nb\r\r\n", cells: [["a"], ["b"]]),
        Case(name: "mixed line ends", input: "a\nb\r\nc\rd\r\r\ne", cells: [["a"], ["b"], ["c"], ["d"], ["e"]]),
        Case(name: "quoted", input: "\"a,b\",\"c\"\n", cells: [["a,b", "c"]], flags: [[]]),
        Case(name: "doubled", input: "\"a\"\"b\",\"\"\"\",x\n", cells: [["a\"b", "\"", "x"]], flags: [[]]),
        Case(name: "quoted line ends", input: "\"a\r\nb\",c\nd\n", cells: [["a\r\nb", "c"], ["d"]], flags: [[], []]),
        Case(
            name: "padding around quotes", input: "\"a\" ,  \"b\",\t\"c\"\t\n", cells: [["a", "b", "c"]], flags: [[]]),
        Case(name: "spaces are kept", input: " a , b\n", cells: [[" a ", " b"]], flags: [[]]),
        Case(name: "stray quote", input: "5\" PIPE CO,x\n", cells: [["5\" PIPE CO", "x"]], flags: [.strayQuote]),
        Case(
            name: "stray quotes that pair up", input: "a \"b\",\"c,d\"\n", cells: [["a \"b\"", "c,d"]],
            flags: [.strayQuote]),
        Case(
            name: "text after a quote", input: "1,\"Joint\" X1,\" BUY\"\n", cells: [["1", "\"Joint\" X1", " BUY"]],
            flags: [.textAfterQuote]),
        Case(
            name: "delimiter within, text after", input: "\"Doe, J\" X1,y\n", cells: [["\"Doe, J\" X1", "y"]],
            flags: [.textAfterQuote]),
        Case(
            name: "quotes in the text after", input: "\"a\" \"b,c\",d\n", cells: [["\"a\" \"b", "c\"", "d"]],
            flags: [[.textAfterQuote, .strayQuote]]),
        Case(
            name: "glued label", input: "\"Posted\"\"11/13/2020\",\"x\"\n", cells: [["Posted\"11/13/2020", "x"]],
            flags: [[]]),
        Case(
            name: "unclosed at the end", input: "a,\"b\nc,d\n", cells: [["a", "\"b"], ["c", "d"]],
            flags: [.unclosedQuote, []]),
        Case(
            name: "unclosed, closed by a later row's quote", input: "a,\"b,c\n1,\"x\",2\n",
            cells: [["a", "\"b", "c"], ["1", "x", "2"]], flags: [.unclosedQuote, []]),
        Case(
            name: "unclosed after a good cell", input: "\"x\",\"b,c\n\"y\",\"z\"\n",
            cells: [["x", "\"b", "c"], ["y", "z"]], flags: [.unclosedQuote, []]),
        Case(
            name: "unclosed twice, with a record between", input: "a,1,2,\"\nb,3,4,x\nc,5,6,\"\n",
            cells: [["a", "1", "2", "\nb,3,4,x\nc,5,6,"]], flags: [.hidesRecords]),
        Case(
            name: "unclosed twice, in one column of neighbours", input: "a,\"b,1,2\nc,d\",3,4\n",
            cells: [["a", "b,1,2\nc,d", "3", "4"]], flags: [.hidesRecords]),
        Case(
            name: "words and commas over lines", input: "a,\"one, two,\nthree, 4\",5,6\n",
            cells: [["a", "one, two,\nthree, 4", "5", "6"]], flags: [[]]),
        Case(name: "formula", input: "=\"12\",x\n", cells: [["=\"12\"", "x"]], flags: [[]]),
        Case(name: "NUL", input: "a\0b,\"c\0\"\nd\n", cells: [["a\0b", "c\0"], ["d"]], flags: [.nul, []]),
        Case(name: "semicolon", input: "a;1,5;\"x;y\"\n", cells: [["a", "1,5", "x;y"]], dialect: .semicolon),
        Case(name: "tab", input: "\ta\t\"b\tc\"\t\n", cells: [["", "a", "b\tc", ""]], dialect: .tsv),
        Case(name: "tab in a comma file", input: "a\tb,\"c\td\"\n", cells: [["a\tb", "c\td"]], flags: [[]]),
        Case(name: "pipe", input: "a|b|\n", cells: [["a", "b", ""]], dialect: .pipe),
    ]

    @Test(arguments: cases)
    func cells(_ example: Case) {
        for chunk in [Int.max, 1, 2, 3, 7] {
            let found = records(example.input, dialect: example.dialect, chunk: chunk)
            #expect(found.map(\.texts) == example.cells)
            if let flags = example.flags { #expect(found.map(\.flags) == flags) }
        }
    }
}
