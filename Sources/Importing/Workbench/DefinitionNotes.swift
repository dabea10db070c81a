/// What each key of the definition language means, in a line: the one source of the JSON Schema's descriptions, which
/// editors show, and of the table of keys in Importers/REFERENCE.md.
enum DefinitionNotes {
    /// The meaning of a key in an object of the language; keys that several rules have stand under `rule`.
    static func text(_ scope: String, _ key: String) -> String? {
        // What a part says of tables is what they say.
        let shared = "part.table"
        let scope = scope.hasPrefix(shared) ? "tables" + scope.dropFirst(shared.count) : scope
        return notes[scope]?[key] ?? (rules.contains(scope) ? notes["rule"]?[key] : nil)
    }

    /// Objects that are rules: what is true of a row, and what it becomes.
    private static let rules: Set<String> = ["action", "action.records", "tables.rows", "tables.rows.records"]

    private static let notes: [String: [String: String]] = [
        "": [
            "importer": "the id, `<brokerage>.<report>`", "version": "the version of this language: 1",
            "title": "what it reads, for people", "institution": "the brokerage, as accounts name it",
            "zone": "the zone of dates without one (IANA)", "time": "the time of day of dates without one; noon",
            "currency": "the currency where the source names none",
            "numbers": "how numbers are written; `auto` is proven over each column",
            "blank": "cells that say \"no value\" besides the empty one", "dates": "date patterns, tried in order",
            "times": "how the variable `time` is written", "aliases": "other ids that `--importer` takes",
            "files": "templates of file names: they break ties and give variables, and are never required",
            "fileDates": "how `{exported}` in a file name is written",
            "exported": "how `{exported}` in the content is written",
            "layout": "for files whose rows name their section and kind in columns",
            "detect": "what must stand near the top", "refuse": "instead of tables: what to download in place of this",
            "fallback": "it reads only what no other definition fits",
            "lines": "rules for lines that are no rows",
            "known": "header names that are known and not used, in every table",
            "tables": "what the file's headers and rows are",
            "maps": "named tables of values, for `map` and `mapOr`",
        ],
        "layout": [
            "section": "the column (from 1) that names the section", "kind": "the column that names the row's kind",
            "kinds": "what each word of that column is", "ignore": "sections that are known and not wanted: skipped",
        ],
        "detect": ["line": "a line near the top (first cell, or all of it) must match one of these"],
        "lines": [
            "text": "patterns of the line's first cell that is not empty", "is": "what such a line is",
            "rest": "all lines below are the same",
            "whole":
                "the patterns are of the whole line, trimmed cells joined by commas, without empty ones at the end",
            "cells": "how many cells are not empty: a number, or a range such as `1-3`",
            "where": "where in the file it may stand",
            "why": "the reason, for skipped lines",
        ],
        "tables": [
            "name": "for `lookup` and messages", "section": "the sections that it stands in, with `layout`",
            "columns": "variable → header names, in every language and era",
            "require": "the header is this table's when all of these have a column",
            "forbid": "… and none of these header names is there", "known": "header names that are known and not used",
            "fill": "when all of these are empty, they take the values of the row above",
            "rows": "rules for single rows, in order; the first that holds decides",
            "repair": "cells that move when a condition shows that the header is shifted",
            "extract": "variables cut out of cells", "set": "computed variables",
            "actions": "what a row is, by its action words", "kind": "one kind for every row",
            "amounts":
                "whether amounts have a sign (if not, the kind gives it); stated: it is no price × units (futures)",
            "units": "the same for shares that move in kind",
            "costs": "whether commission, fees and tax are already in the amount",
            "paid": "the sign of a cost that was paid: with `negative` a positive one was given back",
            "priceUnit": "what one price is for", "multiplier": "units of the underlying in a contract",
            "reverse":
                "every row undoes an event of its kind; signs: a trade does whose units and amount both have the other side's",
            "priceUnits": "what one price is for, by condition; the first that holds",
            "security": "the variables that name the security; the first that is not blank",
            "continuation": "such a row continues the one above", "group": "rows that belong together",
            "lookup": "values from another table of the file", "provides": "… and what this table gives to others",
            "anywhere":
                "variable → condition: filled in every row of the table when one of them, wherever in the file, fulfils it (before `set`)",
            "schema": "rows of an openalloc schema instead of records", "emit": "rows of several schemas, or none",
            "short": "rows may stop before the last column",
            "covers":
                "what a list of positions is whole for: the account, one security of it, or the account on several days (the last one counts)",
            "numbers": "this table's own style of numbers", "dates": "this table's own date patterns",
            "points": "variables whose numbers have a decimal point, whatever the style of the others",
            "captures": "a table of names and values: each value holds from its line on",
            "parts": "names of parts: what they say is added to what the table says",
        ],
        "part": [
            "part": "its name, by which tables take it: small letters, digits, `_`",
            "version": "the version of this language: 1",
            "maps": "maps that the definitions of these tables have then; in a map of the same name, theirs stands",
            "table":
                "keys of a table. Of lists the table's own items come first, of mappings each key that it says itself stands",
        ],
        "tables.columns": [
            "names": "header names", "nth": "the n-th column of that name",
            "after": "the column right after another variable's, should it have no name of its own that is new",
            "column": "by position, from 1",
            "currency": "the variable that a code in the header sets: `Total (GBP)`",
        ],
        "tables.repair": ["when": "what shows that cells are shifted", "set": "all read before any is written"],
        "tables.extract": [
            "from": "the variable that is cut up", "patterns": "the first that matches the whole text wins",
            "when": "only such rows", "if": "only into variables that are blank",
        ],
        "tables.actions": [
            "on": "the variable, or several joined by ` / `", "words": "action word or pattern → what it is",
            "else": "what every other word is, where that is certain",
        ],
        "tables.priceUnits": [
            "when": "only such rows", "unit": "what one price is for", "multiplier": "units in a contract",
            "currency": "the currency that the minor unit belongs to",
        ],
        "tables.group": [
            "by": "the variables that rows of one event share", "lead": "the kinds that lead",
            "fold": "kind → the leader's field that its amount goes to",
            "alone": "kind of a leader that found no amount → its kind then",
        ],
        "tables.lookup": ["from": "the name of the table", "by": "the variable that is the key"],
        "tables.provides": [
            "key": "the variable that is the key; commas part several", "values": "the variables that it gives",
        ],
        "tables.captures": [
            "from": "the variable with the name", "to": "the variable with the value",
            "keys": "name → the variable that takes the value",
        ],
        "tables.emit": [
            "schema": "the schema of the row", "set": "column → expression", "when": "only for such rows",
            "once": "the same row again is no news",
        ],
        "rule": [
            "is": "what the row is; `record` without a kind sets variables and goes on", "why": "the reason",
            "when": "only such rows", "kind": "the record that the row becomes",
            "reverse": "it undoes an event of its kind", "set": "variables set for this record",
            "skip": "no record, for this reason",
            "reject": "known, and not to be taken: rejected for this reason", "priceUnit": "what one price is for",
            "multiplier": "units of the underlying in a contract", "amounts": "whether the amount has a sign",
            "units": "whether units that move in kind have a sign", "costs": "whether costs are in the amount",
            "paid": "the sign of a cost that was paid", "records": "several records of one row",
        ],
        "tables.set": ["when": "only such rows", "set": "variable → expression"],
        "set": ["when": "only such rows", "set": "variable → expression"],
        "reject": [
            "why": "why the row cannot be taken, as a sentence for its user",
            "column": "the variable whose cell is to blame; without it the whole line",
            "code": "the rejection's code; `action.unknown` where none is given",
            "advice": "what to do next; correcting the line, or a table of one's own, where none is given",
        ],
    ]
}
