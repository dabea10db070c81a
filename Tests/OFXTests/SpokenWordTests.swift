import Delimited
@testable import Importing
import Testing

/// Words in names and memos that make another kind of a row.
@Suite struct SpokenWordTests {
    /// Rows with such a word must not take the short road. What undoes a trade is not among them: its signs are seen there.
    @Test func everyWordIsHeard() {
        let heard = OFXWords.all.filter { !OFXWords.undone.contains($0) }
        #expect(heard.count > 10)
        for word in heard {
            for text in [word, word.uppercased(), "A \(word) b"] {
                #expect(ByteView.with(Array(text.utf8)) { OFXWords.speaks($0) }, "\(text)")
            }
            let cut = String(word.dropLast())
            #expect(!ByteView.with(Array(cut.utf8)) { OFXWords.speaks($0) }, "\(cut)")
        }
    }

    @Test(arguments: ["", "a", "ad", "withdrawal", "ACH DEPOSIT", "Marginal", "cash", "foreign exchange", "RETURN"])
    func othersAreNot(text: String) {
        #expect(!ByteView.with(Array(text.utf8)) { OFXWords.speaks($0) })
    }
}
