/// How often each element opens and closes in a file: what is always closed is never closed by guesswork.
final class TagCensus: MarkupSink {
    private let table: NameTable
    @exclusivity(unchecked) private(set) var opens: [Int] = []
    @exclusivity(unchecked) private(set) var closes: [Int] = []
    /// From here on, `<!--` and `<![CDATA[` have no end.
    @exclusivity(unchecked) private(set) var unterminatedFrom: Int?
    @exclusivity(unchecked) private(set) var closesAggregates = false

    private let isKnownUnterminated: Bool

    init(names: NameTable, unterminatedFrom: Int? = nil) {
        table = names
        self.unterminatedFrom = unterminatedFrom
        isKnownUnterminated = unterminatedFrom != nil
    }

    /// Open tags without a close tag.
    func deficit(_ name: ElementName) -> Int {
        Int(name.id) < opens.count ? opens[Int(name.id)] - closes[Int(name.id)] : 0
    }

    func hasCloses(_ name: ElementName) -> Bool { Int(name.id) < closes.count && closes[Int(name.id)] > 0 }

    var wantsMore: Bool { true }
    var names: NameTable? { table }

    func openTag(_ tag: MarkupTag) {
        let name = table.intern(tag.name)
        guard reserve(name) else { return }
        opens[Int(name.id)] += 1
        if tag.selfClosing { closes[Int(name.id)] += 1 }
    }

    func closeTag(_ tag: MarkupTag) { close(table.intern(tag.name)) }

    private func close(_ name: ElementName) {
        guard reserve(name) else { return }
        closes[Int(name.id)] += 1
        if OFXSchema.shared.isAggregate(name) { closesAggregates = true }
    }

    func quickOpen(_ name: ElementName, after text: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool {
        if reserve(name) { opens[Int(name.id)] += 1 }
        return true
    }

    func quickClose(_ name: ElementName, after text: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool {
        close(name)
        return true
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>, isLiteral: Bool, at offset: Int) {}
    func skipped(_ bytes: UnsafeBufferPointer<UInt8>) {}
    func unterminated(at offset: Int) {
        if !isKnownUnterminated { unterminatedFrom = offset }
    }
    func partialTag(at offset: Int) {}
    func finish(at offset: Int) {}

    private func reserve(_ name: ElementName) -> Bool {
        guard name != .none else { return false }
        while opens.count <= Int(name.id) {
            opens.append(0)
            closes.append(0)
        }
        return true
    }
}
