#if os(Linux)
    import Foundation
    import Importing
    import Testing

    struct ProcessorTests {
        /// The processors that the calling thread may be on, as the system writes them.
        private static func allowed() throws -> String {
            let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
            return line.dropFirst("Cpus_allowed_list:".count).trimmingCharacters(in: .whitespaces)
        }

        private static func number() throws -> Int32 {
            let stat = try String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
            // Behind the name, which may have spaces, the 37th field from the state on.
            let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
            return try #require(Int32(fields[36]))
        }

        @Test func leavesItsProcessorAndMayComeBack() throws {
            let before = try Self.allowed()
            let isAlone = Int(before) != nil
            // The system may move the thread back at any moment.
            let moved = try (0..<20).contains { _ in
                let old = try Self.number()
                let processor = Processor.current
                processor.leave()
                return try Self.number() != old
            }
            #expect(moved != isAlone)
            #expect(try Self.allowed() == before)
        }
    }
#endif
