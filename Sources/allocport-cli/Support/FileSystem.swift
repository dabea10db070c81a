#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The few things that the command line itself asks of the file system.
enum FileSystem {
    /// What stands at a path.
    enum Kind { case file, folder, other }

    /// What stands at a path; nil when there is nothing.
    static func kind(_ path: String) -> Kind? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Whether a path, or what stands above it, is a file, so that no folder can be made there.
    static func hasFileAbove(_ path: String) -> Bool {
        var path = Substring(path)
        while !path.isEmpty {
            if kind(String(path)) == .file { return true }
            guard let slash = path.lastIndex(of: "/") else { return false }
            path = path[..<slash]
        }
        return false
    }

    /// How many bytes the file at a path has; 0 when there is none.
    static func size(_ path: String) -> Int {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG ? Int(info.st_size) : 0
    }

    /// Whether two paths name the same file or folder.
    static func isSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// The names in a folder, sorted by their bytes; nil when it cannot be read.
    static func names(in folder: String) -> [String]? {
        guard let handle = opendir(folder) else { return nil }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// All files below a folder, as paths relative to it, sorted by folder; links are not followed.
    static func files(below folder: String, prefix: String = "") -> [String] {
        var found: [String] = []
        for name in names(in: folder) ?? [] {
            let path = "\(folder)/\(name)"
            if isFolder(path) {
                found += files(below: path, prefix: "\(prefix)\(name)/")
            } else {
                found.append(prefix + name)
            }
        }
        return found
    }

    /// Whether a path is a folder and no link to one.
    static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// The bytes of a file; nil when it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            bytes.append(contentsOf: piece[..<count])
        }
    }

    /// Writes a file, with the folders above it; 0, or `errno`. It is there whole or not at all: it is written beside its
    /// place and moved there, unless that is a device or a link.
    static func write(_ bytes: [UInt8], to path: String) -> Int32 {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        if folder.count > 1 { makeFolder(String(folder.dropLast())) }
        var status = stat()
        let isPlain = lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        let place = isPlain ? "\(folder).allocport.\(getpid()).partial" : path
        guard let file = fopen(place, "wb") else { return errno }
        let count = fwrite(bytes, 1, bytes.count, file)
        var code = count == bytes.count ? 0 : errno
        if fclose(file) != 0, code == 0 { code = errno }
        if code == 0, isPlain, rename(place, path) != 0 { code = errno }
        if code != 0, isPlain { unlink(place) }
        return code
    }

    /// Makes a folder and those above it.
    static func makeFolder(_ path: String) {
        if mkdir(path, 0o755) == 0 || errno != ENOENT { return }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        makeFolder(String(path[..<slash]))
        mkdir(path, 0o755)
    }

    /// A new folder of our own for what is thrown away afterwards; nil when there cannot be one.
    static func temporaryFolder() -> String? {
        let parent = Terminal.environment("TMPDIR")
        var template = Array("\(parent.isEmpty ? "/tmp" : parent)/allocport-XXXXXX".utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
    }

    /// Removes a file, or a folder and all that is in it.
    static func remove(_ path: String) {
        guard isFolder(path) else {
            unlink(path)
            return
        }
        for name in names(in: path) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }

    /// The number of processors that may be used.
    static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// The system's words for an error number.
    static func message(_ code: Int32) -> String { String(cString: strerror(code)) }
}
