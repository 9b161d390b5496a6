#!/bin/bash
# Where the result goes, and what is printed on the way.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

seq 1 60 > x.txt
cp x.txt same
holds() { [ "$(cat "$1")" = "$2" ]; }
reduce() { exits 0 "$PARE" reduce -u line "$@" 'grep -qx 42' "$input"; }

# --- names ---------------------------------------------------------------------
mkdir -p a.b
for pair in x.txt:x.min.txt plain:plain.min .hidden:.hidden.min a.b/x:a.b/x.min \
    x.tar.gz:x.tar.min.gz "a b.txt:a b.min.txt" $'a\nb.txt:a\nb.min.txt' './-dash.txt:./-dash.min.txt'; do
    input=${pair%%:*}
    cp same "$input" 2>/dev/null || true
    claim "reduces $input" reduce -q
    claim "result of $input is ${pair#*:}" holds "${pair#*:}" 42
    claim "$input is as it was" cmp -s same "$input"
    claim "no journal is left of $input" [ ! -e "${pair#*:}.pare/journal" ]
    claim "the history of $input is" [ -e "${pair#*:}.pare/history" ]
done
cp same ./-dash.txt
claim "a leading dash behind --" exits 0 "$PARE" reduce -q -u line -o y -- 'grep -qx 42' -dash.txt
input=x.txt
claim "-o" reduce -q -o out.txt
claim "-o is the result" holds out.txt 42

# --- what stands there already -------------------------------------------------------
input=x.txt
echo mine > have.txt
claim "over a file of the user's" reduce -o have.txt
claim "the result is there" holds have.txt 42
claim "what it held is kept" holds have.txt.~1~ mine
claim "and told in one line" [ "$(grep -c 'have.txt was not written by this reduction: what it held is in have.txt.~1~' out)" -eq 1 ]
claim "the same again" reduce -o have.txt
claim "leaves nothing new" [ "$(echo have.txt*)" = "have.txt have.txt.pare have.txt.~1~" ]
claim "and tells nothing" eval '! grep -q "was not written" out'
echo other > have.txt
touch have.txt.~7~
claim "over another file, quietly" reduce -q -o have.txt
claim "the next free number" holds have.txt.~8~ other
claim "nothing is printed" [ ! -s out ]
claim "an input that does not fail" exits 1 "$PARE" reduce -o have.txt false x.txt
claim "replaces nothing" [ "$(echo have.txt*)" = "have.txt have.txt.pare have.txt.~1~ have.txt.~7~ have.txt.~8~" ]
rm -r have.txt*
echo theirs > target
ln -s target have.txt
claim "over a link" reduce -q -o have.txt
claim "the link stays" [ -L have.txt ]
claim "what it led to is kept" holds have.txt.~1~ theirs
rm -r have.txt* target

claim "stopped early" reduce -q -o cut --max-tests 4
claim "gone on with" reduce -q -o cut --max-tests 8
claim "its own result is no one else's" [ ! -e cut.~1~ ]
echo more >> cut
cp cut cut.edited
claim "gone on with after an edit" reduce -o cut
claim "the result is there" holds cut 42
claim "the edit is kept" cmp -s cut.edited cut.~1~
claim "and told" grep -q 'what it held is in cut.~1~' out
rm -rf cut*
mkdir -p tree tree.min
seq 1 60 > tree/a
echo mine > tree.min/mine
claim "over a folder" exits 0 "$PARE" reduce -q 'grep -qx 42 "$1"/a' tree
claim "it is kept" holds tree.min.~1~/mine mine
claim "the result is there" holds tree.min/a 42
claim "the same again" exits 0 "$PARE" reduce -q 'grep -qx 42 "$1"/a' tree
claim "leaves nothing new" [ "$(echo tree*)" = "tree tree.min tree.min.pare tree.min.~1~" ]
rm -rf tree*

# --- places that cannot be written, before the first test ---------------------------------
mkdir folder
printf '#!/bin/sh\necho >> "%s/ran"\nexit 0\n' "$here" > ran.sh
chmod +x ran.sh
refuses() {
    local text=$1
    shift
    claim "refused: $*" exits 3 "$PARE" reduce ./ran.sh x.txt "$@"
    claim "says so: $*" says "$text"
}
refuses "cannot write 'folder': it is a folder; name a file with --output" -o folder
refuses "cannot write 'no/x': its folder does not exist; name another place with --output" -o no/x
refuses "cannot write 'x.txt/y'" -o x.txt/y
refuses "cannot write '/dev/null': it is not a regular file; name one with --output" -o /dev/null
refuses "cannot write '-': a result cannot go to standard output; name a file with --output" -o -
refuses "cannot write the trace 'folder'" --trace folder
refuses "cannot write the trace 'no/t'" --trace no/t
refuses "cannot write the statistics 'folder'" --stats folder
refuses "cannot write the statistics 'no/s'" --stats no/s
refuses "cannot write the report 'folder'" --report folder
refuses "cannot write the report 'no/r'" --report no/r
claim "signature" exits 3 "$PARE" reduce x.txt --signature no/s -- ./ran.sh @@
claim "says so" says "cannot write 'no/s': its folder does not exist; name another place with --signature"
claim "passing side" exits 3 "$PARE" isolate ./ran.sh x.txt same --output-passing folder
claim "says so" says "cannot write 'folder': it is a folder; name a file with --output-passing"
claim "no test was run" [ ! -e ran ]

# --- in place ------------------------------------------------------------------
cp same in.txt
input=in.txt
claim "--in-place" reduce --in-place
claim "the input is the result" holds in.txt 42
claim "the input is kept" cmp -s same in.txt.orig
claim "the summary names it" grep -q 'in.txt.orig' out
claim "a second time is refused" exits 3 "$PARE" reduce -u line --in-place 'grep -qx 42' in.txt
claim "and says why" says "'in.txt.orig' exists already and would be lost"
claim "and changes nothing" cmp -s same in.txt.orig
cp same gone.txt
cp same led_to.txt
ln -s led_to.txt link.txt
input=link.txt
claim "in place of a link" reduce -q --in-place
claim "what it leads to is the result" holds led_to.txt 42
claim "the link stays one" [ -L link.txt ]
claim "and the input is kept" cmp -s same link.txt.orig
claim "in place, but it does not fail" exits 1 "$PARE" reduce --in-place false gone.txt
claim "then nothing is kept" [ ! -e gone.txt.orig ]
claim "and nothing changed" cmp -s same gone.txt

# --- in place, gone on with after a kill ------------------------------------------
cat > slow.sh <<'T'
#!/bin/sh
echo >> "$COUNT"
while [ -e "$HOLD" ] && [ "$(wc -l < "$COUNT")" -gt 5 ]; do sleep 0.02; done
grep -qx 42 "$1"
T
chmod +x slow.sh
export COUNT=$here/count HOLD=$here/hold
: > count
: > hold
cp same kept.txt
setsid "$PARE" reduce -q -j1 -u line --in-place --timeout 60 ./slow.sh kept.txt &
pid=$!
held() { [ "$(wc -l < count)" -gt 5 ]; }
claim "five tests have run" await held
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
rm hold
claim "the input is kept while it is reduced" cmp -s same kept.txt.orig
claim "the same command goes on" exits 0 "$PARE" reduce -q -j1 -u line --in-place --timeout 60 \
    ./slow.sh kept.txt
claim "to the same result" holds kept.txt 42
claim "and keeps the input" cmp -s same kept.txt.orig

# --- what is printed --------------------------------------------------------------
input=x.txt
claim "plain" reduce -o y
claim "no control characters when piped" [ -z "$(tr -d '\n\t\40-\176' < out)" ]
claim "the summary has both sizes" grep -q '^x.txt: 171 bytes -> 3 bytes (1.8 %)$' out
claim "where it is" grep -qE '^  result +y$' out
claim "80 columns at most" [ "$(wc -L < out)" -le 80 ]
claim "quiet" reduce -o y --quiet
claim "quiet prints nothing" [ ! -s out ] 
claim "nor to standard error" [ ! -s err ]
claim "verbose" reduce -o y --verbose
claim "verbose prints each test" grep -qE '^#1 (FAIL|PASS) +[0-9]+ bytes, ' out
claim "colours when asked for" reduce -o y --color always
claim "they are there" grep -q $'\e\[1m' out
claim "a reader that leaves early does not matter" \
    bash -c 'set -o pipefail; "$1" reduce -v -u line -o z "grep -qx 42" x.txt | head -n 1 > /dev/null; [ "${PIPESTATUS[0]}" = 0 ]' bash "$PARE"
claim "and the result is there" holds z 42

# --- on a terminal ------------------------------------------------------------------
if command -v script > /dev/null; then
    for width in 80 40; do
        TERM=xterm script -qec "stty cols $width; '$PARE' reduce -u line -o y 'sleep 0.05; grep -qx 42 \"\$1\"' x.txt" screen \
            > /dev/null < /dev/null
        claim "one line is redrawn at $width columns" grep -q $'\r.*\e\[K' screen
        # Between two carriage returns stands what one line shows.
        tr '\r' '\n' < screen | sed $'s/\e\\[[0-9;]*[A-Za-z]//g' |
            grep -av '^Script started' | grep -a 'bytes of\|tests' > lines
        claim "lines fit into $width columns" [ "$(wc -L < lines)" -le 80 ]
        claim "progress fits into $width columns" \
            [ "$(grep -a ' of 171 bytes ' lines | wc -L)" -lt "$width" ]
        claim "progress is there" grep -qa ' of 171 bytes ' lines
    done
    NO_COLOR=1 TERM=xterm script -qec "'$PARE' reduce -u line -o y 'grep -qx 42' x.txt" screen \
        > /dev/null < /dev/null
    claim "NO_COLOR is honoured" [ "$(grep -ac $'\e\[[0-9;]*m' screen)" -eq 0 ]
    # Sentences are broken between words, and the second line of one is indented.
    cp x.txt unknown
    TERM=xterm script -qec "stty cols 60; '$PARE' reduce --max-tests 30 -o y 'grep -qx 42' unknown" screen \
        > /dev/null < /dev/null
    tr -d '\r' < screen | sed $'s/.*\e\[K//; s/\e\[[0-9;]*[A-Za-z]//g' > lines
    claim "a notice is broken at a blank" grep -qa "^the name 'unknown' tells no language: .*[a-z;]$" lines
    claim "and goes on below" grep -qa '^  [a-z].*' lines
    claim "within the terminal's width" [ "$(grep -a -A3 '^the name' lines | wc -L)" -lt 60 ]
    TERM=xterm script -qc "stty cols 50; '$PARE' reduce -u line -o y 'grep -qx 4x2' unknown" screen \
        > /dev/null < /dev/null
    claim "of an input that does not fail this is not told" [ "$(grep -ac 'tells no' screen)" -eq 0 ]
    tr -d '\r' < screen > lines
    claim "but that, within the width" [ "$(grep -a -A3 '^pare reduce: ' lines | wc -L)" -lt 50 ]
    TERM=dumb script -qec "'$PARE' reduce -u line -o y 'grep -qx 42' x.txt" screen \
        > /dev/null < /dev/null
    claim "a dumb terminal gets plain lines" [ "$(grep -ac $'\e' screen)" -eq 0 ]
fi
all_claimed
