/// What a server may answer besides the statements that are read: it is counted and named, so that nobody takes a file
/// that has such answers alone for an empty one.
struct OFXResponse {
    /// Why it is skipped.
    let code: String
    /// Whether nothing in it becomes a record; else accounts that it names do.
    let holdsNothing: Bool
    /// What it is, and what to download instead; nil where nobody misses anything.
    private let advice: (what: String, instead: String)?

    /// The answer of a tag in capitals.
    static func named(_ tag: String) -> OFXResponse? {
        switch tag {
        case "LOANSTMTRS", "AMRTSTMTRS", "LOANSTMTENDRS": loan
        case "LOANACCTINFO": OFXResponse(code: "loan.account", holdsNothing: true, advice: nil)
        case "STMTENDRS", "CCSTMTENDRS": closing
        case "INTRARS", "INTERRS", "WIRERS", "PMTRS", "PMTINQRS", "STPCHKRS", "RECINTRARS", "RECINTERRS", "RECPMTRS":
            order
        case "TAX1099RS", "TAX1098RS", "TAXW2RS": tax
        case "PRESLISTRS", "PRESDETAILRS": bill
        case "PROFRS", "MAILRS", "BANKMAILRS", "INVMAILRS", "LOANMAILRS", "PMTMAILRS", "GETMIMERS", "IMAGERS",
            "ENROLLRS",
            "SVCRS", "CHGUSERINFORS", "PINCHRS", "CHALLENGERS", "MFACHALLENGERS", "PAYEERS", "FINDBILLERRS":
            OFXResponse(code: "response.informational", holdsNothing: false, advice: nil)
        default: nil
        }
    }

    /// Whether a tag can be one: most elements are told from it by their end.
    static func maybe(_ tag: String) -> Bool {
        let end = tag.utf8.suffix(2).map { $0 & 0xDF }
        return end == [0x52, 0x53] || tag.uppercased() == "LOANACCTINFO"
    }

    /// Whether a tag in capitals is by its name an account's statement.
    static func isStatement(_ tag: String) -> Bool {
        tag.hasSuffix("STMTRS") || tag.hasSuffix("STMTENDRS")
    }

    private static let loan = OFXResponse(
        code: "loan.statement", holdsNothing: true,
        advice: (
            "a loan has neither securities nor cash",
            "Payments to it stand in the statement of the account that they were made from."
        )
    )
    private static let closing = OFXResponse(
        code: "statement.closing", holdsNothing: false,
        advice: ("it has the balances of a period alone", "Download the statement with transactions."))
    private static let order = OFXResponse(
        code: "payment.order", holdsNothing: false,
        advice: (
            "an order to pay is no transaction yet",
            "Download the account's statement: what was carried out stands there."
        )
    )
    private static let tax = OFXResponse(
        code: "tax.form", holdsNothing: true,
        advice: ("tax forms sum up what statements say", "Download the account's statement of that year."))
    private static let bill = OFXResponse(
        code: "bill.presented", holdsNothing: true,
        advice: ("a bill is no transaction", "Download the statement of the account that it is paid from."))

    /// What the report says of it.
    func warning(_ tag: String) -> Finding? {
        advice.map {
            Finding(.sectionUnread, column: tag, reason: "\($0.what): it is not read", suggestion: $0.instead)
        }
    }

    /// Why a statement of a kind that nobody knows is rejected.
    static func unknown(_ tag: String) -> Finding {
        Finding(
            .sectionUnknown, column: tag, value: tag,
            reason: "no such statement of OFX is known; only what it has in common with others was read",
            suggestion: "Report it, with an example.")
    }
}
