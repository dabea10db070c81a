/// Damages markup as people, programs and lines do: byte by byte, and tag by tag.
package struct MarkupMutator {
    private var random: SplitMix64
    /// Files to take tags and values from.
    private let donors: [[UInt8]]

    private static let scraps = [
        "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "&", "&amp;", "&lt;", "&#13;", "&#x3C;", "&nbsp;",
        "\0",
        "\r", "\n", "\r\n", "<?", "?>", "'", "\"", "<X a='1'>", "<OFX>", "</OFX>", "<STMTTRN>", "</STMTTRN>",
        "<INVTRANLIST>", "</INVBUY>", "<NAME>", "<!DOCTYPE a [", "OFXHEADER:100\r\n", "<EXT.TAG>", "\u{E9}",
        "\u{1F600}",
        "<CORRECTFITID>F1", "<CORRECTACTION>DELETE", "<REVERSALFITID>T1",
        "<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY>",
    ]
    private static let values = [
        "", " ", "0", "-0", "1e5", "1,234", "1,234.56", "-1.234,56", "99999999999999999999999999999999999999",
        "0.00000000000000000000000000000000000001", "NaN", "12 shares", "20240115", "20240231", "00000000",
        "20240115120000[-5:EST]", "20240115120000[", "20240115999999", "99991231", "2024-01-15;09:30:00", "USD",
        "SHORT",
        "IN", "OUT", "DIV", "A & B", "<two words>", "IRA", "--",
    ]

    package init(seed: UInt64, donors: [[UInt8]]) {
        random = SplitMix64(seed: seed)
        self.donors = donors
    }

    package mutating func chance(_ one: Int) -> Bool { random.oneIn(one) }
    package mutating func below(_ bound: Int) -> Int { random.below(bound) }
    private mutating func pick(_ texts: [String]) -> [UInt8] { Array(random.pick(texts).utf8) }

    /// A few mutations of one kind or another.
    package mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(8) { bytes = chance(2) ? bytewise(bytes) : tagwise(bytes) }
        if chance(12) { bytes = recode(bytes) }
        if bytes.count > 200_000 { bytes.removeSubrange(200_000...) }
        return bytes.isEmpty ? [0x3C] : bytes
    }

    private mutating func bytewise(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let place = below(bytes.count)
        switch below(6) {
        case 0: bytes.insert(contentsOf: pick(Self.scraps), at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(300)))
        case 2: if !bytes.isEmpty { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
        case 3: if !bytes.isEmpty { bytes[place] ^= 1 << UInt8(below(8)) }
        case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + below(400))], at: below(bytes.count))
        default: if chance(4) { bytes.removeSubrange(place...) }
        }
        return bytes
    }

    /// Whole tags and values, dropped, doubled, exchanged, renamed, or taken from another file.
    private mutating func tagwise(_ bytes: [UInt8]) -> [UInt8] {
        var parts = Self.split(bytes)
        guard parts.count > 2 else { return bytes }
        let place = below(parts.count)
        switch below(9) {
        case 0: parts.remove(at: place)
        case 1: parts.insert(parts[place], at: place)
        case 2: parts.swapAt(place, below(parts.count))
        case 3:
            let run = Array(parts[place..<min(parts.count, place + below(40))])
            parts.insert(contentsOf: run, at: below(parts.count))
        case 4: parts.removeSubrange(place..<min(parts.count, place + below(40)))
        case 5:
            guard !donors.isEmpty else { break }
            let donor = Self.split(donors[below(donors.count)])
            let start = below(donor.count)
            parts.insert(contentsOf: donor[start..<min(donor.count, start + 1 + below(30))], at: place)
        case 6: if parts[place].first != 0x3C { parts[place] = pick(Self.values) }
        case 7:
            let other = parts[below(parts.count)]
            if parts[place].first == 0x3C, other.first == 0x3C { parts[place] = other }
        default:
            // Close tags are what careless writers leave out.
            let name = parts[place]
            if name.starts(with: [0x3C, 0x2F]) { parts.removeAll { $0 == name } }
        }
        return Array(parts.joined())
    }

    /// The same text in another encoding, or with other line ends.
    private mutating func recode(_ bytes: [UInt8]) -> [UInt8] {
        switch below(5) {
        case 0: return [0xFF, 0xFE] + bytes.flatMap { [$0, 0] }
        case 1: return [0xFE, 0xFF] + bytes.flatMap { [0, $0] }
        case 2: return [0xEF, 0xBB, 0xBF] + bytes
        case 3: return bytes.filter { $0 != 0x0A }
        default: return bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        }
    }

    private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var part: [UInt8] = []
        for byte in bytes {
            if byte == 0x3C, !part.isEmpty {
                parts.append(part)
                part = []
            }
            part.append(byte)
            if byte == 0x3E {
                parts.append(part)
                part = []
            }
        }
        if !part.isEmpty { parts.append(part) }
        return parts
    }
}
