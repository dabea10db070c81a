/// Runs a case: everybody in turn, again and again, so that a machine that slows down slows all.
struct Runner {
    let tools: Tools
    /// A folder of this program's own.
    let folder: String

    func run(_ job: Case) -> [Result] {
        let input = "\(folder)/input"
        clean(input)
        say("\(job.name): generating")
        job.generate(input, job.bytes)
        defer { clean(input) }
        var results = job.contenders.map { Result(name: $0.name) }
        for round in 0...job.rounds {
            say("\(job.name): \(round == 0 ? "warming up" : "round \(round) of \(job.rounds)")")
            for (index, contender) in job.contenders.enumerated() {
                let own = place(index)
                clean(own)
                mkdir(own, 0o755)
                let errors = "\(folder)/errors"
                let cost = Child.run(contender.command(input, own), errors: errors)
                if cost.status != 0 {
                    fail("\(contender.name) failed with \(cost.status): \(Child.read(errors))")
                }
                if round > 0 { results[index].costs.append(cost) }
            }
        }
        compare(job, &results)
        for index in results.indices { clean(place(index)) }
        count(job, &results)
        step(job, input, &results)
        return results
    }

    private func place(_ index: Int) -> String { "\(folder)/out-\(index)" }

    /// Removes a path, and files that have its name and an extension.
    private func clean(_ path: String) { _ = Child.run(["sh", "-c", "rm -rf \"$0\" \"$0\".*", path]) }

    // MARK: Agreement

    private func compare(_ job: Case, _ results: inout [Result]) {
        var first: String?
        for (index, contender) in job.contenders.enumerated() {
            guard let name = contender.table else { continue }
            var path = "\(place(index))/\(name)"
            if job.isSorted {
                let script = "tr -d '\"\\r' < \"$0\" | LC_ALL=C sort > \"$0.sorted\""
                _ = Child.run(["sh", "-c", script, path])
                path += ".sorted"
            }
            results[index].isCompared = true
            if let first {
                results[index].disagreement = Agreement.difference(first, path, numbers: job.numbers)
                if let difference = results[index].disagreement { say("\(contender.name): \(difference)") }
            } else {
                first = path
            }
        }
    }

    // MARK: Instructions

    /// Counted on two small inputs: what one has more than the other is the work, without the start.
    private func count(_ job: Case, _ results: inout [Result]) {
        let counted = job.contenders.indices.filter { job.contenders[$0].isOurs || job.contenders[$0].isCounted }
        guard job.bytes > 1 << 16, tools.counter != .none, !counted.isEmpty else { return }
        let inputs = ["\(folder)/small", "\(folder)/large"]
        defer { for input in inputs { clean(input) } }
        job.generate(inputs[0], 300_000)
        job.generate(inputs[1], 1_300_000)
        say("\(job.name): counting instructions")
        for index in counted {
            let own = place(index)
            var counts: [Int] = []
            var bytes: [Int] = []
            for input in inputs {
                clean(own)
                mkdir(own, 0o755)
                let command = job.contenders[index].command(input, own)
                guard let file = command.first(where: { $0.hasPrefix(input) }),
                    let number = tools.instructions(of: command, in: folder)
                else { break }
                counts.append(number)
                bytes.append(byteCount(file))
            }
            clean(own)
            guard counts.count == 2, bytes[1] > bytes[0] else { continue }
            results[index].instructionsPerByte = Double(counts[1] - counts[0]) / Double(bytes[1] - bytes[0])
        }
    }

    /// Counted on this processor, with the instructions that only it has. Where perf counts, it does so too.
    private func step(_ job: Case, _ input: String, _ results: inout [Result]) {
        guard let bytes = job.stepped, tools.counter != .perf else { return }
        for index in job.contenders.indices where job.contenders[index].isOurs {
            say("\(job.name): stepping through \(job.contenders[index].name)")
            let own = place(index)
            clean(own)
            mkdir(own, 0o755)
            let steps = Child.steps(job.contenders[index].command(input, own), reading: bytes)
            clean(own)
            results[index].stepsPerByte = steps.map { Double($0) / Double(bytes.count) }
        }
    }

    /// The bytes of a file, or of all files of a folder.
    private func byteCount(_ path: String) -> Int {
        let script = "find \"$0\" -type f -exec cat {} + | wc -c"
        return Int((Child.text(["sh", "-c", script, path], in: folder) ?? "").filter(\.isNumber)) ?? 0
    }
}
