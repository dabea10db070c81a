/// One program that does the job of a case.
struct Contender {
    /// What the results call it.
    let name: String
    /// Whether it is the program that is measured: then its instructions are counted too.
    var isOurs = false
    /// Whether instructions are counted although it is a peer.
    var isCounted = false
    /// The table that it writes into its folder; nil when it writes none that could be compared.
    var table: String?
    /// The command for an input; the folder is empty, and its own.
    let command: (_ input: String, _ folder: String) -> [String]
}

/// One workload with those who do it.
struct Case {
    let name: String
    let title: String
    /// The size of the whole input; the rounds of a large one are fewer.
    let bytes: Int
    /// Which contender the others are measured against, if it is there.
    let reference: String
    /// Columns that hold numbers, in the tables that are compared.
    var numbers = 5..<9
    /// Tables whose rows come in another order are sorted before they are compared.
    var isSorted = false
    /// How often everybody runs, after once to warm up.
    var rounds = 5
    /// Which bytes of the input ours is stepped through, instruction by instruction: far enough behind its beginning that
    /// the program has met what it will meet.
    var stepped: Range<Int>?
    /// Makes the input below a path: of the case's size, or of so many bytes, for the counting of instructions.
    let generate: (_ path: String, _ bytes: Int) -> Void
    let contenders: [Contender]
}

/// What a contender came to.
struct Result {
    let name: String
    var costs: [Cost] = []
    /// Instructions for each byte of input; nil when they were not counted.
    var instructionsPerByte: Double?
    /// The same, counted step by step on this processor.
    var stepsPerByte: Double?
    /// In words, when its table is not that of the first who wrote one.
    var disagreement: String?
    var isCompared = false

    var wall: Double { median(costs.map(\.wall)) }
    var processor: Double { median(costs.map(\.processor)) }
    var resident: Int { costs.map(\.resident).max() ?? 0 }
}
