/// An investment statement in OFX 1.x around its rows.
func investmentStatement(
    account: String, from start: String, asOf end: String, transactions: String, positions: String = "",
    securities: String = ""
) -> String {
    """
    OFXHEADER:100
    DATA:OFXSGML
    VERSION:102
    SECURITY:NONE
    ENCODING:USASCII
    CHARSET:1252
    COMPRESSION:NONE
    OLDFILEUID:NONE
    NEWFILEUID:NONE

    <OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>\(end)120000
    <LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1><INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1
    <STATUS><CODE>0<SEVERITY>INFO</STATUS><INVSTMTRS><DTASOF>\(end)120000<CURDEF>USD
    <INVACCTFROM><BROKERID>example.com<ACCTID>\(account)</INVACCTFROM>
    <INVTRANLIST><DTSTART>\(start)<DTEND>\(end)
    \(transactions)</INVTRANLIST>
    \(positions)</INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>
    \(securities)</OFX>

    """
}
