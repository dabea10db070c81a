import Testing

@testable import Zones

/// A table of offsets says what the zone says, also on days on which clocks change.
@Suite struct ZoneOffsetTests {
    @Test(arguments: [
        "America/New_York", "Europe/Berlin", "UTC", "Asia/Tokyo", "America/Sao_Paulo", "Africa/Cairo", "Asia/Beirut",
        "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu",
    ])
    func agreesWithTheZone(_ name: String) throws {
        let zone = try Zone.named(name)
        var table = ZoneOffsetTable(zone: zone)
        for day in stride(from: -400, to: 48_300, by: 1) {
            // Twice each: what is looked up, and what is remembered.
            for second in [
                0, 1, 1_799, 1_800, 3_599, 5_400, 7_199, 9_000, 43_200, 84_600, 86_399, (day * 7_919) % 86_400,
            ] {
                let second = abs(second)
                #expect(
                    table.utcSeconds(daysSinceEpoch: day, secondOfDay: second)
                        == zone.utcSeconds(daysSinceEpoch: day, secondOfDay: second))
            }
        }
    }
}
