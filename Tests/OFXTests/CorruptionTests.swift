import Importing
import OpenAlloc
import Testing

/// What other readers silently get wrong: here the value is right, or the row is rejected.
@Suite struct CorruptionTests {
    @Test(arguments: [
        ("-12.34", "-12.34"), ("-1,234.56", "-1234.56"), ("-1.234,56", "-1234.56"), ("-12,34", "-12.34"),
        ("-$12.34", "-12.34"),
        ("- 12.34", "-12.34"), ("$-12.34", "-12.34"), ("+00000000000069.3100", "69.31"), ("1.234", "1.234"), ("0", "0"),
        ("12345678901234567890.12", "12345678901234567890.12"), ("-1,234,567.89", "-1234567.89"), (".5", "0.5"),
    ])
    func readsAmounts(text: String, value: String) throws {
        let sink = try collect(bank(row(amount: text)))
        #expect(sink.codes.isEmpty)
        #expect(sink.records.last?[.amount]?.description == value)
    }

    @Test(arguments: [
        ("1,234", "number.invalid"), ("56.77invalid", "number.invalid"), ("12 shares", "number.invalid"),
        ("5%", "number.invalid"),
        ("", "field.missing"), ("  ", "field.missing"), ("1.2.3", "number.invalid"), ("--5", "number.invalid"),
    ])
    func rejectsAmounts(text: String, code: String) throws {
        let sink = try collect(bank(row(amount: text) + row(amount: "5", id: "F2")))
        #expect(sink.codes == [code])
        #expect(sink.records.last?[.amount] == 5)
    }

    /// Another number of the file proves the mark.
    @Test(arguments: [("7.25", "1234"), ("7,25", "1.234")])
    func provesTheMark(other: String, value: String) throws {
        let sink = try collect(bank(row(amount: "1,234") + row(amount: other, id: "F2")))
        #expect(sink.codes.isEmpty)
        #expect(sink.records.dropFirst().first?[.amount]?.description == value)
    }

    @Test(arguments: [
        ("20240115", "2024-01-15T17:00:00Z"), ("20240115000000", "2024-01-15T17:00:00Z"),
        ("20240115000000[-5:EST]", "2024-01-15T17:00:00Z"), ("20240115000000.000[+9:JST]", "2024-01-15T17:00:00Z"),
        ("20240115120000", "2024-01-15T12:00:00Z"), ("20240115120000[-5]", "2024-01-15T17:00:00Z"),
        ("20240115120000[-5:EST]", "2024-01-15T17:00:00Z"), ("20240115120000[+0:UTC]", "2024-01-15T12:00:00Z"),
        ("20240115120000[-3.5:NST]", "2024-01-15T15:30:00Z"), ("20240115120000[5.30:IST]", "2024-01-15T06:30:00Z"),
        ("20240115120000[5.75:NPT]", "2024-01-15T06:15:00Z"), ("20240115120000[-:EST]", "2024-01-15T17:00:00Z"),
        ("20240115120000[EST]", "2024-01-15T17:00:00Z"), ("20240115120000[-0330:NST]", "2024-01-15T15:30:00Z"),
        // As ISO 8601 and programs have it.
        ("20240115120000Z", "2024-01-15T12:00:00Z"), ("20240115120000-0500", "2024-01-15T17:00:00Z"),
        ("20240115120000.5+05:30", "2024-01-15T06:30:00.5Z"), ("20240115T120000", "2024-01-15T12:00:00Z"),
        ("20240115 1200", "2024-01-15T12:00:00Z"), ("20240115T120000Z", "2024-01-15T12:00:00Z"),
        ("20240115120000[GMT-3]", "2024-01-15T15:00:00Z"), ("20240115120000[utc+05:30]", "2024-01-15T06:30:00Z"),
        ("20240115120000[-03:EST]", "2024-01-15T15:00:00Z"), ("20240115120000.123[-5:EST]", "2024-01-15T17:00:00.123Z"),
        ("2024011512", "2024-01-15T12:00:00Z"), ("202401151230", "2024-01-15T12:30:00Z"),
        ("2024-01-15", "2024-01-15T17:00:00Z"),
        ("2024-01-15T12:30:00Z", "2024-01-15T12:30:00Z"), ("2024-01-15T12:30:00-05:00", "2024-01-15T17:30:00Z"),
        ("31/01/2024", "2024-01-31T17:00:00Z"), ("01/31/2024", "2024-01-31T17:00:00Z"),
        ("05/05/2024", "2024-05-05T16:00:00Z"),
        ("20240701", "2024-07-01T16:00:00Z"),
    ])
    func readsDates(text: String, value: String) throws {
        let sink = try collect(bank(row(date: text)))
        #expect(sink.codes.isEmpty)
        #expect(sink.records.last?[.tradedAt]?.description == value)
    }

    @Test(arguments: [
        ("", "field.missing"), ("00000000", "date.invalid"), ("0", "date.invalid"), ("20240231", "date.invalid"),
        ("05/06/2024", "date.invalid"), ("20240115250000", "date.invalid"), ("2024011", "date.invalid"),
        ("yesterday", "date.invalid"),
        ("20240115120000z", "date.invalid"), ("20240115120000-05", "date.invalid"), ("20240115-0500", "date.invalid"),
        ("20240115120000-9900", "date.invalid"), ("20240115T12000", "date.invalid"), ("20240115T", "date.invalid"),
        ("20240115120000[GMT-]", "date.invalid"), ("20240115120000[GMT+99]", "date.invalid"),
        ("20240115120000[five]", "date.invalid"), ("20240115120000[-5:EST]CURDEF>USD", "date.invalid"),
        ("20240115120000[-5:EST]]", "date.invalid"), ("18700101", "date.invalid"), ("20240115x", "date.invalid"),
    ])
    func rejectsDates(text: String, code: String) throws {
        #expect(try collect(bank(row(date: text))).codes == [code])
    }

    @Test(arguments: ["18700101", "18991231120000[-5:EST]", "1899-12-31", "00010101"])
    func saysThatDatesAreOld(text: String) throws {
        let sink = try collect(bank(row(date: text)))
        #expect(sink.codes == ["date.invalid"] && sink.units.contains { $0.reason.contains("before 1900") })
    }

    @Test func followsTheUsersZoneAndTime() throws {
        let options = ImportOptions(timeZone: "Asia/Tokyo", secondOfDay: 9 * 3600)
        let sink = try collect(bank(row()), options: options)
        #expect(sink.records.last?[.tradedAt]?.description == "2024-01-15T00:00:00Z")
    }

    @Test(arguments: [
        "<MEMO>A & B R&D", "<MEMO>A &amp; B R&amp;D", "<EXT.TAG>x<MEMO>A & B R&D", "<MEMO>A &amp; B R&D<!-- gone -->",
    ])
    func keepsText(more: String) throws {
        let sink = try collect(bank(row(more: more)))
        #expect(sink.records.last?.string(.description) == "A & B R&D")
        #expect(sink.records.last?.string(.sourceTxnID) == "F1")
        #expect(sink.records.last?[.amount] == -1)
    }

    @Test func readsOutOfOrderAndUnknownTags() throws {
        let text =
            "<STMTTRN><X.EXT>1<MEMO>M<FITID>F9<TRNAMT>-2.00<NEWTAG>?<DTPOSTED>20240116<NAME>N<TRNTYPE>CHECK</STMTTRN>"
        let record = try #require(try collect(bank(text)).records.last)
        #expect(record.string(.sourceTxnID) == "F9")
        #expect(record.string(.description) == "N M")
        #expect(record[.tradedAt]?.description == "2024-01-16T17:00:00Z")
    }

    @Test func readsWhatIsHardToOpen() throws {
        let plain = bank(row() + row(id: "F2"))
        let bytes = Array(plain.utf8)
        let variants: [[UInt8]] = [
            Array(plain.replacing("<OFX>", with: "<OFX >").utf8),
            bytes.map { $0 == 0x0A ? 0x0D : $0 },
            [0xEF, 0xBB, 0xBF] + bytes,
            [0xFF, 0xFE] + bytes.flatMap { [$0, 0] },
            Array(plain.replacing("</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>", with: "").utf8),
            Array(plain.lowercased().replacing("checking", with: "CHECKING").utf8),
            Array(plain.drop { $0 != "<" }.utf8),
            Array(("Subject: statement\n\n" + plain).utf8),
        ]
        for variant in variants {
            let sink = try collect(variant)
            #expect(sink.codes.isEmpty)
            #expect(sink.records.filter { $0.kind == .cash }.count == 2)
        }
    }

    @Test func readsBytesByWhatTheyAre() throws {
        let declared = bank(row(more: "<NAME>Größe")).replacing(
            "VERSION:102", with: "VERSION:102\nENCODING:USASCII\nCHARSET:1252")
        let utf8 = try collect(Array(declared.utf8))
        #expect(utf8.records.last?.string(.description) == "Größe")
        let latin = try collect(declared.unicodeScalars.map { UInt8($0.value) })
        #expect(latin.records.last?.string(.description) == "Größe")
    }

    /// NUL bytes end a C string, not a value, nor the file.
    @Test func readsPastNULs() throws {
        let text = bank(row(more: "<NAME>SH\0OP\0") + "\0" + row(amount: "-2.00", id: "F2")) + "\0\0"
        let sink = try collect(text)
        #expect(sink.codes.isEmpty)
        #expect(sink.records.dropFirst().map { $0.string(.description) } == ["SHOP", "SHOP"])
        #expect(sink.records.last?[.amount] == -2)
    }

    /// A bank's file in which nothing but the leaves' own lines ends anything.
    @Test func readsRowsThatNothingCloses() throws {
        let text = bank(row() + "\n" + row(amount: "-2.00", id: "F2")).replacing("</", with: "\u{1}/")
        let open = text.split(separator: "\u{1}", omittingEmptySubsequences: false).enumerated().map { number, part in
            number == 0 ? part : part.drop { $0 != ">" }.dropFirst()
        }
        let sink = try collect(open.joined() + "\n")
        #expect(sink.codes.isEmpty)
        #expect(sink.records.filter { $0.kind == .cash }.map { $0[.amount]?.description } == ["-1", "-2"])
        #expect(sink.records.filter { $0.kind == .cash }.map { $0.string(.sourceTxnID) } == ["F1", "F2"])
    }

    /// Bytes 0x80…0x9F of Windows-1252 are characters, not controls.
    @Test func readsTheQuotesOfWindows() throws {
        let bytes = Array(bank(row(more: "<NAME>~SHOP~ ^")).utf8).map { $0 == 0x7E ? 0x93 : $0 == 0x5E ? 0x80 : $0 }
        #expect(try collect(bytes).records.last?.string(.description) == "\u{201C}SHOP\u{201C} \u{20AC}")
    }

    /// What follows an unknown element, with text or without, with its close tag or without, keeps its own value.
    @Test(arguments: [
        "<X.EXT>1<NAME>SHOP", "<X.EXT>1</X.EXT><NAME>SHOP", "<X.EXT></X.EXT><NAME>SHOP", "<X.EXT><NAME>SHOP",
        "<X.EXT/><NAME>SHOP", "<SIC>5411<X.A>1<X.B>2<NAME>SHOP",
    ])
    func keepsWhatFollowsUnknownElements(more: String) throws {
        let sink = try collect(bank(row(more: more) + row(id: "F2", more: "")))
        let record = try #require(sink.records.dropFirst().first)
        #expect(record.string(.description) == "SHOP")
        #expect(record.string(.sourceTxnID) == "F1")
    }

    /// A row without a name never gets that of the row before; entities are resolved once.
    @Test(arguments: [
        ("", ""), ("<NAME>", ""), ("<NAME>a&nbsp;b", "a\u{A0}b"), ("<NAME>a &amp;lt; b", "a &lt; b"),
        ("<NAME>A < B", "A < B"), ("<NAME>n<MEMO>m</MEMO></NAME>", "n m"), ("<NAME><![CDATA[A & <B>]]>", "A & <B>"),
    ])
    func keepsNamesToTheirRows(more: String, words: String) throws {
        let sink = try collect(bank(row(id: "F0", more: "<NAME>BEFORE") + row(more: more)))
        #expect(sink.codes.isEmpty)
        #expect(sink.records.last?.string(.description) == words)
    }

    /// A download that stops inside a row has no such row.
    @Test(arguments: ["<DTPOSTED>2024", "<TRNAMT>-1", "<FITID>F2", "<FITID>F2\n", "<FI"])
    func inventsNoRow(end: String) throws {
        let text = bank(row() + row(amount: "-1.00", id: "F2", more: "\n"))
        let cut = try #require(text.ranges(of: end == "<FITID>F2\n" ? end : String(end.prefix(7))).last)
        let sink = try collect(String(text[..<cut.lowerBound]) + end)
        #expect(sink.codes == ["markup.truncated"])
        #expect(sink.records.filter { $0.kind == .cash }.count == 1)
    }

    /// A status that nothing closes must not take the rows below with it in silence.
    @Test(arguments: [
        "<OFC>\n<STATUS>\n<CREDITCARDMSGSRSV1><CCSTMTRS><STMTTRN>",
        "<OFC>\n<SIGNONMSGSRSV1<OFC>NRS>\n<STATUS>\n</SIGNONMSGSRSV1>\n<CCSTMTRS>\n<STMTTRN><TRNAMT>-1</STMTTRN>",
    ])
    func aStatusWithRowsInsideIsRejected(text: String) throws {
        let sink = try collect(text)
        #expect(sink.records.isEmpty)
        #expect(sink.codes == ["markup.malformed"])
    }

    /// Where the tags between two rows are lost, neither is taken for the whole.
    @Test(arguments: [
        ("<TRNTYPE>CREDIT<DTPOSTED>20240116<TRNAMT>7<FITID>F2", "TRNTYPE"), ("<TRNAMT>-2.00", "TRNAMT"),
        ("<FITID>F2", "FITID"),
        ("<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240115<TRNAMT>-1.00<FITID>F1</STMTTRN>", "STMTTRN"),
        ("<TRNAMT>-1.00", nil), ("<TRNAMT>", nil), ("<FITID>F1NAME>Shop", "FITID"), ("<SRVRTID>1NAME>Shop", nil),
        ("<MEMO>A<MEMO>B", nil),
    ])
    func rejectsTwoRowsInOne(more: String, column: String?) throws {
        // Rows before and after it are plain, and taken by their tags.
        let plain = (0..<40).map { row(id: "P\($0)") }.joined()
        let sink = try collect(bank(plain + row(more: more) + plain.replacing("<FITID>P", with: "<FITID>Q")))
        #expect(sink.units.filter { $0.outcome == .rejected }.map(\.column) == (column.map { [$0] } ?? []))
        #expect(sink.codes == (column == nil ? [] : ["markup.malformed"]))
        #expect(sink.records.filter { $0.kind == .cash }.count == (column == nil ? 81 : 80))
    }

    /// The same of trades: what is bought is not what is sold inside of it.
    @Test(arguments: [("<UNITS>20", "UNITS"), ("<TOTAL>-51", "TOTAL"), ("", nil)])
    func rejectsTradesThatSayTwoThings(more: String, column: String?) throws {
        let security = "<SECID><UNIQUEID>922908769<UNIQUEIDTYPE>CUSIP</SECID>"
        let trade =
            "<INVBUY><INVTRAN><FITID>1<DTTRADE>20240110</INVTRAN>\(security)<UNITS>10<UNITPRICE>5<TOTAL>-50\(more)</INVBUY>"
        let sale = trade.replacing("INVBUY", with: "INVSELL").replacing("10<UNITPRICE", with: "-10<UNITPRICE")
        let whole = try collect(invest("<BUYSTOCK>\(trade)<BUYTYPE>BUY</BUYSTOCK>"))
        #expect(whole.codes == (column == nil ? [] : ["markup.malformed"]))
        #expect(whole.units.first { $0.outcome == .rejected }?.column == column)
        let nested = "<BUYSTOCK>\(trade)<SELLSTOCK>\(sale)<SELLTYPE>SELL</SELLSTOCK><BUYTYPE>BUY</BUYSTOCK>"
        let mixed = try collect(invest(nested))
        #expect(mixed.codes == ["markup.malformed"])
    }

    /// A transaction without its open tag is not passed over as dates of a list are.
    @Test(arguments: ["<STMTTRN>", "<STMTRN>", "STMTTRN>", "<STMTTRN<"])
    func rejectsAmountsOutsideOfTransactions(tag: String) throws {
        let rows =
            row(id: "F0") + (tag == "<STMTTRN>" ? row() : row().replacing("<STMTTRN>", with: tag)) + row(id: "F2")
        let sink = try collect(bank(rows))
        let isSound = tag == "<STMTTRN>"
        #expect(sink.codes.contains("markup.malformed") == !isSound, "\(sink.codes)")
        #expect(sink.records.filter { $0.kind == .cash }.count == (isSound ? 3 : 2))
        #expect(sink.units.filter { $0.outcome == .rejected }.count == (isSound ? 0 : 1))
    }

    /// Rows must not go to an account that is not theirs without a word.
    @Test(arguments: ["<ACCTID>A1ACCTTYPE>CHECKING", "<ACCTID>A1<ACCTTYPECHECKING"])
    func rejectsAccountsThatHaveTakenTheNextTag(text: String) throws {
        let sink = try collect(bank(row()).replacing("<ACCTID>A1<ACCTTYPE>CHECKING", with: text))
        #expect(sink.codes == ["markup.malformed"])
    }
}
