#!/bin/bash
# The commands of docs/guide/graph-walk.md, in its order.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

command -v mujs > /dev/null || { echo "there is no mujs"; exit 77; }
PATH=$(dirname "$PARE"):$PATH
cp "$PARE_SOURCE_DIR/examples/graph/Es5.g4" .
n_commands=0
while IFS= read -r command; do
    n_commands=$((n_commands + 1))
    claim "$command" exits 0 bash -c "$command"
done < <(sed -n 's/^\$ //p' "$PARE_SOURCE_DIR/docs/guide/graph-walk.md")
claim "there are commands" [ "$n_commands" -ge 8 ]
for file in tests.txt programs.txt statements.txt; do
    claim "1000 lines in $file" [ "$(wc -l < "$file")" -eq 1000 ]
done
all_claimed
