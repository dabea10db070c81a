import Markup

/// Writes events down, one line each.
final class Recorder: MarkupHandler {
    let names: NameTable
    var events: [String] = []
    var issues: [MarkupIssue] = []
    var headers: [OFXHeader] = []
    var offsets: [Int] = []
    var ends: [Int] = []
    var truncated: [String] = []
    var open: [String] = []
    var isBalanced = true
    var starts: [String: Int] = [:]

    init(_ names: NameTable) { self.names = names }

    func header(_ header: OFXHeader, at position: MarkupPosition) { headers.append(header) }

    func start(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
        let text = names.text(name)
        open.append(text)
        starts[text, default: 0] += 1
        offsets.append(position.offset)
        var line = "<\(text)@\(position.line):\(position.column):\(position.offset)"
        for index in 0..<attributes.count {
            line += " \(names.text(attributes.name(at: index)))=\(attributes.text(at: index))"
        }
        events.append(line)
    }

    func text(_ text: Span<UInt8>) {
        if open.isEmpty { isBalanced = false }
        events.append(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    }

    func end(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
        if open.popLast() != names.text(name) { isBalanced = false }
        ends.append(endOffset)
        if closing == .truncated { truncated.append(names.text(name)) }
        events.append(">\(names.text(name))@\(endOffset) \(closing)")
    }

    func issue(_ issue: MarkupIssue) { issues.append(issue) }

    /// `A{B=text C{}}`: structure and text without positions.
    var shape: String {
        var result = ""
        for event in events {
            if event.hasPrefix("<"), let at = event.firstIndex(of: "@") {
                if !result.isEmpty, result.last != "{" { result += " " }
                result += event[event.index(after: event.startIndex)..<at] + "{"
            } else if event.hasPrefix(">"), event.contains("@") {
                result += "}"
            } else {
                result += "=" + event
            }
        }
        return result
    }
}

func record(_ bytes: [UInt8], chunk: Int = 1 << 16, tolerant: Bool = false) throws(MarkupError) -> Recorder {
    var source = BytesSource(bytes, chunk: chunk)
    var plan = try MarkupDocument.plan(&source)
    if tolerant {
        plan.usesXML = false
        plan.breaksAt = nil
    }
    let names = NameTable(ofx: plan.kind.isOFX)
    let recorder = Recorder(names)
    try MarkupDocument.read(&source, plan: plan, names: names, handler: recorder)
    return recorder
}

/// Takes aggregates and forgets them.
final class Nobody: AggregateHandler {
    func header(_ header: OFXHeader, at position: MarkupPosition) {}
    func enter(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {}
    func leave(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {}
    func text(_ name: ElementName, _ text: Span<UInt8>) {}
    func aggregate(_ aggregate: MarkupAggregate, path: [ElementName]) {}
    func issue(_ issue: MarkupIssue) {}
}
