#if canImport(Darwin)
    @preconcurrency @_exported import Darwin
#else
    @preconcurrency @_exported import Glibc
#endif

/// The environment that children get.
var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { environ }

/// The end of the program when something that a benchmark needs is not there.
func fail(_ message: String) -> Never {
    say("bench: \(message)")
    exit(1)
}

/// Says what happens, at once.
func say(_ message: String) {
    let line = "\(message)\n"
    _ = Array(line.utf8).withUnsafeBytes { bytes in bytes.baseAddress.map { Glue.write(2, $0, bytes.count) } }
}

extension Double {
    /// With so many digits after the point; the whole program prints few numbers, and no Foundation keeps it small.
    func rounded(to digits: Int) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        _ = withVaList([Int32(digits), self]) { vsnprintf(&buffer, buffer.count, "%.*f", $0) }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The middle of some values; the mean of both when there are two.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
