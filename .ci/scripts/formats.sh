#!/bin/sh
# Usage: formats.sh BINARY README
# Brings the table of supported exports in the README up to date.
set -eu

table=$(mktemp "${TMPDIR:-/tmp}/formats.XXXXXX")
trap 'rm -f "$table" "$table.new"' EXIT
XDG_CONFIG_HOME=/nonexistent HOME=/nonexistent "$1" list importers --markdown >"$table"
awk -v table="$table" '
    /^<!-- made by `make formats` -->$/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
    /^<!-- end -->$/ { skip = 0 }
    !skip { print }
' "$2" >"$table.new"
cat "$table.new" >"$2"
