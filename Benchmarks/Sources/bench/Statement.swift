/// Invented investment statements in OFX: the same content as SGML and as XML.
enum Statement {
    private static let securities = [
        ("99400GH47", "GRNF", "GREENFIELD CORP"), ("99401GH48", "NWTM", "NORTHWIND TOTAL MARKET ETF"),
        ("99402GH49", "LKBD", "LAKESIDE BOND ETF"), ("99403GH40", "RVBK", "RIVERBANK INC"),
    ]

    /// Writes a statement of at least so many bytes as XML; the SGML twin has the same transactions.
    static func write(xml: String, sgml: String, bytes: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var both = Twin(xml: OutputFile(xml), sgml: OutputFile(sgml))
        both.raw(
            xml: "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<?OFX OFXHEADER=\"200\" "
                + "VERSION=\"211\" SECURITY=\"NONE\" OLDFILEUID=\"NONE\" NEWFILEUID=\"NONE\"?>\n",
            sgml: "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
                + "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n")
        both.open("OFX", "SIGNONMSGSRSV1", "SONRS", "STATUS")
        both.leaves([("CODE", "0"), ("SEVERITY", "INFO")])
        both.close("STATUS")
        both.leaves([("DTSERVER", "20240131160000.000[-5:EST]"), ("LANGUAGE", "ENG")])
        both.close("SONRS", "SIGNONMSGSRSV1")
        both.open("INVSTMTMSGSRSV1", "INVSTMTTRNRS")
        both.leaves([("TRNUID", "1")])
        both.open("STATUS")
        both.leaves([("CODE", "0"), ("SEVERITY", "INFO")])
        both.close("STATUS")
        both.open("INVSTMTRS")
        both.leaves([("DTASOF", "20240131160000.000[-5:EST]"), ("CURDEF", "USD")])
        both.open("INVACCTFROM")
        both.leaves([("BROKERID", "example.test"), ("ACCTID", "EX-1001")])
        both.close("INVACCTFROM")
        both.open("INVTRANLIST")
        both.leaves([("DTSTART", "20150101"), ("DTEND", "20240131")])
        var index = 0
        while both.byteCount < bytes {
            transaction(index, &random, &both)
            index += 1
        }
        both.close("INVTRANLIST", "INVSTMTRS", "INVSTMTTRNRS", "INVSTMTMSGSRSV1")
        list(&both)
        both.close("OFX")
        both.finish()
    }

    private static func transaction(_ index: Int, _ random: inout SeededGenerator, _ both: inout Twin) {
        let (unique, _, _) = random.pick(securities)
        let units = random.pick(1..<90_000)
        let cents = random.pick(100..<90_000)
        let money = History.decimal((units * cents + 500) / 1000, 2)
        let day = "\(2015 + random.pick(0..<9))\(History.two(random.pick(1..<13)))\(History.two(random.pick(1..<29)))"
        let kind = random.pick(0..<3)
        let (outer, inner) = [("BUYSTOCK", "INVBUY"), ("SELLSTOCK", "INVSELL"), ("INCOME", "")][kind]
        both.open(outer)
        if !inner.isEmpty { both.open(inner) }
        both.open("INVTRAN")
        both.leaves([("FITID", "T\(index)"), ("DTTRADE", "\(day)093000.000[-5:EST]")])
        both.close("INVTRAN")
        both.open("SECID")
        both.leaves([("UNIQUEID", unique), ("UNIQUEIDTYPE", "CUSIP")])
        both.close("SECID")
        if kind == 2 {
            both.leaves([("INCOMETYPE", "DIV"), ("TOTAL", History.decimal(cents, 2))])
            both.leaves([("SUBACCTSEC", "CASH"), ("SUBACCTFUND", "CASH")])
        } else {
            both.leaves([
                ("UNITS", (kind == 0 ? "" : "-") + History.decimal(units, 3)),
                ("UNITPRICE", History.decimal(cents, 2)), ("TOTAL", (kind == 0 ? "-" : "") + money),
                ("SUBACCTSEC", "CASH"), ("SUBACCTFUND", "CASH"),
            ])
            both.close(inner)
            both.leaves([kind == 0 ? ("BUYTYPE", "BUY") : ("SELLTYPE", "SELL")])
        }
        both.close(outer)
    }

    private static func list(_ both: inout Twin) {
        both.open("SECLISTMSGSRSV1", "SECLIST")
        for (unique, ticker, name) in securities {
            both.open("STOCKINFO", "SECINFO", "SECID")
            both.leaves([("UNIQUEID", unique), ("UNIQUEIDTYPE", "CUSIP")])
            both.close("SECID")
            both.leaves([("SECNAME", name), ("TICKER", ticker)])
            both.close("SECINFO", "STOCKINFO")
        }
        both.close("SECLIST", "SECLISTMSGSRSV1")
    }
}

/// Two files of the same aggregates, one as XML and one as SGML (whose values have no end tags).
private struct Twin: ~Copyable {
    private var xml: OutputFile
    private var sgml: OutputFile

    init(xml: consuming OutputFile, sgml: consuming OutputFile) {
        self.xml = xml
        self.sgml = sgml
    }

    var byteCount: Int { xml.count }

    mutating func raw(xml first: String, sgml second: String) {
        xml.write(first)
        sgml.write(second)
    }

    mutating func open(_ names: String...) {
        for name in names { raw(xml: "<\(name)>\n", sgml: "<\(name)>\n") }
    }

    mutating func close(_ names: String...) {
        for name in names { raw(xml: "</\(name)>\n", sgml: "</\(name)>\n") }
    }

    mutating func leaves(_ values: [(String, String)]) {
        for (name, text) in values { raw(xml: "<\(name)>\(text)</\(name)>\n", sgml: "<\(name)>\(text)\n") }
    }

    consuming func finish() {
        xml.finish()
        sgml.finish()
    }
}
