/// What the readings of one run keep for the inputs that follow: what the rules make of the classes of a table's rows.
///
/// Thousands of small exports have one header and the same few classes; each would else work them out anew. Nothing of
/// it changes what comes out. One thread at a time uses it.
public final class ImportMemory {
    /// All that recipes depend on besides the rows of their classes.
    struct Key: Hashable {
        /// The definition; a run has one of each id.
        var definition: String
        var options: ImportOptions
        /// The table, and its header as the file has it.
        var table: Int
        var header: [String]
        var columns: [Int]
        /// The number style of every variable, which the file itself may have proven.
        var styles: [NumberStyle]
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

    /// A lane, and a copy of its classes that nobody changes any more.
    private struct Ahead {
        let lane: ClassLane
        var table: ClassTable
        /// How many inputs have gone by it since it was copied.
        var uses = 0
    }

    /// A first line that is a header, and all that reading it comes to: the lane that is then open. Inputs whose other
    /// lines were guessed to be rows of that lane need no reading besides.
    struct Opening {
        /// With its line feed.
        let line: [UInt8]
        /// What the name of the input says.
        let context: [(slot: Int, text: String)]
        let lane: ClassLane
        /// What differs from the definition.
        let drift: [String]
    }

    /// Where so many inputs in a row took another lane than was thought, each has its own.
    private static let mostMisses = 4
    /// So many inputs go by a copy before a few new classes are worth another.
    private static let usesOfCopy = 32

    private var tables: [Key: Table] = [:]
    private var ahead: [Likeness: Ahead] = [:]
    private var misses: [Likeness: Int] = [:]
    private var openings: [Likeness: Opening] = [:]
    /// Files whose names or lines say different things each have a table of their own; so many are kept.
    private static let maximum = 128

    /// An empty memory.
    public init() {}

    func table(_ key: Key) -> Table? { tables[key] }

    func keep(_ table: Table) {
        if tables.count >= ImportMemory.maximum { tables.removeAll() }
        tables[table.key] = table
    }

    func forget(_ table: Table) { tables[table.key] = nil }

    /// Keeps the lane that rows of an input took, for inputs that begin like it.
    func keep(_ lane: ClassLane, of sample: InputSample, importer: String) {
        let likeness = Likeness(importer: importer, header: sample.headerHash)
        if ahead[likeness]?.lane === lane { return }
        if ahead.count >= ImportMemory.maximum { ahead.removeAll() }
        ahead[likeness] = Ahead(lane: lane, table: lane.table.frozen())
    }

    /// Keeps what the first line of an input was.
    func keep(_ opening: Opening, of sample: InputSample, importer: String) {
        if openings.count >= ImportMemory.maximum { openings.removeAll() }
        openings[Likeness(importer: importer, header: sample.headerHash)] = opening
    }

    /// What the first line of an input is if it is the one that was met last.
    func opening(of sample: InputSample, importer: String) -> Opening? {
        openings[Likeness(importer: importer, header: sample.headerHash)]
    }

    /// Whether a guess by that lane was any good.
    func note(isRight: Bool, of sample: InputSample, importer: String) {
        let likeness = Likeness(importer: importer, header: sample.headerHash)
        misses[likeness] = isRight ? nil : misses[likeness, default: 0] + 1
    }

    /// The lane that an input will probably take, with classes that another thread may look at.
    func lane(of sample: InputSample, importer: String) -> (lane: ClassLane, table: ClassTable)? {
        let likeness = Likeness(importer: importer, header: sample.headerHash)
        guard let known = ahead[likeness], misses[likeness, default: 0] < ImportMemory.mostMisses else { return nil }
        let count = known.table.count
        let new = known.lane.table.count - count
        // Copies cost: a few unknown classes are worked off by the run, for some inputs.
        guard new > count / 8 || (new > 0 && known.uses >= ImportMemory.usesOfCopy) else {
            ahead[likeness]?.uses += 1
            return count > 0 ? (known.lane, known.table) : nil
        }
        let table = known.lane.table.frozen()
        ahead[likeness] = Ahead(lane: known.lane, table: table)
        return (known.lane, table)
    }
}
