// Written by Tests/generate-code-pages.py: what the codecs of Python 3.11 say; do not edit.
import Delimited

/// What is known of a code page from elsewhere.
struct CodePageFacts: Sendable {
    let encoding: TextEncoding
    /// How many pairs of bytes have a meaning.
    let pairs: Int
    /// FNV-1a of all pairs and their meanings, and of those that are written so.
    let read: UInt64
    let written: UInt64
    /// Texts and their bytes in hexadecimal.
    let texts: [(text: String, bytes: String)]

    static let all = [
        CodePageFacts(
            encoding: .shiftJIS, pairs: 7724, read: 0x84A735213F648E14, written: 0x302542C033F54628,
            texts: [
                ("約定日,銘柄,数量［株］", "96f192e893fa2c96c195bf2c909497ca816d8a94816e"),
                ("表示能力ソフト―～①㈱ｱｲｳ髙﨑", "955c8ea6945c97cd835c83748367815c81608740878ab1b2b3eee0ed95"),
            ]),
        CodePageFacts(
            encoding: .gbk, pairs: 21872, read: 0x2DA7A90CE39A5BDF, written: 0x06DA417E10AAD5E8,
            texts: [
                ("成交日期,证券代码,买卖标志", "b3c9bdbbc8d5c6da2cd6a4c8afb4fac2eb2cc2f2c2f4b1ead6be"),
                ("簡體丂龥ǹ€＂镕", "ba86f3778140fd9ba8bf80a3a2e946"),
            ]),
        CodePageFacts(
            encoding: .eucKR, pairs: 17048, read: 0x4350F72E81BE3E63, written: 0x4350F72E81BE3E63,
            texts: [
                ("거래일자,종목명,수량", "b0c5b7a1c0cfc0da2cc1beb8f1b8ed2cbcf6b7ae"),
                ("똠방각하 펲시콜라 株式會社", "8c63b9e6b0a2c7cf20bc84bdc3c4ddb6f320f1bbe3d2fce5dee4"),
            ]),
        CodePageFacts(
            encoding: .big5, pairs: 13752, read: 0xC99690715AE90C8A, written: 0x0B4C55690D2FB1C8,
            texts: [
                ("成交日期,股票名稱,許功蓋", "a6a8a5e6a4e9b4c12caad1b2bca657bad92cb35ca55cbb5c"),
                ("十卅兀嗀裏", "a451a4caa461dcd1f9d8"),
            ]),
    ]
}
