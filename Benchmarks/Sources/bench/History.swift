/// Invented delimited exports in the form of Fidelity's downloads.
enum History {
    static let header =
        "Run Date,Account,Account Number,Action,Symbol,Description,Type,Price ($),Quantity,Commission ($),Fees ($),"
        + "Accrued Interest ($),Amount ($),Settlement Date\n"

    /// 19 of 100 rows are of a security whose name has a comma, and is quoted.
    private static let plain = [
        ("NWTM", "NORTHWIND TOTAL MARKET ETF"), ("LKBD", "LAKESIDE BOND ETF"), ("GRNF", "GREENFIELD CORP"),
        ("HLVT", "HILLVIEW TECHNOLOGIES"), ("STNB", "STONEBRIDGE CAPITAL"), ("MPLW", "MAPLEWOOD FOODS"),
    ]
    private static let quoted = [("RVBK", "RIVERBANK, INC"), ("OKHV", "OAK HAVEN HOLDINGS, LTD")]

    /// Writes a history of at least so many bytes.
    static func write(_ path: String, bytes: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var file = OutputFile(path)
        file.write(header)
        while file.count < bytes { file.write(row(&random, account: random.pick(0..<6), month: nil)) }
        file.finish()
    }

    /// Writes files of 100 rows: twenty months of each of so many accounts, so that no row stands in two of them.
    static func writeFolder(_ path: String, files: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        mkdir(path, 0o755)
        let accounts = max(1, files / 20)
        for index in 0..<files {
            let digits = String(10_000 + index % accounts).dropFirst()
            var file = OutputFile("\(path)/Accounts_History_\(index / accounts)_\(digits).csv")
            file.write(header)
            for _ in 0..<100 { file.write(row(&random, account: index % accounts, month: index / accounts)) }
            file.finish()
        }
    }

    private static func row(_ random: inout SeededGenerator, account: Int, month: Int?) -> String {
        let isQuoted = random.pick(0..<100) < 19
        let (symbol, name) = isQuoted ? random.pick(quoted) : random.pick(plain)
        let months = month ?? random.pick(0..<120)
        let date = two(1 + months % 12) + "/" + two(random.pick(1..<29)) + "/\(2015 + months / 12)"
        let units = random.pick(1..<90_000)
        let cents = random.pick(100..<90_000)
        // Units have three decimals and prices two: the money is their product, rounded to cents.
        let money = (units * cents + 500) / 1000
        let opening = "\(date),Individual,X\(41_000_001 + account),"
        func cell(_ text: String) -> String { isQuoted ? "\"\(text)\"" : text }
        switch random.pick(0..<20) {
        case 0..<8:
            return opening + cell("YOU BOUGHT \(name) (\(symbol)) (Cash)") + ",\(symbol),\(cell(name)),Cash,"
                + "\(decimal(cents, 2)),\(decimal(units, 3)),,,,-\(decimal(money, 2)),\(date)\n"
        case 8..<14:
            return opening + cell("YOU SOLD \(name) (\(symbol)) (Cash)") + ",\(symbol),\(cell(name)),Cash,"
                + "\(decimal(cents, 2)),-\(decimal(units, 3)),,,,\(decimal(money, 2)),\(date)\n"
        case 14..<18:
            return opening + cell("DIVIDEND RECEIVED \(name) (\(symbol)) (Cash)") + ",\(symbol),\(cell(name)),Cash,"
                + ",0.000,,,,\(decimal(cents, 2)),\n"
        case 18:
            return opening + cell("FOREIGN TAX PAID \(name) (\(symbol)) (Cash)") + ",\(symbol),\(cell(name)),Cash,"
                + ",0.000,,,,-\(decimal(cents, 2)),\n"
        default:
            return opening + "ELECTRONIC FUNDS TRANSFER RECEIVED FROM A BANK ACCOUNT (Cash),,No Description,Cash,"
                + ",0.000,,,,\(decimal(money, 2)),\n"
        }
    }

    /// `12345` with two decimals is `123.45`.
    static func decimal(_ value: Int, _ digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let fraction = String(scale + value % scale).dropFirst()
        return "\(value / scale).\(fraction)"
    }

    static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// Invented positions in the form of Fidelity's downloads; no security twice in an account.
enum Positions {
    static func write(_ path: String, bytes: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var file = OutputFile(path)
        file.write(
            "Account Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,"
                + "Today's Gain/Loss Dollar,Today's Gain/Loss Percent,Total Gain/Loss Dollar,Total Gain/Loss Percent,"
                + "Percent Of Account,Cost Basis Total,Average Cost Basis,Type\n")
        var index = 0
        while file.count < bytes {
            file.write(row(index, &random))
            index += 1
        }
        file.finish()
    }

    private static func row(_ index: Int, _ random: inout SeededGenerator) -> String {
        let units = random.pick(1..<2_000)
        let cents = random.pick(100..<90_000)
        let basis = random.pick(100..<90_000)
        let symbol = String(String(index / 10 + 456_976 * 2, radix: 26).uppercased().map(letter))
        func money(_ value: Int) -> String { "$" + History.decimal(value, 2) }
        func gain(_ value: Int) -> String { (value < 0 ? "-$" : "+$") + History.decimal(abs(value), 2) }
        return "X\(63_000_001 + index % 10),Individual - TOD,\(symbol),SECURITY NUMBER \(index / 10) INC,\(units),"
            + "\(money(cents)),+$0.10,\(money(units * cents)),+$1.00,+0.10%,\(gain(units * (cents - basis))),+1.00%,"
            + "0.01%,\(money(units * basis)),\(money(basis)),Cash\n"
    }

    /// Digits of base 26 as letters alone.
    private static func letter(_ digit: Character) -> Character {
        guard let value = digit.wholeNumberValue else { return digit }
        return Character(Unicode.Scalar(UInt8(0x51 + value)))
    }
}
