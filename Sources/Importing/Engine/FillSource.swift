import Delimited

/// The row whose cells rows below take over where they leave them out: a rejected one is understood only together with
/// it, so that it goes into the reject file too.
struct FillSource {
    private var raw: [UInt8] = []
    private var line = 0
    private var byteOffset = 0
    /// The line that took cells over last.
    private var taker = 0
    /// Whether the reject file has the row already: as a reject of its own, or for a row above.
    private var isHandedOver = true

    /// Notes that a row takes the cells of the one above, or keeps it for those below.
    mutating func note(_ unit: SourceUnit, takes: Bool) {
        if takes {
            taker = unit.line
            return
        }
        raw.removeAll(keepingCapacity: true)
        unit.raw.withUnsafeBytes { raw.append(contentsOf: $0) }
        (line, byteOffset) = (unit.line, unit.byteOffset)
        isHandedOver = false
    }

    /// A header begins a new table: rows below it take nothing over.
    mutating func forget() { isHandedOver = true }

    /// To be called before a row is rejected: hands over what it is to be read with.
    mutating func handOver(for unit: SourceUnit, to sink: any RecordSink) {
        if unit.line == line { isHandedOver = true }
        guard !isHandedOver, unit.line == taker else { return }
        isHandedOver = true
        ByteView.with(raw) { sink.keepContext(SourceUnit(line: line, byteOffset: byteOffset, raw: $0)) }
    }
}
