/// The built-in catalogue: every definition of this folder, embedded by the build (see Plugins/EmbedDefinitions).
public enum Catalogue {
    /// Path below this folder, and the YAML text.
    public static var definitions: [(path: StaticString, text: StaticString)] { BuiltInDefinitions.all }
}
