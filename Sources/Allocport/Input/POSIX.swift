#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The few system calls that the run makes, each retried when a signal interrupts it.
enum POSIX {
    /// What a path names.
    enum Kind: Sendable { case file, folder, link, other }

    /// The kind of what a path names and its size; nil when there is nothing. `followingLinks` false tells links apart.
    static func status(_ path: String, followingLinks: Bool = true) -> (kind: Kind, size: Int)? {
        var info = stat()
        guard (followingLinks ? stat(path, &info) : lstat(path, &info)) == 0 else { return nil }
        return (kind(of: info), Int(info.st_size))
    }

    /// The kind of an open file, and which file it is, as it is now.
    static func facts(descriptor: Int32) -> (kind: Kind, state: FileState)? {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        return (kind(of: info), state(of: info))
    }

    private static func kind(of info: stat) -> Kind {
        switch info.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .other
        }
    }

    /// What tells a file from all others, whatever its path.
    struct Identity: Hashable, Sendable {
        let device: Int64
        let number: UInt64
    }

    /// A file as it was at some time: another one, of the same or of another file, says that something has changed.
    struct FileState: Hashable, Sendable {
        let identity: Identity
        let size: Int
        /// When its content was changed last, in seconds and nanoseconds.
        let seconds: Int
        let nanoseconds: Int
    }

    private static func state(of info: stat) -> FileState {
        #if canImport(Darwin)
            let changed = info.st_mtimespec
        #else
            let changed = info.st_mtim
        #endif
        return FileState(
            identity: identity(of: info), size: Int(info.st_size), seconds: Int(changed.tv_sec),
            nanoseconds: Int(changed.tv_nsec))
    }

    /// The identity of what a path names, links not followed; nil when there is nothing.
    static func identity(_ path: String) -> Identity? {
        var info = stat()
        return lstat(path, &info) == 0 ? identity(of: info) : nil
    }

    private static func identity(of info: stat) -> Identity {
        Identity(device: Int64(truncatingIfNeeded: info.st_dev), number: UInt64(truncatingIfNeeded: info.st_ino))
    }

    /// The error number of a file that has less than it should.
    static let isTooShort = EIO

    /// Where a byte stands at or behind a place; nil when it does not.
    static func find(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether an error number says that there is no room: a full disk or a quota.
    static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

    /// Opens for reading; the result is the descriptor, or -1 with `errno` set. A pipe that nobody writes to is opened
    /// too, without waiting: what it is can be asked only then.
    static func openForReading(_ path: String) -> Int32 {
        while true {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    /// Creates a file that must not be there yet; -1 with `errno` set.
    static func create(_ path: String) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    /// Where temporary files are made.
    static var temporaryFolder: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    /// Creates a file that has no name any more, and that nobody else may read; -1 with `errno` set.
    static func createUnnamed(in folder: String) -> Int32 {
        var path = Array("\(folder)/allocport-XXXXXX".utf8CString)
        return path.withUnsafeMutableBufferPointer { path in
            guard let path = path.baseAddress else { return -1 }
            let descriptor = mkstemp(path)
            if descriptor < 0 { return -1 }
            unlink(path)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return descriptor
        }
    }

    /// Reads at an offset; the number of bytes, 0 at the end, -1 with `errno` set.
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Reads on from where the descriptor stands; as above.
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
                let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Writes all bytes; 0, or `errno`.
    static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            done += count
        }
        return 0
    }

    /// The same at an offset, wherever the descriptor stands.
    static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            done += count
        }
        return 0
    }

    /// Closes a descriptor; 0, or `errno`. It is closed in any case, also when a signal interrupts.
    @discardableResult
    static func close(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            let result = Glibc.close(descriptor)
        #elseif canImport(Musl)
            let result = Musl.close(descriptor)
        #else
            let result = Darwin.close(descriptor)
        #endif
        return result == 0 || errno == EINTR ? 0 : errno
    }

    /// Moves a file over its final name; 0, or `errno`.
    static func move(_ from: String, to: String) -> Int32 { rename(from, to) == 0 ? 0 : errno }

    /// Removes a file; what is not there is no error.
    static func remove(_ path: String) { _ = unlink(path) }

    /// Removes a folder if it is empty.
    static func removeFolder(_ path: String) { _ = rmdir(path) }

    /// Makes a folder and those above it; 0, or `errno`.
    ///
    /// - Parameter made: takes those that were not there, the outermost first.
    static func makeFolder(_ path: String, made: inout [String]) -> Int32 {
        if mkdir(path, 0o755) == 0 {
            made.append(path)
            return 0
        }
        let code = errno
        if code == EEXIST { return status(path)?.kind == .folder ? 0 : ENOTDIR }
        guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return code }
        let above = makeFolder(String(path[..<slash]), made: &made)
        if above != 0 { return above }
        if mkdir(path, 0o755) == 0 {
            made.append(path)
            return 0
        }
        return errno == EEXIST ? 0 : errno
    }

    /// The names in a folder with what they name, sorted by their bytes; nil, with `errno` set, when it cannot be read to
    /// its end.
    static func entries(in folder: String) -> [(name: String, kind: Kind)]? {
        guard let handle = opendir(folder) else { return nil }
        var code: Int32 = 0
        defer {
            closedir(handle)
            errno = code
        }
        var entries: [(name: String, kind: Kind)] = []
        while true {
            // The end and an error look alike but for this.
            errno = 0
            guard let entry = readdir(handle) else {
                code = errno
                if code != 0 { return nil }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            entries.append((name, kind(ofEntry: Int32(entry.pointee.d_type), "\(folder)/\(name)")))
        }
        return entries.sorted { precedes($0.name, $1.name) }
    }

    /// What a folder says of an entry; not all file systems tell, then the entry is asked itself.
    private static func kind(ofEntry type: Int32, _ path: @autoclosure () -> String) -> Kind {
        switch type {
        case Int32(DT_REG): .file
        case Int32(DT_DIR): .folder
        case Int32(DT_LNK): .link
        case Int32(DT_UNKNOWN): status(path(), followingLinks: false)?.kind ?? .other
        default: .other
        }
    }

    /// Whether a name stands before another by their bytes.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        let order = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                guard let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count < right.count
                }
                let order = memcmp(first, second, min(left.count, right.count))
                return order == 0 ? left.count < right.count : order < 0
            }
        }
        return (order ?? nil) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The path with all links resolved; nil when it names nothing.
    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// What a large page has on most systems.
    static let largePage = 1 << 21

    /// Asks for large pages in memory that begins with one; what comes of it is the system's to say.
    static func prefersLargePages(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        #if os(Linux)
            _ = madvise(memory, byteCount, 14)  // MADV_HUGEPAGE
        #endif
    }

    /// A number that tells this process from others that run now; only for names of temporary files.
    static var processID: Int { Int(getpid()) }

    /// The system's words for an error number.
    static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// `errno` of the last call.
    static var lastError: Int32 { errno }
}
