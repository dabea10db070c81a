#!/bin/sh
# Usage: install.sh BINARY SHARE
# Writes the completions, which the program generates itself, and the manual page below SHARE.
set -eu

binary=$1
share=$2

mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$binary" --generate-completion-script bash >"$share/bash-completion/completions/allocport"
"$binary" --generate-completion-script zsh >"$share/zsh/site-functions/_allocport"
"$binary" --generate-completion-script fish >"$share/fish/vendor_completions.d/allocport.fish"
mkdir -p "$share/man/man1"
sh "$(dirname "$0")/manual.sh" "$binary" >"$share/man/man1/allocport.1"
