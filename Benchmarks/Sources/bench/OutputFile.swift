/// A file that is written through a buffer, so that this program stays small whatever it generates.
struct OutputFile: ~Copyable {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// The bytes written so far.
    private(set) var count = 0

    init(_ path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        if descriptor < 0 { fail("\(path) cannot be written") }
        buffer.reserveCapacity(1 << 18)
    }

    mutating func write(_ text: String) { write(bytes: Array(text.utf8)) }

    mutating func write(bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
        count += bytes.count
        if buffer.count >= 1 << 17 { flush() }
    }

    private mutating func flush() {
        var done = 0
        while done < buffer.count {
            let written = buffer.withUnsafeBytes { bytes in
                bytes.baseAddress.map { Glue.write(descriptor, $0 + done, bytes.count - done) } ?? 0
            }
            if written <= 0 { fail("there is no room for the inputs") }
            done += written
        }
        buffer.removeAll(keepingCapacity: true)
    }

    consuming func finish() {
        flush()
        close(descriptor)
    }
}

/// Calls that have the name of a method where they are used.
enum Glue {
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, bytes, count)
        #else
            Glibc.write(descriptor, bytes, count)
        #endif
    }
}
