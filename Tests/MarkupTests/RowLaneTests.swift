import TestSupport
import Testing

@testable import Markup

/// Rows whose tags were met before are what they would be read as element by element, wherever the source is cut, and
/// passing over them changes nothing of what the source is found to be.
struct RowLaneTests {
    /// Writes down all that it is told, a row like an aggregate.
    final class Log: AggregateHandler {
        let names = NameTable(ofx: true)
        let takesRows: Bool
        var lines: [String] = []
        var rows = 0
        /// Rows that took a shortcut.
        var shortened = 0
        /// The values in common of rows that took the same ones.
        private var common: [[UInt64]: [String]] = [:]
        private var random: SplitMix64

        init(takesRows: Bool, seed: UInt64 = 1) {
            self.takesRows = takesRows
            random = SplitMix64(seed: seed)
        }

        func header(_ header: OFXHeader, at position: MarkupPosition) { lines.append("header \(header) \(position)") }
        func enter(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
            lines.append("+\(names.text(name)) \(position)")
        }
        func leave(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
            lines.append("-\(names.text(name)) \(closing) \(endOffset)")
        }
        func text(_ name: ElementName, _ text: Span<UInt8>) {
            lines.append("\(names.text(name))=" + text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
        }
        func issue(_ issue: MarkupIssue) { lines.append("!\(issue)") }

        func aggregate(_ aggregate: MarkupAggregate, path: [ElementName]) {
            note(
                aggregate, line: aggregate.position.line, offset: aggregate.position.offset, end: aggregate.endOffset,
                "\(aggregate.isTruncated) \(aggregate.isIncomplete)")
        }

        func row(_ row: MarkupRow) -> Bool {
            if random.next() % 8 == 0 { return false }
            rows += 1
            if row.shortcuts != 0 { shortened += 1 }
            let values = row.commonValues.map { "\($0)=" + String(decoding: row.bytes[row.range($0)], as: UTF8.self) }
            let key = [UInt64(row.shapeNumber), row.shortcuts]
            #expect(common[key, default: values] == values && values.isEmpty == (row.shortcuts == 0))
            common[key] = values
            note(
                row.aggregate(), line: row.line, offset: row.offset, end: row.offset + row.bytes.count, "false false")
            return true
        }

        private func note(_ aggregate: MarkupAggregate, line: Int, offset: Int, end: Int, _ more: String) {
            var words = "[\(line) \(offset)..\(end) \(more)"
            func add(_ node: MarkupNode) {
                words += " \(names.text(node.name))="
                words += node.text
                for child in node.children {
                    words += "("
                    add(child)
                    words += ")"
                }
            }
            add(aggregate.root)
            for place in 0..<aggregate.count { words += " \(aggregate.first(aggregate[place].name))" }
            lines.append(words)
        }
    }

    static func reader(_ log: Log, shortcutsAfter: Int = 16) -> AggregateReader {
        AggregateReader(
            [.ofx("STMTTRN"), .ofx("BUYSTOCK"), .ofx("INCOME"), .ofx("STATUS"), .ofx("CURDEF"), .ofx("STOCKINFO")],
            childrenOf: [.ofx("BANKTRANLIST"), .ofx("INVTRANLIST"), .ofx("SECLIST")], handler: log,
            shortcutsAfter: shortcutsAfter)
    }

    /// What a source is planned to be, and what was told on the way there and when it was read.
    static func read(
        _ bytes: [UInt8], chunk: Int, takesRows: Bool, seed: UInt64
    ) -> (plan: MarkupPlan?, first: Log, second: Log) {
        var source = BytesSource(bytes, chunk: chunk)
        var first = Log(takesRows: takesRows, seed: seed)
        let second = Log(takesRows: takesRows, seed: seed &+ 1)
        // Of few rows mostly the first few tell.
        let shortcutsAfter = [1, 2, 3, 16][Int(seed % 4)]
        let plan = try? MarkupDocument.plan(&source) {
            first = Log(takesRows: takesRows, seed: seed)
            return reader(first, shortcutsAfter: shortcutsAfter)
        }
        guard let plan, plan.kind.isOFX else { return (plan, first, second) }
        do throws(MarkupError) {
            try MarkupDocument.read(
                &source, plan: plan, names: second.names,
                handler: reader(second, shortcutsAfter: shortcutsAfter))
        } catch {
            second.lines.append("\(error)")
        }
        return (plan, first, second)
    }

    /// How many rows went the short way.
    @discardableResult
    static func check(_ bytes: [UInt8], chunk: Int, seed: UInt64, _ context: Comment) -> Int {
        let short = read(bytes, chunk: chunk, takesRows: true, seed: seed)
        // Where libxml2 sees an error depends on the pieces that it is given.
        let long = read(bytes, chunk: chunk, takesRows: false, seed: seed)
        #expect(short.plan.map { "\($0)" } == long.plan.map { "\($0)" }, context)
        for (short, long) in [(short.first.lines, long.first.lines), (short.second.lines, long.second.lines)]
        where short != long {
            let place = zip(short, long).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
            let (was, isNow) = (long[max(0, place - 1)...].prefix(3), short[max(0, place - 1)...].prefix(3))
            Issue.record("\(context): \(Array(isNow)) instead of \(Array(was))")
        }
        #expect(long.first.rows == 0 && long.second.rows == 0)
        return short.first.rows + short.second.rows
    }

    // MARK: statements

    /// Rows of a few shapes with values of all sorts, as one writer would write them, now and then as another.
    static func statement(_ seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        func pick(_ words: [String]) -> String { words[Int(random.next() % UInt64(words.count))] }
        let isXML = seed % 2 == 0
        let end = pick(["\n", "\r\n", "", "\r", "\n  ", "\n"])
        func leaf(_ name: String, _ value: String) -> String {
            "<\(name)>\(value)\(isXML ? "</\(name)>" : "")\(end)"
        }
        var text = isXML ? "<?xml version=\"1.0\"?>\n<?OFX OFXHEADER=\"200\"?>\n" : "OFXHEADER:100\nVERSION:102\n\n"
        text += "<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>" + leaf("CURDEF", "USD") + "<BANKTRANLIST>\(end)"
        text += leaf("DTSTART", "20240101")
        let words = [
            "1", "-12.50", "Shop", "Shop & Co", "S&amp;P", "a > b", "\u{E9}t\u{E9}", "\u{FEFF}x", "two\nlines",
            " padded ",
            "", "  ", "tab\there", "x]]>", "<!-- no -->y", "<![CDATA[z<z]]>", "longer text of more than sixteen bytes",
            "&#65;", "end  ",
        ]
        let rarely = random.next() % 300 + 2
        for number in 0..<Int(8 + random.next() % 30) {
            if random.next() % rarely == 0 {
                text += pick(["<!-- c -->", "<!-- <STMTTRN> -->", " ", "text", "</MEMO>"])
            }
            let kind = random.next() % 6
            text += kind == 0 ? "<INCOME>\(end)<INVTRAN>" : "<STMTTRN>\(end)"
            text += leaf("FITID", "\(number)") + leaf("DTPOSTED", "20240115")
            if kind == 0 { text += "</INVTRAN>\(end)" }
            text += leaf("TRNAMT", random.next() % rarely == 0 ? pick(words) : "-\(random.next() % 10_000).50")
            if kind < 3 { text += leaf("NAME", random.next() % rarely == 0 ? pick(words) : "Shop \(number % 7)") }
            if kind == 4 { text += leaf("MEMO", random.next() % rarely < 4 ? pick(words) : "\(number)") }
            text += kind == 0 ? "</INCOME>\(end)" : "</STMTTRN>\(end)"
        }
        text += "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1>"
        text +=
            "<SECLISTMSGSRSV1><SECLIST>"
            + String(repeating: "<STOCKINFO>" + leaf("TICKER", "A") + "</STOCKINFO>", count: 3)
        return Array((text + "</SECLIST></SECLISTMSGSRSV1></OFX>" + end).utf8)
    }

    @Test func rowsAreWhatTheyWouldBe() {
        var rows = 0
        for seed in 0..<UInt64(300) {
            let bytes = Self.statement(seed)
            rows += Self.check(bytes, chunk: 1 << 16, seed: seed, "seed \(seed)")
            rows += Self.check(bytes, chunk: 1 + Int(seed * 7 % 700), seed: seed, "seed \(seed)")
        }
        #expect(rows > 4000)
    }

    /// Values that rows have in common are passed over together, whatever stands between them.
    @Test(arguments: [1, 2, 3]) func shortcutsAreTaken(_ seed: UInt64) {
        var text = "OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKTRANLIST>\n"
        for number in 0..<2000 {
            let isOdd = number % 90 == 70
            text +=
                "<STMTTRN>\n<TRNTYPE>\(isOdd ? "CREDIT" : "DEBIT")\n<DTPOSTED>2024011\(number / 300)\n<TRNAMT>-\(number).50\n"
            text += "<FITID>\(number)\n<NAME>\(number % 60 == 0 ? "Shop & Co" : isOdd ? "Shop  " : "Shop")\n"
            text += (number % 70 == 9 ? "<MEMO>note\n" : "") + "</STMTTRN>\n"
        }
        text += "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
        let bytes = Array(text.utf8)
        for chunk in [700, 5000, 1 << 16] {
            Self.check(bytes, chunk: chunk, seed: seed, "chunk \(chunk)")
            let short = Self.read(bytes, chunk: chunk, takesRows: true, seed: seed)
            let enough = chunk < 1000 ? 600 : 1200
            #expect(short.first.shortened > enough && short.second.shortened > enough)
            #expect(short.second.rows > short.second.shortened)
        }
    }

    /// A file of one writer takes the short way but for the first row of each shape.
    @Test(arguments: [0, 1]) func rowsAreTaken(_ kind: UInt64) {
        var text = kind == 0 ? "<?xml version=\"1.0\"?><?OFX OFXHEADER=\"200\"?>\n" : "OFXHEADER:100\n\n"
        func close(_ name: String) -> String { kind == 0 ? "</\(name)>" : "" }
        text += "<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKTRANLIST>\n"
        for number in 0..<1000 {
            text += "<STMTTRN>\n<FITID>\(number)\(close("FITID"))\n<TRNAMT>\(number).50\(close("TRNAMT"))\n</STMTTRN>\n"
        }
        text += "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
        let bytes = Array(text.utf8)
        let short = Self.read(bytes, chunk: 5000, takesRows: true, seed: 3)
        #expect(short.first.rows > 800 && short.second.rows > 800)
        #expect(short.plan?.isPlain == (kind == 0) && short.plan?.isRegular == (kind == 1))
        Self.check(bytes, chunk: 5000, seed: 3, "rows")
    }

    /// What breaks behind thousands of rows is found where it is.
    @Test(arguments: [
        "<STMTTRN>\n<FITID>1</FITID>\n<TRNAMT>1</TRNAMT>\n</STMTRN>", "<A>&bad;</A>", "\u{1}", "<A b='1'/>",
    ])
    func damageIsFound(_ damage: String) {
        var text =
            "<?xml version=\"1.0\"?>\n<?OFX OFXHEADER=\"200\"?>\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKTRANLIST>\n"
        for number in 0..<3000 {
            if number == 2000 { text += damage }
            text += "<STMTTRN>\n<FITID>\(number)</FITID>\n<TRNAMT>\(number).50</TRNAMT>\n</STMTTRN>\n"
        }
        text += "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
        Self.check(Array(text.utf8), chunk: 4096, seed: 9, "\(damage)")
    }
}
