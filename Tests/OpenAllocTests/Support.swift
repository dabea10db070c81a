import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A small seeded generator, so that a failure can be repeated.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}

/// How often a fuzzer or property goes round; `FUZZ_ITERATIONS` raises it.
func iterations(_ usual: Int) -> Int {
    guard let text = getenv("FUZZ_ITERATIONS") else { return usual }
    return max(usual, Int(String(cString: text)) ?? 0)
}
