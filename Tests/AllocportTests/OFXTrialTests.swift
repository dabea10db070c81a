@testable import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// OFX that is read once, on a guess of what stands behind the transactions, gives what reading it twice gives.
@Suite struct OFXTrialTests {
    /// Writes statements whose aggregates stand in any order, with rows now and then that change what is known of others.
    private struct Writer {
        var random: SplitMix64
        let isXML: Bool
        /// One row of so many is odd.
        let rarely: Int
        /// What odd rows are.
        let oddity: Int
        let mayReorder: Bool

        init(seed: UInt64) {
            random = SplitMix64(seed: seed &* 0x9E37_79B9)
            var choices = SplitMix64(seed: seed)
            isXML = choices.next() % 3 == 0
            oddity = Int(choices.next() % 16)
            mayReorder = choices.next() % 4 == 1
            rarely = [.max, .max, 3, 40, 100, 200][Int(choices.next() % 6)]
        }

        mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        mutating func pick(_ words: [String]) -> String { words[below(words.count)] }

        func leaf(_ name: String, _ value: String) -> String { "<\(name)>\(value)\(isXML ? "</\(name)>" : "")\n" }
        static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        static func money(_ cents: Int) -> String {
            "\(cents < 0 ? "-" : "")\(cents.magnitude / 100).\(two(Int(cents.magnitude % 100)))"
        }

        mutating func security() -> String {
            "<SECID>" + leaf("UNIQUEID", pick(["99400GH47", "99401GH48"])) + leaf("UNIQUEIDTYPE", "CUSIP")
                + "</SECID>\n"
        }

        mutating func invtran(_ more: String = "") -> String {
            let day = "2023\(Self.two(1 + below(12)))\(Self.two(1 + below(28)))093000"
            return "<INVTRAN>\n" + leaf("FITID", "F\(below(5000))") + leaf("DTTRADE", day) + more + "</INVTRAN>\n"
        }

        mutating func row() -> String {
            if rarely < .max, below(rarely) == 0 { return oddRow() }
            switch below(3) {
            case 0: return trade(isBuy: true)
            case 1: return trade(isBuy: false)
            default:
                return "<INCOME>\n" + invtran() + security() + leaf("INCOMETYPE", "DIV")
                    + leaf("TOTAL", Self.money(1 + below(9000))) + "</INCOME>\n"
            }
        }

        mutating func trade(isBuy: Bool, inside: String = "", sign: Int = 1, sort: String = "STOCK") -> String {
            let (outer, inner) = isBuy ? ("BUY", "INVBUY") : ("SELL", "INVSELL")
            let (units, price) = (1 + below(900), 100 + below(9000))
            let amount = sign * units * price
            return "<\(outer)\(sort)>\n<\(inner)>\n" + invtran(inside) + security()
                + leaf("UNITS", "\(isBuy ? units : -sign * units)") + leaf("UNITPRICE", Self.money(price))
                + leaf("TOTAL", Self.money(isBuy ? -amount : amount)) + "</\(inner)>\n"
                + (sort == "OPT" ? leaf("SHPERCTRCT", "100") : "") + "</\(outer)\(sort)>\n"
        }

        /// Rows that change what other rows become.
        mutating func oddRow() -> String {
            switch oddity {
            case 0: return trade(isBuy: below(2) == 0, inside: leaf("REVERSALFITID", "F\(below(5000))"))
            case 1: return trade(isBuy: below(2) == 0, sign: -1)
            case 2:
                return "<CLOSUREOPT>\n" + invtran() + security() + leaf("OPTACTION", "EXPIRE") + leaf("UNITS", "1")
                    + leaf("SHPERCTRCT", "100") + leaf("SUBACCTSEC", "CASH") + "</CLOSUREOPT>\n"
                    + trade(isBuy: true, sort: "OPT")
            case 3: return trade(isBuy: true, sort: "OPT")
            case 4:
                return "<INCOME>\n" + invtran() + security() + leaf("INCOMETYPE", "DIV") + leaf("TOTAL", "1.234,50")
                    + "</INCOME>\n"
            case 5:
                return "<INCOME>\n" + invtran() + security() + leaf("INCOMETYPE", "DIV") + leaf("TOTAL", "1,234")
                    + leaf("INV401KSOURCE", "MATCH") + "</INCOME>\n"
            case 6:
                return "<INVBANKTRAN>\n<STMTTRN>\n" + leaf("TRNTYPE", "DEBIT") + leaf("DTPOSTED", "20230301")
                    + leaf("TRNAMT", "-5.00") + leaf("FITID", "B\(below(99))") + leaf("CORRECTFITID", "B\(below(99))")
                    + leaf("CORRECTACTION", "REPLACE") + leaf("NAME", "Shop") + "</STMTTRN>\n</INVBANKTRAN>\n"
            case 7, 12, 13, 14, 15: return "</INVTRANLIST>\n" + aside() + "<INVTRANLIST>\n"
            case 8: return "</INVTRANLIST></INVSTMTRS>\n" + "<INVSTMTRS>\n" + account() + "<INVTRANLIST>\n"
            case 9: return leaf("CURDEF", "EUR") + trade(isBuy: true)
            case 10: return "<WHATEVER>\n" + leaf("MEMO", "caf\u{E9} & Co") + "</WHATEVER>\n"
            default: return "<INCOME>\n" + invtran() + leaf("TOTAL", "") + "</INCOME>\n"
            }
        }

        /// What may stand between two lists, and tells something of the whole statement.
        mutating func aside() -> String {
            switch oddity {
            case 12: account()
            case 13: leaf("CURDEF", "EUR")
            case 14: leaf("DTASOF", "20240101")
            case 15: "<INVBAL>" + leaf("AVAILCASH", "3.50") + "</INVBAL>\n"
            default: positions()
            }
        }

        mutating func account() -> String {
            "<INVACCTFROM>" + leaf("BROKERID", "example.test") + leaf("ACCTID", "X\(below(2))") + "</INVACCTFROM>\n"
        }

        mutating func positions() -> String {
            "<INVPOSLIST><POSSTOCK><INVPOS>" + security() + leaf("UNITS", "\(below(900))") + leaf("UNITPRICE", "12.50")
                + leaf("MKTVAL", "900.00") + leaf("DTPRICEASOF", "20240131") + "</INVPOS></POSSTOCK></INVPOSLIST>\n"
        }

        func list() -> String {
            var text = "<SECLISTMSGSRSV1><SECLIST>\n"
            for (id, ticker, sort) in [("99400GH47", "GRNF", "STOCK"), ("99401GH48", "NWTM", "MF")] {
                text +=
                    "<\(sort)INFO><SECINFO><SECID>" + leaf("UNIQUEID", id) + leaf("UNIQUEIDTYPE", "CUSIP") + "</SECID>"
                text += leaf("SECNAME", "Name \(ticker)") + leaf("TICKER", ticker) + "</SECINFO></\(sort)INFO>\n"
            }
            return text + "</SECLIST></SECLISTMSGSRSV1>\n"
        }

        mutating func statement() -> String {
            var rows = "<INVTRANLIST>\n" + leaf("DTSTART", "20230101")
            for _ in 0..<60 + below(200) { rows += row() }
            rows += "</INVTRANLIST>\n"
            var parts = [leaf("DTASOF", "20240131"), leaf("CURDEF", "USD"), account(), rows]
            if below(2) == 0 { parts.append(positions()) }
            if below(3) == 0 {
                parts.append("<INVBAL>" + leaf("AVAILCASH", "17.25") + leaf("MARGINBALANCE", "0") + "</INVBAL>\n")
            }
            if mayReorder { shuffle(&parts) }
            return "<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS>\n" + parts.joined()
                + "</INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>\n"
        }

        mutating func shuffle(_ parts: inout [String]) {
            for index in parts.indices.reversed() { parts.swapAt(index, below(index + 1)) }
        }

        mutating func document() -> [UInt8] {
            let signOn =
                "<SIGNONMSGSRSV1><SONRS>" + leaf("DTSERVER", "20240131120000") + "<FI>" + leaf("ORG", "Example")
                + "</FI></SONRS></SIGNONMSGSRSV1>\n"
            var parts = [signOn, statement()]
            if below(4) == 0 { parts.append(statement()) }
            parts.append(list())
            if mayReorder { shuffle(&parts) }
            let head = isXML ? "<?xml version=\"1.0\"?>\n<?OFX OFXHEADER=\"200\"?>\n" : "OFXHEADER:100\nVERSION:102\n\n"
            return Array((head + "<OFX>\n" + parts.joined() + "</OFX>\n").utf8)
        }

        /// Cuts, doubles and changes bytes.
        mutating func damage(_ bytes: inout [UInt8]) {
            for _ in 0..<1 + below(3) where bytes.count > 200 {
                let place = below(bytes.count - 100)
                switch below(6) {
                case 0: bytes.removeSubrange(place..<place + 1 + below(60))
                case 1: bytes.insert(contentsOf: bytes[place..<place + 1 + below(90)], at: below(bytes.count))
                case 2: bytes[place] = UInt8(below(256))
                case 3: bytes.removeLast(below(bytes.count / 3))
                case 4: bytes.insert(contentsOf: Array(pick(["<", ">", "&", "<!--", "]]>", "</OFX>"]).utf8), at: place)
                default: bytes.insert(contentsOf: Array(row().utf8), at: place)
                }
            }
        }
    }

    private static func outputs(
        _ input: MemoryInput, takesGuesses: Bool, _ change: (inout RunOptions) -> Void
    ) throws -> (files: [String: [UInt8]], wasTakenBack: Bool) {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        change(&options)
        var found = FoundInputs()
        found.inputs = [input]
        var run = try Run(options: options, catalog: BuiltIn.registry())
        run.takesGuesses = takesGuesses
        let report = try run.convert(found)
        let files = folder.files("out")
        return (files, report.wasTakenBack)
    }

    /// Statements of many accounts are found as they come, if they end alike; where one ends otherwise, it shows.
    @Test(arguments: [2, 3, 7], [RunOptions.Columns.core, .extended])
    func findsStatements(_ count: Int, _ columns: RunOptions.Columns) throws {
        for (isBank, hasOther) in [(false, false), (true, false), (false, true), (true, true)] {
            var writer = Writer(seed: 7)
            var text = "OFXHEADER:100\nVERSION:102\n\n<OFX>\n<SIGNONMSGSRSV1><SONRS>"
            text += writer.leaf("DTSERVER", "20240131120000") + "</SONRS></SIGNONMSGSRSV1>\n"
            for account in 1...count {
                let isOther = hasOther && account == 2
                let (set, list) = isBank ? ("STMT", "BANKTRANLIST") : ("INVSTMT", "INVTRANLIST")
                let from = isBank ? "BANKACCTFROM" : "INVACCTFROM"
                text += "<\(isBank ? "BANK" : "INVSTMT")MSGSRSV1><\(set)TRNRS><\(set)RS>\n"
                if !isBank { text += writer.leaf("DTASOF", "20240131") }
                text += writer.leaf("CURDEF", isOther ? "EUR" : "USD") + "<\(from)>"
                text += writer.leaf("ACCTID", "A\(account)") + "</\(from)>\n<\(list)>\n"
                for row in 0..<(account == count ? 2 : 60) {
                    guard isBank else {
                        text += writer.trade(isBuy: row % 2 == 0)
                        continue
                    }
                    text += "<STMTTRN>\n" + writer.leaf("TRNTYPE", "DEBIT") + writer.leaf("DTPOSTED", "20230301")
                    text += writer.leaf("TRNAMT", "-5.\(10 + row)") + writer.leaf("FITID", "B\(row)")
                    text += writer.leaf("NAME", "Shop") + "</STMTTRN>\n"
                }
                text += "</\(list)>\n"
                if isBank {
                    text += "<LEDGERBAL>" + writer.leaf("BALAMT", "\(account).50")
                    text += writer.leaf("DTASOF", isOther ? "20230101" : "20240131") + "</LEDGERBAL>\n"
                } else if isOther {
                    text += writer.positions()
                }
                text += "</\(set)RS></\(set)TRNRS></\(isBank ? "BANK" : "INVSTMT")MSGSRSV1>\n"
            }
            text += writer.list() + "</OFX>\n"
            let input = MemoryInput(name: "a.ofx", bytes: Array(text.utf8))
            let change: (inout RunOptions) -> Void = {
                $0.guessBytes = max(1, text.utf8.count / 16)
                $0.columns = columns
            }
            let twice = try Self.outputs(input, takesGuesses: false, change)
            let once = try Self.outputs(input, takesGuesses: true, change)
            #expect(once.files == twice.files)
            // Of two, the other one may stand in the tail, so that all of it is known.
            if count > 2 || !hasOther { #expect(once.wasTakenBack == hasOther, "\(isBank), \(hasOther)") }
        }
    }

    /// Every sample of OFX, guessed from a sixteenth of its bytes, and from fewer.
    @Test func agreesOverAllSamples() async throws {
        let tried = try await timesTried(
            over: Sample.all.filter {
                ["ofx", "qfx", "sgml"].contains($0.name.lowercased().suffix(4).drop { $0 == "." })
            }
        ) { try Self.agreesOverAllSamples($0) }
        #expect(tried > 15)
    }

    /// How often it was tried on a sample.
    private static func agreesOverAllSamples(_ sample: Sample) throws -> Int {
        var tried = 0
        let input = MemoryInput(name: sample.name, bytes: sample.bytes)
        for columns in [RunOptions.Columns.core, .extended] {
            let twice = try Self.outputs(input, takesGuesses: false) { $0.columns = columns }
            for part in [16, 23, 40] {
                let once = try Self.outputs(input, takesGuesses: true) {
                    $0.columns = columns
                    $0.guessBytes = max(1, input.byteCount / part)
                }
                #expect(once.files == twice.files, "\(sample.path), a part of \(part)")
                if !once.wasTakenBack { tried += 1 }
            }
        }
        return tried
    }

    @Test func agreesWithReadingTwice() throws {
        var (right, wrong) = (0, 0)
        for round in 0..<180 * Sample.effort {
            var writer = Writer(seed: UInt64(round))
            var bytes = writer.document()
            if round % 5 > 2 { writer.damage(&bytes) }
            let input = MemoryInput(name: "a.ofx", bytes: bytes)
            let guessBytes = [900, 1500, bytes.count / 17][round % 3]
            let change: (inout RunOptions) -> Void = {
                $0.guessBytes = guessBytes
                $0.columns = round / 2 % 2 == 0 ? .extended : .core
                $0.format = RunOptions.Format.allCases[round / 4 % 4]
                $0.jobs = 1 + round / 16 % 2
                $0.verdicts = round % 11 == 0
            }
            let twice = try Self.outputs(input, takesGuesses: false, change)
            let once = try Self.outputs(input, takesGuesses: true, change)
            for (name, file) in twice.files {
                let isSame = once.files[name] == file
                #expect(isSame, "round \(round): \(name)")
            }
            #expect(once.files.count == twice.files.count && !twice.wasTakenBack)
            let dates = try OFXDates(options: ImportOptions())
            var options = ImportOptions()
            options.guessBytes = guessBytes
            if OFXGuess(input, options, dates) != nil {
                if once.wasTakenBack { wrong += 1 } else { right += 1 }
            }
        }
        // Both happen, and often.
        #expect(right > 40 && wrong > 20, "\(right) right, \(wrong) wrong")
    }
}
