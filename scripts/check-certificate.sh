#!/bin/sh
# Checks with a solver alone that a certificate is consistent and that its obligations are unsatisfiable: check-certificate.sh FOLDER [SOLVER].
# That they are those of a program it cannot tell: `twinrun check FOLDER --project PROJECT` derives them again.
cd "$1" && sha256sum --quiet --check SHA256SUMS || exit 1
for file in *.smt2; do
    grep -q "  $file\$" SHA256SUMS || { echo "$file is not listed"; exit 1; }
    [ "$("${2:-cvc5}" "$file")" = unsat ] || { echo "$file is not shown to be unsatisfiable"; exit 1; }
done
[ "$(grep -c '"file":' manifest.json)" -eq "$(ls | grep -c '\.smt2$')" ] || { echo "obligations are missing"; exit 1; }
echo "consistent, and every obligation is unsatisfiable; nothing else was checked"
