import Importing
import OpenAlloc

extension RunReport {
    /// The bytes of `report.json`.
    ///
    /// - Parameter version: of allocport.
    public func json(version: String) -> [UInt8] {
        var bytes: [UInt8] = []
        write(version: version) { bytes += $0 }
        return bytes
    }

    /// Hands out the same in pieces: of thousands of inputs it is many megabytes, which several threads make.
    func write(version: String, jobs: Int = 1, _ body: @escaping ([UInt8]) -> Void) {
        var json = JSONWriter(pretty: true)
        json.beginObject()
        json.member("allocport", version)
        json.member("valid", isValid)
        json.name("stats")
        stats(&json)
        json.name("inputs")
        json.beginArray()
        // Those that follow stand where the second does.
        var known = KnownRecognition()
        inputs.first?.write(&json, &known)
        body(json.bytes)
        json.forgetBytes()
        let (start, first, size) = (json, known, RunReport.inputsOfPiece)
        Parallel.inOrder((inputs.count + size - 2) / size, jobs: jobs) { [inputs] piece in
            var (json, known) = (start, first)
            for input in inputs[(1 + piece * size)..<min(1 + (piece + 1) * size, inputs.count)] {
                input.write(&json, &known)
            }
            return json.bytes
        } take: { bytes in
            body(bytes)
        }
        json.endArray()
        json.name("tables")
        json.array { json in for table in tables { table.write(&json) } }
        json.name("rejectFiles")
        json.array { json in for file in rejectFiles { file.write(&json) } }
        json.endObject()
        body(json.bytes)
        body([0x0A])
    }

    private static let inputsOfPiece = 48

    private func stats(_ json: inout JSONWriter) {
        let counts = outcomes
        json.object { json in
            json.member("inputs", inputs.count)
            json.member("units", inputs.reduce(0) { $0 + $1.units })
            json.name("outcomes")
            counts.write(&json)
            json.name("rejects")
            json.object { json in
                for (code, count) in rejectsByCode.sorted(by: { $0.key < $1.key }) { json.member(code, count) }
            }
            json.name("rows")
            json.object { json in
                json.member("made", rowsMade)
                json.member("written", rowsWritten)
                json.member("merged", rowsMerged)
            }
            json.name("passedOver")
            json.array { json in
                for item in passedOver {
                    json.object { json in
                        json.member("name", item.name)
                        json.member("reason", item.reason)
                    }
                }
            }
        }
    }
}

extension OutcomeCounts {
    func write(_ json: inout JSONWriter) {
        json.object { json in
            for outcome in Outcome.allCases where self[outcome] > 0 { json.member(outcome.rawValue, self[outcome]) }
        }
    }
}

/// What was said last of how an input was recognised: thousands of inputs have the same.
struct KnownRecognition {
    private var recognition: InputRecognition?
    fileprivate var bytes: [UInt8] = []
    /// The same of what became of the units, where nothing is to be said of single ones.
    private var units = -1
    private var outcomes = OutcomeCounts()
    fileprivate var unitBytes: [UInt8] = []

    /// Nothing yet.
    init() {}

    fileprivate mutating func keep(_ input: InputReport, bytes: ArraySlice<UInt8>) {
        recognition = input.recognition
        self.bytes = KnownRecognition.value(bytes)
    }

    fileprivate mutating func keep(unitsOf input: InputReport, bytes: ArraySlice<UInt8>) {
        guard input.isQuiet else { return }
        (units, outcomes) = (input.units, input.outcomes)
        unitBytes = KnownRecognition.value(bytes)
    }

    /// What separates members from the one before comes again by itself.
    private static func value(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(bytes.drop { $0 != UInt8(ascii: "\"") })
    }

    fileprivate func hasUnits(of input: borrowing InputReport) -> Bool {
        units == input.units && input.isQuiet && outcomes == input.outcomes
    }

    fileprivate func isOf(_ input: borrowing InputReport) -> Bool { recognition == input.recognition }
}

extension InputReport {
    func write(_ json: inout JSONWriter, _ known: inout KnownRecognition) {
        json.beginObject()
        json.member("name", name)
        json.member("sha256", sha256)
        json.member("bytes", bytes)
        if known.isOf(self) {
            json.again(known.bytes)
        } else {
            let start = json.bytes.count
            writeRecognition(&json)
            known.keep(self, bytes: json.bytes[start...])
        }
        if known.hasUnits(of: self) {
            json.again(known.unitBytes)
        } else {
            let start = json.bytes.count
            writeUnits(&json)
            known.keep(unitsOf: self, bytes: json.bytes[start...])
        }
        json.endObject()
    }

    /// Whether nothing is to be said of single units.
    fileprivate var isQuiet: Bool { errors.isEmpty && warnings.isEmpty }

    private func writeUnits(_ json: inout JSONWriter) {
        json.member("units", units)
        json.name("outcomes")
        outcomes.write(&json)
        json.member("balanced", isBalanced)
        json.name("errors")
        json.array { json in for issue in errors { issue.write(&json) } }
        json.name("warnings")
        json.array { json in for issue in warnings { issue.write(&json) } }
    }

    private func writeRecognition(_ json: inout JSONWriter) {
        json.member("format", format)
        json.member("encoding", encoding)
        json.member("importer", importer.map { .string($0) } ?? .null)
        json.member("exportedAt", exportedAt.map { .date($0) } ?? .null)
        json.member("score", InputReport.score(score))
        texts("evidence", evidence, &json)
        texts("drift", drift, &json)
        json.name("runnersUp")
        json.array { json in for candidate in runnersUp { candidate.write(&json) } }
    }

    private func texts(_ name: String, _ texts: [String], _ json: inout JSONWriter) {
        json.name(name)
        json.array { json in for text in texts { json.string(text) } }
    }

    /// A score with three decimals, so that it prints alike everywhere.
    static func score(_ score: Double) -> AllocValue {
        let thousandths = (min(max(score, 0), 1) * 1000).rounded()
        return .decimal(ExactDecimal(coefficient: Int128(thousandths), scale: 3) ?? .zero)
    }
}

extension ConsideredImporter {
    func write(_ json: inout JSONWriter) {
        json.object { json in
            json.member("importer", importerID)
            json.member("score", InputReport.score(examination.score))
            json.name("missing")
            json.array { json in for text in examination.missing { json.string(text) } }
        }
    }
}

extension Issue {
    func write(_ json: inout JSONWriter) {
        json.object { json in
            json.member("code", code)
            json.member("line", line.map { .int($0) } ?? .null)
            json.member("column", column)
            json.member("value", value)
            json.member("message", message)
            json.member("suggestion", suggestion)
        }
    }
}

extension RejectFileReport {
    func write(_ json: inout JSONWriter) {
        json.object { json in
            json.member("file", file)
            json.member("sha256", sha256)
        }
    }
}

extension TableReport {
    func write(_ json: inout JSONWriter) {
        json.object { json in
            json.member("schema", schema.rawValue)
            json.member("file", file)
            json.member("rows", rows)
            json.member("sha256", sha256)
        }
    }
}
