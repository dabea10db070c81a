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

    /// Hands out the same in pieces: of thousands of inputs it is many megabytes.
    func write(version: String, _ body: ([UInt8]) -> Void) {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("allocport", version)
            json.member("valid", isValid)
            json.name("stats")
            stats(&json)
            json.name("inputs")
            var known = KnownRunnersUp()
            json.array { json in
                for input in inputs {
                    input.write(&json, &known)
                    if json.bytes.count >= 1 << 16 {
                        body(json.bytes)
                        json.forgetBytes()
                    }
                }
            }
            json.name("tables")
            json.array { json in for table in tables { table.write(&json) } }
        }
        body(json.bytes)
        body([0x0A])
    }

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

/// The runners-up that were written last, and how: thousands of inputs have the same.
struct KnownRunnersUp {
    var candidates: [Candidate] = []
    var bytes: [UInt8] = []
}

extension InputReport {
    func write(_ json: inout JSONWriter, _ known: inout KnownRunnersUp) {
        json.object { json in
            json.member("name", name)
            json.member("sha256", sha256)
            json.member("bytes", bytes)
            json.member("format", format)
            json.member("encoding", encoding)
            json.member("importer", importer.map { .string($0) } ?? .null)
            json.member("exportedAt", exportedAt.map { .date($0) } ?? .null)
            json.member("score", InputReport.score(score))
            texts("evidence", evidence, &json)
            texts("drift", drift, &json)
            json.name("runnersUp")
            if !known.bytes.isEmpty, known.candidates == runnersUp {
                json.again(known.bytes)
            } else {
                let start = json.bytes.count
                json.array { json in for candidate in runnersUp { candidate.write(&json) } }
                known = KnownRunnersUp(candidates: runnersUp, bytes: Array(json.bytes[start...]))
            }
            json.member("units", units)
            json.name("outcomes")
            outcomes.write(&json)
            json.member("balanced", isBalanced)
            json.name("errors")
            json.array { json in for issue in errors { issue.write(&json) } }
            json.name("warnings")
            json.array { json in for issue in warnings { issue.write(&json) } }
        }
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

extension Candidate {
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
