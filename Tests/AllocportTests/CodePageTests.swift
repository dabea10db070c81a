import Delimited
import Importing
import TestSupport
import Testing

@testable import Allocport

/// Files in the code pages of East Asia and Israel, from bytes to tables and back.
@Suite struct CodePageTests {
    /// How a brokerage of a country writes: names, the words for buying and selling, and securities whose bytes hold
    /// what would be a delimiter elsewhere.
    struct Country: Sendable, CustomTestStringConvertible {
        let encoding: TextEncoding
        let name: String
        let columns: [String]
        let buy: String
        let sell: String
        let securities: [String]
        var testDescription: String { name }

        var yaml: String {
            """
            importer: acme.\(encoding)
            version: 1
            title: Acme
            zone: UTC
            currency: USD
            dates: [YYYY-MM-DD]
            tables:
              - columns: {date: \(columns[0]), action: \(columns[1]), description: \(columns[2]), units: \(columns[3]),
                  price: \(columns[4])}
                require: [date, action, description, units, price]
                security: [description]
                units: unsigned
                actions:
                  on: action
                  words:
                    \(buy): {kind: buy, set: {amount: neg(units * price)}}
                    \(sell): {kind: sell, set: {amount: units * price}}
            """
        }

        func text(rows: Int, delimiter: Character = ",", lineEnd: String = "\r\n") -> [String] {
            let separator = String(delimiter)
            return [columns.joined(separator: separator) + lineEnd]
                + (0..<rows).map { row in
                    let day = row % 28 + 1
                    let cells = [
                        "2024-0\(row % 9 + 1)-\(day < 10 ? "0" : "")\(day)", row % 3 == 2 ? sell : buy,
                        securities[row % securities.count], "\(row + 1)", "12.50",
                    ]
                    return cells.joined(separator: separator) + lineEnd
                }
        }
    }

    static let countries = [
        Country(
            encoding: .shiftJIS, name: "Shift_JIS", columns: ["約定日", "取引", "銘柄名", "数量［株］", "単価"], buy: "買付",
            sell: "売付", securities: ["ソニー", "ポート表示", "㈱髙島屋", "ﾄﾖﾀ"]),
        Country(
            encoding: .gbk, name: "GBK", columns: ["成交日期", "操作", "证券名称", "成交数量", "成交均价"], buy: "证券买入",
            sell: "证券卖出", securities: ["贵州茅台", "東方質量", "朱镕堃", "俓榺"]),
        Country(
            encoding: .eucKR, name: "EUC-KR", columns: ["거래일자", "거래구분", "종목명", "수량", "단가"], buy: "매수", sell: "매도",
            securities: ["삼성전자", "똠방각하", "株式會社"]),
        Country(
            encoding: .big5, name: "Big5", columns: ["成交日期", "買賣別", "股票名稱", "股數", "成交價"], buy: "現股買進",
            sell: "現股賣出", securities: ["台積電", "許功蓋", "育四尐"]),
        Country(
            encoding: .windows1255, name: "windows-1255", columns: ["תאריך", "פעולה", "נייר", "כמות", "שער"],
            buy: "קניה",
            sell: "מכירה", securities: ["בנק לאומי", "טבע"]),
    ]

    private static let catalog: Registry = {
        let importers = countries.compactMap {
            try? DefinitionLoader.load(Array($0.yaml.utf8), file: "\($0.name).yaml")
        }
        return Registry.builtIn(and: importers)
    }()

    private static func convert(
        _ bytes: [UInt8], name: String = "a.csv", _ change: (inout RunOptions) -> Void = { _ in }
    ) throws -> Converted {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.columns = .extended
        options.account = "A1"
        change(&options)
        var found = FoundInputs()
        found.inputs = [MemoryInput(name: name, bytes: bytes)]
        let report = try Run(options: options, catalog: catalog).convert(found)
        return Converted(report: report, folder: folder)
    }

    private static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.joined().utf8) }

    @Test func allAreThere() {
        for country in Self.countries { #expect(Self.catalog.importer("acme.\(country.encoding)") != nil) }
    }

    /// The tables of a file are those of the same text in UTF-8, and the report names the encoding.
    @Test(arguments: countries, [",", ";", "\t", "|"] as [Character])
    func isReadAsInUTF8(_ country: Country, _ delimiter: Character) throws {
        let text = Self.bytes(country.text(rows: 12, delimiter: delimiter))
        let wanted = try Self.convert(text)
        #expect(wanted.report.outcomes[.accepted] == 12 && wanted.firstInput?.encoding == "UTF-8")
        for importer in [nil, "acme.\(country.encoding)"] {
            let got = try Self.convert(country.encoding.encode(text)) { $0.importerID = importer }
            #expect(got.firstInput?.encoding == country.name && got.firstInput?.importer == "acme.\(country.encoding)")
            #expect(got.isWhole && got.transactions.rows.count == 12)
            #expect(got.transactions.content == wanted.transactions.content)
            #expect(got.transactions["sourceLine"] == wanted.transactions["sourceLine"])
            #expect(got.table("security").content == wanted.table("security").content)
            #expect(got.text("report.json")?.contains("\"\(country.name)\"") == true)
        }
    }

    /// A reject file is in the page of its file, and gives its rows when it is corrected there.
    @Test(arguments: countries) func rejectFilesAreInTheSamePage(_ country: Country) throws {
        var lines = country.text(rows: 9)
        let whole = try Self.convert(country.encoding.encode(Self.bytes(lines)))
        let good = lines[4]
        lines[4] = good.replacing(country.buy, with: country.securities[0])
        #expect(lines[4] != good)
        let got = try Self.convert(country.encoding.encode(Self.bytes(lines)))
        #expect(got.rejects["code"] == ["action.unknown"] && got.rejects["line"] == ["5"])
        #expect(got.rejects.rows.joined().contains { $0.contains(country.securities[0]) })
        let own = try #require(got.bytes("rejects/a.csv"))
        #expect(own == country.encoding.encode(Self.bytes([lines[0], lines[4]])))
        let same = try Self.convert(own)
        #expect(same.rejects["code"] == ["action.unknown"] && same.firstInput?.encoding == country.name)
        let second = try Self.convert(country.encoding.encode(Self.bytes([lines[0], good])))
        #expect(
            difference(whole.transactions.content, got.transactions.content + second.transactions.content) == [])
    }

    /// A line with bytes that are no character is rejected alone, and stays rejected; lines keep their numbers.
    @Test(arguments: countries) func damagedBytes(_ country: Country) throws {
        let lines = country.text(rows: 6).map { country.encoding.encode(Array($0.utf8)) }
        var damaged = lines
        // Half a pair, or what is none, before the line's end and before a delimiter.
        damaged[2].insert(0xFF, at: damaged[2].count - 2)
        let comma = try #require(damaged[4].lastIndex(of: 0x2C))
        damaged[4].insert(country.encoding == .windows1255 ? 0xD9 : 0xE5, at: comma)
        let got = try Self.convert(Array(damaged.joined()))
        #expect(got.rejects["code"] == ["encoding.invalid", "encoding.invalid"] && got.rejects["line"] == ["3", "5"])
        #expect(got.isWhole && got.transactions["sourceLine"] == ["2", "4", "6", "7"])
        let own = try #require(got.bytes("rejects/a.csv"))
        #expect(own.starts(with: lines[0]))
        let same = try Self.convert(own)
        #expect(same.rejects["code"] == ["encoding.invalid", "encoding.invalid"])
        #expect(same.transactions.rows.isEmpty && same.firstInput?.encoding == country.name)
    }

    /// Large files are not looked at to their end before they are read, whose last lines are told of, too.
    @Test(arguments: countries) func largeFiles(_ country: Country) throws {
        let text = Self.bytes(country.text(rows: 6000, lineEnd: "\n"))
        let bytes = country.encoding.encode(text)
        #expect(bytes.count > 128 << 10)
        let wanted = try Self.convert(text) { $0.readsAhead = false }
        for jobs in [1, 3] {
            let got = try Self.convert(bytes) {
                $0.jobs = jobs
                $0.blockBytes = 1 << 12
            }
            #expect(got.isWhole && got.firstInput?.encoding == country.name)
            #expect(got.transactions.content == wanted.transactions.content)
        }
    }

    /// Several files of one folder, each in its own page.
    @Test func severalPages() throws {
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        for country in Self.countries {
            for (place, encoding) in [country.encoding, .utf8].enumerated() {
                let text = Self.bytes(country.text(rows: 3 + place))
                found.inputs.append(
                    MemoryInput(name: "\(country.name)\(place).csv", bytes: encoding.encode(text)))
            }
        }
        for jobs in [1, 3] {
            var options = RunOptions(outputFolder: folder.path + "/\(jobs)")
            (options.jobs, options.account) = (jobs, "A1")
            let report = try Run(options: options, catalog: Self.catalog).convert(found)
            #expect(report.outcomes[.rejected] == 0 && report.isBalanced)
            #expect(Set(report.inputs.map(\.encoding)) == Set(Self.countries.map(\.name) + ["UTF-8"]))
        }
        #expect(
            folder.bytes("1/openalloc.transaction.csv") == folder.bytes("3/openalloc.transaction.csv"))
    }

    /// Random bytes below a header that is known: every line ends somewhere, whatever it holds.
    @Test(arguments: countries) func anyBytes(_ country: Country) throws {
        var random = SplitMix64(seed: 11)
        let header = country.encoding.encode(Array(country.text(rows: 2).joined().utf8))
        for _ in 0..<20 {
            let tail = (0..<200).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0x20...0xFF, using: &random)
                    : [0x2C, 0x0A, 0x22, 0x31].randomElement(using: &random) ?? 0
            }
            let got = try Self.convert(header + tail)
            #expect(got.report.isBalanced)
        }
    }

    /// The samples of East Asia, as the brokerages' sites and terminals write them.
    @Test func samplesInTheirPages() throws {
        var tried: Set<String> = []
        for sample in Sample.all {
            var bytes = sample.bytes
            guard let text = String(validating: bytes, as: UTF8.self),
                text.unicodeScalars.contains(where: { (0x3040...0xD7A3).contains($0.value) })
            else { continue }
            if bytes.starts(with: TextEncoding.utf8.byteOrderMark) { bytes.removeFirst(3) }
            for encoding in [TextEncoding.shiftJIS, .gbk, .eucKR, .big5] {
                let own = encoding.encode(bytes)
                guard TextDecoder.decode(own, as: encoding) == bytes else { continue }
                let got = try convertBuiltIn([(sample.name, own)])
                // Names in ASCII are known in any page.
                if got.firstInput?.encoding.hasPrefix("windows") == true { continue }
                let wanted = try convertBuiltIn([(sample.name, bytes)])
                #expect(got.firstInput?.encoding == encoding.name && got.isWhole, "\(sample.name), \(encoding)")
                #expect(got.firstInput?.importer == wanted.firstInput?.importer, "\(sample.name), \(encoding)")
                for table in ["transaction", "holding", "security"] {
                    #expect(got.table(table).content == wanted.table(table).content, "\(sample.name), \(encoding)")
                }
                tried.insert(encoding.name)
            }
        }
        #expect(tried.isSuperset(of: ["Shift_JIS", "GBK", "EUC-KR"]), "\(tried)")
    }
}
