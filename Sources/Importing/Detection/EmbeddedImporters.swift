import Synchronization

/// The definitions that came with the program, in order of their ids. Each becomes an importer when it is asked for, for a
/// run needs few of hundreds.
package final class EmbeddedImporters: Sendable {
    let count: Int
    private let name: @Sendable (Int) -> String
    private let make: @Sendable (Int) -> EmbeddedImporter
    private let made: Mutex<[EmbeddedImporter?]>

    /// Of `count` definitions, by their numbers: what each is called (in rising order), and its importer.
    package init(
        count: Int, id: @escaping @Sendable (Int) -> String, make: @escaping @Sendable (Int) -> EmbeddedImporter
    ) {
        self.count = count
        name = id
        self.make = make
        made = Mutex(.init(repeating: nil, count: count))
    }

    /// Importers that are there already.
    convenience init(_ importers: [EmbeddedImporter]) {
        let sorted = importers.sorted { $0.id < $1.id }
        self.init(count: sorted.count, id: { sorted[$0].id }, make: { sorted[$0] })
    }

    /// The importer of a number, the same at each call: what it was read for is kept.
    subscript(number: Int) -> EmbeddedImporter {
        made.withLock { made in
            if let known = made[number] { return known }
            let fresh = make(number)
            made[number] = fresh
            return fresh
        }
    }

    /// The number of an id; nil where it is none of them.
    func number(of id: String) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if name(middle) < id { low = middle + 1 } else { high = middle }
        }
        return low < count && name(low) == id ? low : nil
    }
}
