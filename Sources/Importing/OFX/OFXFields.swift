import Delimited
import Markup

/// The leaves of one aggregate by name: the first with a text, in document order.
struct OFXFields {
    private var aggregate: MarkupAggregate?

    /// Takes an aggregate. `unload()` must follow before the reader goes on, or its memory is not used again.
    mutating func load(_ aggregate: MarkupAggregate) { self.aggregate = aggregate }

    /// Lets go of the aggregate.
    mutating func unload() { aggregate = nil }

    /// The place of the first element of a name.
    func index(_ name: ElementName) -> Int? {
        guard let place = aggregate?.first(name), place >= 0 else { return nil }
        return place
    }

    /// Whether the element is there, blank or not.
    func has(_ name: ElementName) -> Bool { index(name) != nil }

    /// Gives the text of an element; empty when it is absent.
    func with<R>(_ name: ElementName, _ body: (ByteView) -> R) -> R { with(at: index(name), body) }

    /// Gives the text of an element inside another one.
    func with<R>(_ name: ElementName, inside parent: ElementName, _ body: (ByteView) -> R) -> R {
        guard let aggregate, let start = index(parent) else { return body(.empty) }
        let found = aggregate.first(name, within: start)
        return with(at: found < 0 ? nil : found, body)
    }

    /// Gives the text of an element of the first among several parents of which another element is one of these words.
    func with<R>(
        _ name: ElementName, inside parent: ElementName, where other: ElementName, is words: [StaticString],
        _ body: (ByteView) -> R
    ) -> R {
        guard let aggregate else { return body(.empty) }
        for start in 0..<aggregate.count where aggregate[start].name == parent {
            let isMeant = with(at: known(aggregate.first(other, within: start))) { text in
                words.contains { text.equalsIgnoringCase($0) }
            }
            if isMeant { return with(at: known(aggregate.first(name, within: start)), body) }
        }
        return body(.empty)
    }

    private func known(_ place: Int) -> Int? { place < 0 ? nil : place }

    @inline(__always)
    private func with<R>(at place: Int?, _ body: (ByteView) -> R) -> R {
        guard let aggregate, let place else { return body(.empty) }
        // The reader has trimmed it.
        return ByteView.with(aggregate.text(at: place), body)
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
