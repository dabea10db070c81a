import Delimited
import Digests

/// Reads one large input in blocks, on one thread or several. They guess: they read blocks as if each began with a
/// record and every row were of a class that the lane knows. Then they go through their blocks in order (`SplitMerger`),
/// take what was guessed right, and read the rest; so the outcome is that of reading line by line.
///
/// A guess counts only if the reader of the whole stands at a record on the line that was guessed, and the lane is still
/// the one that it was made for. Lines that a guess left out are read here, each at its place; when one of them changes
/// the state (a header, a cell that spans lines), the rest of its block is read here too.
enum SplitFeed {
    /// Inputs of fewer blocks are not worth the threads.
    private static let leastBlocks = 16

    /// Whether an input is to be read in this way.
    static func suits(
        _ input: any InputSource, _ reader: borrowing DelimitedReader, _ encoding: TextEncoding,
        _ options: ImportOptions
    ) -> Bool {
        input.byteCount >= leastBlocks * options.blockBytes
            && BlockReader.suits(reader.dialect, encoding)
    }

    /// Rows of one block are hashed beside the reading of the next one; several threads do not wait for each other at
    /// every block.
    private static func slotsEach(_ options: ImportOptions) -> Int { options.jobs > 1 ? 3 : 2 }

    /// More threads than there are blocks for would have nothing to do.
    private static func jobs(for input: any InputSource, _ options: ImportOptions) -> Int {
        max(1, min(options.jobs, input.byteCount / options.blockBytes))
    }

    private static func slots(of thread: Int, _ options: ImportOptions) -> [SplitSlot] {
        (0..<slotsEach(options)).map { SplitSlot(thread * slotsEach(options) + $0, capacity: options.blockBytes) }
    }

    /// Reads an input to its end, and counts its records.
    static func read(
        _ input: any InputSource, _ run: DefinitionRun, _ reader: consuming DelimitedReader, _ options: ImportOptions
    ) throws(InputError) -> Int {
        let (jobs, dialect) = (jobs(for: input, options), reader.dialect)
        let stream = try input.open()
        let digested = run.sink.desk == nil ? nil : stream.digested
        let readers = (0..<jobs).map { _ in SlotReader(dialect) }
        var chain: DigestChain?
        let aside = jobs > 1 ? run.sink.workAside() : nil
        if jobs == 1 {
            // A block stays as it is until the next one is read.
            readers[0].desk = run.sink.desk
            readers[0].isAlone = true
            if let desk = run.sink.desk { digested?.putOff(to: desk) }
        } else {
            let handed = digested?.handOver()
            // Else the input's digest is made aside.
            if aside == nil { chain = handed.map { DigestChain($0) } }
            if run.sink.desk != nil { for reader in readers { reader.desk = DigestDesk() } }
        }
        let source = BlockSource(stream, chain, blockBytes: options.blockBytes)
        let merger = SplitMerger(run, source, reader, slotCount: jobs * slotsEach(options))
        let threads = (0..<jobs).map { SplitThread(slots(of: $0, options), source, merger, readers[$0]) }
        var others: ArraySlice<SplitThread> = []
        if let aside {
            others = threads[1...1]
            threads[1].start(1, after: aside)
        }
        merger.whenFirst {
            for index in (1 + others.count)..<jobs { threads[index].start(index) }
            others = threads.dropFirst()
        }
        threads[0].read()
        for thread in others { thread.join() }
        if let failure = source.failure { throw failure }
        if chain != nil { digested?.conclude() }
        return merger.finish()
    }
}
