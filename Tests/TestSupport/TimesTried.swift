/// Tries a property on many items, several at a time.
///
/// - Parameter body: says how often the property was tried on an item.
/// - Returns: how often that was in all: a test that passes over every item shows nothing.
package func timesTried<Item: Sendable>(
    over items: [Item], _ body: @escaping @Sendable (Item) throws -> Int
) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
        for item in items { group.addTask { try body(item) } }
        return try await group.reduce(0, +)
    }
}
