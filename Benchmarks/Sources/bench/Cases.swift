/// All workloads.
struct Cases {
    let tools: Tools
    private static let table = "openalloc.transaction.csv"
    private static let megabyte = 1 << 20
    /// Of inputs of 10 MB: two of the pieces of 64 KiB in which they are read.
    private static let stepped = 90 << 16..<92 << 16

    func all() -> [Case] {
        var cases = [starting()]
        for size in [1, 10, 100, 1000] { cases.append(history(size)) }
        cases += [positions(), catalogue(), folder(10_000), folder(1_000)]
        for size in [10, 100] { cases.append(statement(size)) }
        return cases
    }

    /// Converts; the words after are more options.
    private func convert(_ name: String, _ options: String..., table: String? = nil) -> Contender {
        Contender(name: name, isOurs: true, table: table) { [binary = tools.binary] input, folder in
            [binary, "convert", input, "-o", folder, "--quiet"] + options
        }
    }

    /// Ours with two jobs, whose instructions are not counted again.
    private func onTwoProcessors() -> [Contender] {
        let words = ["--quiet", "--jobs", "2"]
        return [
            Contender(name: "allocport core, 2 jobs", table: Cases.table) { [binary = tools.binary] input, folder in
                [binary, "convert", input, "-o", folder, "--columns", "core"] + words
            },
            Contender(name: "allocport extended, 2 jobs") { [binary = tools.binary] input, folder in
                [binary, "convert", input, "-o", folder] + words
            },
        ]
    }

    /// A script of the folder Peers.
    private func peer(_ name: String, _ script: String, pattern: String = "") -> Contender {
        Contender(name: name, table: "table.csv") { [peers = tools.peers] input, folder in
            ["python3", "\(peers)/\(script)", "\(folder)/table.csv", input + pattern]
        }
    }

    private func plain(_ name: String, _ words: [String], isCounted: Bool = false) -> Contender {
        Contender(name: name, isCounted: isCounted) { input, _ in words + [input] }
    }

    // MARK: Workloads

    private func history(_ size: Int) -> Case {
        var contenders = [
            convert("allocport core, 1 job", "--columns", "core", "--jobs", "1", table: Cases.table),
            convert("allocport extended, 1 job", "--jobs", "1"),
        ]
        if size >= 100 {
            contenders += onTwoProcessors()
        }
        contenders += [plain("wc -l", ["wc", "-l"]), plain("cat", ["cat"])]
        if tools.hasPython { contenders.append(peer("Python csv + Decimal", "history.py")) }
        if tools.hasDuckDB { contenders.append(peer("DuckDB, 1 thread", "history_duckdb.py")) }
        if tools.hasPolars { contenders.append(peer("polars", "history_polars.py")) }
        return Case(
            name: "history-\(size)", title: "A delimited history of \(size) MB", bytes: size * Cases.megabyte,
            reference: "DuckDB, 1 thread", rounds: size > 100 ? 2 : 5, stepped: size == 10 ? Cases.stepped : nil,
            generate: { History.write($0 + ".csv", bytes: $1, seed: 1) },
            contenders: contenders.map { $0.readingFile(".csv") })
    }

    private func positions() -> Case {
        let table = "openalloc.holding.csv"
        var contenders = [
            convert("allocport core, 1 job", "--columns", "core", "--jobs", "1", table: table),
            convert("allocport extended, 1 job", "--jobs", "1"), plain("cat", ["cat"]),
        ]
        if tools.hasPython { contenders.append(peer("Python csv + Decimal", "positions.py")) }
        return Case(
            name: "positions-10", title: "Positions of 10 MB", bytes: 10 * Cases.megabyte,
            reference: "Python csv + Decimal", numbers: 3..<5, isSorted: true,
            generate: { Positions.write($0 + ".csv", bytes: $1, seed: 2) },
            contenders: contenders.map { $0.readingFile(".csv") })
    }

    private func catalogue() -> Case {
        var contenders = [
            Contender(name: "allocport core, 1 job") { [binary = tools.binary] input, folder in
                [
                    binary, "convert", input, "-o", folder, "--quiet", "--max-rejects", "1000000", "--columns", "core",
                    "--jobs", "1",
                ]
            },
            Contender(name: "allocport extended, 1 job") { [binary = tools.binary] input, folder in
                [binary, "convert", input, "-o", folder, "--quiet", "--max-rejects", "1000000", "--jobs", "1"]
            },
            Contender(name: "cat") { input, _ in ["sh", "-c", "find \"$0\" -type f -exec cat {} +", input] },
        ]
        if tools.hasPython { contenders.append(peer("Python csv + Decimal", "catalogue.py")) }
        return Case(
            name: "catalogue", title: "The samples of the whole catalogue, blown up to 100 MB",
            bytes: 100 * Cases.megabyte, reference: "Python csv + Decimal",
            generate: { [samples = tools.peers + "/../../SampleData"] in
                Catalogue.write($0, of: samples, bytes: $1, seed: 6)
            }, contenders: contenders)
    }

    private func folder(_ files: Int) -> Case {
        var contenders =
            [
                convert("allocport core, 1 job", "--columns", "core", "--jobs", "1", table: Cases.table),
                convert("allocport extended, 1 job", "--jobs", "1"),
            ] + onTwoProcessors()
        contenders += [
            Contender(name: "cat") { input, _ in ["sh", "-c", "cat \"$0\"/*", input] }
        ]
        if tools.hasPython {
            let script = "exec python3 \"$0\" \"$1\" \"$2\"/*"
            contenders.append(
                Contender(name: "Python csv + Decimal", table: "table.csv") { [peers = tools.peers] input, folder in
                    ["sh", "-c", script, "\(peers)/history.py", "\(folder)/table.csv", input]
                })
        }
        if tools.hasDuckDB { contenders.append(peer("DuckDB, 1 thread", "history_duckdb.py", pattern: "/*.csv")) }
        if tools.hasPolars { contenders.append(peer("polars", "history_polars.py", pattern: "/*.csv")) }
        return Case(
            name: "folder-\(files)", title: "A folder of \(files) files of 100 rows", bytes: files * 14_500,
            reference: "cat", isSorted: true,
            generate: { History.writeFolder($0, files: $1 / 14_500, seed: 3) }, contenders: contenders)
    }

    private func statement(_ size: Int) -> Case {
        var contenders = [
            convert("allocport XML, core", "--columns", "core", table: Cases.table).readingFile(".xml.ofx"),
            convert("allocport XML, extended").readingFile(".xml.ofx"),
            convert("allocport SGML, core", "--columns", "core", table: Cases.table).readingFile(".sgml.ofx"),
            convert("allocport SGML, extended").readingFile(".sgml.ofx"),
        ]
        if tools.hasXMLLint {
            contenders += [
                plain("xmllint --sax", ["xmllint", "--huge", "--sax", "--noout"], isCounted: true)
                    .readingFile(".xml.ofx"),
                plain("xmllint --stream", ["xmllint", "--huge", "--stream", "--noout"]).readingFile(".xml.ofx"),
            ]
        }
        if tools.hasPython { contenders.append(peer("Python expat", "ofx_expat.py").readingFile(".xml.ofx")) }
        return Case(
            name: "ofx-\(size)", title: "An OFX investment statement: XML of \(size) MB, and its SGML twin",
            bytes: size * Cases.megabyte, reference: "xmllint --sax", rounds: size > 10 ? 3 : 5,
            stepped: size == 10 ? Cases.stepped : nil,
            generate: { Statement.write(xml: $0 + ".xml.ofx", sgml: $0 + ".sgml.ofx", bytes: $1, seed: 4) },
            contenders: contenders)
    }

    private func starting() -> Case {
        let binary = tools.binary
        var contenders = [
            Contender(name: "allocport --version") { _, _ in [binary, "--version"] },
            Contender(name: "allocport detect") { input, _ in [binary, "detect", input] },
            convert("allocport convert", table: Cases.table), plain("cat", ["cat"]),
        ]
        if tools.hasPython { contenders.append(peer("Python csv + Decimal", "history.py")) }
        if tools.hasDuckDB { contenders.append(peer("DuckDB, 1 thread", "history_duckdb.py")) }
        if tools.hasPolars { contenders.append(peer("polars", "history_polars.py")) }
        // The table has our own columns: it is not compared here, its core is in the other cases.
        contenders[2].table = nil
        return Case(
            name: "start", title: "Starting, and a file of 100 rows", bytes: 14_500, reference: "cat", rounds: 20,
            generate: { History.write($0 + ".csv", bytes: $1, seed: 5) },
            contenders: contenders.map { $0.readingFile(".csv") })
    }
}

extension Contender {
    /// The same, for the input whose name ends so.
    func readingFile(_ suffix: String) -> Contender {
        Contender(name: name, isOurs: isOurs, isCounted: isCounted, table: table) { [command] input, folder in
            command(input + suffix, folder)
        }
    }
}
