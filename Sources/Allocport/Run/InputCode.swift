/// The stable codes of what concerns a whole input, or inputs together, and no single line; README.md lists them.
public enum InputCode: String, Sendable, Hashable, CaseIterable {
    case notFound = "input.notFound"
    case notPermitted = "input.notPermitted"
    case notAFile = "input.notAFile"
    case unreadable = "input.unreadable"
    case notText = "input.notText"
    case refused = "input.refused"
    case unrecognised = "input.unrecognised"
    case ambiguous = "input.ambiguous"
    case correction = "input.correction"
    case repeats = "input.repeats"
    case positionSuperseded = "position.superseded"
    case positionConflict = "position.conflict"
    case positionStale = "position.stale"
    case accountZeros = "account.zeros"
    case accountMasked = "account.masked"
}
