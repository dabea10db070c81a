public import Delimited
public import Importing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file, opened read-only and read in large pieces. It is open only while it is read: a run may have more inputs than
/// a process may have open files.
public struct FileInput: InputSource {
    /// The file name alone.
    public let name: String
    /// Its size when it was opened.
    public var byteCount: Int { state.size }
    /// What tells the file from all others.
    var identity: POSIX.Identity { state.identity }
    /// What it was when it was opened: rows, digest and report must be of the same bytes.
    private let state: POSIX.FileState
    private let place: Place

    /// Where it was found; nil where nothing names it, as standard input.
    public var path: String? { if case .path(let path) = place { path } else { nil } }

    /// Where the bytes are.
    private enum Place {
        case path(String)
        /// Nothing names it any more.
        case open(Descriptor)
    }

    /// Opens a file.
    ///
    /// - Throws: ``InputError``: not there, not permitted, a folder or device.
    public init(path: String, name: String? = nil) throws(InputError) {
        let shown = name ?? FileInput.lastComponent(of: path)
        try self.init(path, name: shown, FileInput.descriptor(path, name: shown))
    }

    private init(_ path: String, name: String, _ file: Descriptor) throws(InputError) {
        self.name = name
        place = .path(path)
        state = try FileInput.state(file, name: name)
    }

    /// Opens a file, and reads it if it has at most so many bytes.
    ///
    /// - Returns: the file, and its bytes; nil where there are more, or reading failed.
    static func open(_ listed: ListedFile, upTo most: Int) throws(InputError) -> (file: FileInput, bytes: [UInt8]?) {
        let descriptor = try FileInput.descriptor(listed.path, name: listed.name)
        let file = try FileInput(listed.path, name: listed.name, descriptor)
        guard file.byteCount <= most else { return (file, nil) }
        return (file, try? file.bytes(of: descriptor, at: 0, count: file.byteCount))
    }

    /// Takes over an open descriptor of a regular file.
    init(adopting descriptor: Int32, name: String) throws(InputError) {
        let file = Descriptor(descriptor)
        self.name = name
        place = .open(file)
        state = try FileInput.state(file, name: name)
    }

    private static func state(_ file: Descriptor, name: String) throws(InputError) -> POSIX.FileState {
        guard let facts = POSIX.facts(descriptor: file.number), facts.kind == .file else {
            throw .notAFile(name: name)
        }
        return facts.state
    }

    private static func descriptor(_ path: String, name: String) throws(InputError) -> Descriptor {
        let descriptor = POSIX.openForReading(path)
        if descriptor >= 0 { return Descriptor(descriptor) }
        throw InputError(opening: name, POSIX.lastError)
    }

    /// The file, opened again if it is not open; one that was changed in the meantime, or took its name, is not read.
    private func opened() throws(InputError) -> Descriptor {
        switch place {
        case .open(let file): return file
        case .path(let path):
            let file = try FileInput.descriptor(path, name: name)
            if try FileInput.state(file, name: name) != state { throw .changed(name: name) }
            return file
        }
    }

    /// A new stream from the first byte.
    public func open() throws(InputError) -> any ByteStream {
        Stream(try opened(), name: name, state)
    }

    /// Bytes at an offset; fewer than asked for only at the end.
    public func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] {
        try bytes(of: opened(), at: offset, count: count)
    }

    /// Reads the whole file into an empty block that has room for a byte more; false when it has grown or shrunk.
    public func read(into block: ByteBlock) throws(InputError) -> Bool {
        let file = try opened()
        while block.count <= byteCount {
            let wanted = block.tail.count
            let count = POSIX.read(file.number, into: block.tail, at: block.count)
            if count < 0 { throw .unreadable(name: name, code: POSIX.lastError) }
            block.advance(by: count)
            // Less than was asked for, at the size that the file was seen to have: there is no more.
            if count == 0 || (count < wanted && block.count == byteCount) { break }
        }
        return block.count == byteCount
    }

    private func bytes(of file: Descriptor, at offset: Int, count: Int) throws(InputError) -> [UInt8] {
        let start = max(0, offset)
        let length = min(max(0, count), max(0, byteCount - start))
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            while filled < length {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<length])
                let got = POSIX.read(file.number, into: rest, at: start + filled)
                if got < 0 { failure = POSIX.lastError }
                if got <= 0 { return }
                filled += got
            }
        }
        if failure != 0 { throw .unreadable(name: name, code: failure) }
        return bytes
    }

    /// What stands after the last slash of a path.
    static func lastComponent(of path: String) -> String {
        guard path.utf8.contains(0x2F) else { return path }
        let parts = path.split(separator: "/")
        return parts.last.map(String.init) ?? path
    }

    /// An open file that is closed when nobody uses it any more.
    private final class Descriptor: Sendable {
        let number: Int32
        init(_ number: Int32) { self.number = number }
        deinit { POSIX.close(number) }
    }

    private final class Stream: ByteStream {
        private let file: Descriptor
        private let name: String
        private let state: POSIX.FileState
        private var offset = 0
        /// A read gave less than was asked for, at the size that the file was seen to have: there is no more.
        private var isAtEnd = false

        init(_ file: Descriptor, name: String, _ state: POSIX.FileState) {
            self.file = file
            self.name = name
            self.state = state
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            if isAtEnd { return 0 }
            let count = POSIX.read(file.number, into: buffer, at: offset)
            if count < 0 { throw .unreadable(name: name, code: POSIX.lastError) }
            offset += count
            isAtEnd = count < buffer.count && offset == state.size
            // What was written while it was read may be there in part: half a download, or one half of two exports.
            if isAtEnd || count == 0 && !buffer.isEmpty, try FileInput.state(file, name: name) != state {
                throw .changed(name: name)
            }
            return count
        }
    }
}

extension InputError {
    /// Why a file or folder could not be opened; `code` is errno.
    init(opening name: String, _ code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR: .notFound(name: name)
            case EACCES, EPERM: .notPermitted(name: name)
            default: .unreadable(name: name, code: code)
            }
    }
}
