import Allocport
import Importing
import OpenAlloc
import Synchronization
import Testing

/// `Run.rows` gives what the table has, and ends when its task does.
@Suite struct TypedRowsTests {
    private static func text(rows: Int) -> String {
        "txnAction,txnTransactedAt,txnAccountID,txnSecurityID,txnLotID,txnShareCount,txnSharePrice\n"
            + (0..<rows).map { "buysell,2024-01-02T15:00:00Z,\"A, \"\"1\"\"\n\",S\($0),,\($0 + 1).25,2\n" }.joined()
    }

    private static func input(_ text: String) -> MemoryInput { MemoryInput(name: "t.csv", bytes: Array(text.utf8)) }

    private static let run = Run(options: RunOptions(), catalog: Registry.builtIn())

    @Test(arguments: [0, 1, 1000]) func everyRowComesTyped(_ count: Int) async throws {
        let reported = Mutex<RunReport?>(nil)
        var rows: [MTransaction] = []
        let stream = Self.run.rows(of: Self.input(Self.text(rows: count)), as: MTransaction.self) { report in
            reported.withLock { $0 = report }
        }
        for try await row in stream { rows.append(row) }
        #expect(rows.map(\.txnSecurityID) == (0..<count).map { "S\($0)" })
        #expect(rows.allSatisfy { $0.txnAccountID == "A, \"1\"\n" && $0.txnAction == .buysell })
        #expect(rows.last?.txnShareCount == (count == 0 ? nil : ExactDecimal(exactly: "\(count).25")))
        #expect(reported.withLock { $0?.outcomes[.accepted] } == count)
    }

    @Test func whatNobodyReadsIsAnError() async throws {
        await #expect(throws: InputNotRead.self) {
            for try await _ in Self.run.rows(of: Self.input("animal,legs\ncat,4\n"), as: MTransaction.self) {}
        }
    }

    @Test func aCancelledTaskStopsReading() async throws {
        let task = Mutex<Task<Int, any Error>?>(nil)
        let readings = Atomic(0)
        let input = CallingInput(base: Self.input(Self.text(rows: 200_000))) {
            readings.add(1, ordering: .relaxed)
            task.withLock { $0?.cancel() }
        }
        let reader = Task {
            while task.withLock({ $0 == nil }) { await Task.yield() }
            var count = 0
            for try await _ in Self.run.rows(of: input, as: MTransaction.self) { count += 1 }
            return count
        }
        task.withLock { $0 = reader }
        await #expect(throws: CancellationError.self) { _ = try await reader.value }
        // Of millions of bytes some pieces were read.
        #expect((1..<50).contains(readings.load(ordering: .relaxed)))
    }

    /// A run that its owner stops is no cancelled task.
    @Test func aStoppedRunSaysSo() async throws {
        var run = Self.run
        run.isStopped = { true }
        await #expect(throws: RunError.interrupted) {
            for try await _ in run.rows(of: Self.input(Self.text(rows: 3)), as: MTransaction.self) {}
        }
    }
}

/// Says when a piece of it is read.
private struct CallingInput: InputSource {
    let base: MemoryInput
    let onRead: @Sendable () -> Void

    var name: String { base.name }
    var byteCount: Int { base.byteCount }
    func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] { try base.bytes(at: offset, count: count) }
    func open() throws(InputError) -> any ByteStream { Stream(base: try base.open(), onRead: onRead) }

    private final class Stream: ByteStream {
        private let base: any ByteStream
        private let onRead: @Sendable () -> Void

        init(base: any ByteStream, onRead: @escaping @Sendable () -> Void) {
            self.base = base
            self.onRead = onRead
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            onRead()
            return try base.read(into: buffer)
        }
    }
}
