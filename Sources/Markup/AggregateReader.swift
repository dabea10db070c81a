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
}

/// Gathers the elements of chosen names into small trees and hands on the rest. Chosen names inside a chosen aggregate
/// are part of its tree.
/// One reading owns it and nothing re-enters it, so its accesses need no check at run time.
public final class AggregateReader: MarkupHandler {
    private let chosen: Set<ElementName>
    private let lists: Set<ElementName>
    private let handler: any AggregateHandler
    private let limits: MarkupLimits
    @exclusivity(unchecked) private var aggregate = MarkupAggregate()
    @exclusivity(unchecked) private var open: [Int] = []
    @exclusivity(unchecked) private var left = 0
    @exclusivity(unchecked) private var path: [ElementName] = []

    /// A reader that delivers whole the elements named in `chosen`, and whatever stands directly in one of `lists`:
    /// what a list holds that nobody knows is delivered too.
    public init(
        _ chosen: Set<ElementName>, childrenOf lists: Set<ElementName> = [], handler: any AggregateHandler,
        limits: MarkupLimits = MarkupLimits()
    ) {
        self.chosen = chosen
        self.lists = lists
        self.handler = handler
        self.limits = limits
    }

    /// Hands the header on.
    public func header(_ header: OFXHeader, at position: MarkupPosition) { handler.header(header, at: position) }

    /// Starts or extends an aggregate, or enters a container.
    public func start(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
        if open.isEmpty && !isChosen(name) {
            path.append(name)
            return handler.enter(name, attributes: attributes, at: position)
        }
        if left > 0 || aggregate.entries.count >= limits.aggregateNodes || aggregate.bytes.count > limits.textBytes {
            if !aggregate.isIncomplete {
                aggregate.isIncomplete = true
                handler.issue(MarkupIssue(.aggregateTooLarge, at: position, detail: "elements are left out"))
            }
            left += 1
            return
        }
        var entry = MarkupAggregate.Entry(name: name, depth: open.count, subtreeEnd: 0, position: position)
        entry.text = aggregate.bytes.count..<aggregate.bytes.count
        if attributes.count > 0 { entry.attributes = MarkupAttributes(copying: attributes) }
        open.append(aggregate.entries.count)
        aggregate.entries.append(entry)
    }

    private func isChosen(_ name: ElementName) -> Bool {
        if chosen.contains(name) { return true }
        guard let parent = path.last else { return false }
        return lists.contains(parent) && !lists.contains(name)
    }

    /// Keeps the text.
    public func text(_ text: Span<UInt8>) {
        guard let index = open.last else {
            if let name = path.last { handler.text(name, text) }
            return
        }
        guard left == 0 else { return }
        // Text in several pieces around children: kept together by moving the first piece to the end.
        let before = aggregate.entries[index].text
        if before.upperBound != aggregate.bytes.count {
            let start = aggregate.bytes.count
            aggregate.bytes.append(contentsOf: Array(aggregate.bytes[before]))
            aggregate.entries[index].text = start..<aggregate.bytes.count
        }
        let start = aggregate.entries[index].text.lowerBound
        text.withUnsafeBufferPointer { aggregate.bytes.append(contentsOf: $0) }
        aggregate.entries[index].text = start..<aggregate.bytes.count
    }

    /// Ends the element; delivers the aggregate when it is its end.
    public func end(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
        if left > 0 {
            left -= 1
            return
        }
        guard let index = open.popLast() else {
            path.removeLast()
            return handler.leave(name, closing: closing, endOffset: endOffset)
        }
        aggregate.entries[index].endOffset = endOffset
        aggregate.entries[index].closing = closing
        aggregate.entries[index].subtreeEnd = aggregate.entries.count
        guard open.isEmpty else { return }
        handler.aggregate(aggregate, path: path)
        aggregate.entries.removeAll(keepingCapacity: true)
        aggregate.bytes.removeAll(keepingCapacity: true)
        aggregate.isIncomplete = false
    }

    /// Hands the issue on.
    public func issue(_ issue: MarkupIssue) { handler.issue(issue) }
}
