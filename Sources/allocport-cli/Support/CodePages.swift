import CAllocator

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The pages of machine code that this process has touched.
enum CodePages {
    /// Fewer bytes are read before the code that it takes has come back.
    static let largeInput = 1 << 18

    /// Gives the system back, beside pages of code, memory that was freed: what is left to do takes other code.
    static func giveBackAll() {
        giveBack()
        allocator_trim()
    }

    /// Gives the system back the pages of code that only the start has used (the parser of arguments, detection,
    /// definitions): what is still needed is mapped again from the file's cache when it is called.
    ///
    /// Only mappings of files that can be executed and not written: nothing of them can have changed.
    static func giveBack() {
        #if os(Linux)
            guard let maps = FileSystem.read("/proc/self/maps") else { return }
            for line in maps.split(separator: UInt8(ascii: "\n")) {
                let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
                guard parts.count == 6, parts[1].elementsEqual("r-xp".utf8), parts[5].contains(UInt8(ascii: "/")) else {
                    continue
                }
                let ends = parts[0].split(separator: UInt8(ascii: "-"))
                    .compactMap { UInt(String(decoding: $0, as: UTF8.self), radix: 16) }
                guard ends.count == 2, ends[0] < ends[1], let start = UnsafeMutableRawPointer(bitPattern: ends[0])
                else {
                    continue
                }
                _ = madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
            }
        #endif
    }
}
