import Importing

/// What is known of a stored row beside its cells.
struct RowHead: BitwiseCopyable {
    /// What a row is.
    struct Flags: OptionSet, BitwiseCopyable {
        let rawValue: UInt16

        /// It stands as the source has it (an openalloc file), so that nothing is added to it.
        static let verbatim = Flags(rawValue: 1)
        /// Rows of an unnamed account never merge with those of another input.
        static let accountAssumed = Flags(rawValue: 2)
        /// A position from a list that is whole for its security only, not for its account.
        static let coversSecurityOnly = Flags(rawValue: 4)
        /// Its unit is one source unit and has no other row that counts: without it the unit is a duplicate.
        static let isUnit = Flags(rawValue: 8)
        /// Another row stands in its place.
        static let isGone = Flags(rawValue: 16)
        /// A position from a list of several days, of which the last one's count.
        static let coversDays = Flags(rawValue: 32)
        /// It is gone as another list of its time has it as well.
        static let isCopy = Flags(rawValue: 64)
        /// Which account of its number a position is of, as `Record.AccountPart` numbers them.
        static let accountPart = Flags(rawValue: 7 << firstOfPart)
        private static let firstOfPart: UInt16 = 7

        init(rawValue: UInt16) { self.rawValue = rawValue }

        init(_ part: Record.AccountPart) { rawValue = UInt16(part.rawValue) << Flags.firstOfPart }
    }

    var line: Int
    /// What its table knows it by.
    var tag: UInt64 = 0
    /// The input's place in row order.
    var input: UInt32
    /// Place among the rows of one line.
    var ordinal: UInt32
    /// The bytes of its cells, and how many more they may become.
    fileprivate(set) var size: UInt32 = 0
    fileprivate(set) var spare: UInt16 = 0
    var flags: Flags = []

    init(input: Int, line: Int, ordinal: Int, flags: Flags = []) {
        self.line = line
        self.input = UInt32(truncatingIfNeeded: input)
        self.ordinal = UInt32(truncatingIfNeeded: ordinal)
        self.flags = flags
    }
}

/// A row in the memory of its table.
///
/// Invariant: `head` stays where it is as long as the memory stands, and `size + spare` bytes follow it.
struct StoredRow: BitwiseCopyable {
    let head: UnsafeMutablePointer<RowHead>

    var input: Int { Int(head.pointee.input) }
    var line: Int { head.pointee.line }
    var flags: RowHead.Flags { head.pointee.flags }

    var cells: Cells { Cells(base: UnsafePointer(start), size: Int(head.pointee.size)) }

    private var start: UnsafeMutablePointer<UInt8> {
        UnsafeMutableRawPointer(head + 1).assumingMemoryBound(to: UInt8.self)
    }

    /// Row order: inputs, then lines.
    static func precedes(_ left: StoredRow, _ right: StoredRow) -> Bool {
        let (one, other) = (left.head.pointee, right.head.pointee)
        return (one.input, one.line, one.ordinal) < (other.input, other.line, other.ordinal)
    }

    /// Replaces the cells where there is room for the new ones, which must not be its own; false where there is not.
    func replace(_ cells: Cells) -> Bool {
        let room = Int(head.pointee.size) + Int(head.pointee.spare)
        guard cells.size <= room, room - cells.size <= UInt16.max else { return false }
        start.update(from: cells.base, count: cells.size)
        head.pointee.size = UInt32(truncatingIfNeeded: cells.size)
        head.pointee.spare = UInt16(truncatingIfNeeded: room - cells.size)
        return true
    }
}

/// Memory for rows that are held until all inputs are read. Rows stay where they are; it grows in pieces.
///
/// Invariant: `used` bytes of the last block and all `filled` ones of those before it are rows, one after the other: each
/// a `RowHead`, its cells and its spare bytes, up to the next multiple of the head's alignment.
struct RowMemory: ~Copyable {
    struct Block: BitwiseCopyable {
        let base: UnsafeMutableRawPointer
        let capacity: Int
        var used = 0
    }

    private var blocks: [Block] = []
    private(set) var count = 0

    private static var smallest: Int { 4096 }
    private static var largest: Int { 1 << 19 }
    private static var headSize: Int { MemoryLayout<RowHead>.size }

    deinit { for block in blocks { block.base.deallocate() } }

    /// Appends a row.
    ///
    /// - Parameter spare: by how many bytes its cells may grow.
    mutating func append(_ head: RowHead, _ cells: Cells, spare: Int = 0) -> StoredRow {
        precondition(cells.size <= UInt32.max, "a row has less than 4 GB")
        var head = head
        head.size = UInt32(truncatingIfNeeded: cells.size)
        head.spare = UInt16(truncatingIfNeeded: min(spare, Int(UInt16.max)))
        let size = RowMemory.size(of: head)
        if blocks.isEmpty || blocks[blocks.count - 1].capacity - blocks[blocks.count - 1].used < size { grow(size) }
        let last = blocks.count - 1
        let base = blocks[last].base + blocks[last].used
        blocks[last].used += size
        count += 1
        base.initializeMemory(as: RowHead.self, to: head)
        (base + RowMemory.headSize).copyMemory(from: cells.base, byteCount: cells.size)
        return StoredRow(head: base.assumingMemoryBound(to: RowHead.self))
    }

    private static func size(of head: RowHead) -> Int {
        let mask = MemoryLayout<RowHead>.alignment - 1
        return (headSize + Int(head.size) + Int(head.spare) + mask) & ~mask
    }

    @inline(never)
    private mutating func grow(_ needed: Int) {
        let usual = blocks.last.map { min($0.capacity * 2, RowMemory.largest) } ?? RowMemory.smallest
        let capacity = max(usual, needed)
        blocks.append(
            Block(
                base: .allocate(byteCount: capacity, alignment: MemoryLayout<RowHead>.alignment), capacity: capacity))
    }

    /// All rows but those that are gone, in the order in which they were appended.
    ///
    /// - Parameter withCopies: whether with those that are gone as another list has them as well.
    func forEach(withCopies: Bool = false, _ body: (StoredRow) -> Void) {
        for block in blocks {
            var offset = 0
            while offset < block.used {
                let row = StoredRow(head: (block.base + offset).assumingMemoryBound(to: RowHead.self))
                offset += RowMemory.size(of: row.head.pointee)
                if !row.flags.contains(.isGone) || (withCopies && row.flags.contains(.isCopy)) { body(row) }
            }
        }
    }

    /// The same in an order in which they mostly are already.
    func forEach(by precedes: (StoredRow, StoredRow) -> Bool, _ body: (StoredRow) -> Void) {
        var last: StoredRow?
        var isInOrder = true
        forEach { row in
            if let last, precedes(row, last) { isInOrder = false }
            last = row
        }
        if isInOrder { return forEach(body) }
        var rows: [StoredRow] = []
        rows.reserveCapacity(count)
        forEach { rows.append($0) }
        for row in rows.sorted(by: precedes) { body(row) }
    }
}
