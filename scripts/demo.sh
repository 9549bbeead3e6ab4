#!/usr/bin/env bash
# The first hunt: Kadane's maximum sub-array without its reset, through the relation "reversing changes nothing".
set -uo pipefail
cd "$(dirname "$0")/../examples/maxsub"
page=${DEMO_PAGE:-$PWD/.twinrun/report.html}
mkdir -p "$(dirname "$page")"
echo "\$ cat maxsub.c"
cat maxsub.c
echo
echo "\$ cat relations.c"
sed -n '/RELATION(reverse)/,/^}/p' relations.c
echo
echo "\$ twinrun hunt faulty:reverse --page report.html"
"${TWINRUN:-../../target/debug/twinrun}" hunt faulty:reverse --fresh --page "$page"
status=$?
# Finding the fault is what the demo is for: exit code 1 is its success.
[ $status = 1 ] || { echo "the demo ended with $status instead of a finding" >&2; exit 1; }
echo
echo "The report is in $page: open it in a browser, or see it live with 'twinrun serve' in examples/maxsub."
echo "Next: look into examples/, or start your own project with 'twinrun init c' (cargo install --path crates/cli)."
