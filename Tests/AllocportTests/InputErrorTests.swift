import Allocport
import Importing
import Testing

/// What is wrong with an input prints as a sentence, with what to do.
@Suite struct InputErrorTests {
    @Test(arguments: [
        (InputError.notFound(name: "a.csv"), "a.csv: there is no such file"),
        (.notPermitted(name: "a.csv"), "a.csv: the file may not be opened. Check the permissions"),
        (.notAFile(name: "a"), "a: this is no regular file. Read it through standard input"),
        (.unreadable(name: "a", code: 5), "a: reading failed: "),
        (.changed(name: "a"), "a: the file was changed while it was read. Wait until"),
        (.noTemporaryFile(name: "-", folder: "/x", code: 2), "-: there can be no temporary file in ‘/x’: "),
        (.notText(name: "a.pdf", kind: "pdf"), "a.pdf: this is a PDF file, not text (pdf). Download the CSV"),
    ])
    func prints(_ error: InputError, _ start: String) { #expect("\(error)".hasPrefix(start)) }
}
