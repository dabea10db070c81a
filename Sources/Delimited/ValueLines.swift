import CByteMask

/// Lines that are rows of values.
public enum ValueLines {
    /// Whether all lines surely are clean records in ASCII (``CleanRecord``) that begin with a digit, and of whose cells
    /// with content more than a quarter begin with a digit or one of `- + ( .`; false says nothing.
    ///
    /// - Parameters:
    ///   - bytes: text that begins with a line, of which the last need not end.
    ///   - seconds: by byte, 256 of them: whether a second cell with content that begins with it makes the lines unsure, as
    ///     one in quotes then does; empty when none does.
    public static func areSure(
        _ bytes: UnsafeRawBufferPointer, _ dialect: Dialect, butForSeconds seconds: [Bool] = []
    ) -> Bool {
        guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress, FastScanner.suits(dialect) else {
            return false
        }
        guard seconds.count == 256 else {
            return value_lines_are_sure(base, bytes.count, dialect.delimiter, dialect.quote, nil)
        }
        var unsure = seconds
        // What stands behind an empty cell is not its content.
        for byte in [dialect.delimiter, Ascii.lineFeed, Ascii.carriageReturn] { unsure[Int(byte)] = false }
        unsure[Int(dialect.quote)] = true
        return value_lines_are_sure(base, bytes.count, dialect.delimiter, dialect.quote, unsure)
    }
}
