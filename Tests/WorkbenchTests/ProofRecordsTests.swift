import OpenAlloc
import Testing

@testable import Importing

/// What a proof keeps of a record is given back as it was.
@Suite struct ProofRecordsTests {
    private static func records() -> [Record] {
        let numbers = [
            "0", "-0.01", "1", "63", "64", "-64", "-65", "12345.678", "170141183460469231731687303715884105727",
            "-99999999999999999999999999999999999999", "0.00000000000000000000000000000000000001",
        ]
        let texts = ["A", String(repeating: "long ", count: 200), "Ä€", ""]
        return (0..<64).map { index in
            var record = Record()
            record.kind = RecordKind.allCases[index % RecordKind.allCases.count]
            record.priceUnit = index % 3 == 0 ? .contract : .share
            record.isTaxable = [nil, true, false][index % 3]
            record.isReversal = index % 2 == 0
            for (place, text) in Record.Text.allCases.enumerated() where (place + index) % 4 != 0 {
                record.set(text, texts[(place + index) % texts.count])
            }
            for (place, number) in Record.Number.allCases.enumerated() where (place + index) % 5 != 0 {
                record[number] = ExactDecimal(exactly: numbers[(place * 3 + index) % numbers.count])
            }
            for (place, moment) in Record.Moment.allCases.enumerated() where (place + index) % 3 != 0 {
                let seconds: Int64 = [0, -1, -2_000_000_000, 1_704_067_200, 253_402_300_799][(place + index) % 5]
                record[moment] = Instant(secondsSince1970: seconds)
            }
            return record
        }
    }

    @Test func givesBackWhatIsCompared() throws {
        let records = Self.records()
        var kept = ProofRecords()
        for record in records { kept.append(record) }
        var reader = ProofRecords.Reader()
        for (index, record) in records.enumerated() {
            reader.next(of: kept)
            let found = reader.record
            #expect(AnonymityProof.difference(found, record, days: 0, factor: 1) == nil, "record \(index)")
            for text in AnonymityProof.identity + [.description] { #expect(found.bytes(text) == record.bytes(text)) }
            for number in Record.Number.allCases { #expect(found[number] == record[number], "\(index) \(number)") }
            for moment in Record.Moment.allCases { #expect(found[moment] == record[moment], "\(index) \(moment)") }
        }
    }
}
