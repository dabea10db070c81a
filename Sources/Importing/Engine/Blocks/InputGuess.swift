import Delimited
public import Digests

/// One small input that is read ahead of the run: rows of the classes that inputs of its header have had.
///
/// It is a guess, as in `SplitFeed`: the run goes through what was guessed in order, and takes it only where its own
/// reading has come to the same lane on the same line; all else it reads itself. So the outcome is that of reading line by
/// line.
///
/// It belongs to one thread, which prepares it and uses it up while no other thread is at the run; what is between the
/// two (`make`) looks at nothing that the run changes.
public final class InputGuess {
    private var source: (any InputSource)?
    private var likely: (lane: ClassLane, table: ClassTable)?
    private var batch: (any RowBatch)?
    private var dialect = Dialect.csv
    /// What the first line is thought to be.
    private var opening: ImportMemory.Opening?
    /// Whether it is, and all other lines were guessed: then nobody needs the bytes.
    private var isFollowed = false
    /// How many rows were guessed, as they were cut: what the batch has of them is not asked.
    private var rows = 0
    /// The input's whole lines, and what stands after the last line feed.
    private var lines = ByteBlock(capacity: 0)
    private var rest = ByteBlock(capacity: 0)
    /// What of the lines was not guessed.
    private var left: [LeftBytes] = []
    private var end = BatchMark()
    private var isGood = false
    /// How many units were guessed right.
    private(set) var acceptedUnits = 0

    /// Larger inputs are read when their turn comes.
    public static let maximumBytes = 1 << 18

    /// A guess that was not made yet.
    public init() {}

    /// Whether an input can be guessed: a small one, whose like was read before.
    public static func suits(_ input: any InputSource, _ sample: InputSample) -> Bool {
        sample.format == .delimited && input.byteCount <= maximumBytes && sample.headerHash != 0
            && BlockReader.suits(sample.dialect, sample.encoding)
    }

    /// Gives the guess what it needs; false when there is nothing to go by.
    public func prepare(
        _ input: any InputSource, _ sample: InputSample, importer: String, memory: ImportMemory,
        makeBatch: ((any RowBatch)?) -> (any RowBatch)?
    ) -> Bool {
        guard let likely = memory.lane(of: sample, importer: importer), let batch = makeBatch(batch) else {
            return false
        }
        self.likely = likely
        self.batch = batch
        opening = memory.opening(of: sample, importer: importer, lane: likely.lane)
        dialect = sample.dialect
        source = input
        isGood = false
        isFollowed = false
        acceptedUnits = 0
        return true
    }

    /// Makes the guess.
    public func make(_ reader: GuessReader) {
        guard let source, let (lane, table) = likely, let batch else { return }
        let block = reader.block(for: source.byteCount)
        guard (try? source.read(into: block)) == true else { return }
        reader.rest.removeAll()
        guard block.moveUnfinishedLine(to: reader.rest) else { return }
        batch.use(reader.slots.desk, isAlone: reader.slots.isAlone)
        reader.slots.use(dialect)
        rows = reader.slots.read(block, line: 1, by: (table, lane), into: batch, leaving: &left)
        end = batch.mark
        isFollowed = follows(opening, block, reader.rest)
        // The thread's memory stays its own, near to it, where nobody needs what is in it.
        if !isFollowed { reader.exchange(&lines, &rest) }
        isGood = true
    }

    /// Whether all but the first line was guessed, and is right, as that line is a header that was met before.
    private func follows(_ opening: ImportMemory.Opening?, _ block: ByteBlock, _ rest: ByteBlock) -> Bool {
        guard let opening, let line = soleLine(block, rest) else { return false }
        return opening.line.withUnsafeBytes { areSame($0, line) }
    }

    private func soleLine(_ block: ByteBlock, _ rest: ByteBlock) -> UnsafeRawBufferPointer? {
        guard left.count == 1, let line = left.first, line.bytes.lowerBound == 0, line.mark.units == 0,
            rest.count == 0, end.units > 0
        else { return nil }
        let bytes = block.bytes(line.bytes)
        return place(of: UInt8(ascii: "\n"), in: bytes) == bytes.count - 1 ? bytes : nil
    }

    // MARK: what was guessed

    /// Whether it is worth anything.
    public var isUsable: Bool { isGood }

    /// Whether its lines are here, to be read by `feed(_:_:)`.
    var hasLines: Bool { isGood && !isFollowed }

    /// The header that the input begins with, where it was met before and all else was guessed, and is right.
    var followed: ImportMemory.Opening? { isGood && isFollowed ? opening : nil }

    /// The first line with its line feed, where it alone was not guessed; nil where other lines were not, or none.
    var soleLine: UnsafeRawBufferPointer? { hasLines ? soleLine(lines, rest) : nil }

    /// How many units were guessed.
    var units: Int { end.units }

    /// Whether rows were guessed to be of a lane.
    func isOf(_ lane: ClassLane) -> Bool { likely?.lane === lane }

    /// Hands over an input that follows an opening.
    func feed(_ sink: any RecordSink, _ opening: ImportMemory.Opening) {
        guard let batch else { return }
        opening.line.withUnsafeBytes { line in
            let isReturned = line.count > 1 && line[line.count - 2] == UInt8(ascii: "\r")
            let text = UnsafeRawBufferPointer(rebasing: line[..<(line.count - (isReturned ? 2 : 1))])
            ByteView.with(text.assumingMemoryBound(to: UInt8.self)) { raw in
                sink.mark(SourceUnit(line: 1, byteOffset: 0, raw: raw), .header, code: "")
            }
        }
        sink.accept(batch, from: BatchMark(), to: end)
        acceptedUnits = end.units
        sink.hasRead(units: 1 + rows)
    }

    /// Reads the input: takes what was guessed right, and hands the run the rest.
    func feed(_ run: DefinitionRun, _ reader: inout DelimitedReader) {
        guard let batch else { return }
        let block = lines
        var position = 0
        var mark = BatchMark()
        var passed = 0
        var line = 1
        for index in 0...left.count {
            let part = index < left.count ? left[index] : nil
            let (end, until) = (part?.bytes.lowerBound ?? block.count, part?.mark ?? self.end)
            if position < end {
                guard reader.isAtRecord, reader.lineCount == line - 1, let lane = run.openLane, isOf(lane) else {
                    break
                }
                // Each is a line.
                let count = (part?.rows ?? rows) - passed
                run.passed()
                run.sink.accept(batch, from: mark, to: until)
                reader.pass(bytes: end - position, lines: count, records: count)
                acceptedUnits += until.units - mark.units
                line += count
                position = end
            }
            guard let part else { break }
            mark = part.mark
            passed = part.rows
            let bytes = block.bytes(part.bytes)
            line += ByteBlock.lineFeeds(in: bytes)
            reader.feed(bytes, isLast: false) { (record: borrowing RecordView) in run.take(record) }
            position = part.bytes.upperBound
        }
        if position < block.count {
            reader.feed(block.bytes(position..<block.count), isLast: false) {
                (record: borrowing RecordView) in run.take(record)
            }
        }
        reader.feed(rest.bytes(0..<rest.count), isLast: true) { (record: borrowing RecordView) in run.take(record) }
    }
}

/// What one thread reads small inputs with: what it reads stays in its own memory, near to it. One thread at a time uses
/// it.
public final class GuessReader {
    let slots = SlotReader()
    private var block = ByteBlock(capacity: 1 << 15)
    private(set) var rest = ByteBlock(capacity: 1 << 15)

    /// A reader of no input yet, whose thread makes digests at a desk.
    ///
    /// - Parameter isAlone: whether no other thread reads inputs.
    public init(_ desk: DigestDesk? = nil, isAlone: Bool = false) {
        slots.desk = desk
        slots.isAlone = isAlone
    }

    /// Empty memory for an input of so many bytes, and one that it should not have.
    fileprivate func block(for byteCount: Int) -> ByteBlock {
        if block.capacity <= byteCount { block = ByteBlock(capacity: max(1 << 15, 2 * byteCount)) }
        if rest.capacity < block.capacity { rest = ByteBlock(capacity: block.capacity) }
        block.removeAll()
        return block
    }

    /// Gives what was read away for other memory.
    fileprivate func exchange(_ lines: inout ByteBlock, _ rest: inout ByteBlock) {
        swap(&block, &lines)
        swap(&self.rest, &rest)
    }
}
