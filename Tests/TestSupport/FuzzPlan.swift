import Foundation

/// What a fuzzing run is told from outside: how long, from which seed, and over which files besides its own.
package struct FuzzPlan {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// Rounds, unless `FUZZ_SECONDS` ends it earlier.
    package let rounds: Int
    package let seed = UInt64(number("FUZZ_SEED") ?? 42)
    private let seconds = number("FUZZ_SECONDS")
    private let start = Date()

    package init(rounds: Int) { self.rounds = iterations(seconds == nil ? rounds : .max) }

    package func goesOn(_ round: Int) -> Bool {
        round < rounds && (seconds.map { Date().timeIntervalSince(start) < Double($0) } ?? true)
    }

    /// The files below `FUZZ_CORPUS`, up to a bound on their size, in a fixed order.
    package static func corpus(_ suffixes: [String], atMost bytes: Int = 40_000) -> [[UInt8]] {
        guard let root = ProcessInfo.processInfo.environment["FUZZ_CORPUS"] else { return [] }
        let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return paths.sorted().compactMap { path in
            guard suffixes.contains(where: { path.lowercased().hasSuffix($0) }),
                let data = FileManager.default.contents(atPath: root + "/" + path), !data.isEmpty, data.count <= bytes
            else { return nil }
            return [UInt8](data)
        }
    }
}

/// How often a fuzzer or property goes round: `FUZZ_ITERATIONS`, or as usual.
package func iterations(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["FUZZ_ITERATIONS"].flatMap { Int($0) } ?? usual
}
