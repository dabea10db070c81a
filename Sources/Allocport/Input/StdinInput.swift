public import Importing

/// Standard input, or any descriptor that cannot be rewound, spooled so that it can.
public enum StdinInput {
    /// What a spooled standard input is called in the report.
    public static let name = "stdin"
    /// Up to this many bytes stay in memory; more go to a temporary file.
    public static let memoryLimit = 8 << 20

    /// Reads the descriptor to its end.
    ///
    /// - Parameters:
    ///   - descriptor: 0 for standard input.
    ///   - folder: where a temporary file may be made; it is removed from the folder at once. Nil for the folder that
    ///     `TMPDIR` names, or `/tmp`.
    /// - Throws: ``InputError/unreadable(name:code:)`` or ``InputError/noTemporaryFile(name:folder:code:)``.
    public static func spool(
        descriptor: Int32 = 0, name: String = StdinInput.name, temporaryFolder folder: String? = nil,
        memoryLimit: Int = StdinInput.memoryLimit
    ) throws(InputError) -> any InputSource {
        let folder = folder ?? POSIX.temporaryFolder
        var bytes: [UInt8] = []
        var spool: Int32 = -1
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = piece.withUnsafeMutableBytes { POSIX.read(descriptor, into: $0) }
            if count < 0 { throw .unreadable(name: name, code: POSIX.lastError) }
            if count == 0 { break }
            bytes.append(contentsOf: piece[..<count])
            if bytes.count > memoryLimit { try flush(&bytes, to: &spool, name: name, folder: folder) }
        }
        if spool < 0 { return MemoryInput(name: name, bytes: bytes) }
        try flush(&bytes, to: &spool, name: name, folder: folder)
        return try FileInput(adopting: spool, name: name)
    }

    private static func flush(
        _ bytes: inout [UInt8], to spool: inout Int32, name: String, folder: String
    ) throws(InputError) {
        if spool < 0 {
            // The open descriptor keeps the content; without a name nothing is left behind, whatever happens.
            spool = POSIX.createUnnamed(in: folder)
            if spool < 0 { throw .noTemporaryFile(name: name, folder: folder, code: POSIX.lastError) }
        }
        let code = bytes.withUnsafeBytes { POSIX.writeAll(spool, $0) }
        if code != 0 { throw .noTemporaryFile(name: name, folder: folder, code: code) }
        bytes.removeAll(keepingCapacity: true)
    }
}
