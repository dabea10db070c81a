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

    /// Writes a line of words.
    static func say(_ text: String) { write(Array((text + "\n").utf8), to: 2) }

    /// Writes words as they stand.
    static func sayPart(_ text: String) { write(Array(text.utf8), to: 2) }

    /// Writes a line of results.
    static func result(_ text: String) { write(Array((text + "\n").utf8), to: 1) }

    /// Writes results as they stand.
    ///
    /// - Returns: 0, or `errno`.
    @discardableResult
    static func result(bytes: [UInt8]) -> Int32 { write(bytes, to: 1) }

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
