import Delimited
import Dispatch
import Synchronization

/// One small input that another thread reads ahead of the run: rows of the classes that inputs of its header have had.
///
/// It is a guess, as in `SplitFeed`: the thread of the run goes through what was guessed in order, and takes it only
/// where its own reading has come to the same lane on the same line; all else it reads itself. So the outcome is that of
/// reading line by line.
///
/// The thread of the run prepares it, then offers it; between `offer` and `claim` it belongs to the thread that takes it.
public final class InputGuess: @unchecked Sendable {
    private enum State {
        static let idle = 0, offered = 1, taken = 2, done = 3
    }
    private let state = Atomic<Int>(State.idle)
    private let done = DispatchSemaphore(value: 0)
    private var source: (any InputSource)?
    private var slot: LaneSlot?
    private var dialect = Dialect.csv
    /// What stands after the last line feed.
    private var rest = ByteBlock(capacity: 0)
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
        guard let (lane, table) = memory.lane(of: sample, importer: importer), let batch = makeBatch(slot?.batch) else {
            return false
        }
        if slot == nil || (slot?.block.capacity ?? 0) <= input.byteCount {
            slot = LaneSlot(capacity: max(1 << 14, 2 * input.byteCount))
        }
        dialect = sample.dialect
        guard let slot else { return false }
        slot.use(table, batch, lane)
        source = input
        isGood = false
        acceptedUnits = 0
        return true
    }

    /// Says that the guess is there for a thread to make.
    public func offer() { state.store(State.offered, ordering: .releasing) }

    /// Makes the guess on another thread, if nobody has.
    public func workAside(_ reader: SlotReader) {
        guard take() else { return }
        guess(reader)
        state.store(State.done, ordering: .releasing)
        done.signal()
    }

    /// Ends the offer: whether another thread has made the guess or is at it; then it must be waited for.
    public func claim() -> Bool {
        !state.compareExchange(expected: State.offered, desired: State.idle, ordering: .acquiringAndReleasing).exchanged
    }

    /// Whether the guess was made.
    public var isDone: Bool { state.load(ordering: .acquiring) == State.done }

    /// Waits for the thread that makes the guess.
    public func wait() {
        done.wait()
        state.store(State.idle, ordering: .relaxed)
    }

    private func take() -> Bool {
        state.compareExchange(expected: State.offered, desired: State.taken, ordering: .acquiringAndReleasing).exchanged
    }

    // MARK: the other thread

    private func guess(_ reader: SlotReader) {
        guard let slot, let source, let stream = try? source.open() else { return }
        slot.block.removeAll()
        // One byte more than there should be: a file that has grown is left to the run.
        while slot.block.count <= source.byteCount {
            guard let count = try? stream.read(into: slot.block.tail) else { return }
            if count == 0 { break }
            slot.block.advance(by: count)
        }
        guard slot.block.count == source.byteCount else { return }
        rest.removeAll()
        if rest.capacity < slot.block.capacity { rest = ByteBlock(capacity: slot.block.capacity) }
        guard slot.block.moveUnfinishedLine(to: rest) else { return }
        slot.line = 1
        reader.use(dialect)
        slot.guess(reader)
        isGood = true
    }

    // MARK: the thread of the run

    /// Whether it is worth anything.
    public var isUsable: Bool { isGood }

    /// The first line with its line feed, where it alone was not guessed; nil where other lines were not, or none.
    var soleLine: UnsafeRawBufferPointer? {
        guard let slot, slot.left.count == 1, let line = slot.left.first, line.bytes.lowerBound == 0,
            line.mark.units == 0, rest.count == 0, slot.end.units > 0
        else { return nil }
        let bytes = slot.block.bytes(line.bytes)
        return place(of: UInt8(ascii: "\n"), in: bytes) == bytes.count - 1 ? bytes : nil
    }

    /// How many units were guessed.
    var units: Int { slot?.end.units ?? 0 }

    /// Whether rows were guessed to be of a lane.
    func isOf(_ lane: ClassLane) -> Bool { slot?.isOf(lane) ?? false }

    /// Whether all but the first line was guessed, and is right, as that line is a header that was met before.
    func follows(_ opening: ImportMemory.Opening) -> Bool {
        guard isOf(opening.lane), let line = soleLine else { return false }
        return opening.line.withUnsafeBytes { areSame($0, line) }
    }

    /// Hands over an input that follows an opening.
    func feed(_ sink: any RecordSink) {
        guard let slot, let batch = slot.batch, let line = soleLine else { return }
        let isReturned = line.count > 1 && line[line.count - 2] == UInt8(ascii: "\r")
        let text = UnsafeRawBufferPointer(rebasing: line[..<(line.count - (isReturned ? 2 : 1))])
        ByteView.with(text.assumingMemoryBound(to: UInt8.self)) { raw in
            sink.mark(SourceUnit(line: 1, byteOffset: 0, raw: raw), .header, code: "")
        }
        sink.accept(batch, from: BatchMark(), to: slot.end)
        acceptedUnits = slot.end.units
    }

    /// Reads the input: takes what was guessed right, and hands the run the rest.
    func feed(_ run: DefinitionRun, _ reader: inout DelimitedReader) {
        guard let slot, let batch = slot.batch else { return }
        let block = slot.block
        var position = 0
        var mark = BatchMark()
        var line = 1
        for index in 0...slot.left.count {
            let part = index < slot.left.count ? slot.left[index] : nil
            let (end, until) = (part?.bytes.lowerBound ?? block.count, part?.mark ?? slot.end)
            if position < end {
                guard reader.isAtRecord, reader.lineCount == line - 1, let lane = run.openLane, slot.isOf(lane) else {
                    break
                }
                let count = until.units - mark.units
                run.passed()
                run.sink.accept(batch, from: mark, to: until)
                reader.pass(bytes: end - position, lines: count, records: count)
                acceptedUnits += count
                line += count
                position = end
            }
            guard let part else { break }
            mark = part.mark
            let bytes = block.bytes(part.bytes)
            line += InputGuess.lines(of: bytes)
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

    private static func lines(of bytes: UnsafeRawBufferPointer) -> Int {
        var lines = 0
        var next = 0
        while let found = place(of: UInt8(ascii: "\n"), in: bytes, from: next) {
            lines += 1
            next = found + 1
        }
        return lines
    }
}
