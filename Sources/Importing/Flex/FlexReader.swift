import Delimited
import Digests
import Markup
import OpenAlloc

/// What a pass over a Flex report does with its rows.
protocol FlexPass: AnyObject {
    /// A statement begins; its attributes are loaded in `row`.
    func statement(_ row: inout FlexRow, at position: MarkupPosition)
    /// A list of rows begins, which may have none.
    func list(_ element: String)
    /// A row, while its attributes are there.
    func row(_ row: inout FlexRow, section: String)
    /// The row that was given last has ended.
    func ended(_ position: MarkupPosition, endOffset: Int, path: [FlexContainer], isTruncated: Bool)
    /// The text of an element of an error answer.
    func answer(_ element: String, _ text: String)
    /// What was found odd, in these containers.
    func issue(_ issue: MarkupIssue, path: [FlexContainer])
    /// Text stands where a report has elements: there may be a row in it. `position` is of the element before it.
    func lost(_ range: Range<Int>, after position: MarkupPosition, path: [FlexContainer])
    /// An element around rows has no close tag.
    func unfinished(_ element: String, isCut: Bool)
    /// Whether rows may go the short way.
    var takesRows: Bool { get }
    /// The digests that are made beside following rows.
    var digests: DigestSteps { get }
    /// A shape of rows was met; shapes are numbered in this order.
    func meet(_ shape: FlexShape)
    /// Takes a row of a shape that was met; false, with nothing done, if it is to come by `row` and `ended`.
    func take(_ row: MarkupRow) -> Bool
    /// The row that was refused last has come so.
    func learn(_ row: MarkupRow)
}

extension FlexPass {
    /// Nothing follows from it.
    func list(_ element: String) {}
    /// Tells nobody.
    func lost(_ range: Range<Int>, after position: MarkupPosition, path: [FlexContainer]) {}
    /// Tells nobody.
    func unfinished(_ element: String, isCut: Bool) {}
    /// None are.
    var digests: DigestSteps { DigestSteps() }
}

/// An open element around rows.
struct FlexContainer: Equatable {
    var name: String
    var offset: Int
}

/// Markup events → rows: every element with attributes below a statement.
/// One reading owns it and nothing re-enters it, so its accesses need no check at run time.
final class FlexReader: MarkupHandler {
    private let pass: any FlexPass
    let names: NameTable
    private let attributes: FlexNames
    @exclusivity(unchecked) private var row = FlexRow()
    @exclusivity(unchecked) private var path: [FlexContainer] = []
    /// Whether the root is that of a report.
    @exclusivity(unchecked) private var isReport = false
    @exclusivity(unchecked) private var open: (depth: Int, position: MarkupPosition)?
    /// Whether text was met since the last element, and where that began and ended.
    @exclusivity(unchecked) private var hasText = false
    @exclusivity(unchecked) private var lastStart = MarkupPosition.start
    @exclusivity(unchecked) private var lastEnd = 0
    /// How many statements and rows there were, one that the end of the file cuts off among them.
    @exclusivity(unchecked) private(set) var unitCount = 0
    @exclusivity(unchecked) private var texts: [ElementName: String] = [:]
    /// The short way of rows.
    let lane: RowLane?
    /// The rows of each shape, by its number.
    @exclusivity(unchecked) private var shapes: [FlexShape] = []

    init(_ pass: any FlexPass, _ names: NameTable) {
        lane = pass.takesRows ? RowLane(isQuoted: true, digests: pass.digests) : nil
        self.pass = pass
        self.names = names
        attributes = FlexNames(names)
    }

    func header(_ header: OFXHeader, at position: MarkupPosition) {}
    func issue(_ issue: MarkupIssue) {
        if issue.kind == .partialTag { unitCount += 1 }
        pass.issue(issue, path: Array(path.prefix(open?.depth ?? path.count)))
    }

    private func text(of name: ElementName) -> String {
        if let known = texts[name] { return known }
        let text = names.text(name)
        texts[name] = text
        return text
    }

    func start(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
        let element = text(of: name)
        lane?.isAfterRow = false
        if hasText { lose(to: position.offset) }
        (lastStart, lastEnd) = (position, position.offset)
        if let open, path.count > open.depth { finish(endOffset: position.offset, isTruncated: false) }
        let isStatement = element == "FlexStatement"
        let isFrame =
            isStatement || element == "FlexStatements" || element == "FlexQueryResponse"
            || element == "FlexStatementResponse"
        if isStatement {
            unitCount += 1
            row.load(element, attributes, self.attributes)
            pass.statement(&row, at: position)
            row.unload()
        } else if !isFrame, !path.isEmpty, isReport, attributes.count > 0 || path.count > 3 {
            row.load(element, attributes, self.attributes)
            pass.row(&row, section: section(element))
            row.unload()
            open = (path.count, position)
        } else if isReport, path.count == 3 {
            pass.list(element)
        }
        if path.isEmpty {
            isReport = element == "FlexQueryResponse"
            // Its rows would be nobody's.
            if !isReport, element != "FlexStatementResponse" { lose(to: position.offset + element.utf8.count + 1) }
        }
        path.append(FlexContainer(name: element, offset: position.offset))
    }

    /// The list that a row stands in, or the row itself where it stands alone.
    private func section(_ element: String) -> String { path.count > 3 ? path[3].name : element }

    func text(_ text: Span<UInt8>) {
        if isReport, open == nil { hasText = true }
        guard path.count == 2, path[0].name == "FlexStatementResponse" else { return }
        text.withUnsafeBufferPointer { pass.answer(path[1].name, String(decoding: $0, as: UTF8.self)) }
    }

    func end(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
        if hasText { lose(to: endOffset) }
        lastEnd = endOffset
        if let container = path.popLast(), closing == .implied || closing == .truncated, isReport,
            open.map({ path.count < $0.depth }) ?? true
        {
            // Where the outermost tag alone is missing, all rows are there.
            pass.unfinished(container.name, isCut: closing == .truncated && !path.isEmpty)
        }
        lane?.isAfterRow = false
        if let open, path.count == open.depth {
            finish(endOffset: endOffset, isTruncated: closing == .truncated)
            // In the same place, others may follow that are like it.
            lane?.isAfterRow = closing == .selfClosing
        }
    }

    func row(_ row: MarkupRow) -> Bool {
        guard open == nil, isReport else { return false }
        unitCount &+= 1
        lastStart = MarkupPosition(line: row.line, column: row.column, offset: row.offset)
        lastEnd = row.offset + row.bytes.count
        while shapes.count <= row.shapeNumber { meet(row.shape(shapes.count)) }
        if pass.take(row) { return true }
        self.row.load(row, shapes[row.shapeNumber])
        pass.row(&self.row, section: section(self.row.element))
        self.row.unload()
        pass.ended(
            MarkupPosition(line: row.line, column: row.column, offset: row.offset),
            endOffset: row.offset + row.bytes.count, path: path, isTruncated: false)
        pass.learn(row)
        return true
    }

    private func lose(to end: Int) {
        hasText = false
        unitCount += 1
        pass.lost(lastEnd..<max(lastEnd, end), after: lastStart, path: path)
    }

    @inline(never)
    private func meet(_ shape: RowShape) {
        let known = FlexShape(shape, element: text(of: shape.element), attributes)
        shapes.append(known)
        pass.meet(known)
    }

    private func finish(endOffset: Int, isTruncated: Bool) {
        guard let open else { return }
        self.open = nil
        unitCount += 1
        pass.ended(open.position, endOffset: endOffset, path: Array(path.prefix(open.depth)), isTruncated: isTruncated)
    }
}
