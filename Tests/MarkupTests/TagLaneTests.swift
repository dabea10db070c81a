import TestSupport
import Testing

@testable import Markup

/// Rows that are one tag each, of which libxml2 sees only the first of a kind, are what it would have made of them.
struct TagLaneTests {
    /// Writes down all that it is told as `Recorder` does, a row like an element.
    final class Log: MarkupHandler {
        let names: NameTable
        let lane: RowLane?
        var events: [String] = []
        var rows = 0
        /// Rows that took a shortcut.
        var shortened = 0
        private var hasAttributes: [Bool] = []
        private var random: SplitMix64

        init(_ names: NameTable, takesRows: Bool, seed: UInt64) {
            self.names = names
            lane = takesRows ? RowLane(isQuoted: true, shortcutsAfter: [1, 2, 3, 16][Int(seed % 4)]) : nil
            random = SplitMix64(seed: seed)
        }

        func header(_ header: OFXHeader, at position: MarkupPosition) { events.append("header \(position)") }
        func start(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
            lane?.isAfterRow = false
            hasAttributes.append(attributes.count > 0)
            var line = "<\(names.text(name)) \(position)"
            for index in 0..<attributes.count {
                line += " \(names.text(attributes.name(at: index)))=\(attributes.text(at: index))"
            }
            events.append(line)
        }
        func text(_ text: Span<UInt8>) {
            events.append(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
        }
        func end(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
            lane?.isAfterRow = closing == .selfClosing && hasAttributes.last == true
            hasAttributes.removeLast()
            events.append(">\(names.text(name)) \(endOffset) \(closing)")
        }
        func issue(_ issue: MarkupIssue) { events.append("!\(issue)") }

        func row(_ row: MarkupRow) -> Bool {
            if random.next() % 8 == 0 { return false }
            rows += 1
            if row.shortcuts != 0 { shortened += 1 }
            // The text before a row is blank.
            events.append("row")
            let position = MarkupPosition(line: row.line, column: row.column, offset: row.offset)
            var line = "<\(names.text(row.shape.element)) \(position)"
            for (index, name) in row.shape.names.enumerated() {
                line += " \(names.text(name))=" + String(decoding: row.bytes[row.range(index)], as: UTF8.self)
            }
            events.append(line)
            events.append(">\(names.text(row.shape.element)) \(row.offset + row.bytes.count) selfClosing")
            return true
        }

        /// What was told, but for blanks.
        var said: [String] { events.filter { $0 != "row" && $0.contains { !$0.isWhitespace } } }
    }

    static func read(_ bytes: [UInt8], chunk: Int, takesRows: Bool, seed: UInt64) -> (log: Log, error: MarkupError?) {
        let names = NameTable(ofx: false)
        let log = Log(names, takesRows: takesRows, seed: seed)
        var source = BytesSource(bytes, chunk: chunk)
        do throws(MarkupError) {
            let plan = try MarkupDocument.plan(&source, verify: false)
            if plan.kind.isOFX { return (log, nil) }
            try MarkupDocument.read(&source, plan: plan, names: names, handler: log)
            return (log, nil)
        } catch {
            return (log, error)
        }
    }

    @discardableResult
    static func check(_ bytes: [UInt8], chunk: Int, seed: UInt64, _ context: Comment) -> Int {
        let short = read(bytes, chunk: chunk, takesRows: true, seed: seed)
        let long = read(bytes, chunk: chunk, takesRows: false, seed: seed)
        #expect(short.error == long.error, context)
        var (was, isNow) = (long.log.said, short.log.said)
        if long.error != nil {
            // How far libxml2 gets into a text before it tells of an error behind it depends on the pieces.
            let isTag = { (event: String) in
                event.hasPrefix("<") && event.contains("MarkupPosition(")
                    || event.hasPrefix(">") && (event.hasSuffix("selfClosing") || event.hasSuffix("explicit"))
            }
            (was, isNow) = (was.filter(isTag), isNow.filter(isTag))
            let common = min(was.count, isNow.count)
            (was, isNow) = (Array(was.prefix(common)), Array(isNow.prefix(common)))
        }
        if was != isNow {
            let place = zip(was, isNow).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
            Issue.record(
                "\(context): \(Array(isNow[max(0, place - 1)...].prefix(3))) instead of \(Array(was[max(0, place - 1)...].prefix(3)))"
            )
        }
        return short.log.rows
    }

    static func document(_ seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        func pick(_ words: [String]) -> String { words[Int(random.next() % UInt64(words.count))] }
        let end = pick(["\n", "\r\n", "\n\n  ", "\r", "\n\t", "\n"])
        let rarely = random.next() % 200 + 2
        let odd = [
            "a &amp; b", "x > y", "&#10;", "it's", " padded ", "\u{E9}", "\u{FEFF}", "two\nlines", "tab\there",
            "long text of words",
        ]
        var text =
            "<?xml version=\"1.0\"?>\n<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\">\(end)<Trades>\(end)"
        for number in 0..<Int(10 + random.next() % 40) {
            let isRare = random.next() % rarely == 0
            if isRare {
                text += pick([
                    "<!-- <Trade a=\"1\" /> -->", "<Note>x</Note>", "<![CDATA[<Trade/>]]>", "text ", "<?pi x>?>",
                ])
            }
            let value = isRare ? pick(odd) : pick(["", "10.50", "-3", "BUY"])
            let kind = random.next() % 4
            let quote = isRare && random.next() % 3 == 0 ? "'" : "\""
            text +=
                "<\(kind == 0 ? "Order" : "Trade") id=\"\(number)\" notes=\(quote)\(value.replacing(quote, with: ""))\(quote)"
            if kind == 1 { text += " symbol=\"S\(number % 3)\"" }
            text += isRare ? pick(["/>", "></\(kind == 0 ? "Order" : "Trade")>", " />"]) : " />"
            text += isRare ? "" : end
        }
        return Array((text + "</Trades></FlexStatement></FlexStatements></FlexQueryResponse>\(end)").utf8)
    }

    @Test func rowsAreWhatTheyWouldBe() {
        var rows = 0
        for seed in 0..<UInt64(300) {
            let bytes = Self.document(seed)
            rows += Self.check(bytes, chunk: 1 << 16, seed: seed, "seed \(seed)")
            rows += Self.check(bytes, chunk: 1 + Int(seed * 7 % 700), seed: seed, "seed \(seed)")
        }
        #expect(rows > 4000)
    }

    /// Attributes that all rows have in common are passed over together.
    @Test func shortcutsAreTaken() {
        var text =
            "<?xml version=\"1.0\"?>\n<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\">\n<Trades>\n"
        for number in 0..<2000 {
            text +=
                "<Trade accountId=\"U1\" model=\"\" currency=\"\(number % 70 == 9 ? "EUR" : "USD")\" id=\"\(number)\" "
            text += "notes=\"\" side=\"\(number % 3 == 0 ? "BUY" : "SELL")\" code=\"\" level=\"EXECUTION\" />\n"
        }
        text += "</Trades></FlexStatement></FlexStatements></FlexQueryResponse>\n"
        let bytes = Array(text.utf8)
        for seed in 1..<UInt64(4) {
            Self.check(bytes, chunk: 5000, seed: seed, "seed \(seed)")
            let log = Self.read(bytes, chunk: 5000, takesRows: true, seed: seed).log
            #expect(log.shortened > 1200 && log.rows > log.shortened)
        }
    }

    @Test func damageIsMet() {
        let plan = FuzzPlan(rounds: 1000)
        let own = (0..<60).map { Self.document($0) }
        var mutator = MarkupMutator(seed: plan.seed, donors: own)
        var round = 0
        var rows = 0
        while plan.goesOn(round) {
            let bytes = mutator.mutate(own[mutator.below(own.count)])
            rows += Self.check(bytes, chunk: 1 + mutator.below(1500), seed: UInt64(round), "round \(round)")
            round += 1
        }
        print("FUZZ rows of one tag: \(round) inputs, \(rows) rows")
        #expect(rows > 0)
    }
}
