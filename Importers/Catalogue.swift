/// The built-in catalogue: every definition of this folder, embedded by the build (see Sources/EmbedDefinitionsPlugin).
public enum Catalogue {
    /// A definition.
    public struct Entry: Sendable {
        /// Its path below this folder.
        public let path: StaticString
        /// `<brokerage>.<report>`.
        public let id: String
        /// What it reads, for a person.
        public let title: String
        /// What detection must know to leave it unread.
        public let index: StaticString
        let number: Int

        /// Its tree as `YAML.prepared` has it.
        public var tree: StaticString { BuiltInDefinitions.trees[number] }
        /// Its text.
        public var text: StaticString { BuiltInDefinitions.texts[number] }
    }

    /// All definitions, in order of their ids.
    public static var definitions: [Entry] { BuiltInDefinitions.all }

    /// What several of them share.
    public struct Part: Sendable {
        /// Its path below this folder.
        public let path: StaticString
        /// Its text.
        public let text: StaticString
    }

    /// The parts that definitions name, in order of their paths.
    public static var parts: [Part] { BuiltInDefinitions.parts }

    /// What detection must know of them all, by their order.
    public static var index: StaticString { BuiltInDefinitions.index }
}
