/// A small generator of pseudo-random numbers (SplitMix64): the same sequence from the same seed on any machine, so that
/// a failure can be had again.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to before a bound; 0 where there is none.
    package mutating func below(_ bound: Int) -> Int { bound <= 0 ? 0 : Int.random(in: 0..<bound, using: &self) }

    /// True once in `count`.
    package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    /// One of some values, of which there is at least one.
    package mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
