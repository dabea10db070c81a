/// The one bucket in which a unit of an input ends.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
    case preamble, header, section, blank, footer, total, accepted, rejected, skipped, duplicate
}
