/// The attributes of a tag as they stand in its bytes, entities and all.
package enum TagAttributes {
    /// In their order; what follows a mistake is left out.
    package static func of(_ tag: ArraySlice<UInt8>) -> [(name: String, value: ArraySlice<UInt8>)] {
        var found: [(String, ArraySlice<UInt8>)] = []
        var i = tag.startIndex
        while let equals = tag[i...].firstIndex(of: UInt8(ascii: "=")) {
            var start = equals
            while start > i, !isSpace(tag[start - 1]) { start -= 1 }
            guard let open = tag[(equals + 1)...].firstIndex(where: { !isSpace($0) }),
                tag[open] == UInt8(ascii: "\"") || tag[open] == UInt8(ascii: "'"),
                let close = tag[(open + 1)...].firstIndex(of: tag[open])
            else { break }
            found.append((String(decoding: tag[start..<equals], as: UTF8.self), tag[(open + 1)..<close]))
            i = close + 1
        }
        return found
    }
}
