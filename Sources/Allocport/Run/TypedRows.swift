import Delimited
public import Importing
public import OpenAlloc
import Dispatch
import Synchronization

extension Run {
    /// The rows of one table of an input, typed, one after the other.
    ///
    ///     for try await row in run.rows(of: input, as: MTransaction.self) { … }
    ///
    /// The table is made when the first row is asked for, on another thread, and whole: what later lines say may change
    /// earlier rows (positions of a later day, closed lots). Cancelling the task stops the reading. Of the options,
    /// `columns` and `format` play no part.
    ///
    /// - Parameters:
    ///   - row: the type of row, which names the table.
    ///   - onReport: called before the first row with what became of every line.
    public func rows<Row: AllocRow>(
        of input: any InputSource, as row: Row.Type = Row.self,
        onReport: (@Sendable (RunReport) -> Void)? = nil
    ) -> TypedRows<Row> {
        TypedRows(run: self, input: input, onReport: onReport)
    }
}

/// The input of ``Run/rows(of:as:onReport:)`` was not read: there is no file, it is no text, or no importer is its.
public struct InputNotRead: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it, and what to do.
    public let issues: [Issue]
    /// The code, the message and what to do of each issue, one a line.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}

/// Rows of one table: see ``Run/rows(of:as:onReport:)``.
public struct TypedRows<Row: AllocRow>: AsyncSequence, Sendable {
    let run: Run
    let input: any InputSource
    let onReport: (@Sendable (RunReport) -> Void)?

    /// Begins anew: each iterator reads the input by itself.
    public func makeAsyncIterator() -> Iterator { Iterator(rows: self) }

    /// Gives the rows.
    public struct Iterator: AsyncIteratorProtocol {
        let rows: TypedRows
        private var table: TableText?

        init(rows: TypedRows) { self.rows = rows }

        /// The next row; nil after the last.
        ///
        /// - Throws: `CancellationError`; ``InputNotRead``; ``RunError``.
        public mutating func next() async throws -> Row? {
            try Task.checkCancellation()
            if table == nil { table = try await rows.table() }
            return try table?.next().map { row throws(RowError) in try Row(from: row) }
        }
    }

    private func table() async throws -> TableText {
        // The protocol's rows are those of the sixteen schemas.
        guard let schema = SchemaID(name: Row.schema.name) else { return TableText([], Row.schema) }
        let isCancelled = Flag()
        var run = run
        run.options.columns = .core
        run.options.format = .csv
        run.options.csvSafe = false
        run.isStopped = { [isStopped = run.isStopped] in isCancelled.isSet || isStopped() }
        let made = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [run, input] in
                    continuation.resume(
                        returning: Result { () throws(RunError) in try run.transform(input, schema: schema) })
                }
            }
        } onCancel: {
            isCancelled.set()
        }
        if case .failure(.interrupted) = made, isCancelled.isSet { throw CancellationError() }
        let (bytes, _, report) = try made.get()
        onReport?(report)
        if let unread = report.inputs.first(where: { $0.importer == nil }) { throw InputNotRead(issues: unread.errors) }
        return TableText(bytes, Row.schema)
    }
}

/// Raised once, from any thread.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

/// A table as text, of which some rows at a time are typed.
private final class TableText {
    private static let chunk = 1 << 14
    private let bytes: [UInt8]
    private let schema: Schema
    private var reader = DelimitedReader(dialect: .csv)
    private var position = 0
    private var header: [String]?
    private var rows: [[String: AllocValue]] = []
    private var place = 0

    init(_ bytes: [UInt8], _ schema: Schema) {
        self.bytes = bytes
        self.schema = schema
    }

    func next() throws(RowError) -> [String: AllocValue]? {
        while place == rows.count {
            if position == bytes.count { return nil }
            rows.removeAll(keepingCapacity: true)
            place = 0
            try readOn()
        }
        place += 1
        return rows[place - 1]
    }

    private func readOn() throws(RowError) {
        let end = min(position + TableText.chunk, bytes.count)
        var texts: [[String]] = []
        bytes.withUnsafeBytes { bytes in
            let piece = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
            reader.feed(piece, isLast: end == bytes.count) { (record: borrowing RecordView) in
                var cells: [String] = []
                for place in 0..<record.count { cells.append(record.cell(place).string) }
                texts.append(cells)
            }
        }
        position = end
        for cells in texts {
            guard let header else {
                header = cells
                continue
            }
            rows.append(try schema.decode(Dictionary(zip(header, cells), uniquingKeysWith: { first, _ in first })))
        }
    }
}
