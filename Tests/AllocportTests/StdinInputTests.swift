import Importing
import TestSupport
import Testing

@testable import Allocport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What cannot be rewound is kept until it was read: in memory, or in a temporary file without a name.
@Suite struct StdinInputTests {
    private static let text = String(repeating: "0123456789abcdef", count: 2000)

    /// Spools a file of `folder`, of which only so many bytes may stay in memory.
    private static func spool(
        _ folder: TemporaryFolder, into temporary: String?, memoryLimit: Int
    ) throws -> any InputSource {
        try folder.write("in", text)
        let descriptor = open(folder.path + "/in", O_RDONLY)
        defer { close(descriptor) }
        return try StdinInput.spool(descriptor: descriptor, temporaryFolder: temporary, memoryLimit: memoryLimit)
    }

    @Test(arguments: [0, 100, 1 << 20]) func allBytesAreThere(_ memoryLimit: Int) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("tmp")
        let input = try Self.spool(folder, into: folder.path + "/tmp", memoryLimit: memoryLimit)
        #expect(input.name == "stdin" && input.byteCount == Self.text.utf8.count)
        #expect(try input.bytes(at: 0, count: input.byteCount) == Array(Self.text.utf8))
        #expect(try input.bytes(at: 31_999, count: 9) == Array("f".utf8))
        #expect(TemporaryFolder.entries(folder.path + "/tmp") == [])
    }

    @Test func itSaysWhereThereCanBeNoFile() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path + "/missing"
        let error = InputError.noTemporaryFile(name: "stdin", folder: missing, code: ENOENT)
        #expect(throws: error) { try Self.spool(folder, into: missing, memoryLimit: 100) }
        // What fits into memory needs none.
        #expect(try Self.spool(folder, into: missing, memoryLimit: 1 << 20).byteCount == Self.text.utf8.count)
    }
}
