public import Digests

/// What an `AggregateReader` tells: containers and loose leaves as events, chosen aggregates whole.
public protocol AggregateHandler: AnyObject {
    /// A document begins.
    func header(_ header: OFXHeader, at position: MarkupPosition)
    /// A container opens.
    func enter(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition)
    /// The innermost container ends before the byte `endOffset`.
    func leave(_ name: ElementName, closing: MarkupClosing, endOffset: Int)
    /// The text of an element outside the chosen aggregates (CURDEF, a DTSERVER …): it comes between the element's
    /// `enter` and `leave`.
    func text(_ name: ElementName, _ text: Span<UInt8>)
    /// A chosen aggregate, complete or ended by the end of the input (`isTruncated`).
    func aggregate(_ aggregate: MarkupAggregate, path: [ElementName])
    /// Something was read around.
    func issue(_ issue: MarkupIssue)
    /// Whether rows whose tags were met before are offered to `row`.
    var takesRows: Bool { get }
    /// The digests that are made beside following rows; none unless a handler says otherwise.
    var digests: DigestSteps { get }
    /// A chosen aggregate whose tags were met before in the same list, byte for byte.
    ///
    /// - Returns: whether it was taken; if not, it comes as an aggregate.
    func row(_ row: MarkupRow) -> Bool
}

extension AggregateHandler {
    /// Unless a handler says otherwise, every chosen element comes as an aggregate.
    public var takesRows: Bool { false }
    /// None are.
    public var digests: DigestSteps { DigestSteps() }
    /// Takes none.
    public func row(_ row: MarkupRow) -> Bool { false }
}

/// Gathers the elements of chosen names into small trees and hands on the rest. Chosen names inside a chosen aggregate
/// are part of its tree. For OFX: names are those of the schema.
/// One reading owns it and nothing re-enters it, so its accesses need no check at run time.
///
/// Invariant of the unsafe accesses: `roles` has one slot for each name of the OFX schema, and `ElementNames` holds no
/// others; `open` has room for `openRoom` indices of entries, of which the first `openCount` are set.
public final class AggregateReader: MarkupHandler {
    private enum Role: UInt8 { case other, chosen, list }

    private let roles: UnsafeMutablePointer<Role>
    private let roleCount = OFXSchema.shared.count
    private let handler: any AggregateHandler
    private let limits: MarkupLimits
    private let store = AggregateStore()
    private let open: UnsafeMutablePointer<Int32>
    private let openRoom: Int
    @exclusivity(unchecked) private var openCount = 0
    @exclusivity(unchecked) private var left = 0
    @exclusivity(unchecked) private var path: [ElementName] = []
    @exclusivity(unchecked) private var isInList = false
    /// The store still holds the aggregate that was delivered last.
    @exclusivity(unchecked) private var hasEnded = false
    /// How many chosen elements were handed on, whole or as rows that were taken.
    @exclusivity(unchecked) public private(set) var count = 0
    /// The short way of rows, where the handler takes any.
    public let lane: RowLane?

    /// A reader that delivers whole the elements named in `chosen`, and whatever stands directly in one of `lists`:
    /// what a list holds that nobody knows is delivered too.
    public init(
        _ chosen: ElementNames, childrenOf lists: ElementNames = [], handler: any AggregateHandler,
        limits: MarkupLimits = MarkupLimits(), shortcutsAfter: Int = 16
    ) {
        self.handler = handler
        self.limits = limits
        lane = handler.takesRows ? RowLane(shortcutsAfter: shortcutsAfter, digests: handler.digests) : nil
        let roles = UnsafeMutablePointer<Role>.allocate(capacity: roleCount)
        roles.initialize(repeating: .other, count: roleCount)
        lists.forEach { roles[Int($0.id)] = .list }
        chosen.forEach { roles[Int($0.id)] = .chosen }
        self.roles = roles
        openRoom = limits.depth + 1
        open = .allocate(capacity: openRoom)
    }

    deinit {
        roles.deallocate()
        open.deallocate()
    }

    /// Only containers and whole aggregates have a position.
    public var wantsLines: Bool { openCount == 0 }

    /// Hands the header on.
    public func header(_ header: OFXHeader, at position: MarkupPosition) { handler.header(header, at: position) }

    /// Starts or extends an aggregate, or enters a container.
    public func start(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
        if openCount == 0, isContainer(name) {
            path.append(name)
            isInList = role(name) == .list
            return handler.enter(name, attributes: attributes, at: position)
        }
        extend(name, at: position)
    }

    /// The same of an element without attributes.
    public func start(_ name: ElementName, at position: MarkupPosition) {
        if openCount == 0, isContainer(name) { return start(name, attributes: MarkupAttributes(), at: position) }
        extend(name, at: position)
    }

    private func isContainer(_ name: ElementName) -> Bool {
        let role = role(name)
        return role != .chosen && (!isInList || role == .list)
    }

    @inline(__always)
    private func extend(_ name: ElementName, at position: MarkupPosition) {
        if openCount == 0 { begin(at: position) }
        if left > 0 || store.count >= limits.aggregateNodes || store.byteCount > limits.textBytes
            || openCount == openRoom
        {
            return leaveOut(at: position)
        }
        open[openCount] = Int32(truncatingIfNeeded: store.append(name))
        openCount += 1
    }

    @inline(__always)
    private func begin(at position: MarkupPosition) {
        if hasEnded {
            store.reset()
            hasEnded = false
        }
        store.position = position
    }

    private func role(_ name: ElementName) -> Role { Int(name.id) < roleCount ? roles[Int(name.id)] : .other }

    private func leaveOut(at position: MarkupPosition) {
        if !store.isIncomplete {
            store.isIncomplete = true
            handler.issue(MarkupIssue(.aggregateTooLarge, at: store.position, detail: "elements are left out"))
        }
        left += 1
    }

    /// Keeps the text.
    public func text(_ text: Span<UInt8>) {
        text.withUnsafeBufferPointer { keep($0) }
    }

    @inline(__always)
    private func keep(_ text: UnsafeBufferPointer<UInt8>) {
        if openCount == 0 {
            if let name = path.last { handler.text(name, text.span) }
            return
        }
        if left == 0 { store.append(text, to: Int(open[openCount - 1])) }
    }

    /// Ends the element; delivers the aggregate when it is its end.
    public func end(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
        if left > 0 {
            left -= 1
            return
        }
        if openCount == 0 {
            path.removeLast()
            isInList = path.last.map { role($0) == .list } ?? false
            return handler.leave(name, closing: closing, endOffset: endOffset)
        }
        openCount -= 1
        store.close(Int(open[openCount]))
        if openCount == 0 { deliver(closing, endOffset) }
    }

    private func deliver(_ closing: MarkupClosing, _ endOffset: Int) {
        store.endOffset = endOffset
        store.isTruncated = closing == .truncated
        store.index()
        hasEnded = true
        count += 1
        handler.aggregate(MarkupAggregate(store: store), path: path)
        lane?.isAfterRow = isInList && closing == .explicit
    }

    /// The aggregate that was delivered last, until the next begins.
    public var ended: MarkupAggregate? { hasEnded ? MarkupAggregate(store: store) : nil }

    /// Hands a row on.
    public func row(_ row: MarkupRow) -> Bool {
        guard handler.row(row) else { return false }
        count &+= 1
        return true
    }

    /// Hands the issue on.
    public func issue(_ issue: MarkupIssue) {
        lane?.hadIssue = true
        handler.issue(issue)
    }
}
