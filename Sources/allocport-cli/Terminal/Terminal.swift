import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Results go to standard output, words for people to standard error.
enum Terminal {
    /// Whether standard error is a terminal.
    static let isInteractive = isatty(2) == 1
    /// Whether words may be coloured: only on a terminal, and never with `NO_COLOR`.
    static let hasColour = isInteractive && environment("NO_COLOR").isEmpty && environment("TERM") != "dumb"

    /// The value of an environment variable; empty when it is not set.
    static func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    /// `errno` of the first result that could not be written; 0 when all were.
    private static let lost = Atomic<Int32>(0)
    /// Why results are missing on standard output; nil when none are.
    static var resultError: Int32? {
        let code = lost.load(ordering: .relaxed)
        return code == 0 ? nil : code
    }

    /// Sees to it that the three standard streams are open, so that no file of ours becomes one of them. What is
    /// written to one that was closed fails, as it would have.
    static func openStreams() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
    }

    /// Writes a line of words.
    static func say(_ text: String) { write(Array((text + "\n").utf8), to: 2) }

    /// Writes words as they stand.
    static func sayPart(_ text: String) { write(Array(text.utf8), to: 2) }

    /// Writes a line of results.
    static func result(_ text: String) { result(bytes: Array((text + "\n").utf8)) }

    /// Writes results as they stand.
    ///
    /// - Returns: 0, or `errno`.
    @discardableResult
    static func result(bytes: [UInt8]) -> Int32 {
        let code = write(bytes, to: 1)
        if code != 0 { _ = lost.compareExchange(expected: 0, desired: code, ordering: .relaxed) }
        return code
    }

    /// A complaint, in the form that every command uses.
    static func complain(_ text: String) { say(Style.red.on("allocport:") + " " + text) }

    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                #elseif canImport(Musl)
                    let count = Musl.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                #else
                    let count = Darwin.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                #endif
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                done += count
            }
            return 0
        }
    }
}

/// How words are set off.
enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"

    /// The text in this style, where styles are wanted.
    func on(_ text: String) -> String { Terminal.hasColour ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text }
}
