import Delimited

/// The row whose cells rows below take over where they leave them out: a rejected one is understood only together with
/// it, so that the sink gets to know it.
struct FillSource {
    private var raw: [UInt8] = []
    private var line = 0
    private var byteOffset = 0
    /// Whether there is one.
    private var isKnown = false
    /// Whether the sink has it.
    private var isSaid = false

    /// Notes that a row takes the cells of the one above, or keeps its own for those below; before it is decided.
    mutating func note(_ unit: SourceUnit, takes: Bool, _ sink: any RecordSink) {
        if takes {
            guard isKnown, !isSaid else { return }
            isSaid = true
            ByteView.with(raw) { sink.setRowAbove(SourceUnit(line: line, byteOffset: byteOffset, raw: $0)) }
            return
        }
        forget(sink)
        raw.removeAll(keepingCapacity: true)
        unit.raw.withUnsafeBytes { raw.append(contentsOf: $0) }
        (line, byteOffset) = (unit.line, unit.byteOffset)
        isKnown = true
    }

    /// A header begins a new table: rows below it take nothing over.
    mutating func forget(_ sink: any RecordSink) {
        if isSaid { sink.setRowAbove(nil) }
        (isKnown, isSaid) = (false, false)
    }
}
