/// What the readings of one run keep for the inputs that follow: what the rules make of the classes of a table's rows.
///
/// Thousands of small exports have one header and the same few classes; each would else work them out anew. Nothing of
/// it changes what comes out. One thread at a time uses it.
public final class ImportMemory {
    /// All that recipes depend on besides the rows of their classes.
    struct Key: Hashable {
        /// The definition; a run has one of each id.
        var definition: String
        /// Nil in the memory of a single input, which has one of everything.
        var options: ImportOptions?
        /// The table, and its header as the file has it.
        var table: Int
        var header: [String]
        var columns: [Int]
        /// The number style of every variable, which the file itself may have proven.
        var styles: [NumberStyle]
        /// The number of the header in a single input.
        var binding = -1
        /// The values that hold from line to line: from the file's name, from lines above, from the header.
        var context: [UInt8]
    }

    /// What is known of one table.
    final class Table {
        let key: Key
        /// Nil where rows depend on each other.
        let profile: RecipeProfile?
        /// Not here while a reading uses them.
        var recipes: RecipeTable?
        let lane: ClassLane?
        /// Whether its classes are not worth looking for.
        var isForgotten = false

        init(_ key: Key, _ profile: RecipeProfile?, _ lane: ClassLane?) {
            self.key = key
            self.profile = profile
            self.lane = lane
        }
    }

    /// What lanes are looked for by, before an input is read.
    private struct Likeness: Hashable {
        let importer: String
        let header: UInt64
    }

    /// What is known of inputs that begin alike.
    private final class Kind {
        /// The lane that they take, and a copy of its classes that nobody changes any more.
        @exclusivity(unchecked) var lane: ClassLane?
        @exclusivity(unchecked) var table: ClassTable?
        /// How many inputs have gone by it since it was copied.
        @exclusivity(unchecked) var uses = 0
        /// How many in a row took another lane than was thought.
        @exclusivity(unchecked) var misses = 0
        @exclusivity(unchecked) var opening: Opening?
        /// Whether one was read, and left no lane.
        @exclusivity(unchecked) var hasNone = false
    }

    /// A first line that is a header, and all that reading it comes to: the lane that is then open. Inputs whose other
    /// lines were guessed to be rows of that lane need no reading besides.
    final class Opening {
        /// With its line feed.
        let line: [UInt8]
        /// What the name of the input says.
        private let context: [(slot: Int, text: String)]
        let lane: ClassLane
        /// What differs from the definition.
        let drift: [String]

        init(line: [UInt8], context: [(slot: Int, text: String)], lane: ClassLane, drift: [String]) {
            (self.line, self.context, self.lane, self.drift) = (line, context, lane, drift)
        }

        /// Whether a name that says that says the same.
        func isOf(_ values: [(slot: Int, text: String)]) -> Bool {
            values.elementsEqual(context) { $0.slot == $1.slot && $0.text == $1.text }
        }
    }

    /// Where so many inputs in a row took another lane than was thought, each has its own.
    private static let mostMisses = 4
    /// So many inputs go by a copy before a few new classes are worth another.
    private static let usesOfCopy = 32

    private var tables: [Key: Table] = [:]
    private var kinds: [Likeness: Kind] = [:]
    /// The one that was asked for last: mostly it is asked for again.
    @exclusivity(unchecked) private var last: (likeness: Likeness, kind: Kind)?
    /// Files whose names or lines say different things each have a table of their own; so many are kept.
    private static let maximum = 128

    /// An empty memory.
    public init() {}

    func table(_ key: Key) -> Table? { tables[key] }

    func keep(_ table: Table) {
        if tables.count >= ImportMemory.maximum { tables.removeAll() }
        tables[table.key] = table
    }

    func forget(_ table: Table) {
        table.isForgotten = true
        tables[table.key] = nil
    }

    private func kind(of sample: InputSample, _ importer: String) -> Kind {
        if let last, last.likeness.header == sample.headerHash, last.likeness.importer == importer { return last.kind }
        let likeness = Likeness(importer: importer, header: sample.headerHash)
        let kind = kinds[likeness] ?? Kind()
        if kinds[likeness] == nil {
            if kinds.count >= ImportMemory.maximum { kinds.removeAll() }
            kinds[likeness] = kind
        }
        last = (likeness, kind)
        return kind
    }

    /// Keeps the lane that rows of an input took, for inputs that begin like it; nil when they took none.
    func keep(_ lane: ClassLane?, of sample: InputSample, importer: String) {
        let kind = kind(of: sample, importer)
        kind.hasNone = lane == nil || lane?.table.count == 0
        guard let lane, kind.lane !== lane else { return }
        (kind.lane, kind.table, kind.uses) = (lane, lane.table.frozen(), 0)
    }

    /// Whether an input is not worth a guess, as one that begins like it has shown.
    public func isHopeless(_ sample: InputSample, importer: String) -> Bool {
        let kind = kind(of: sample, importer)
        return kind.hasNone || kind.misses >= ImportMemory.mostMisses
    }

    /// Keeps what the first line of an input was.
    func keep(_ opening: Opening, of sample: InputSample, importer: String) {
        kind(of: sample, importer).opening = opening
    }

    /// What the first line of an input is if it is the one that was met last, and opens that lane; nil where the input's
    /// name says something else.
    func opening(of sample: InputSample, importer: String, lane: ClassLane) -> Opening? {
        guard let opening = kind(of: sample, importer).opening, opening.lane === lane, let values = sample.nameValues,
            opening.isOf(values)
        else { return nil }
        return opening
    }

    /// Whether a guess by that lane was any good.
    func note(isRight: Bool, of sample: InputSample, importer: String) {
        let kind = kind(of: sample, importer)
        kind.misses = isRight ? 0 : kind.misses + 1
    }

    /// The lane that an input will probably take, with classes that another thread may look at.
    func lane(of sample: InputSample, importer: String) -> (lane: ClassLane, table: ClassTable)? {
        let kind = kind(of: sample, importer)
        guard let lane = kind.lane, let table = kind.table, kind.misses < ImportMemory.mostMisses else { return nil }
        let new = lane.table.count - table.count
        // Copies cost: a few unknown classes are worked off by the run, for the more inputs the more there are.
        let most = ImportMemory.usesOfCopy + table.count / 4
        guard new > table.count / 8 || (new > 0 && kind.uses >= most) else {
            kind.uses += 1
            return table.count > 0 ? (lane, table) : nil
        }
        let fresh = lane.table.frozen()
        (kind.table, kind.uses) = (fresh, 0)
        return (lane, fresh)
    }
}
