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
claim "a passing side in the way" exits 0 "$PARE" isolate -u line -o f --output-passing good.txt.max \
    'grep -q bad' bad.txt good.txt
echo mine > good.txt.max
claim "again" exits 0 "$PARE" isolate -u line -o f --output-passing good.txt.max 'grep -q bad' \
    bad.txt good.txt
claim "is kept" [ "$(cat good.txt.max.~1~)" = mine ]

# --- a program without a test ----------------------------------------------------------------
cat > program.sh <<'T'
#!/bin/sh
if grep -q '^bad$' "$1"; then echo "error: this is bad" >&2; exit 7; fi
cat "$1"
T
chmod +x program.sh
claim "what the program does is learnt" exits 0 "$PARE" isolate -u line -o f --output-passing p \
    bad.txt good.txt -- ./program.sh @@
diff p f | grep '^[<>]' > difference || true
claim "to the same difference" [ "$(cat difference)" = '> bad' ]
claim "what is kept is told" grep -q 'keeping' out
claim "or named" exits 0 "$PARE" isolate -q -u line -o f2 --output-passing p2 bad.txt good.txt \
    --stdout '^worse$' -- cat
diff p2 f2 | grep '^[<>]' > difference || true
claim "by standard input too" grep -qx '> worse' difference
claim "a passing input that fails as well" exits 1 "$PARE" isolate bad.txt f -- ./program.sh @@
claim "is told" grep -q 'the passing input does not pass' err
claim "an operand too few" exits 2 "$PARE" isolate bad.txt -- ./program.sh @@
claim "names both" says "pare isolate FAILING PASSING [options] -- PROGRAM ARGS"
claim "no program" exits 2 "$PARE" isolate --exit 7 ./program.sh bad.txt good.txt
claim "leads to one" says "leave out TEST and end the line with -- PROGRAM ARGS @@"
cp good.txt bad.min.txt
claim "a passing input that has the result's name" exits 2 "$PARE" isolate ./program.sh bad.txt bad.min.txt
claim "is not overwritten" says "'--output' would overwrite 'bad.min.txt': name another file with --output"
claim "standard input" exits 2 "$PARE" isolate ./program.sh - good.txt
claim "is not for it" says "save it to a file"
claim "a report" exits 0 "$PARE" isolate -q -u line --report sides.html -o f3 --output-passing p3 \
    'grep -q bad' bad.txt good.txt
claim "draws both sides, over tests and over time" [ "$(grep -o '<path class="curve passing"' sides.html | wc -l)" -eq 2 ]
claim "and tells them apart" grep -q 'dashed of the passing one' sides.html
claim "with how the passing one went" grep -qE '; the passing side from 81 bytes to [0-9]+ bytes' sides.html
claim "which a reduction has none of" exits 0 "$PARE" reduce -q -u line --no-journal --report one.html -o f4 \
    'grep -q bad' bad.txt
claim "nor its report" bash -c '! grep -qE "class=.curve passing|dashed of|the passing side from" one.html'
claim "a line for each test" exits 0 "$PARE" isolate -v -u line -o f5 --output-passing p5 'grep -q bad' bad.txt good.txt
claim "tells which are the passing side, from the input on" grep -qx '#1 is the passing side, 81 bytes' out
claim "to the last" [ "$(grep ' is the passing side, ' out | tail -n 1 | sed 's/.*, \([0-9]*\) bytes/\1/')" -eq "$(wc -c < p5)" ]
claim "inputs stay" [ "$(wc -l < bad.txt) $(wc -l < good.txt)" = "32 30" ]
all_claimed
