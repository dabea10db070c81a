/// The library that `allocport` is built on: see ``Run``.
public enum Allocport {
    /// The version that reports name.
    public static let version = "0.1.0"
}
