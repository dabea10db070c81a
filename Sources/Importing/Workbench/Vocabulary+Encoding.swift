import Delimited

extension Vocabulary {
    /// Looks at an input of which a definition is to be drafted: in the rarer code page in which the catalogue knows most
    /// of a header's names, of two at least, if it knows none as the bytes are read first.
    ///
    /// - Throws: what reading throws.
    public func sample(of input: any InputSource) throws(InputError) -> InputSample {
        let first = try InputSample(input)
        guard first.mayBeRarer, knownNames(first) == 0 else { return first }
        let raw = try input.bytes(at: 0, count: InputSample.headBytes)
        var best: (sample: InputSample, count: Int)?
        var isTie = false
        for page in EncodingDetector.rarer(raw, isWhole: raw.count >= input.byteCount) {
            let sample = try InputSample(input, as: page)
            let (count, known) = (knownNames(sample), best?.count ?? 1)
            if count > known { best = (sample, count) }
            isTie = count == known || isTie && count < known
        }
        guard let best, !isTie else { return first }
        return best.sample
    }

    /// How many names that are not ASCII the catalogue knows, in the header of most.
    private func knownNames(_ sample: InputSample) -> Int {
        let counts = sample.headerRows.map { row in
            row.header.keys.count { key in
                !key.utf8.allSatisfy { $0 < 0x80 } && (columns[key] != nil || unused.contains(key))
            }
        }
        return counts.max() ?? 0
    }
}
