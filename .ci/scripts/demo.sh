#!/bin/sh
# Usage: demo.sh BINARY SAMPLES FOLDER
# Converts the invented sample exports and shows what came of them.
set -eu

binary=$1
samples=$2
folder=$3

if [ ! -d "$samples" ]; then
    echo "there is no folder $samples" >&2
    exit 66
fi
inputs=$(mktemp -d "${TMPDIR:-/tmp}/allocport-demo.XXXXXX")
trap 'rm -rf "$inputs"' EXIT

# The expected outputs that stand beside the samples are no exports.
find "$samples" -type d -name expected -prune -o -type f ! -name '*.md' -print | while IFS= read -r file; do
    mkdir -p "$inputs/$(dirname "$file")"
    cp "$file" "$inputs/$file"
done

# Some samples are broken on purpose, so that rejects can be seen.
echo "\$ allocport convert $samples -o $folder"
status=0
"$binary" convert "$inputs/$samples" -o "$folder" --force 2>"$inputs/words" || status=$?
# Each file has its lines; here a few of them, and the end.
end=$(grep -n '^wrote to ' "$inputs/words" | tail -n 1 | cut -d: -f1)
if [ -n "$end" ] && [ "$end" -gt 40 ]; then
    head -n 24 "$inputs/words"
    echo "… and so on for each file"
    tail -n "+$end" "$inputs/words"
else
    cat "$inputs/words"
fi
for table in "$folder"/openalloc.*.csv; do
    [ -e "$table" ] || continue
    echo
    echo "$(basename "$table")"
    head -n 4 "$table" | cut -c 1-160
done
echo
echo "rejects.csv"
head -n 6 "$folder/rejects.csv" | cut -c 1-160
echo
echo "All files are in $folder. The exit code was $status (1: lines were rejected, 3: an input was not recognised)."
echo "Some samples are broken on purpose. Now your own: allocport detect ~/Downloads (.build/release/allocport until it is installed)"
case $status in 0 | 1 | 3 | 4) ;; *) exit "$status" ;; esac
