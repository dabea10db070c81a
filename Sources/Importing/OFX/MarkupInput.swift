import Delimited
import Digests
import Markup

/// An input as a source of markup, with the last two chunks at hand, so that raw fragments cost no second reading.
final class MarkupInput {
    let input: any InputSource
    private var stream: (any ByteStream)?
    private let desk: DigestDesk?
    /// An aggregate that is being read began in the last chunk, or, as a rule, in the one before.
    @exclusivity(unchecked) private var before: [UInt8] = []
    @exclusivity(unchecked) private var last: [UInt8] = []
    @exclusivity(unchecked) private var lastStart = 0
    /// Why reading failed, in the terms of inputs.
    private(set) var failure: InputError?

    private static let chunkBytes = 64 * 1024

    /// - Parameter desk: where rows are made of it, and its digest beside them.
    init(_ input: any InputSource, desk: DigestDesk? = nil) {
        self.input = input
        self.desk = desk
    }

    fileprivate func rewind() throws(MarkupError) {
        // It vouches for the chunks no more.
        stream = nil
        before = []
        last = []
        lastStart = 0
        do throws(InputError) {
            stream = try input.open()
            // A chunk stays as it is until the next one is read, and longer.
            if let desk { stream?.digested?.putOff(to: desk) }
        } catch {
            failure = error
            throw .source(code: 0)
        }
    }

    fileprivate func next() throws(MarkupError) -> [UInt8]? {
        guard let stream else { return nil }
        var problem: InputError?
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) { buffer, count in
            do throws(InputError) {
                count = try stream.read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                problem = error
            }
        }
        if let problem {
            failure = problem
            throw .source(code: 0)
        }
        if chunk.isEmpty { return nil }
        lastStart += last.count
        before = last
        last = chunk
        return chunk
    }

    /// Gives the bytes of a part of the source, as UTF-8; what cannot be read again is empty.
    func withRaw<R>(_ range: Range<Int>, _ encoding: MarkupEncoding, _ body: (ByteView) -> R) -> R {
        if encoding == .utf8 { return withBytes(range, body) }
        return ByteView.with(Self.decode(withBytes(range, \.array), encoding), body)
    }

    /// The same as an array.
    func raw(_ range: Range<Int>, _ encoding: MarkupEncoding) -> [UInt8] { withRaw(range, encoding, \.array) }

    /// The same of an input of which no chunks are at hand.
    static func raw(_ range: Range<Int>, of input: any InputSource, _ encoding: MarkupEncoding) -> [UInt8] {
        decode((try? input.bytes(at: range.lowerBound, count: range.count)) ?? [], encoding)
    }

    private static func decode(_ bytes: [UInt8], _ encoding: MarkupEncoding) -> [UInt8] {
        switch encoding {
        case .utf8: bytes
        case .utf16LE: TextDecoder.decode(bytes, as: .utf16LE)
        case .utf16BE: TextDecoder.decode(bytes, as: .utf16BE)
        default: encoding.decoded(bytes) ?? bytes
        }
    }

    /// Gives the bytes of a part of the source, of the chunks at hand if it is in them.
    private func withBytes<R>(_ range: Range<Int>, _ body: (ByteView) -> R) -> R {
        let size = max(0, min(range.upperBound, input.byteCount) - range.lowerBound)
        guard range.lowerBound >= lastStart - before.count, range.lowerBound + size <= lastStart + last.count else {
            return ByteView.with((try? input.bytes(at: range.lowerBound, count: size)) ?? [], body)
        }
        let start = range.lowerBound - lastStart
        if start >= 0 { return ByteView.with(last) { body($0[start..<start + size]) } }
        let place = before.count + start
        if place + size <= before.count { return ByteView.with(before) { body($0[place..<place + size]) } }
        return ByteView.with(Array(before[place...] + last[..<(start + size)])) { body($0) }
    }
}

/// The source that the markup layer pulls from.
struct InputMarkupSource: MarkupSource {
    let input: MarkupInput

    mutating func rewind() throws(MarkupError) { try input.rewind() }
    mutating func next() throws(MarkupError) -> [UInt8]? { try input.next() }
}

/// Names the elements that issues of reading were found at: the first of a kind in words, the rest as a number.
struct MarkupIssueLog {
    private var counts: [MarkupIssue.Kind: Int] = [:]
    /// In the order in which they were met.
    private var first: [MarkupIssue] = []

    mutating func take(_ issue: MarkupIssue) {
        counts[issue.kind, default: 0] += 1
        if counts[issue.kind] == 1 { first.append(issue) }
    }

    /// Hands each kind of issue to the sink as one warning.
    func report(to sink: any RecordSink) {
        // Of one place there may be several kinds.
        let places = first.indices.sorted { (first[$0].position.offset, $0) < (first[$1].position.offset, $1) }
        for issue in places.map({ first[$0] }) {
            guard let reason = Self.reason(issue.kind) else { continue }
            let count = counts[issue.kind] ?? 1
            let times = count > 1 ? " (\(count) times; the first is here)" : ""
            let isCut = issue.kind == .partialTag
            sink.warn(
                Finding(
                    isCut ? .markupTruncated : .markupMalformed, value: isCut ? "" : issue.detail,
                    reason: reason + times,
                    suggestion: isCut
                        ? "Download the file again."
                        : "Nothing is lost by it; download the file again if it looks damaged."),
                line: issue.position.line)
        }
    }

    /// What an issue means to a person; nil for what is usual.
    private static func reason(_ kind: MarkupIssue.Kind) -> String? {
        switch kind {
        case .strayClose: "a close tag closes nothing; it was passed over"
        case .strayText: "text stands between elements"
        case .textOutside: nil
        case .unterminated: "a comment or CDATA section has no end; it was read as if it were none"
        case .partialTag: "the file ends inside a tag"
        case .impliedClose: "a close tag is missing; the element was closed by what follows"
        case .aggregateTooLarge: "an element is larger than any that a statement has"
        case .notWellFormed: "the XML is not well-formed here, so the tolerant reader was used"
        }
    }
}
