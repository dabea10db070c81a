/// Why there is no zone of a name.
public enum ZoneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No zone has this id; the suggestions are near names, the nearest first, possibly none.
    case unknown(id: String, suggestions: [String])
    /// The system's database has the zone in a file that is damaged.
    case damaged(id: String)

    /// One sentence for the user.
    public var description: String {
        switch self {
        case .unknown(let id, let suggestions) where suggestions.isEmpty:
            "there is no time zone ‘\(id)’; write an id such as ‘America/New_York’"
        case .unknown(let id, let suggestions):
            "there is no time zone ‘\(id)’; did you mean \(suggestions.map { "‘\($0)’" }.joined(separator: " or "))?"
        case .damaged(let id):
            "the system's data of the time zone ‘\(id)’ is damaged; reinstall the package tzdata"
        }
    }
}
