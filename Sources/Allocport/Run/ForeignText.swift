public import Importing

extension InputSample {
    /// What a text is that people take for an export; nil when it is nothing of that kind.
    public var foreignKind: (reason: String, advice: String)? {
        let start = String(decoding: head.prefix(1 << 13), as: UTF8.self).lowercased()
        let download = "Download the CSV, OFX or QFX version instead."
        let save = "Open it and save its sheet as CSV, or download the CSV, OFX or QFX version instead."
        switch format {
        case .html, .xml:
            if start.contains("<table") && start.contains("<td") {
                // Brokerages offer such pages as workbooks, with the ending .xls.
                return ("this is a table as a web page, which is not read", save)
            }
            if format == .html {
                return ("this is a web page, not an export", "Log in, and download the export again.")
            }
            if start.contains("urn:schemas-microsoft-com:office:spreadsheet") {
                return ("this is a workbook in XML, which is not read", save)
            }
            if start.contains("urn:iso:std:iso:20022:tech:xsd:camt") {
                return ("this is a bank statement in ISO 20022 XML (camt), which is not read", download)
            }
            return ("this is XML, but neither OFX nor a Flex report of IBKR", download)
        case .json: return ("this is JSON, but no table in an openalloc schema", download)
        case .delimited:
            let text = start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            if ["!type:", "!account", "!option:", "!clear:"].contains(where: { text.hasPrefix($0) }) {
                return ("this is a QIF file, which is not read", download)
            }
            // SWIFT MT940: a reference, later an opening balance, perhaps in an envelope.
            if text.hasPrefix(":20:") || text.hasPrefix("{1:f"), start.contains(":60f:") || start.contains(":60m:") {
                return ("this is a SWIFT MT940 statement, which is not read", download)
            }
            if Self.hasWrappedLines(start) {
                return (
                    "each line stands in quotation marks as a whole, so that it is one cell; a spreadsheet that has "
                        + "saved the file does such a thing",
                    "Convert the file as it was downloaded, or remove the marks at the ends of its lines and make two "
                        + "marks in a row one."
                )
            }
            return nil
        case .ofx, .flex, .binary, .empty: return nil
        }
    }

    /// Whether the first lines are rows each of which was taken for one cell: `"Date,""Action"",""Symbol"""`.
    private static func hasWrappedLines(_ text: String) -> Bool {
        // The last may be cut.
        let lines = text.split(whereSeparator: \.isNewline).dropLast().filter { $0 != "\"\"" }.prefix(4)
        return lines.count > 1
            && lines.allSatisfy { line in
                guard line.utf8.count > 2, line.hasPrefix("\""), line.hasSuffix("\"") else { return false }
                let inner = String(line.dropFirst().dropLast())
                let marks = inner.split(separator: "\"\"", omittingEmptySubsequences: false)
                return !marks.contains { $0.contains("\"") }
                    && [",", ";", "\t"].contains { mark in inner.split(separator: mark).count > 2 }
            }
    }

    /// What to do about a file that nothing recognises.
    public var unknownAdvice: String {
        beginsWithRow
            ? "Its first line reads like a row: download the file with the names of its columns, or write them above in a "
                + "copy; if it is not known then, draft a definition: allocport importer new FILE."
            : "If it is an export, name its kind with --importer, or draft a definition: allocport importer new FILE."
    }
}
