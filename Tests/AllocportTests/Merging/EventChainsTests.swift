import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Events of two reports are held against each other in little memory, and found as a plain search finds them.
@Suite struct EventChainsTests {
    private static func event(_ random: inout SplitMix64) throws -> RowMatch.Event {
        let row = try #require(
            ToldRows.Row(
                topic: 0, day: Int.random(in: 0..<12, using: &random),
                units: ExactDecimal(Int.random(in: 1...3, using: &random)), price: nil, isMerged: false))
        return RowMatch.Event(row, ToldRows.Topic(sort: .trade, account: 0, security: 0), input: 0)
    }

    private static func key(_ event: RowMatch.Event) -> RowMatch.Key? {
        event.units.map { RowMatch.Key(security: event.security, units: $0) }
    }

    /// What is left out, because it is matched or too old, never comes back; days rise from call to call.
    @Test(arguments: [1, 7, 60, 500])
    func findTheFirst(_ count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        for _ in 0..<40 {
            var events = try (0..<count).map { _ in try Self.event(&random) }.sorted { $0.day < $1.day }
            let wanted = try (0..<count).map { _ in try Self.event(&random) }.sorted { $0.day < $1.day }
            var chains = EventChains(events, Self.key)
            for event in wanted {
                let key = try #require(Self.key(event))
                let days = event.day - 2...event.day + 2
                let isOdd = Bool.random(using: &random)
                func fits(_ other: RowMatch.Event) -> Bool { !isOdd || other.day % 2 == 1 }
                let candidates = events.indices.filter {
                    !events[$0].isMatched && Self.key(events[$0]) == key && days.contains(events[$0].day)
                }
                let expected = candidates.prefix(64).first { fits(events[$0]) }
                let found = chains.first(of: key, events, since: days.lowerBound, until: days.upperBound) {
                    Self.key($0) == key ? fits($0) : nil
                }
                #expect(found == expected)
                if let found { events[found].isMatched = true }
            }
        }
    }

    /// Of none there is no chain to ask.
    @Test func ofNoEvents() { #expect(EventChains([], Self.key).isEmpty) }

    @Test func takeLittleMemory() {
        #expect(MemoryLayout<ToldRows.Row>.stride == 24)
        #expect(MemoryLayout<RowMatch.Event>.stride == 32)
    }

    @Test(
        arguments: [
            ("5", "12.5", "12.5"), ("-0.00000001", "0.1", "0.1"), ("9223372036854775807", "2147483647", "2147483647"),
            ("1", "1234.56789012345", "1234.567890"), ("1", "2147483648", nil), ("1", nil, nil),
        ] as [(String, String?, String?)])
    func numbersAreKept(_ units: String, _ price: String?, _ told: String?) throws {
        let exact = try #require(ExactDecimal(exactly: units))
        let numbers = try #require(ToldNumbers(units: exact, price: price.flatMap { ExactDecimal(exactly: $0) }))
        #expect(numbers.units == exact)
        #expect(numbers.price == told.flatMap { ExactDecimal(exactly: $0) })
    }

    @Test func unitsOfTooManyDigitsAreNotTold() throws {
        #expect(ToldNumbers(units: try #require(ExactDecimal(exactly: "92233720368547758.08")), price: nil) == nil)
    }
}
