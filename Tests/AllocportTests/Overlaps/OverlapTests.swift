import Allocport
import Importing
import TestSupport
import Testing

/// However an export is cut into overlapping pieces, together they give what the whole gives.
@Suite struct OverlapTests {
    @Test func piecesGiveTheWhole() async throws {
        let tried = try await timesTried(over: Sample.all) { try Self.piecesGiveTheWhole($0) }
        #expect(tried > 300)
    }

    /// How often it was tried on a sample.
    private static func piecesGiveTheWhole(_ sample: Sample) throws -> Int {
        guard let whole = try Dissected(sample) else { return 0 }
        let blocks = Blocks(whole)
        guard blocks.list.count > 1 else { return 0 }
        var random = SplitMix64(seed: UInt64(whole.lines.lines.count))
        for round in 0...Sample.effort {
            let cover = round % 4 != 1 ? blocks.windows(&random) : blocks.scattered(&random)
            var pieces = cover.map { (name: whole.name, bytes: blocks.piece(whole, $0)) }
            pieces.shuffle(using: &random)
            let joined = try convertBuiltIn(pieces) { $0.account = whole.account }
            #expect(joined.report.isBalanced)
            #expect(difference(whole.whole.transactions.content, joined.transactions.content) == [], "\(sample)")
            // Where the export contradicts itself, the last line wins, and pieces have another last line.
            if whole.whole.firstInput?.warnings.contains(where: { $0.code == "key.duplicate" }) == true { continue }
            for schema in ["account", "security", "holding"] {
                #expect(difference(whole.whole.table(schema).content, joined.table(schema).content) == [], "\(sample)")
            }
        }
        return 1
    }

    /// Names and order play no part, where the file's name says nothing of what is in it.
    @Test func namesAndOrderPlayNoPart() throws {
        var count = 0
        for sample in Sample.all {
            guard let whole = try Dissected(sample), whole.records.count > 3 else { continue }
            // How one sample is cut does not hang on which others there are.
            var random = SplitMix64(seed: UInt64(whole.lines.lines.count))
            let renamed = try convertBuiltIn([("zzz.csv", whole.piece { _ in true })]) { $0.account = whole.account }
            guard renamed.transactions.content == whole.whole.transactions.content else { continue }
            count += 1
            let blocks = Blocks(whole)
            var pieces = blocks.windows(&random).enumerated().map {
                (name: "\(Int.random(in: 0..<1000, using: &random))-\($0).txt", bytes: blocks.piece(whole, $1))
            }
            let first = try convertBuiltIn(pieces) { $0.account = whole.account }
            pieces.shuffle(using: &random)
            for index in pieces.indices { pieces[index].name = "renamed \(index).csv" }
            let second = try convertBuiltIn(pieces) { $0.account = whole.account }
            #expect(
                first.bytes("openalloc.transaction.csv") == second.bytes("openalloc.transaction.csv"), "\(sample.path)")
            #expect(difference(whole.whole.transactions.content, first.transactions.content) == [], "\(sample.path)")
        }
        #expect(count > 10)
    }
}

/// The rows of an export in groups that stand together: rows of one event, and twins. A cut never goes through one,
/// as no download of a range of days does.
struct Blocks {
    /// Indices of records.
    var list: [[Int]] = []
    private var context: Set<Int> = []

    init(_ whole: Dissected) {
        var places: [String: Int] = [:]
        var last = -1
        var waiting: [Int] = []
        for (index, record) in whole.records.enumerated() {
            // A line that only describes securities or accounts stands in every statement that speaks of them.
            let isEvent = record.verdict.outcome == .accepted && record.verdict.rows.contains("openalloc/transaction")
            guard isEvent || record.verdict.outcome == .rejected else {
                // The executions of an order stand and fall with it, as an order does with the executions below it.
                if record.verdict.code == "execution.ofOrder", last >= 0 {
                    list[last].append(index)
                } else if record.verdict.code.hasPrefix("level.") {
                    waiting.append(index)
                } else {
                    context.insert(index)
                }
                continue
            }
            let rows = record.verdict.rows
            defer {
                list[last] += waiting
                waiting = []
            }
            if rows != "[]", !rows.isEmpty, let place = places[rows] {
                merge(place, through: index)
            } else {
                list.append([index])
            }
            last = list.count - 1
            if rows != "[]" { places[rows] = last }
            for (key, place) in places where place > last { places[key] = last }
        }
        if last >= 0 { list[last] += waiting } else { context.formUnion(waiting) }
    }

    /// Everything from a block on becomes one.
    private mutating func merge(_ place: Int, through index: Int) {
        let joined = list[place...].flatMap { $0 } + [index]
        list.removeSubrange(place...)
        list.append(joined)
    }

    func piece(_ whole: Dissected, _ blocks: Set<Int>) -> [UInt8] {
        let kept = context.union(blocks.flatMap { list[$0] })
        return whole.piece { kept.contains($0) }
    }

    /// Two to four ranges that cover all, each overlapping the next.
    func windows(_ random: inout SplitMix64) -> [Set<Int>] {
        let count = Int.random(in: 2...4, using: &random)
        let cuts = ([0, list.count] + (1..<count).map { _ in Int.random(in: 0...list.count, using: &random) }).sorted()
        return zip(cuts, cuts.dropFirst()).map { start, end in
            let more = Int.random(in: 0...3, using: &random)
            return Set(max(0, start - more)..<min(list.count, end + more))
        }
    }

    /// Every block in one or several of three pieces.
    func scattered(_ random: inout SplitMix64) -> [Set<Int>] {
        var pieces = [Set<Int>](repeating: [], count: 3)
        for block in list.indices {
            pieces[Int.random(in: 0..<3, using: &random)].insert(block)
            if Bool.random(using: &random) { pieces[Int.random(in: 0..<3, using: &random)].insert(block) }
        }
        return pieces
    }
}
