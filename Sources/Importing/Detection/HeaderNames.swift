import Delimited

/// Which of a sample's headers have a name: looked up once for all of them, for every definition asks of every name.
struct HeaderNames: Sendable {
    /// A bit for each of up to 128 headers.
    struct Mask: Sendable, Hashable {
        /// Those of the first 64.
        private(set) var low: UInt64 = 0
        private var high: UInt64 = 0

        static let capacity = 128

        init() {}

        init(header: Int) {
            if header < 64 { low = 1 << UInt64(header) } else { high = 1 << UInt64(header & 63) }
        }

        var isEmpty: Bool { low | high == 0 }

        func contains(_ header: Int) -> Bool { (header < 64 ? low : high) >> UInt64(header & 63) & 1 == 1 }

        mutating func formUnion(_ other: Mask) {
            low |= other.low
            high |= other.high
        }

        mutating func formIntersection(_ other: Mask) {
            low &= other.low
            high &= other.high
        }
    }

    /// All headers.
    let all: Mask
    /// Those among the first of several cells: how near they come to a definition is told.
    let near: UInt64
    /// Hashes of names and who has them, in open addressing: a power of two, at most half full; 0 is free.
    private var hashes: [UInt64]
    private var masks: [Mask]
    /// How names begin: a bit for each number of `NameHash.opening`.
    private var openings: [UInt64] = [0, 0, 0, 0]

    /// So many headers are looked at for how near they come.
    static let maximumNear = 20

    init(_ headers: [HeaderCells]) {
        let headers = headers.prefix(Mask.capacity)
        var all = Mask()
        var near: UInt64 = 0
        for (place, header) in headers.enumerated() {
            all.formUnion(Mask(header: place))
            if place < Self.maximumNear, header.cells.count > 1 { near |= 1 << UInt64(place) }
        }
        self.all = all
        self.near = near
        let count = headers.reduce(0) { $0 + $1.hashes.count }
        var size = 16
        while size < count * 2 { size *= 2 }
        hashes = [UInt64](repeating: 0, count: size)
        masks = [Mask](repeating: Mask(), count: size)
        for (place, header) in headers.enumerated() {
            for hash in header.hashes { add(hash, Mask(header: place)) }
            for name in header.names {
                var key = name.key
                guard let bit = key.withUTF8({ NameHash.opening($0) }) else { continue }
                openings[bit >> 6] |= 1 << UInt64(bit & 63)
            }
        }
    }

    init(_ sample: InputSample) { self.init(sample.headerRows.map(\.header)) }

    private mutating func add(_ hash: UInt64, _ mask: Mask) {
        let slot = slot(of: hash)
        hashes[slot] = hash
        masks[slot].formUnion(mask)
    }

    /// Where a hash stands, or would.
    @inline(__always)
    private func slot(of hash: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & (hashes.count - 1)
        while hashes[slot] != 0, hashes[slot] != hash { slot = (slot + 1) & (hashes.count - 1) }
        return slot
    }

    /// The headers that have the name of a hash.
    @inline(__always)
    func mask(of hash: UInt64) -> Mask { masks[slot(of: hash)] }

    /// The headers that have a name as a definition writes it.
    @inline(never)
    func mask(ofName name: UnsafeBufferPointer<UInt8>) -> Mask {
        if let bit = NameHash.opening(name), openings[bit >> 6] >> UInt64(bit & 63) & 1 == 0 { return Mask() }
        return mask(of: NameHash.ofName(name))
    }
}

/// The hash of a name: FNV-1a of how it folds, without the highest bit of every byte, for the build writes it into text.
enum NameHash {
    private static let textBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

    /// Of a folded name; never 0.
    static func of(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return max(1, hash & textBits)
    }

    /// Of a name as a definition writes it.
    static func ofName(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var key = HeaderName(String(decoding: name, as: UTF8.self)).key
        return key.withUTF8 { of($0) }
    }

    /// A number below 256 of how a name begins: two ASCII letters or digits, or a letter of Russian, Chinese, Japanese or
    /// Korean. They are never markup, space or decoration, and fold without what is around them. Nil for other names.
    static func opening(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
        guard name.count >= 2 else { return nil }
        let (first, second) = (name[0], name[1])
        if isLetter(first) || isDigit(first), isLetter(second) || isDigit(second) {
            return (Int(asciiLower(first)) &* 31 &+ Int(asciiLower(second))) & 0xFF
        }
        if first == 0xD0 || first == 0xD1 && second < 0xA0 {
            return Int(smallLetter(UInt16(first & 0x1F) << 6 | UInt16(second & 0x3F))) & 0xFF
        }
        guard name.count >= 3, hasOneCase(first, second) else { return nil }
        return ((Int(first) &* 31 &+ Int(second)) &* 31 &+ Int(name[2])) & 0xFF
    }

    /// Whether a character of UTF-8 begins so that it has no small letter: U+3040 to U+30FF, U+4000 to U+9FFF, U+B000 to
    /// U+DFFF.
    private static func hasOneCase(_ first: UInt8, _ second: UInt8) -> Bool {
        switch first {
        case 0xE3: 0x81...0x83 ~= second
        case 0xE4...0xE9, 0xEB...0xED: true
        default: false
        }
    }
}
