/// The built-in catalogue: every definition of this folder, embedded by the build (see Sources/EmbedDefinitionsPlugin).
public enum Catalogue {
    /// A definition: its path below this folder, its id and title, what detection must know to leave it unread, its tree
    /// as `YAML.prepared` has it, and its text.
    public typealias Entry = (
        path: StaticString, id: StaticString, title: StaticString, index: StaticString, tree: StaticString,
        text: StaticString
    )

    /// All definitions, in order of their ids.
    public static var definitions: [Entry] { BuiltInDefinitions.all }
}
