/// What a file name says: account, date, title, by the definition's templates. Never a requirement.
enum FileNameContext {
    /// Without its extension and a browser's ` (1)`.
    static func stem(_ name: String) -> String {
        var stem = name
        if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = String(stem[..<dot]) }
        if stem.hasSuffix(")"), let open = stem.lastIndex(of: "("), open > stem.startIndex {
            let inner = stem[stem.index(after: open)..<stem.index(before: stem.endIndex)]
            if !inner.isEmpty, inner.allSatisfy(\.isNumber) { stem = String(stem[..<open]).trimmingSpaces }
        }
        return stem
    }

    static func values(of name: String, _ definition: Definition) -> [(slot: Int, text: String)] {
        let stem = stem(name)
        for bound in definition.files {
            var found: [(slot: Int, text: String)]?
            withView(stem) { view in
                var captures: [CapturedText] = []
                if bound.capture(view, &captures) { found = captures.map { ($0.slot, $0.text) } }
            }
            if let found { return found }
        }
        return []
    }

    static func matches(_ name: String, _ definition: Definition) -> Bool {
        let stem = stem(name)
        return definition.files.contains { bound in withView(stem) { bound.template.matches($0) } }
    }
}
