import CStepping

/// What a run of a program cost.
struct Cost {
    /// Seconds from its start to its end.
    var wall: Double
    /// Seconds of processor time, its own and the system's for it.
    var processor: Double
    /// Most bytes resident at one time. A child begins with what this program has, so that less cannot be seen.
    var resident: Int
    var status: Int32
}

/// Starts programs and waits for them.
enum Child {
    /// Runs a command; its output goes to a file, or nowhere.
    static func run(_ command: [String], output: String = "/dev/null", errors: String = "/dev/null") -> Cost {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let clock = ContinuousClock()
        let start = clock.now
        guard posix_spawnp(&process, command[0], &actions, nil, arguments, environment) == 0 else {
            return Cost(wall: 0, processor: 0, resident: 0, status: 127)
        }
        var usage = rusage()
        var status: Int32 = 0
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let wall = start.duration(to: clock.now)
        #if canImport(Darwin)
            let unit = 1
        #else
            let unit = 1024
        #endif
        return Cost(
            wall: Double(wall.components.seconds) + Double(wall.components.attoseconds) * 1e-18,
            processor: seconds(usage.ru_utime) + seconds(usage.ru_stime), resident: Int(usage.ru_maxrss) * unit,
            status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
    }

    /// The instructions of a command while it works on some bytes of its input; nil where they cannot be counted.
    static func steps(_ command: [String], reading bytes: Range<Int>) -> Int64? {
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        let count = stepping_count(&arguments, Int64(bytes.lowerBound), Int64(bytes.upperBound))
        return count > 0 ? count : nil
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }

    /// What a command prints, without the last line end; nil when it fails.
    static func text(_ command: [String], in folder: String) -> String? {
        let path = "\(folder)/text"
        defer { unlink(path) }
        guard run(command, output: path).status == 0 else { return nil }
        var text = read(path)
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// A small file's text; empty when it is not there.
    static func read(_ path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }

    /// A small file's bytes; none when it is not there.
    static func bytes(of path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }

    /// Whether a program is there.
    static func has(_ program: String) -> Bool { run(["sh", "-c", "command -v \(program)"]).status == 0 }

    /// Whether Python can import a module.
    static func canImport(_ module: String) -> Bool { run(["python3", "-c", "import \(module)"]).status == 0 }
}
