import Delimited
import Importing
import OpenAlloc

/// `rejects.csv`, and for each input with rejects a file in its own form that can be corrected and converted by itself.
final class RejectsWriter {
    static let header = "sourceMetaID,file,line,column,code,reason,suggestion,value,raw\n"

    private let folder: OutputFolder
    private let list: Spool
    @exclusivity(unchecked) private var row: [UInt8] = []
    private var names = RejectFileNames()
    @exclusivity(unchecked) private var writer = DelimitedWriter()

    // Of the input that is being read.
    @exclusivity(unchecked) private var name = ""
    @exclusivity(unchecked) private var sourceMetaID = ""
    @exclusivity(unchecked) private var digest: LateDigest?
    @exclusivity(unchecked) private var facts = InputFacts()
    @exclusivity(unchecked) private var own: Spool?
    @exclusivity(unchecked) private var context: [UInt8] = []
    /// Of markup: what stands around the unit at hand, and what is open in the file.
    @exclusivity(unchecked) private var envelope: MarkupEnvelope?
    @exclusivity(unchecked) private var nesting = MarkupNesting()
    private var footers: [UInt8] = []
    /// Lines around the rows are few; what an odd file has more of is not copied.
    private static let contextLimit = 1 << 22
    /// Whether the lines that are kept belong into the file also when no reject follows.
    @exclusivity(unchecked) private var isContextNeeded = false

    /// The row above from which rows that follow take values, until the file has it.
    @exclusivity(unchecked) private var rowAbove: (line: Int, raw: [UInt8])?
    /// The line of the last reject.
    @exclusivity(unchecked) private var lastLine = 0

    /// Whether the last reject stops where the input does.
    @exclusivity(unchecked) private var isCutOff = false
    /// The blank line that stands after a header, before what follows.
    @exclusivity(unchecked) private var blank: [UInt8] = []
    @exclusivity(unchecked) private var hasHeader = false

    /// The first failure to create a file.
    private(set) var failure: RunError?
    /// The reject files that were written, in the order of inputs.
    private(set) var files: [RejectFileReport] = []

    init(_ folder: OutputFolder, csvSafe: Bool) throws(RunError) {
        self.folder = folder
        writer = DelimitedWriter(csvSafe: csvSafe)
        list = try folder.spool("rejects.csv")
        list.append(Array(RejectsWriter.header.utf8))
    }

    /// Begins an input. Inputs of equal names get distinct reject files.
    ///
    /// - Parameters:
    ///   - digest: gives what names the input, where that is not known yet; it has no others beside it.
    ///   - isTwin: whether its bytes were read before: then it has no rejects, and needs no name for them.
    func begin(
        name: String, sourceMetaID: String, digest: LateDigest? = nil, facts: InputFacts, isTwin: Bool = false
    ) {
        if !isTwin { begun.append((name, sourceMetaID)) }
        self.name = name
        self.sourceMetaID = sourceMetaID
        self.digest = digest
        self.facts = facts
        own = nil
        context = []
        envelope = nil
        nesting = MarkupNesting()
        footers = []
        isContextNeeded = false
        (rowAbove, lastLine) = (nil, 0)
        isCutOff = false
        blank = []
        hasHeader = false
    }

    /// The inputs whose names were not yet given out: most runs reject nothing.
    @exclusivity(unchecked) private var begun: [(name: String, sourceMetaID: String)] = []
    @exclusivity(unchecked) private var ownName = ""

    /// The name of the input's own file. Every input before it has taken its name, in the order of inputs.
    private func fileName() -> String {
        for input in begun { ownName = names.take(input.name, input.sourceMetaID) }
        begun.removeAll()
        return ownName
    }

    /// A line that stands around the rows: kept for the case that a reject follows.
    /// A section that follows a table may be one only by the blank line before it.
    func keep(context raw: ByteView, _ kind: Outcome) {
        if kind == .section { context += blank }
        blank.removeAll(keepingCapacity: true)
        hasHeader = hasHeader || kind == .header
        if kind == .footer {
            if footers.count + raw.count <= RejectsWriter.contextLimit { appendLine(raw, to: &footers) }
        } else if context.count + raw.count <= RejectsWriter.contextLimit {
            appendLine(raw, to: &context)
        }
    }

    /// A blank line.
    func keep(blank raw: ByteView) {
        guard hasHeader, raw.count <= RejectsWriter.contextLimit else { return }
        blank.removeAll(keepingCapacity: true)
        appendLine(raw, to: &blank)
    }

    /// A row from which rejected rows take values, before or after them.
    func keep(needed raw: ByteView) {
        keep(context: raw, .accepted)
        isContextNeeded = true
    }

    /// The row above from which rows that follow take values: the first of them that is rejected brings it along.
    func setRowAbove(_ unit: SourceUnit?) {
        // A reject of its own stands in the file already.
        rowAbove = unit.flatMap { unit in unit.line == lastLine ? nil : (unit.line, unit.raw.array) }
    }

    /// The input's text is in this encoding, whatever its first bytes made it seem. A code page that only a header tells is
    /// not written again: UTF-8 needs none.
    func isEncoded(as name: String) {
        let isTold = facts.encoding == .windows1252 || facts.encoding == .windows1250
        if isTold, name != TextEncoding.windows1252.name || facts.encoding != .windows1252 { facts.encoding = .utf8 }
    }

    /// Markup: what stands around the rejects that follow.
    func setEnvelope(_ envelope: MarkupEnvelope) {
        // The tags of statements stand in it.
        context = []
        self.envelope = envelope
        isCutOff = false
    }

    /// Lists a rejected unit and copies it.
    func reject(_ finding: Finding, _ unit: SourceUnit) {
        writer.removeAll()
        if let digest {
            // Now it is asked for.
            sourceMetaID = digest.sourceMetaID
            self.digest = nil
        }
        for text in [sourceMetaID, name, String(unit.line), finding.column, finding.code.rawValue] {
            writer.cell(text)
        }
        for text in [finding.reason, finding.suggestion, finding.value] { writer.cell(text) }
        writer.cell(unit.raw)
        writer.endRow()
        list.append(writer.bytes)
        lastLine = unit.line
        // Of rows that were held together the row above may be rejected itself, or stand below those that are.
        if let rowAbove, rowAbove.line <= unit.line {
            if rowAbove.line < unit.line { ByteView.with(rowAbove.raw) { keep(context: $0, .accepted) } }
            self.rowAbove = nil
        }
        isCutOff = finding.code == .markupTruncated
        copy(unit.raw, isDecodable: finding.code != .encodingInvalid)
    }

    private func copy(_ raw: ByteView, isDecodable: Bool) {
        if own == nil {
            do throws(RunError) {
                own = try folder.spool("rejects/\(fileName())")
            } catch {
                failure = failure ?? error
                return
            }
            if facts.hasByteOrderMark { own?.append(facts.encoding.byteOrderMark) }
        }
        if let envelope { own?.append(facts.encoding.encode(nesting.enter(envelope, isCutOff: isCutOff))) }
        if !context.isEmpty {
            own?.append(facts.encoding.encode(context))
            context = []
            isContextNeeded = false
        }
        row.removeAll(keepingCapacity: true)
        appendLine(raw, to: &row)
        own?.append(isDecodable ? facts.encoding.encode(row) : facts.encoding.encodeUndecodable(row))
    }

    private func appendLine(_ raw: ByteView, to bytes: inout [UInt8]) {
        raw.withUnsafeBytes { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: facts.dialect.lineEnding.bytes)
    }

    /// Ends an input: what stands after its rows.
    func end() throws(RunError) {
        if let failure { throw failure }
        guard let own else { return }
        if isContextNeeded { own.append(facts.encoding.encode(context)) }
        // What the end of the input cut off must not look as if it were whole.
        if !isCutOff { own.append(facts.encoding.encode(nesting.leave())) }
        own.append(facts.encoding.encode(footers))
        files.append(RejectFileReport(file: "rejects/\(ownName)", sha256: try own.finish()))
        self.own = nil
    }

    /// Ends the list.
    func finish() throws(RunError) { _ = try list.finish() }

    /// Whether a line is the header of such a list.
    static func isHeader(_ line: ByteView) -> Bool { line.string == header.dropLast() }
}
