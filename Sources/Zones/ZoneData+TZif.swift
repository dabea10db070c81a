#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// The system's database: TZif files (RFC 9636), for zones that are not embedded.
extension ZoneData {
    private static let folders = [
        "/usr/share/zoneinfo/", "/usr/share/lib/zoneinfo/", "/var/db/timezone/zoneinfo/",
    ]

    /// The bytes of a zone's file, nil if the system has none. The id must have been checked to be a plain relative path.
    static func systemFile(_ id: String) -> [UInt8]? {
        for folder in folders {
            guard let file = fopen(folder + id, "rb") else { continue }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 256 << 10)
            // `fread` writes at most the count that it is given, which is the array's own.
            let count = bytes.withUnsafeMutableBytes { fread($0.baseAddress, 1, $0.count, file) }
            if count > 0, count < bytes.count { return Array(bytes[..<count]) }
        }
        return nil
    }

    /// Nil if the bytes are no sound TZif of version 2 or later.
    init?(tzif bytes: [UInt8]) {
        guard let first = TZifHeader(bytes, at: 0), first.version >= 2 else { return nil }
        let second = 44 + first.bodyLength(timeSize: 4)
        guard let header = TZifHeader(bytes, at: second) else { return nil }
        let body = second + 44
        let end = body + header.bodyLength(timeSize: 8)
        guard header.types > 0, end <= bytes.count else { return nil }
        let indices = body + header.times * 8
        let infos = indices + header.times
        let names = infos + header.types * 6
        var types: [LocalType] = []
        for index in 0..<header.types {
            let at = infos + index * 6
            let offset = Int(Int32(truncatingIfNeeded: bigEndian(bytes, at, 4)))
            let name = names + Int(bytes[at + 5])
            guard abs(offset) <= 93_600, Int(bytes[at + 5]) < header.characters else { return nil }
            let text = bytes[name..<names + header.characters].prefix { $0 != 0 }
            types.append(LocalType(offset: offset, abbreviation: String(decoding: text, as: UTF8.self)))
        }
        var table: [Transition] = []
        for index in 0..<header.times {
            let moment = Int64(bitPattern: bigEndian(bytes, body + index * 8, 8))
            let type = Int(bytes[indices + index])
            guard type < types.count, moment > table.last?.second ?? .min else { return nil }
            table.append(Transition(second: moment, type: types[type]))
        }
        let footer = bytes[end...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
        initial = types[0]
        transitions = table
        rule = PosixRule(String(decoding: footer, as: UTF8.self))
    }
}

private func bigEndian(_ bytes: [UInt8], _ at: Int, _ count: Int) -> UInt64 {
    bytes[at..<at + count].reduce(0) { $0 << 8 | UInt64($1) }
}

/// The counts of one block of a TZif file.
private struct TZifHeader {
    let version: Int
    let counts: [Int]

    init?(_ bytes: [UInt8], at start: Int) {
        guard start + 44 <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
        version = Int(bytes[start + 4]) - Int(UInt8(ascii: "0"))
        counts = (0..<6).map { Int(bigEndian(bytes, start + 20 + $0 * 4, 4)) }
    }

    var times: Int { counts[3] }
    var types: Int { counts[4] }
    var characters: Int { counts[5] }

    func bodyLength(timeSize: Int) -> Int {
        times * (timeSize + 1) + types * 6 + characters + counts[2] * (timeSize + 4) + counts[1] + counts[0]
    }
}
