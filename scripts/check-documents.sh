#!/usr/bin/env bash
# Fails when a document names a path that does not exist, or links to a file that is not there.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0
complain() { echo "$1" >&2; failed=1; }

for document in README.md ARCHITECTURE.md book/src/*.md; do
    [ -e "$document" ] || { complain "$document does not exist"; continue; }
    # Paths of the repository in backticks.
    for path in $(grep -oE '`(crates|sdk|subjects|experiments|book|examples|scripts|fuzz)/[A-Za-z0-9_./-]+`' "$document" | tr -d '`' | sort -u); do
        [ -e "${path%/}" ] || complain "$document names $path, which does not exist"
    done
    # Relative links.
    folder=$(dirname "$document")
    for link in $(grep -oE '\]\([^)# ]+' "$document" | sed 's/^](//' | grep -vE '^(https?|mailto):' | sort -u); do
        [ -e "$folder/$link" ] || complain "$document links to $link, which does not exist"
    done
done
for page in book/src/*.md; do
    name=$(basename "$page")
    [ "$name" = SUMMARY.md ] || grep -q "($name)" book/src/SUMMARY.md || complain "book/src/SUMMARY.md does not list $name"
done
[ $failed = 0 ] && echo "documents: all paths and links exist"
exit $failed
