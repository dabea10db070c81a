import Delimited
import Markup

/// The leaves of one aggregate by name: the first with a text, in document order.
struct OFXFields {
    private var places: [Int32] = []
    private var touched: [Int] = []
    private var aggregate: MarkupAggregate?

    /// Takes an aggregate. `unload()` must follow before the reader goes on, or its buffers are copied.
    mutating func load(_ aggregate: MarkupAggregate) {
        unload()
        self.aggregate = aggregate
        for index in 0..<aggregate.count {
            let id = Int(aggregate.name(at: index).id)
            if id >= places.count { places.append(contentsOf: repeatElement(-1, count: id + 1 - places.count)) }
            let known = Int(places[id])
            if known < 0 {
                touched.append(id)
            } else if !aggregate.textRange(at: known).isEmpty || aggregate.textRange(at: index).isEmpty {
                continue
            }
            places[id] = Int32(index)
        }
    }

    /// Lets go of the aggregate.
    mutating func unload() {
        for id in touched { places[id] = -1 }
        touched.removeAll(keepingCapacity: true)
        aggregate = nil
    }

    /// The place of the first element of a name.
    func index(_ name: ElementName) -> Int? {
        let id = Int(name.id)
        guard id < places.count, places[id] >= 0 else { return nil }
        return Int(places[id])
    }

    /// Whether the element is there, blank or not.
    func has(_ name: ElementName) -> Bool { index(name) != nil }

    /// Gives the text of an element; empty when it is absent.
    func with<R>(_ name: ElementName, _ body: (ByteView) -> R) -> R { with(at: index(name), body) }

    /// Gives the text of an element inside another one.
    func with<R>(_ name: ElementName, inside parent: ElementName, _ body: (ByteView) -> R) -> R {
        guard let aggregate, let start = index(parent) else { return body(.empty) }
        var found: Int?
        for place in start..<aggregate.subtreeEnd(at: start) where aggregate.name(at: place) == name {
            found = place
            break
        }
        return with(at: found, body)
    }

    private func with<R>(at place: Int?, _ body: (ByteView) -> R) -> R {
        guard let aggregate, let place else { return body(.empty) }
        let range = aggregate.textRange(at: place)
        return ByteView.with(aggregate.utf8) { body($0[range].trimmed()) }
    }

    /// Whether an element is absent or blank.
    func isBlank(_ name: ElementName) -> Bool { with(name) { $0.isEmpty } }

    /// The text of an element; allocates: for what is rare.
    func string(_ name: ElementName) -> String { with(name) { $0.string } }

    /// Whether an element's text is a word, case folded.
    func says(_ name: ElementName, _ word: StaticString) -> Bool {
        with(name) { view in
            word.withUTF8Buffer { buffer in
                guard view.count == buffer.count else { return false }
                for place in 0..<view.count where asciiLower(view[place]) != asciiLower(buffer[place]) { return false }
                return true
            }
        }
    }
}

/// FNV-1a over bytes with ASCII case folded: the key of ids that are compared often.
func foldedHash(_ view: ByteView) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for place in 0..<view.count { hash = (hash ^ UInt64(asciiLower(view[place]))) &* 0x100_0000_01b3 }
    return hash
}
