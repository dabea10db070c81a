import Importing
import OpenAlloc

/// The positions of all inputs: of each account the newest export's, equal ones told apart by lot.
final class PositionTable {
    let layout: TableLayout
    @exclusivity(unchecked) private var memory = RowMemory()
    @exclusivity(unchecked) private var owners = Owners()
    @exclusivity(unchecked) private var last: StoredRow?
    @exclusivity(unchecked) private var hasSeveralInputs = false
    @exclusivity(unchecked) private var tellsSecurities = false
    @exclusivity(unchecked) private var tellsDays = false
    @exclusivity(unchecked) private var key = KeyBytes()
    @exclusivity(unchecked) private var content: [UInt8] = []
    /// The rows that stand.
    @exclusivity(unchecked) private(set) var count = 0

    /// - Parameter isExtended: whether rows have our own columns too.
    init(isExtended: Bool) { layout = TableLayout(.holding, isExtended: isExtended) }

    /// The model's columns, of which the content is made.
    private static let account = 0, security = 1, lot = 2, units = 3, contentEnd = 6

    /// Takes a row.
    ///
    /// - Parameter unit: the late unit that it came from, unless the row is its unit.
    func take(_ head: RowHead, _ cells: Cells, unit: Int) {
        var head = head
        let owner: Int
        if let last, isOfLastOwner(head, cells, last) {
            owner = PositionTable.owner(of: last)
        } else {
            owner = owners.number(of: cells[PositionTable.account], head)
        }
        head.tag =
            UInt64(truncatingIfNeeded: owner) << 32 | UInt64(truncatingIfNeeded: UInt32(truncatingIfNeeded: unit))
        if let last, last.input != Int(head.input) { hasSeveralInputs = true }
        if head.flags.contains(.coversSecurityOnly) { tellsSecurities = true }
        if head.flags.contains(.coversDays) { tellsDays = true }
        last = memory.append(head, cells)
        count += 1
    }

    private func isOfLastOwner(_ head: RowHead, _ cells: Cells, _ last: StoredRow) -> Bool {
        guard last.head.pointee.input == head.input,
            last.flags.intersection(PositionTable.ownerFlags) == head.flags.intersection(PositionTable.ownerFlags)
        else { return false }
        let (one, other) = (cells[PositionTable.account], last.cells[PositionTable.account])
        return one.kind == other.kind && one.count == other.count
            && UnsafeRawBufferPointer(one.bytes).isSame(as: other.base)
    }

    /// What rows differ by that name an account alike and are not of one.
    private static let ownerFlags: RowHead.Flags = [.accountAssumed, .accountPart]

    private static func owner(of row: StoredRow) -> Int { Int(row.head.pointee.tag >> 32) }

    /// The late unit of a row.
    static func unit(of row: StoredRow) -> Int { Int(UInt32(truncatingIfNeeded: row.head.pointee.tag)) }

    /// What positions say of units: of which input, account and security.
    func forEachHeld(_ body: (_ row: StoredRow, _ account: Cell, _ security: Cell, _ units: ExactDecimal) -> Void) {
        memory.forEach { row in
            var cursor = CellCursor(row.cells)
            let (account, security) = (cursor.next(), cursor.next())
            cursor.skip()
            let units = cursor.next()
            if units.kind == .decimal, let number = try? ExactDecimal.parse(units.bytes) {
                body(row, account, security, number)
            }
        }
    }

    // MARK: which of them stand

    /// Why a row goes.
    enum Drop {
        /// A newer list, or one of the same time that has the row as well.
        case newerList
        /// A later day of its own list.
        case laterDay
    }

    /// Takes out the rows that a newer or equal export makes superfluous.
    ///
    /// - Parameters:
    ///   - times: when each input's positions were listed.
    ///   - corrected: of each input the one whose rejects it corrects, else itself: the two count as one.
    ///   - onDrop: is told of each row that goes.
    /// - Returns: lists of one time that differ.
    func settle(
        times: [ListTime?], corrected: [Int], onDrop: (StoredRow, Drop) -> Void
    ) -> [PositionConflicts.Conflict] {
        if !hasSeveralInputs, !tellsSecurities, !tellsDays { return [] }
        owners.join(corrected)
        let place = layout.pricedAt
        func accountOf(_ row: StoredRow) -> Int { owners.account(of: PositionTable.owner(of: row)) }
        if tellsSecurities { widenCorrections(corrected) }
        var dates = PositionDates(times: times, corrected: corrected)
        if tellsDays || times.contains(nil) {
            memory.forEach {
                dates.note($0, account: accountOf($0), pricedAt: place, hasSeveralInputs: hasSeveralInputs)
            }
            dates.decide()
        }
        var securities = Securities(tellsSecurities)
        var newest = Newest()
        memory.forEach { row in
            let account = accountOf(row)
            if dates.isPast(row, account: account, pricedAt: place) { return }
            newest.note(
                dates.date(of: row, account: account), row, account: account,
                security: securities.number(of: row, owners))
        }
        let occurrences = OccurrenceTable()
        var standing = StandingLists()
        func precedes(_ left: StoredRow, _ right: StoredRow) -> Bool {
            let inputs = (corrected[left.input], corrected[right.input])
            return inputs.0 != inputs.1 ? inputs.0 < inputs.1 : StoredRow.precedes(left, right)
        }
        memory.forEach(by: precedes) { row in
            let account = accountOf(row)
            let isPast = dates.isPast(row, account: account, pricedAt: place)
            let isNewest =
                !isPast
                && newest.has(
                    row, account: account, security: securities.number(of: row, owners),
                    dates.date(of: row, account: account))
            if isNewest { standing.note(account: account, root: corrected[row.input]) }
            // Exports of one moment may overlap: the union keeps twins of one input, not copies from two.
            if isNewest, occurrences.count(content(of: row, nil), input: corrected[row.input]).isKept { return }
            row.head.pointee.flags.insert(isNewest ? [.isGone, .isCopy] : .isGone)
            count -= 1
            onDrop(row, isPast ? .laterDay : .newerList)
        }
        return conflicts(standing, dates, corrected)
    }

    /// A correction tells of what the input does that it corrects: rows for one security alone, of a list that has others,
    /// are rows of that list.
    private func widenCorrections(_ corrected: [Int]) {
        guard corrected.indices.contains(where: { corrected[$0] != $0 }) else { return }
        var whole: Set<UInt64> = []
        func list(of row: StoredRow) -> UInt64 {
            UInt64(owners.account(of: PositionTable.owner(of: row))) << 32 | UInt64(corrected[row.input])
        }
        memory.forEach { row in
            if !row.flags.contains(.coversSecurityOnly) { whole.insert(list(of: row)) }
        }
        memory.forEach { row in
            guard corrected[row.input] != row.input, row.flags.contains(.coversSecurityOnly),
                whole.contains(list(of: row))
            else { return }
            row.head.pointee.flags.remove(.coversSecurityOnly)
        }
    }

    private func conflicts(
        _ standing: StandingLists, _ dates: PositionDates, _ corrected: [Int]
    ) -> [PositionConflicts.Conflict] {
        if !standing.areSeveral { return [] }
        var conflicts = PositionConflicts()
        memory.forEach(withCopies: true) { row in
            let account = owners.account(of: PositionTable.owner(of: row))
            guard standing.areSeveral(account) else { return }
            conflicts.note(
                row, content(of: row, nil), account: account, root: corrected[row.input],
                isDated: dates.date(of: row, account: account) != nil)
        }
        return conflicts.found()
    }

    /// The newest day of each list of several days of which positions stand.
    ///
    /// - Parameter corrected: of each input the one whose rejects it corrects, else itself.
    func lastDays(corrected: [Int]) -> [LostPositions.List: Instant] {
        var days: [LostPositions.List: Instant] = [:]
        memory.forEach { row in
            guard row.flags.contains(.coversDays), let day = row.cells[layout.pricedAt].moment else { return }
            let list = LostPositions.List(
                account: row.cells[PositionTable.account].text,
                input: row.flags.contains(.accountAssumed) ? corrected[row.input] : nil,
                isCash: KeyText.folded(row.cells[PositionTable.security].text) == "core")
            days[list] = max(days[list] ?? day, day)
        }
        return days
    }

    /// What a row says in the model's columns, of whose account.
    private func content(of row: StoredRow, _ lot: [UInt8]?) -> StableHash {
        content.removeAll(keepingCapacity: true)
        content += owners.name(of: PositionTable.owner(of: row))
        var cursor = CellCursor(row.cells)
        cursor.skip()
        for place in PositionTable.security..<PositionTable.contentEnd {
            content.append(KeyBytes.separator)
            let cell = cursor.next()
            if place == PositionTable.lot, let lot { content += lot } else { content.append(contentsOf: cell.bytes) }
        }
        return StableHash(content)
    }

    // MARK: what is written

    /// The rows that stand, in row order; rows of equal account, security and lot get a number as their lot id, and every
    /// row its `rowID`.
    func forEachInOrder(hasIDs: Bool, _ body: (_ row: StoredRow, _ lot: [UInt8]?, _ rowID: StableHash) -> Void) {
        let numbers = OccurrenceTable()
        let ids = OccurrenceTable()
        var lot: [UInt8] = []
        memory.forEach(by: StoredRow.precedes) { row in
            var isNumbered = false
            let number = numbers.count(lotKey(of: row), input: 0).occurrence
            if number > 1, !row.flags.contains(.verbatim) {
                isNumbered = true
                lot.removeAll(keepingCapacity: true)
                lot.append(contentsOf: row.cells[PositionTable.lot].bytes)
                lot.append(0x23)
                ExactDecimal(number).append(to: &lot)
            }
            guard hasIDs else { return body(row, isNumbered ? lot : nil, .none) }
            let content = content(of: row, isNumbered ? lot : nil)
            body(row, isNumbered ? lot : nil, content.numbered(ids.count(content, input: 0).occurrence))
        }
    }

    private func lotKey(of row: StoredRow) -> StableHash {
        key.removeAll()
        var cursor = CellCursor(row.cells)
        for _ in PositionTable.account...PositionTable.lot { key.append(cursor.next()) }
        return key.hash
    }
}

extension PositionTable {
    /// The accounts of positions by number. One text that is written in two ways has two numbers and one account.
    fileprivate struct Owners {
        private var numbers: [[UInt8]: Int] = [:]
        /// The same by what rows say, as it stands.
        private var known: [StableHash: Int] = [:]
        private var accounts: [String: Int] = [:]
        /// Of each number, the account's text as keys have it, with its input where it was assumed.
        private var names: [[UInt8]] = []
        private var accountOf: [Int] = []
        /// The numbers of accounts that were assumed, with their texts.
        private var assumed: [(number: Int, text: String, input: Int)] = []

        func name(of number: Int) -> [UInt8] { names[number] }

        func account(of number: Int) -> Int { accountOf[number] }

        mutating func number(of account: Cell, _ head: RowHead) -> Int {
            let input = head.flags.contains(.accountAssumed) ? UInt64(head.input) + 1 : 0
            let text = StableHash(UnsafeRawBufferPointer(account.bytes))
            let part = UInt64(head.flags.intersection(.accountPart).rawValue)
            let key = StableHash(high: text.high ^ input ^ part << 32, low: text.low)
            if let number = known[key] { return number }
            let new = newNumber(of: account, head)
            known[key] = new
            return new
        }

        private mutating func newNumber(of account: Cell, _ head: RowHead) -> Int {
            var name = KeyText.folded(account.text)
            let text = name
            let part = head.flags.intersection(.accountPart)
            if !part.isEmpty { name += "\u{1E}\(part.rawValue)" }
            if head.flags.contains(.accountAssumed) { name += "\u{1F}\(head.input)" }
            let bytes = Array(name.utf8)
            if let known = numbers[bytes] { return known }
            if head.flags.contains(.accountAssumed) { assumed.append((names.count, text, Int(head.input))) }
            numbers[bytes] = names.count
            names.append(bytes)
            accountOf.append(place(of: name))
            return names.count - 1
        }

        private mutating func place(of name: String) -> Int {
            let place = accounts[name] ?? accounts.count
            accounts[name] = place
            return place
        }

        /// The account that is assumed of a correction is that of the input that it corrects.
        mutating func join(_ corrected: [Int]) {
            for (number, text, input) in assumed where corrected[input] != input {
                let name = text + "\u{1F}\(corrected[input])"
                names[number] = Array(name.utf8)
                accountOf[number] = place(of: name)
            }
        }
    }

    /// Securities by account, where lists of single ones are among the positions.
    fileprivate struct Securities {
        let areTold: Bool
        private var numbers: [String: Int] = [:]

        init(_ areTold: Bool) { self.areTold = areTold }

        mutating func number(of row: StoredRow, _ owners: Owners) -> Int {
            guard areTold else { return -1 }
            let name = String(decoding: owners.name(of: PositionTable.owner(of: row)), as: UTF8.self)
            let security = "\(name)\u{1F}\(KeyText.folded(row.cells[PositionTable.security].text))"
            if let known = numbers[security] { return known }
            numbers[security] = numbers.count
            return numbers.count - 1
        }
    }

    /// When the newest list of each account was made, and the newest list of a single security of it.
    fileprivate struct Newest {
        private var accounts: [Int: ListTime?] = [:]
        private var securities: [Int: ListTime?] = [:]

        mutating func note(_ date: ListTime?, _ row: StoredRow, account: Int, security: Int) {
            if row.flags.contains(.coversSecurityOnly) {
                Newest.note(date, security, &securities)
            } else {
                Newest.note(date, account, &accounts)
            }
        }

        private static func note(_ date: ListTime?, _ key: Int, _ dates: inout [Int: ListTime?]) {
            if let known = dates[key], !isOlder(known, date) { return }
            dates[key] = .some(date)
        }

        /// Whether a row's list is the newest that tells of its security. A list of one moment for the security alone
        /// (its lots) says more than the account's.
        func has(_ row: StoredRow, account: Int, security: Int, _ date: ListTime?) -> Bool {
            let account = accounts[account]
            let security = securities[security]
            if row.flags.contains(.coversSecurityOnly) {
                if let account, Newest.isOlder(date, account) { return false }
                return security == .some(date)
            }
            if let security, !Newest.isOlder(security, date) { return false }
            return account == .some(date)
        }

        private static func isOlder(_ left: ListTime?, _ right: ListTime?) -> Bool {
            guard let right else { return false }
            guard let left else { return true }
            return left < right
        }
    }

    /// The accounts of which several lists stand.
    fileprivate struct StandingLists {
        private var first: [Int: Int] = [:]
        private var several: Set<Int> = []
        private var last = (account: -1, root: -1)

        var areSeveral: Bool { !several.isEmpty }

        func areSeveral(_ account: Int) -> Bool { several.contains(account) }

        mutating func note(account: Int, root: Int) {
            if last == (account, root) { return }
            last = (account, root)
            if let known = first[account] {
                if known != root { several.insert(account) }
            } else {
                first[account] = root
            }
        }
    }
}
