import Testing

@testable import Markup

/// A set of names is what a set of names is.
@Suite struct ElementNamesTests {
    private static let texts = [
        "STMTTRN", "BUYSTOCK", "OFX", "ACCRDINT", "WITHHOLDING", "INV401KBAL", "SECLIST", "MKTGINFO",
    ]

    private static func members(_ names: ElementNames) -> Set<ElementName> {
        var members: Set<ElementName> = []
        names.forEach { members.insert($0) }
        return members
    }

    @Test func holdsWhatItIsMadeOf() {
        let names = ElementNames("STMTTRN BUYSTOCK OFX ACCRDINT WITHHOLDING INV401KBAL SECLIST MKTGINFO")
        #expect(Self.members(names) == Set(Self.texts.map { .ofx($0) }))
        for id in 0..<UInt16(OFXSchema.shared.count) {
            let name = ElementName(id: id)
            #expect(names.contains(name) == Self.texts.contains(name.ofxText))
        }
    }

    @Test func passesOverWhatTheSchemaDoesNotHave() {
        let names = ElementNames("NOSUCHNAME STMTTRN")
        #expect(Self.members(names) == [.ofx("STMTTRN")])
        #expect(!names.contains(.none))
        #expect(Self.members([.none]).isEmpty)
        #expect(!names.contains(NameTable(ofx: true).intern("NOSUCHNAME")))
    }

    @Test func unitesAndTellsApart() {
        // One of few words, one of many, in both orders.
        for (left, right) in [("ACCRDINT", "WITHHOLDING"), ("WITHHOLDING", "ACCRDINT"), ("OFX", "OFX")] {
            var names: ElementNames = [.ofx(left)]
            #expect(names.isDisjoint(with: [.ofx(right)]) == (left != right))
            names.formUnion([.ofx(right)])
            #expect(Self.members(names) == [.ofx(left), .ofx(right)])
            #expect(!names.isDisjoint(with: [.none, .ofx(right)]))
        }
        #expect(ElementNames().isDisjoint(with: [.ofx("OFX")]))
    }

    /// Names that a file brings are its own, also where several tables begin with those of the schema.
    @Test func tablesDoNotShareNewNames() {
        let (first, second) = (NameTable(ofx: true), NameTable(ofx: true))
        let new = first.intern("MYBANKSAYS")
        #expect(second.count == OFXSchema.shared.count && first.count == second.count + 1)
        let other = second.intern("OTHER.WORDS")
        #expect(new == other && first.text(new) == "MYBANKSAYS" && second.text(other) == "OTHER.WORDS")
        func short(_ text: String) -> (UInt64, UInt64) {
            var words: (UInt64, UInt64) = (0, 0)
            for (index, byte) in text.utf8.enumerated() {
                if index < 8 {
                    words.0 |= UInt64(byte) << UInt64(8 * index)
                } else {
                    words.1 |= UInt64(byte) << UInt64(8 * index - 64)
                }
            }
            return words
        }
        let (mine, theirs, old) = (short("MYBANKSAYS"), short("OTHER.WORDS"), short("STMTTRN"))
        #expect(first.known(mine.0, mine.1) == new && second.known(mine.0, mine.1) == nil)
        #expect(second.known(theirs.0, theirs.1) == other && first.known(theirs.0, theirs.1) == nil)
        for table in [first, second, NameTable(ofx: true)] { #expect(table.known(old.0, old.1) == .ofx("STMTTRN")) }
        #expect(NameTable(ofx: true).known(mine.0, mine.1) == nil)
    }
}
