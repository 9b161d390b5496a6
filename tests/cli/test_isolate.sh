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
claim "leads to one" says "leave TEST out and end the line with -- PROGRAM ARGS @@"
cp good.txt bad.min.txt
claim "a passing input that has the result's name" exits 2 "$PARE" isolate ./program.sh bad.txt bad.min.txt
claim "is not overwritten" says "'--output' would overwrite 'bad.min.txt': name another file with --output"
claim "standard input" exits 2 "$PARE" isolate ./program.sh - good.txt
claim "is not for it" says "save it to a file"
claim "inputs stay" [ "$(wc -l < bad.txt) $(wc -l < good.txt)" = "32 30" ]
all_claimed
