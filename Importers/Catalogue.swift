/// The built-in catalogue: every definition of this folder, embedded by the build (see Sources/EmbedDefinitionsPlugin).
public enum Catalogue {
    /// Path below this folder, what detection must know to leave a definition unread, and the YAML text.
    public static var definitions: [(path: StaticString, index: StaticString, text: StaticString)] {
        BuiltInDefinitions.all
    }
}
