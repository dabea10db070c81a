import DefinitionParts
import OpenAlloc

/// The shape of the definition language, from which the JSON Schema for editors, the table of keys
/// and the table of constructs are made.
///
/// The keys of the root, of tables and of rules are the reader's own lists; the tests hold every other list to what
/// the reader accepts.
public enum DefinitionSchema {
    /// What may stand in a place.
    indirect enum Shape: Sendable {
        case text
        case word([String])
        case bool
        /// Any keys with values of this shape.
        case map(Shape)
        case list(Shape)
        case either([Shape])
        case object([Key])
        /// A shape that stands in several places, under its name in `$defs`.
        case shared(String)
        /// A condition: variables and what must hold of them.
        case condition

        /// One, or a list of them.
        static func many(_ shape: Shape) -> Shape { .either([shape, .list(shape)]) }
    }

    /// A key of an object.
    struct Key: Sendable {
        let name: String
        let shape: Shape
        var isRequired = false
    }

    static let kinds = RecordKind.allCases.map(\.rawValue)
    private static let texts = Shape.many(.text)
    private static let numberStyles = ["us", "eu", "ch", "space", "auto"]
    private static let outcomes = ["preamble", "section", "footer", "total", "skipped", "blank", "header"]
    private static let schemas = SchemaID.allCases.map(\.rawValue)
    private static let priceUnits = PriceUnit.allCases.map(\.rawValue)

    /// The shapes that stand in several places.
    static let shared: [(name: String, shape: Shape)] = [
        ("texts", texts), ("kind", .word(kinds)), ("set", setShape), ("action", actionShape),
        ("reject", rejectShape),
    ]

    /// The shape itself, where it is a name of one.
    static func resolved(_ shape: Shape) -> Shape {
        guard case .shared(let name) = shape else { return shape }
        return shared.first { $0.name == name }?.shape ?? .text
    }

    static let kind = Shape.shared("kind")
    static let set = Shape.shared("set")
    static let action = Shape.shared("action")
    private static let manyTexts = Shape.shared("texts")

    private static let setShape = Shape.either([
        .map(.text),
        .list(.object([Key(name: "when", shape: .condition), Key(name: "set", shape: .map(.text), isRequired: true)])),
    ])

    private static let rejectShape = Shape.either([
        .text,
        .object([
            Key(name: "why", shape: .text, isRequired: true), Key(name: "column", shape: .text),
            Key(name: "code", shape: .word(DefinitionReader.rejectCodes)), Key(name: "advice", shape: .text),
        ]),
    ])

    /// The shapes of the keys that a rule may have; `records`, `skip` and `reject` are added where they are allowed.
    static let ruleShapes: [String: Shape] = [
        "kind": kind, "reverse": .bool, "set": set, "when": .condition, "skip": .text,
        "reject": .shared("reject"), "priceUnit": .word(priceUnits), "multiplier": .text,
        "amounts": .word(["signed", "unsigned", "stated"]),
        "units": .word(["signed", "unsigned"]), "costs": .word(["inside", "outside"]),
        "paid": .word(["negative", "either"]),
        "records": .list(.either([kind, .object(recordKeys)])),
    ]

    static let recordKeys = DefinitionReader.recordKeys.map { name in
        Key(name: name, shape: name == "records" ? .text : recordShapes[name] ?? .text, isRequired: name == "kind")
    }

    /// Those of a record: without the keys that hold records.
    private static let recordShapes: [String: Shape] = [
        "kind": kind, "reverse": .bool, "set": set, "when": .condition, "priceUnit": .word(priceUnits),
        "multiplier": .text, "amounts": .word(["signed", "unsigned", "stated"]),
        "units": .word(["signed", "unsigned"]),
        "costs": .word(["inside", "outside"]), "paid": .word(["negative", "either"]),
    ]

    static let ruleKeys = DefinitionReader.ruleKeys.map { Key(name: $0, shape: ruleShapes[$0] ?? .text) }
    private static let actionShape = Shape.either([kind, .object(ruleKeys), .list(.either([kind, .object(ruleKeys)]))])
    static let row = Shape.object(
        [Key(name: "is", shape: .word(outcomes + ["record"])), Key(name: "why", shape: .text)]
            + ruleKeys.map { Key(name: $0.name, shape: $0.shape, isRequired: $0.name == "when") })

    static let line = Shape.object([
        Key(name: "text", shape: manyTexts, isRequired: true),
        Key(name: "is", shape: .word(outcomes + ["row"]), isRequired: true),
        Key(name: "rest", shape: .bool), Key(name: "whole", shape: .bool), Key(name: "cells", shape: .text),
        Key(name: "where", shape: .word(["any", "preamble", "table", "end"])), Key(name: "why", shape: .text),
    ])

    static let column = Shape.either([
        manyTexts,
        .object([
            Key(name: "names", shape: manyTexts), Key(name: "nth", shape: .text), Key(name: "after", shape: .text),
            Key(name: "column", shape: .text), Key(name: "currency", shape: .text),
        ]),
    ])

    static let tableShapes: [String: Shape] = [
        "name": .text, "parts": manyTexts, "section": manyTexts, "columns": .map(column), "require": manyTexts,
        "forbid": manyTexts,
        "known": manyTexts,
        "fill": manyTexts,
        "points": manyTexts,
        "rows": .list(row),
        "repair": .list(
            .object([
                Key(name: "when", shape: .condition, isRequired: true), Key(name: "set", shape: set, isRequired: true),
            ])),
        "extract": .list(
            .object([
                Key(name: "from", shape: .text, isRequired: true),
                Key(name: "patterns", shape: manyTexts, isRequired: true),
                Key(name: "when", shape: .condition), Key(name: "if", shape: .word(["(blank)"])),
            ])),
        "set": set,
        "actions": .object([
            Key(name: "on", shape: manyTexts, isRequired: true),
            Key(name: "words", shape: .map(action), isRequired: true),
            Key(name: "else", shape: action),
        ]),
        "kind": kind, "amounts": .word(["signed", "unsigned", "stated"]), "units": .word(["signed", "unsigned"]),
        "costs": .word(["inside", "outside"]), "paid": .word(["negative", "either"]), "priceUnit": .word(priceUnits),
        "multiplier": .text, "reverse": .either([.bool, .word(["signs"])]),
        "priceUnits": .list(
            .object([
                Key(name: "when", shape: .condition, isRequired: true),
                Key(name: "unit", shape: .word(priceUnits), isRequired: true),
                Key(name: "multiplier", shape: .text), Key(name: "currency", shape: .text),
            ])),
        "security": manyTexts, "continuation": .condition,
        "group": .object([
            Key(name: "by", shape: manyTexts, isRequired: true),
            Key(name: "lead", shape: .many(kind), isRequired: true),
            Key(
                name: "fold", shape: .map(.word(["commission", "fees", "tax", "accrued", "amount"])), isRequired: true),
            Key(name: "alone", shape: .map(kind)),
        ]),
        "lookup": .object([
            Key(name: "from", shape: .text, isRequired: true), Key(name: "by", shape: .text, isRequired: true),
        ]),
        "provides": .object([Key(name: "key", shape: .text, isRequired: true), Key(name: "values", shape: manyTexts)]),
        "anywhere": .map(.condition), "schema": .word(schemas),
        "emit": .either([
            .word(["none"]),
            .list(
                .object([
                    Key(name: "schema", shape: .word(schemas), isRequired: true), Key(name: "set", shape: .map(.text)),
                    Key(name: "when", shape: .condition), Key(name: "once", shape: .bool),
                ])),
        ]),
        "short": .bool, "covers": .word(["account", "security", "days"]), "numbers": .word(numberStyles),
        "dates": manyTexts,
        "captures": .object([
            Key(name: "from", shape: .text, isRequired: true), Key(name: "to", shape: .text, isRequired: true),
            Key(name: "keys", shape: .map(.text), isRequired: true),
        ]),
    ]

    static let table = Shape.object(
        // A part may bring the columns.
        DefinitionReader.tableKeys.map { Key(name: $0, shape: tableShapes[$0] ?? .text) })

    /// What tables share, in a file of its own. A table takes some of the keys that it says itself from there.
    static let part = part(
        table: .object(
            DefinitionReader.tableKeys.filter { $0 != "parts" }.map {
                Key(name: $0, shape: tableShapes[$0] ?? .text)
            }))

    static func part(table: Shape) -> Shape {
        let shapes: [String: Shape] = ["maps": .map(.map(.text)), "table": table]
        return .object(
            DefinitionParts.rootKeys.map {
                Key(name: $0, shape: shapes[$0] ?? .text, isRequired: ["part", "version"].contains($0))
            })
    }

    static let rootShapes: [String: Shape] = [
        "importer": .text, "version": .text, "title": .text, "institution": .text, "zone": .text, "time": .text,
        "currency": .text, "numbers": .word(numberStyles), "blank": manyTexts, "dates": manyTexts, "times": manyTexts,
        "aliases": manyTexts,
        "files": manyTexts, "fileDates": manyTexts, "exported": manyTexts, "refuse": .text, "fallback": .bool,
        "lines": .list(line), "known": manyTexts,
        "tables": .list(table),
        "layout": .object([
            Key(name: "section", shape: .text, isRequired: true), Key(name: "kind", shape: .text, isRequired: true),
            Key(name: "kinds", shape: .map(.word(Layout.RowKind.allCases.map(\.rawValue))), isRequired: true),
            Key(name: "ignore", shape: manyTexts),
        ]),
        "detect": .object([Key(name: "line", shape: manyTexts, isRequired: true)]), "maps": .map(.map(.text)),
    ]

    /// The whole file.
    static let root = Shape.object(
        DefinitionReader.rootKeys.map { name in
            Key(
                name: name, shape: rootShapes[name] ?? .text,
                isRequired: ["importer", "version", "title", "tables"].contains(name))
        })
}
