import Foundation
import Importing
import TestSupport

/// A file of SampleData.
func sample(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: Repository.root + "/SampleData/" + path)))
}

/// Records without what all of a document share.
func brief(_ sink: Collector, dropping words: [String]) -> [String] {
    sink.flat.map { record in
        var text = record
        for word in words { text = text.replacing(" " + word, with: "") }
        return text
    }
}

/// A bank statement around transactions.
func bank(_ transactions: String, head: String = "", tail: String = "") -> String {
    """
    OFXHEADER:100
    DATA:OFXSGML
    VERSION:102

    \(head)<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20240301<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
    <BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>A1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>
    \(transactions)
    </BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\(tail)
    """
}

/// One transaction of a bank.
func row(date: String = "20240115", amount: String = "-1.00", id: String = "F1", more: String = "<NAME>SHOP") -> String
{
    "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>\(date)<TRNAMT>\(amount)<FITID>\(id)\(more)</STMTTRN>"
}

/// An investment statement around transactions, positions and securities.
func invest(_ transactions: String, positions: String = "", securities: String = "", balance: String = "") -> String {
    """
    OFXHEADER:100

    <OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20240131<CURDEF>USD
    <INVACCTFROM><BROKERID>b.test<ACCTID>A1</INVACCTFROM><INVTRANLIST><DTSTART>20240101<DTEND>20240131
    \(transactions)
    </INVTRANLIST><INVPOSLIST>\(positions)</INVPOSLIST>\(balance)</INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>
    <SECLISTMSGSRSV1><SECLIST>\(securities)</SECLIST></SECLISTMSGSRSV1></OFX>
    """
}

/// INVTRAN, SECID, UNITS, UNITPRICE and TOTAL of a trade.
func trade(_ units: String, _ price: String, _ total: String, id: String = "T1", more: String = "", refers: String = "")
    -> String
{
    "<INVTRAN><FITID>\(id)<DTTRADE>20240110\(refers)</INVTRAN><SECID><UNIQUEID>99400GH47<UNIQUEIDTYPE>CUSIP</SECID>"
        + "<UNITS>\(units)<UNITPRICE>\(price)\(more)<TOTAL>\(total)"
}
