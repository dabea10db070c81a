import Delimited

/// In which code page an input is written decides who knows it: bytes alone do not tell the rarer ones apart.
extension InputSample {
    /// Whether the input may be in another code page than it was read in.
    var mayBeRarer: Bool {
        format == .delimited && (encoding == .windows1252 || encoding == .windows1250)
    }

    /// Decides who reads the input. Where nobody knows it as the sample reads it, the rarer code pages are tried, and the
    /// sample is read again in the one in which somebody does.
    ///
    /// A page counts only if characters of it are what the input is known by: by the ASCII in it alone it is known in
    /// none. If it is known equally well in two of them, it is unknown.
    ///
    /// - Throws: what reading throws.
    public mutating func decide(
        of input: any InputSource, by decide: (InputSample) -> Registry.Decision
    ) throws(InputError) -> Registry.Decision {
        let first = decide(self)
        guard case .unknown = first, mayBeRarer else { return first }
        let raw = try input.bytes(at: 0, count: Self.headBytes)
        var best: (sample: InputSample, decision: Registry.Decision, rank: Examination)?
        var isTie = false
        for page in EncodingDetector.rarer(raw, isWhole: raw.count >= input.byteCount) {
            let sample = try InputSample(input, as: page)
            guard sample.format == .delimited else { continue }
            let decision = decide(sample)
            guard let rank = decision.fitting.first?.examination else { continue }
            let others = Set(decide(try sample.inASCII()).fitting.map(\.importer.id))
            guard decision.fitting.allSatisfy({ !others.contains($0.importer.id) }) else { continue }
            if let known = best?.rank {
                let (new, old) = ((rank.specificity, rank.score), (known.specificity, known.score))
                isTie = new == old || isTie && new < old
                if new <= old { continue }
            }
            best = (sample, decision, rank)
        }
        guard let best, !isTie else { return first }
        self = best.sample
        return best.decision
    }

    /// Looks at an input for an importer: in the code page in which it knows it.
    ///
    /// - Throws: what reading throws.
    public init(_ input: any InputSource, for importer: any Importer) throws(InputError) {
        try self.init(input)
        try settleEncoding(of: input, for: importer)
    }

    /// Reads the sample again in the code page in which an importer knows it, if it does not as it is.
    ///
    /// - Throws: what reading throws.
    public mutating func settleEncoding(of input: any InputSource, for importer: any Importer) throws(InputError) {
        guard mayBeRarer else { return }
        let registry = Registry([importer])
        _ = try decide(of: input) { registry.decide($0) }
    }

    /// The sample of a text that has a mark for each character that is not ASCII.
    private func inASCII() throws(InputError) -> InputSample {
        var text: [UInt8] = []
        text.reserveCapacity(head.count)
        for byte in head {
            if byte < 0x80 { text.append(byte) } else if byte >= 0xC0 { text += [0xEF, 0xBF, 0xBD] }
        }
        return try InputSample(MemoryInput(name: name, bytes: text))
    }
}

extension Registry.Decision {
    /// All that were found to fit, the best first.
    fileprivate var fitting: [Registry.Candidate] {
        switch self {
        case .recognised(let best, let others):
            [best] + others.filter { $0.examination.score >= Examination.threshold }
        case .ambiguous(let equals): equals
        case .refused(let one): [one]
        case .unknown: []
        }
    }
}
