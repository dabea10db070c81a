import Delimited
import OpenAlloc

/// Reads openalloc rows as a JSON array of objects or as NDJSON; the unit is one object.
///
/// The whole input is held in memory: JSON tables are this tool's own output, not a brokerage's export.
enum TabularJSON {
    static func examine(_ sample: InputSample) -> Examination? {
        guard let first = firstObject(sample.head), let schema = schema(of: first) else { return nil }
        let names = names(of: first)
        let count = schema.schema.columns.filter { names.contains($0.name) }.count
        return Examination(
            score: 0.9, specificity: count * 5,
            evidence: ["the first object has \(count) members of \(schema.rawValue)"])
    }

    /// The first complete object of a prefix.
    private static func firstObject(_ head: [UInt8]) -> JSONNode? {
        guard let start = head.firstIndex(of: UInt8(ascii: "{")) else { return nil }
        var depth = 0
        var inString = false
        var isEscaped = false
        for i in start..<head.count {
            let byte = head[i]
            if isEscaped {
                isEscaped = false
            } else if inString {
                if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                inString = true
            } else if byte == UInt8(ascii: "{") {
                depth += 1
            } else if byte == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return try? JSONReader.parse(String(decoding: head[start...i], as: UTF8.self)) }
            }
        }
        return nil
    }

    private static func names(of node: JSONNode) -> Set<String> {
        guard case .object(let members) = node.kind else { return [] }
        return Set(members.map(\.name))
    }

    private static func schema(of node: JSONNode) -> SchemaID? {
        let names = names(of: node)
        var best: (SchemaID, Int)?
        for schema in SchemaID.allCases {
            let columns = schema.schema.columns
            guard columns.allSatisfy({ !$0.isRequired || $0.mayBeBlank || names.contains($0.name) }) else { continue }
            let count = columns.filter { names.contains($0.name) }.count
            if count > (best?.1 ?? 0) { best = (schema, count) }
        }
        return best?.0
    }

    static func read(_ input: any InputSource, _ sample: InputSample, into sink: any RecordSink) throws(InputError) {
        let raw = try input.bytes(at: 0, count: input.byteCount)
        let bytes = TextDecoder.decode(raw, as: sample.encoding)
        let first = bytes.first { !isSpace($0) }
        var units = 0
        bytes.withUnsafeBufferPointer { buffer in
            guard first != UInt8(ascii: "[") else {
                do throws(JSONError) {
                    try JSONReader.forEachElement(in: buffer) { node in
                        units += 1
                        take(node, bytes, sink)
                    }
                } catch {
                    units += 1
                    broken(error, bytes, sink)
                    readOn(after: error, bytes, &units, sink)
                }
                return
            }
            JSONReader.forEachLine(in: buffer) { line, range, result in
                units += 1
                switch result {
                case .success(let node?): take(node, bytes, sink)
                case .success(nil):
                    ByteView.with(Array(bytes[range])) {
                        sink.mark(SourceUnit(line: line, byteOffset: range.lowerBound, raw: $0), .blank, code: "")
                    }
                case .failure(let error): broken(error, bytes, sink)
                }
            }
        }
        sink.hasRead(units: units)
    }

    private static func broken(_ error: JSONError, _ bytes: [UInt8], _ sink: any RecordSink) {
        let end = bytes[min(error.offset, bytes.count)...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        ByteView.with(Array(bytes[min(error.offset, bytes.count)..<end])) { view in
            sink.reject(
                Finding(
                    .markupMalformed, value: error.code.rawValue,
                    reason: "this is not valid JSON (column \(error.column)).",
                    suggestion: "Correct the JSON at this place."),
                from: [SourceUnit(line: error.line, column: error.column, byteOffset: error.offset, raw: view)])
        }
    }

    /// What follows the line in which an array is broken: lines of one object, as this tool writes them, are read; lines
    /// side by side that are none are rejected together.
    private static func readOn(
        after error: JSONError, _ bytes: [UInt8], _ units: inout Int, _ sink: any RecordSink
    ) {
        let newline = UInt8(ascii: "\n")
        guard let end = bytes[min(error.offset, bytes.count)...].firstIndex(of: newline) else { return }
        var unread: (range: Range<Int>, line: Int)?
        func rejectUnread() {
            guard let lines = unread else { return }
            unread = nil
            units += 1
            ByteView.with(Array(bytes[lines.range])) { view in
                sink.reject(
                    Finding(
                        .markupMalformed,
                        reason: "the JSON is broken above, and this is no object on a line of its own.",
                        suggestion: "Correct line \(error.line)."),
                    from: [SourceUnit(line: lines.line, byteOffset: lines.range.lowerBound, raw: view)])
            }
        }
        var (start, line) = (end + 1, error.line + 1)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: newline) ?? bytes.count
            var (low, high) = (start, end)
            while low < high, isSpace(bytes[low]) { low += 1 }
            while high > low, isSpace(bytes[high - 1]) { high -= 1 }
            let isObject = low < high && bytes[low] == UInt8(ascii: "{")
            if high > low, bytes[high - 1] == UInt8(ascii: ",") || (isObject && bytes[high - 1] == UInt8(ascii: "]")) {
                high -= 1
            }
            let text = bytes[low..<high]
            if text.isEmpty || text.elementsEqual("]".utf8) {
                rejectUnread()
                units += 1
                ByteView.with(Array(text)) {
                    let unit = SourceUnit(line: line, byteOffset: low, raw: $0)
                    sink.mark(unit, text.isEmpty ? .blank : .footer, code: "")
                }
            } else if let node = try? JSONReader.parse(String(decoding: text, as: UTF8.self)), case .object = node.kind
            {
                rejectUnread()
                units += 1
                take(node, Array(text), line: line, offset: low, sink)
            } else {
                unread = ((unread?.range.lowerBound ?? low)..<high, unread?.line ?? line)
            }
            (start, line) = (end + 1, line + 1)
        }
        rejectUnread()
    }

    private static func take(_ node: JSONNode, _ bytes: [UInt8], _ sink: any RecordSink) {
        take(node, Array(bytes[node.range]), line: node.line, offset: node.range.lowerBound, sink)
    }

    private static func take(
        _ node: JSONNode, _ raw: [UInt8], line: Int, offset: Int, _ sink: any RecordSink
    ) {
        ByteView.with(raw) { view in
            let unit = SourceUnit(line: line, byteOffset: offset, raw: view)
            guard let schema = schema(of: node) else {
                let finding = Finding(
                    .fieldMissing, reason: "the object has not the required members of any openalloc schema.",
                    suggestion: "Compare it with ‘allocport schema NAME’.")
                return sink.reject(finding, from: [unit])
            }
            do throws(RowError) {
                let row = try schema.schema.decode(node)
                sink.acceptRows(
                    [TableRow(schema, schema.schema.allColumns.map { row[$0.name] ?? .null })], from: unit, warnings: []
                )
            } catch {
                sink.reject(Finding(error.code, column: error.column, value: error.value), from: [unit])
            }
        }
    }
}
