/// A copy of an export without what is its owner's, with the proof that it reads like the original.
public struct ProvenCopy: Sendable {
    /// The copy.
    public let copy: Anonymizer.Copy
    /// What it was held against.
    public let proof: AnonymityProof

    /// Copies an input and holds the copy against it. Numbers that the proof finds as they were are multiplied wherever
    /// they stand in their lines, and it is held again.
    ///
    /// - Returns: nil when the input is neither delimited text that a definition reads nor OFX or Flex.
    /// - Throws: what reading throws.
    public static func make(
        _ input: any InputSource, by importer: any Importer, vocabulary: Vocabulary, attempt: Int
    ) throws(InputError) -> ProvenCopy? {
        func proven(_ copy: Anonymizer.Copy) throws(InputError) -> ProvenCopy {
            let output = MemoryInput(name: copy.name, bytes: copy.bytes)
            return ProvenCopy(
                copy: copy,
                proof: try AnonymityProof(input, output, by: importer, days: copy.days, factor: copy.factor))
        }
        if let copy = try MarkupAnonymizer.copy(input, vocabulary: vocabulary, attempt: attempt) {
            return try proven(copy)
        }
        guard let copy = try Anonymizer.copy(input, by: importer, vocabulary: vocabulary, attempt: attempt) else {
            return nil
        }
        var best = try proven(copy)
        let unchanged = best.proof.unchanged
        // Prices stay as they are, unless there is no other place for a sum that did not change.
        for isOfPrices in [false, true] where !best.proof.unchanged.isEmpty {
            guard
                let again = try Anonymizer.copy(
                    input, by: importer, vocabulary: vocabulary, attempt: attempt, unchanged: (unchanged, isOfPrices))
            else { break }
            best = try proven(again)
        }
        return best
    }
}
