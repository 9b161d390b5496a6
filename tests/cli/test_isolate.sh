#!/bin/bash
# pare isolate: two results that differ by little, one failing, one passing.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

seq 1 30 > good.txt
{ seq 1 10; echo bad; seq 11 20; echo worse; seq 21 30; } > bad.txt
claim "isolates" exits 0 "$PARE" isolate -u line 'grep -q bad' bad.txt good.txt
claim "the failing side fails" grep -q bad bad.min.txt
claim "the passing side does not" bash -c '! grep -q bad good.max.txt'
diff good.max.txt bad.min.txt | grep '^[<>]' > difference || true
claim "they differ by the one line that matters" [ "$(cat difference)" = '> bad' ]
claim "the summary names both" [ "$(grep -c 'bad.min.txt$\|good.max.txt$' out)" -eq 2 ]
claim "and counts" grep -qE 'differ +in 1 of ' out
claim "named outputs" exits 0 "$PARE" isolate -q -u line -o f --output-passing p 'grep -q bad' \
    bad.txt good.txt
claim "are both written" [ -s f ] 
claim "each under its name" [ -s p ]
claim "a passing input that fails" exits 1 "$PARE" isolate true bad.txt good.txt
claim "is told in the first line" [ -n "$(head -n 1 err)" ]
claim "one output for both sides" exits 2 "$PARE" isolate -o z --output-passing z \
    'grep -q bad' bad.txt good.txt
claim "inputs stay" [ "$(wc -l < bad.txt) $(wc -l < good.txt)" = "32 30" ]
all_claimed
