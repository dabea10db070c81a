import Testing

@testable import Zones

/// A small version-2 file: one type before 1970-01-02, another after, and a rule.
private func sample() -> [UInt8] {
    func word(_ value: Int32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * Int32($0))) } }
    func header(times: Int32, types: Int32, characters: Int32) -> [UInt8] {
        Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + [0, 0, 0, times, types, characters].flatMap(word)
    }
    let types = word(-3600) + [0, 0] + word(7200) + [1, 4]
    let moment: [UInt8] = [0, 0, 0, 0] + word(86_400)
    return header(times: 0, types: 1, characters: 1) + word(0) + [0, 0, 0] + header(times: 1, types: 2, characters: 8)
        + moment + [1] + types + Array("ABC\0DEF\0\nDEF-2\n".utf8)
}

@Suite struct TZifTests {
    @Test func readsTypesTransitionsAndRule() throws {
        let data = try #require(ZoneData(tzif: sample()))
        #expect(data.type(at: 86_399) == LocalType(offset: -3600, abbreviation: "ABC"))
        #expect(data.type(at: 86_400) == LocalType(offset: 7200, abbreviation: "DEF"))
        #expect(data.rule?.standard.offset == 7200)
    }

    @Test(.enabled(if: ZoneData.systemFile("Asia/Karachi") != nil))
    func zonesThatAreNotEmbeddedComeFromTheSystem() throws {
        #expect(!EmbeddedZones.zones.contains { $0.id == "Asia/Karachi" })
        #expect(try Zone.named("Asia/Karachi").offset(atUTC: 1_750_000_000) == 18_000)
        #expect(throws: ZoneError.self) { try Zone.named("Asia") }
        #expect(throws: ZoneError.self) { try Zone.named("zone1970") }
    }

    @Test func everyTruncationIsRefusedOrSound() {
        let whole = sample()
        for count in 0..<whole.count - 7 { #expect(ZoneData(tzif: Array(whole[..<count])) == nil, "\(count)") }
    }

    @Test func damagedBytesNeverCrash() {
        var state: UInt64 = 42
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = sample()
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
            }
            guard let data = ZoneData(tzif: bytes) else {
                refused += 1
                continue
            }
            _ = data.firstTransition(after: 0)
            _ = data.type(at: .max / 4_000_000)
        }
        #expect(refused > 1000)
    }
}
