import Testing

@testable import Markup

struct AggregateTests {
    private final class Collector: AggregateHandler {
        let names = NameTable(ofx: true)
        var log: [String] = []
        var aggregates: [MarkupAggregate] = []
        func header(_ header: OFXHeader, at position: MarkupPosition) {}
        func enter(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
            log.append("+" + names.text(name))
        }
        func leave(_ name: ElementName, closing: MarkupClosing, endOffset: Int) { log.append("-" + names.text(name)) }
        func text(_ name: ElementName, _ text: Span<UInt8>) { log.append("\(names.text(name))=\(text.count)") }
        func aggregate(_ aggregate: MarkupAggregate, path: [ElementName]) {
            log.append("[" + (path + [aggregate.root.name]).map { names.text($0) }.joined(separator: "/") + "]")
            aggregates.append(aggregate.copy())
        }
        func issue(_ issue: MarkupIssue) { log.append("!\(issue.kind)") }
    }

    @Test func deliversTrees() throws {
        let text =
            "<OFX><CURDEF>USD<BUYSTOCK><INVBUY><SECID><UNIQUEID>u1</SECID><UNITS>2</INVBUY><BUYTYPE>BUY</BUYSTOCK>"
        let collector = Collector()
        let reader = AggregateReader([.ofx("BUYSTOCK")], handler: collector)
        try MarkupDocument.read(Array((text + "<BUYSTOCK><INVBUY><UNI").utf8), names: collector.names, handler: reader)
        #expect(
            collector.log == [
                "+OFX", "+CURDEF", "CURDEF=3", "-CURDEF", "[OFX/BUYSTOCK]", "!partialTag", "[OFX/BUYSTOCK]", "-OFX",
            ])
        let aggregate = try #require(collector.aggregates.first)
        let root = aggregate.root
        #expect(root.descendant(.ofx("UNIQUEID"))?.text == "u1")
        #expect(root.child(.ofx("UNIQUEID")) == nil)
        #expect(root.children.map { collector.names.text($0.name) } == ["INVBUY", "BUYTYPE"])
        let fragment = Array(text.utf8)[aggregate.position.offset..<aggregate.endOffset]
        #expect(String(decoding: fragment, as: UTF8.self).hasSuffix("BUY</BUYSTOCK>"))
        #expect(collector.aggregates.map(\.isTruncated) == [false, true])
    }

    /// The tags that are looked for without a table have the ids that every table gives their names.
    @Test func tagsAreTheirNames() {
        let names = NameTable(ofx: true)
        for tag in OFXTag.allCases {
            #expect(names.text(ElementName(tag)) == String(describing: tag).uppercased())
            #expect(ElementName.ofx(String(describing: tag).uppercased()) == ElementName(tag))
        }
        #expect(ElementName.ofx("NOSUCHTAG") == .none)
    }

    @Test func boundsTrees() throws {
        let collector = Collector()
        var limits = MarkupLimits()
        limits.aggregateNodes = 10
        let reader = AggregateReader([.ofx("STMTTRN")], handler: collector, limits: limits)
        let text = "<OFX><STMTTRN>" + String(repeating: "<NAME>a</NAME>", count: 50) + "</STMTTRN></OFX>"
        try MarkupDocument.read(Array(text.utf8), names: collector.names, handler: reader)
        #expect(collector.aggregates.map(\.count) == [10])
        #expect(collector.aggregates.map(\.isIncomplete) == [true])
    }

    @Test(arguments: [
        ("<html><body>", MarkupKind.html), ("<!DOCTYPE html>\n<p>", .html), ("\n <HEAD>", .html),
        ("OFXHEADER:100\n<OFX>", .ofxSGML), ("OFXHEADER:100\n<BANKTRANLIST>", .ofxSGML),
        ("OFXHEADER:100\n<HTML>", .none), ("OFXHEADER:100\n", .none), ("<OFX><STATUS><CODE>0<SEVERITY>", .ofxSGML),
        ("<OFX><STATUS><CODE>0</CODE>", .ofxXML), ("<?xml version='1.0'?><OFX>", .ofxXML),
        ("<?OFX OFXHEADER='200'?><OFX>", .ofxXML), ("<SIGNONMSGSRSV1><SONRS>", .ofxSGML),
        ("<FlexQueryResponse a='1'>", .flexXML), ("<?xml version='1.0'?><FlexStatementResponse>", .flexXML),
        ("<?xml version='1.0'?><svg>", .xml(root: "svg")), ("Date,Amount\n1,<html>", .none), ("", .none),
        ("a < b", .none),
    ])
    func sniffs(_ text: String, _ kind: MarkupKind) {
        #expect(MarkupSniffer.kind(of: Array(text.utf8)) == kind)
    }
}
