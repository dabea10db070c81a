import OpenAlloc

/// Rows that were passed over though nothing else may say what they say.
struct FlexGaps {
    private let facts: FlexFacts
    /// Sections that are not known, in the order in which they were met.
    private var unknown: [(section: String, line: Int, count: Int)] = []
    /// Where trades stand as sums and lots, and lines of a statement of funds that cannot be read.
    private var sums: Int?
    private var funds: Int?

    /// The first trade of contracts whose class is left out.
    private var unclassed: Int?
    /// The first line of the statement of funds that was read.
    private var fundsRead: Int?

    /// The first trade of which the cost had to say what it comes to.
    private var costs: Int?

    /// The first option that was settled in cash which no row has.
    private var settlements: Int?

    init(_ facts: FlexFacts) { self.facts = facts }

    /// An option was exercised or assigned for cash, and nothing says how much.
    mutating func noteLostSettlement(line: Int) { settlements = settlements ?? line }

    /// A line of the statement of funds was read.
    mutating func noteFunds(line: Int) { fundsRead = fundsRead ?? line }

    /// A trade has neither a price nor an amount, but a cost.
    mutating func noteCost(line: Int) { costs = costs ?? line }

    /// A trade of contracts does not say of what class they are.
    mutating func noteUnclassed(line: Int) { unclassed = unclassed ?? line }

    /// A row of a section was skipped.
    mutating func note(_ code: String, _ section: String, line: Int) {
        switch code {
        case "section.unknown":
            if let known = unknown.firstIndex(where: { $0.section == section }) {
                unknown[known].count += 1
            } else if unknown.count < 100 {
                unknown.append((section, line, 1))
            }
        case "level.notExecution": sums = sums ?? line
        case "level.missing": funds = funds ?? line
        default: break
        }
    }

    /// Says what is missing because of it.
    func report(to sink: any RecordSink) {
        for (section, line, count) in unknown {
            sink.warn(
                Finding(
                    .sectionUnknown, value: section,
                    reason: "this section is not known; " + (count == 1 ? "its row was" : "its \(count) rows were")
                        + " passed over",
                    suggestion: "Report it, with an example, if it moves cash or securities."), line: line)
        }
        if let sums, !facts.hasTrades, !facts.funds.hasTrades {
            sink.warn(
                Finding(
                    .fieldMissing, column: "levelOfDetail",
                    reason: "the report has its trades only as sums or closed lots, which were passed over",
                    suggestion: "Choose Executions for the section Trades of the Flex query."), line: sums)
        }
        if let unclassed {
            sink.warn(
                Finding(
                    .fieldMissing, column: "assetCategory",
                    reason:
                        "the report does not say which of its trades are options or futures; they were read as shares are",
                    suggestion: "Add the field Asset Class to the section Trades of the Flex query."), line: unclassed)
        }
        if let costs {
            sink.warn(
                Finding(
                    .fieldMissing, column: "netCash",
                    reason: "the report has neither prices nor amounts of its trades; what they come to was taken from"
                        + " their cost, as if none of them closed a short position",
                    suggestion: "Add the fields Trade Price and Net Cash to the section Trades of the Flex query."),
                line: costs)
        }
        if let settlements {
            sink.warn(
                Finding(
                    .fieldMissing, column: "OptionEAE",
                    reason:
                        "an option was settled in cash, for its end realises a gain or a loss: no row has that cash",
                    suggestion:
                        "Add the section Option Exercises, Assignments and Expirations, with the field Proceeds."),
                line: settlements)
        }
        if let funds {
            sink.warn(
                Finding(
                    .fieldMissing, column: "levelOfDetail",
                    reason: "the statement of funds has each line in two currencies and does not say which of them"
                        + " converts; it was passed over",
                    suggestion: "Add the field Level of Detail to the section Statement of Funds of the Flex query."),
                line: funds)
        }
        if let fundsRead { sink.warn(facts.funds.standsIn(for: facts), line: fundsRead) }
    }
}
