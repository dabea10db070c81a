import Delimited
import OpenAlloc

/// What all rows of one class become: rows whose words are the same, and whose numbers have the same signs.
///
/// A file has few classes (actions × securities × accounts) and many rows. The rules of the definition are worked out
/// once for a class; its rows then only bring their numbers and dates.
final class Recipe {
    /// What a row of the class becomes.
    enum Verdict {
        /// The class was met once: most classes of a small file are, and cost no recipe.
        case unwritten
        /// The rules must be run for every row: something depends on a value that the class does not fix.
        case rules
        case mark(Outcome, why: String)
        case records
    }

    /// How one record of the class takes its row's values; not changed any more once its recipe is written.
    final class Part {
        @exclusivity(unchecked) var numbers: [(field: Record.Number, slot: Int)] = []
        @exclusivity(unchecked) var computed: [Computed] = []
        @exclusivity(unchecked) var moments: [(field: Record.Moment, slot: Int)] = []
        @exclusivity(unchecked) var texts: [(field: Record.Text, slot: Int)] = []
        @exclusivity(unchecked) var amountsAreSigned = true
        @exclusivity(unchecked) var unitsAreSigned = true
        @exclusivity(unchecked) var paid = RecordBuilder.Paid.either
        @exclusivity(unchecked) var priceUnit = PriceUnit.share
        /// The date of the price that the class has; nil when it is the export's, which is the input's own.
        @exclusivity(unchecked) var pricedAt: Instant?
        /// The price that the class has, none where the row brings it: a price in another currency is moved away.
        @exclusivity(unchecked) var price: [ExactDecimal] = []
        /// How many text bytes of the record belong to the class.
        @exclusivity(unchecked) var textMark = 0
    }

    /// A number that is worked out of the row's.
    struct Computed: Hashable {
        let field: Record.Number
        let number: RowNumber
        /// The sign that all rows of the recipe have.
        let sign: Int
    }

    @exclusivity(unchecked) var verdict = Verdict.unwritten
    /// What its rows have in common besides the class.
    @exclusivity(unchecked) var guards: [RecipeGuard] = []
    /// Variables of its group that rules have set.
    @exclusivity(unchecked) var groupWords: [(slot: Int, bytes: [UInt8])] = []
    /// Variables of its group that have the cell of another.
    @exclusivity(unchecked) var groupCells: [(slot: Int, cell: Int)] = []
    /// The recipe for rows of the class that answer otherwise.
    @exclusivity(unchecked) var next: Recipe?
    @exclusivity(unchecked) var parts: [Part] = []
    /// The records of the class with their texts; numbers and dates are set for every row.
    @exclusivity(unchecked) var records: [Record] = []
    /// The class: its words, and the signs of its numbers.
    @exclusivity(unchecked) var key: [UInt8] = []
    /// What it has in common with other classes, once a lane has asked.
    @exclusivity(unchecked) var form: LaneForm?
    /// How many plain rows of the class a lane has met while it did not know it, and how often the sink was asked.
    @exclusivity(unchecked) var rows = 0
    @exclusivity(unchecked) var attempts = 0
    /// How many rows went by the rules rather than by a recipe that would be forgotten.
    @exclusivity(unchecked) var waiting = 0

    /// Gives back what was worked out, until a row wants it again.
    func forget() {
        guard case .records = verdict else { return }
        verdict = .unwritten
        (parts, records, guards, groupWords, groupCells, form) = ([], [], [], [], [], nil)
    }
}

/// The recipes of a table, found by what the row says.
final class RecipeTable {
    /// Variables whose words make the class.
    let words: FlatMemory<Int>
    /// Variables of which only the sign counts.
    let numbers: FlatMemory<NumberSlot>
    /// Variables of which only counts whether they are blank.
    let moments: FlatMemory<MomentSlot>
    /// Texts of which only counts whether they are blank.
    let copied: FlatMemory<Int>
    /// Words that must be numbers.
    let tested: FlatMemory<Int>

    struct NumberSlot: BitwiseCopyable {
        var slot: Int
        /// Whether a rule reads more of it than a number.
        var isRead: Bool
        /// Whether its words make the class where it is none.
        var mayBeText: Bool
    }

    struct MomentSlot: BitwiseCopyable {
        var slot: Int
        /// Whether rules cut something out of its text.
        var isCut: Bool
    }

    @exclusivity(unchecked) private var hashes: [UInt64]
    @exclusivity(unchecked) private var recipes: [Recipe?]
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var misses = 0
    /// Whether a class was met again.
    @exclusivity(unchecked) private(set) var isUsed = false
    /// Rows of classes that were met before, whatever road they took.
    @exclusivity(unchecked) private var hits = 0
    @exclusivity(unchecked) private var lastMiss = 0
    @exclusivity(unchecked) private var key: [UInt8] = []
    @exclusivity(unchecked) private var hash: UInt64 = 0
    private static let maximum = 1 << 15
    private static let trial = 4096
    /// So many classes are thought to have more rows.
    private static let classesAtOnce = 128

    init(_ profile: RecipeProfile) {
        words = FlatMemory(profile.words)
        numbers = FlatMemory(
            profile.numbers.map {
                NumberSlot(
                    slot: $0, isRead: profile.cellRules.readNumbers.contains($0),
                    mayBeText: profile.mayBeText.contains($0))
            })
        moments = FlatMemory(profile.moments.map { MomentSlot(slot: $0, isCut: profile.cellRules.cuts($0)) })
        tested = FlatMemory(profile.tested)
        copied = FlatMemory(profile.copied)
        hashes = .init(repeating: 0, count: 16)
        recipes = .init(repeating: nil, count: 16)
    }

    /// When most rows are classes of their own, looking for classes costs more than it saves.
    var isWorthwhile: Bool { misses < RecipeTable.trial || misses < hits }

    /// A row of an unknown class stands on a line.
    func miss(at line: Int) {
        misses += 1
        hits += max(0, line - lastMiss - 1)
        lastMiss = line
    }

    /// Rows that found a recipe, and whether any could go by one.
    @exclusivity(unchecked) private var left = 0
    private static let mostLeft = 256

    /// Notes whether a row could go by its recipe; false once it is clear that none will.
    func note(isTaken: Bool) -> Bool {
        if left < 0 { return true }
        left = isTaken ? -1 : left + 1
        return left < RecipeTable.mostLeft
    }

    /// Another input begins.
    func beginInput() { lastMiss = .max }

    /// Whether a class that was met once will probably be met again.
    var isFrequented: Bool { misses <= RecipeTable.classesAtOnce || misses < hits }

    /// Forgets all classes: what holds from line to line has changed.
    func removeAll() {
        for i in recipes.indices { recipes[i] = nil }
        count = 0
    }

    func beginKey() { key.removeAll(keepingCapacity: true) }
    func append(_ view: ByteView) {
        view.withUnsafeBytes { key.append(contentsOf: $0) }
        key.append(0x1F)
    }
    func append(_ byte: UInt8) { key.append(byte) }

    /// The recipe of the class whose key was appended.
    func find() -> Recipe? {
        hash = ByteHash.of(key)
        let mask = recipes.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while let recipe = recipes[place] {
            if hashes[place] == hash, recipe.key == key {
                isUsed = true
                return recipe
            }
            place = (place + 1) & mask
        }
        return nil
    }

    /// Keeps a recipe for the class last looked for.
    func insert(_ recipe: Recipe) {
        if count >= Self.maximum { removeAll() }
        if count * 2 >= recipes.count { grow() }
        recipe.key = key
        place(recipe, hash)
        count += 1
    }

    private func place(_ recipe: Recipe, _ hash: UInt64) {
        let mask = recipes.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while recipes[place] != nil { place = (place + 1) & mask }
        recipes[place] = recipe
        hashes[place] = hash
    }

    /// Most files have few classes: the table starts small.
    private func grow() {
        let (oldRecipes, oldHashes) = (recipes, hashes)
        recipes = .init(repeating: nil, count: oldRecipes.count * 2)
        hashes = .init(repeating: 0, count: oldRecipes.count * 2)
        for (index, recipe) in oldRecipes.enumerated() { if let recipe { place(recipe, oldHashes[index]) } }
    }
}

/// A fast hash of bytes for tables in memory; never leaves the process.
enum ByteHash {
    static func of(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { buffer in
            var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(buffer.count)
            var i = 0
            while i + 8 <= buffer.count {
                let word = buffer.loadUnaligned(fromByteOffset: i, as: UInt64.self)
                let wide = (hash ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
                hash = wide.high ^ wide.low
                i += 8
            }
            var rest: UInt64 = 0
            while i < buffer.count {
                rest = rest << 8 | UInt64(buffer[i])
                i += 1
            }
            let wide = (hash ^ rest).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
            return wide.high ^ wide.low
        }
    }
}
