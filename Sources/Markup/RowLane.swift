public import Digests

/// The rows of a source that go the short way: those whose tags are the same bytes as those of a row that was read
/// element by element, in the same list. What the readers make of a row depends on its tags, on which values are empty,
/// and on where it stands; so they would make the same of it, but for the values.
public final class RowLane {
    let trie: RowTrie
    let row = MarkupRow()
    /// A row has just been read element by element: others may follow, and it may be learned.
    @exclusivity(unchecked) public var isAfterRow = false
    /// Something was read around since the last row.
    @exclusivity(unchecked) var hadIssue = false
    /// The handler has refused the row, which is known.
    @exclusivity(unchecked) var isKnown = false
    /// Where rows begin, by the element that they stand in and how deep.
    @exclusivity(unchecked) private var roots: [(parent: ElementName, depth: Int, root: Int32)] = []
    @exclusivity(unchecked) private var current = -1
    /// Rows that could not be learned, one after the other.
    @exclusivity(unchecked) private var failures = 0
    /// What rows of the shapes have in common, by the number of a shape.
    private var samples: [RowSamples] = []
    /// How many rows of a shape are looked at for that, and every how manieth row.
    private let sampleCount: Int
    private var sampleStep: Int
    @exclusivity(unchecked) private var untilSample: Int

    private static let maximumFailures = 256
    private static let maximumRoots = 64
    private static let longestStep = 1024

    /// A lane for rows that are elements with values between tags, or one tag with values in quotes.
    ///
    /// - Parameters:
    ///   - shortcutsAfter: of so many rows of a shape, and of every so manieth row, is learned what they have in common.
    ///   - digests: what is made beside following rows.
    public init(isQuoted: Bool = false, shortcutsAfter: Int = 16, digests: DigestSteps = DigestSteps()) {
        trie = RowTrie(isQuoted: isQuoted)
        trie.digests = digests
        sampleCount = shortcutsAfter
        sampleStep = shortcutsAfter
        untilSample = shortcutsAfter
    }

    /// Where rows within `parent` begin; −1 when none is known.
    @inline(__always)
    func root(_ parent: ElementName, _ depth: Int) -> Int32 {
        if current >= 0, roots[current].parent == parent, roots[current].depth == depth {
            return roots[current].root
        }
        return otherRoot(parent, depth)
    }

    @inline(never)
    private func otherRoot(_ parent: ElementName, _ depth: Int) -> Int32 {
        current = roots.firstIndex { $0.parent == parent && $0.depth == depth } ?? -1
        if current < 0, roots.count < Self.maximumRoots {
            current = roots.count
            roots.append((parent, depth, -1))
        }
        return current < 0 ? -1 : roots[current].root
    }

    /// Whether the row that was read last is to be learned.
    var wantsToLearn: Bool { !isKnown && !hadIssue && failures < Self.maximumFailures }

    /// Learns a row of the list that `root` was asked for last.
    func learn(
        _ bytes: UnsafeBufferPointer<UInt8>, readable: Int, as store: AggregateStore, _ names: NameTable,
        lastHoisted: ElementName, endsLine: Bool
    ) {
        guard current >= 0, !store.isIncomplete, !store.isTruncated,
            let elements = trie.learn(bytes, readable: readable, as: store, names, root: &roots[current].root)
        else {
            failures += 1
            return
        }
        failures = 0
        row.shapes.append(
            RowShape(
                example: MarkupAggregate(store: store).copy(), elements: elements, lineCount: Self.lineCount(bytes),
                lastHoisted: lastHoisted, endsLine: endsLine))
    }

    /// Learns a row that is one tag.
    func learn(
        _ bytes: UnsafeBufferPointer<UInt8>, readable: Int, as element: ElementName,
        _ attributes: borrowing MarkupAttributes, _ names: NameTable
    ) {
        guard current >= 0,
            trie.learn(bytes, readable: readable, as: element, attributes, names, root: &roots[current].root)
        else {
            failures += 1
            return
        }
        failures = 0
        row.shapes.append(
            RowShape(
                element: element, attributes: (0..<attributes.count).map { attributes.name(at: $0) },
                lineCount: Self.lineCount(bytes)))
    }

    /// Looks at a row that was taken, now and then. `learn` was called for its list, or `root` was asked for last.
    @inline(__always)
    func look(_ memory: UnsafePointer<UInt8>, from start: Int, end: Int, limit: Int) {
        untilSample &-= 1
        if untilSample == 0 { sample(memory, from: start, end: end, limit: limit) }
    }

    @inline(never)
    private func sample(_ memory: UnsafePointer<UInt8>, from start: Int, end: Int, limit: Int) {
        let shape = row.shapeNumber
        while samples.count <= shape { samples.append(RowSamples()) }
        if samples[shape].isDone { sampleStep = min(sampleStep + sampleCount, Self.longestStep) }
        untilSample = sampleStep
        guard !samples[shape].isDone, current >= 0 else { return }
        let (way, wayEnd) = trie.way(memory, from: start, limit: limit, root: roots[current].root)
        guard wayEnd == end else { return }
        for run in samples[shape].take(way, memory, from: start, end: end, wanted: sampleCount) {
            if trie.addShortcut(past: run, of: way, memory, from: start, root: &roots[current].root) {
                row.shortcutValues.append(run)
            }
        }
    }

    /// Whether rows are known or may still be learned.
    var isUseful: Bool { trie.shapeCount > 0 || failures < Self.maximumFailures }

    private static func lineCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var tracker = PositionTracker(encoding: .utf8, skipped: 0)
        tracker.advance(bytes)
        return tracker.position.line - 1
    }
}
