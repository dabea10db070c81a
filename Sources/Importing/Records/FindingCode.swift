public import OpenAlloc

/// The stable codes of what the validation finds. An `error` rejects its line, a `warning` is reported.
public enum FindingCode: String, Sendable, Hashable, CaseIterable {
    case numberInvalid = "number.invalid"
    case numberRange = "number.range"
    case dateInvalid = "date.invalid"
    case dateFuture = "date.future"
    case dateAncient = "date.ancient"
    case fieldMissing = "field.missing"
    case valueInvalid = "value.invalid"
    case actionUnknown = "action.unknown"
    case sectionUnknown = "section.unknown"
    case sectionUnread = "section.unread"
    case rowShort = "row.short"
    case rowLong = "row.long"
    case rowRagged = "row.ragged"
    case rowUnplaced = "row.unplaced"
    case rowsDoubled = "rows.doubled"
    case rowTooLong = "row.tooLong"
    case eventIncomplete = "event.incomplete"
    case quoteMalformed = "quote.malformed"
    case encodingInvalid = "encoding.invalid"
    case markupTruncated = "markup.truncated"
    case markupMalformed = "markup.malformed"
    case signContradicts = "sign.contradicts"
    case amountMismatch = "amount.mismatch"
    case currencyUnknown = "currency.unknown"
    case currencyContradicts = "currency.contradicts"
    case idCheckdigit = "id.checkdigit"
    case idRounded = "id.rounded"
    case keyDuplicate = "key.duplicate"
    case securityMissing = "security.missing"
    case accountMissing = "account.missing"
    case accountAssumed = "account.assumed"
    case lotMismatch = "lot.mismatch"
    case positionNegative = "position.negative"
    case correctionUnmatched = "correction.unmatched"
    case referenceConflict = "reference.conflict"
    case headerDrift = "header.drift"
    case importerFallback = "importer.fallback"

    /// Whether a finding rejects its line or is only reported.
    public enum Severity: String, Sendable { case error, warning }

    /// Whether the code rejects its line.
    public var severity: Severity {
        switch self {
        case .dateFuture, .amountMismatch, .idCheckdigit, .idRounded, .lotMismatch, .positionNegative, .accountAssumed,
            .referenceConflict, .headerDrift, .importerFallback, .sectionUnread, .rowRagged, .rowsDoubled:
            .warning
        default: .error
        }
    }
}

/// One finding: what, where, why, and what to do next.
public struct Finding: Error, Sendable, Hashable {
    /// The stable code.
    public var code: FindingCode
    /// The column's name as the source writes it (or the markup element); empty when the whole line is meant.
    public var column: String
    /// The value as the source writes it.
    public var value: String
    /// Why, in one sentence for a person.
    public var reason: String
    /// What to do next, in one sentence for a person.
    public var suggestion: String
    /// Of a finding about a whole input: whether a part of it is not there, so that its rows are not all.
    public var isOfCutInput = false

    /// A finding.
    public init(_ code: FindingCode, column: String = "", value: String = "", reason: String, suggestion: String = "") {
        self.code = code
        self.column = column
        self.value = value
        self.reason = reason
        self.suggestion = suggestion
    }
}

extension Finding {
    /// The finding for a value or row that is not what its schema asks for.
    public init(_ code: RowCode, column: String, value: String) {
        self.init(
            FindingCode(rawValue: code.rawValue) ?? .valueInvalid, column: column, value: value,
            reason: code.reason + ".",
            suggestion: "Correct the cell.")
    }
}

extension Finding {
    /// What to do about a line whose last cells are missing: spreadsheets leave them out where many lines have them empty.
    static func completion(missing: Int) -> String {
        let cells = missing == 1 ? "The last cell is" : "The last \(missing) cells are"
        let delimiters = missing == 1 ? "a delimiter" : "\(missing) delimiters"
        return "\(cells) missing: write what belongs there, or \(delimiters) if that is empty. A spreadsheet leaves "
            + "out empty cells when it saves: convert the file as it was downloaded."
    }
}
