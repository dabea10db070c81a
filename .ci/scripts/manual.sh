#!/bin/sh
# Usage: manual.sh BINARY
# Makes the manual page of the program's own help, so that it never says anything else.
set -eu

binary=$1
version=$("$binary" --version)

# Help text as it stands: backslashes and leading dots and quotes would be commands of troff.
verbatim() {
    printf '.nf\n'
    COLUMNS=100 "$binary" help "$@" | sed -e 's/\\/\\e/g' -e "s/^\\([.']\\)/\\\\\\&\\1/" -e 's/-/\\-/g' \
        -e 's/‘/\\(oq/g' -e 's/’/\\(cq/g' -e 's/…/.../g'
    printf '.fi\n'
}

printf '.TH ALLOCPORT 1 "" "allocport %s" "User Commands"\n' "$version"
printf '.SH NAME\nallocport \\- turns files of brokerages into openalloc tables\n'
printf '.SH SYNOPSIS\n.B allocport\n.I verb\n[\n.I arguments\n]\n'
printf '.SH DESCRIPTION\n'
verbatim
for verb in convert detect transform list schema "importer lint" "importer test"; do
    printf '.SH %s\n' "$(printf '%s' "$verb" | tr '[:lower:]' '[:upper:]')"
    # The verb may be two words.
    # shellcheck disable=SC2086
    verbatim $verb
done
printf '.SH ENVIRONMENT\n'
printf '.TP\n.B NO_COLOR\nWhen it is set to anything, words are not coloured.\n'
printf '.TP\n.B XDG_CONFIG_HOME\nDefinitions of your own are looked for in $XDG_CONFIG_HOME/allocport/importers'
printf ' (~/.config/allocport/importers).\n'
