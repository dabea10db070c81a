import Delimited

/// What names and memos say that the type of a transaction does not; in small letters.
enum OFXWords {
    /// Capital that is given back; E*TRADE writes LIQD, Interactive Brokers the others, of a company that is wound up.
    static let capital = [
        "return of capital", "ret cap", "returnofcapital", "liqd", "interimliquidation", "liquidationdividend",
    ]
    /// Fidelity writes the last.
    static let inLieu = ["cash in lieu", "cash-in-lieu", "in lieu of frx"]
    /// American Funds books as income of a fund what its owner pays in.
    static let contribution: StaticString = "contribution"
    static let longGain = ["long-term cap gain", "long term cap gain", "lt cap gain"]
    static let shortGain = ["short-term cap gain", "short term cap gain", "st cap gain"]
    static let tax = ["foreign tax", "withholding", "tax withheld", "nra tax"]
    /// The same in the memos of expenses: `DIV - … Foreign Stk W/H`.
    static let withheld = "w/h"
    /// What undoes a trade, where the signs do, too.
    static let undone = ["cancel", "revers"]
    static let marginInterest = ["margin int", "debit int"]
    static let creditInterest = "credit int"
    /// Itaú: `REND PAGO APLIC AUT MAIS`; and savings accounts of Brazil.
    static let yield = ["rend pago aplic", "rend poup"]
    /// The same where a text begins with it: `Rendimento RDB`.
    static let yieldFirst = "rendimento"
    /// What a brokerage takes, not a club; any other fee has the word alone, or first.
    static let fees = [
        "advisory fee", "advisor fee", "management fee", "mgmt fee", "maintenance fee", "service fee", "custody fee",
        "adr fee", "account fee", "transfer fee", "wire fee", "minimum fee", "settlement fee", "transaction fee",
    ]
    static let fee = "fee"
    /// jGnash, and a brokerage that it reads, write `Distribution reinvestment: SMPL` beside the income that it is paid from.
    static let fromIncome: StaticString = "distribution reinvestment"
    /// Interactive Brokers writes `CASH TRADE: EUR.USD` where one currency is changed for another.
    static let exchange = "cash trade:"
    /// Interactive Brokers books as a transfer what a company does to its shares: `ACME(US0001112228) SPLIT 4 FOR 1 (…`.
    static let splits = [") split", ") stock dividend"]
    static let spinOff = ") spinoff"
    static let mergers = [") merged", ") cash and stock merger"]
    private static let others = ["dividend", "interest"]
    /// What rows begin with that are balances, whatever id they have.
    private static let balances: [StaticString] = [
        "s a l d o", "saldo anterior", "saldo do dia", "saldo dia", "saldo total", "saldo dispon", "saldo inicial",
        "saldo final", "saldo em conta", "saldo atual", "saldo actual",
    ]

    /// Whether a row with that text is a balance.
    @inline(__always)
    static func isBalance(_ text: ByteView) -> Bool {
        text.count >= 9 && text[0] | 0x20 == UInt8(ascii: "s") && beginsWithBalance(text)
    }

    @inline(never)
    private static func beginsWithBalance(_ text: ByteView) -> Bool { balances.contains { begins(text, $0) } }

    /// The single words.
    static let parts = Set(all.joined(separator: " ").split(separator: " ").map(String.init))

    /// All of them.
    static var all: [String] {
        [
            capital, inLieu, longGain, shortGain, tax, [withheld], undone, marginInterest, fees,
            [creditInterest, fee, exchange, yieldFirst, "\(contribution)", "\(fromIncome)"], yield, splits, [spinOff],
            mergers, others,
        ].flatMap(\.self)
    }

    /// Whether a word that makes another kind of a row is in a text: then the row goes the long way.
    static func speaks(_ text: ByteView) -> Bool {
        for start in 0..<text.count {
            let rest = text[start..<text.count]
            let isWord =
                switch text[start] | 0x20 {
                case UInt8(ascii: "c"):
                    begins(rest, "cash in lieu") || begins(rest, "cash-in-lieu") || begins(rest, "cash trade:")
                        || begins(rest, "cap gain") || begins(rest, "credit int") || begins(rest, "contribution")
                case UInt8(ascii: "d"):
                    begins(rest, "dividend") || begins(rest, "debit int") || begins(rest, "distribution reinvestment")
                case UInt8(ascii: "f"): begins(rest, "foreign tax") || isFee(text, start)
                case UInt8(ascii: "i"):
                    begins(rest, "interest") || begins(rest, "interimliquidation") || begins(rest, "in lieu of frx")
                case UInt8(ascii: "l"): begins(rest, "liqd") || begins(rest, "liquidationdividend")
                case UInt8(ascii: "m"): begins(rest, "margin int")
                case UInt8(ascii: "n"): begins(rest, "nra tax")
                case UInt8(ascii: "r"):
                    begins(rest, "ret cap") || begins(rest, "returnofcapital") || begins(rest, "return of capital")
                        || (begins(rest, "rend") && beginsWithYield(rest))
                case UInt8(ascii: "t"): begins(rest, "tax withheld")
                case UInt8(ascii: "w"): begins(rest, "withholding") || begins(rest, "w/h")
                case UInt8(ascii: " "): begins(rest, " tax")
                case UInt8(ascii: ")"): speaksOfAnEvent(rest)
                default: false
                }
            if isWord { return true }
        }
        return false
    }

    private static func speaksOfAnEvent(_ text: ByteView) -> Bool {
        begins(text, ") split") || begins(text, ") stock dividend") || begins(text, ") spinoff")
            || begins(text, ") merged") || begins(text, ") cash and stock merger")
    }

    @inline(never)
    static func beginsWithYield(_ text: ByteView) -> Bool {
        begins(text, "rendimento") || begins(text, "rend pago aplic") || begins(text, "rend poup")
    }

    /// Whether a fee is spoken of.
    static func saysFee(_ text: ByteView) -> Bool { (0..<text.count).contains { isFee(text, $0) } }

    /// Whether a fee is the first that is spoken of.
    static func beginsWithFee(_ text: ByteView) -> Bool { !text.isEmpty && isFee(text, 0) }

    /// `fee` or `fees`, and no part of another word.
    private static func isFee(_ text: ByteView, _ start: Int) -> Bool {
        guard begins(text[start..<text.count], "fee"), start == 0 || !isLetter(text[start - 1]) else { return false }
        var end = start + 3
        if end < text.count, text[end] | 0x20 == UInt8(ascii: "s") { end += 1 }
        return end == text.count || !isLetter(text[end])
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte >= 0x80 }

    /// How often words (lower case, ASCII) stand in a text, letters of any case.
    static func count(_ words: String, in text: ByteView) -> Int {
        let words = Array(words.utf8)
        guard text.count >= words.count else { return 0 }
        return (0...(text.count - words.count)).count { start in
            words.indices.allSatisfy { asciiLower(text[start + $0]) == words[$0] }
        }
    }

    /// The second letter tells most others apart.
    @inline(__always)
    private static func begins(_ text: ByteView, _ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard text.count >= count, text[1] | 0x20 == word.utf8Start[1] | 0x20 else { return false }
        return text[0..<count].equalsIgnoringCase(word)
    }
}
