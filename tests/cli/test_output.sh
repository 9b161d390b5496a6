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
    claim "no journal is left of $input" [ ! -e "${pair#*:}.pare" ]
done
cp same ./-dash.txt
claim "a leading dash behind --" exits 0 "$PARE" reduce -q -u line -o y -- 'grep -qx 42' -dash.txt
input=x.txt
claim "-o" reduce -q -o out.txt
claim "-o is the result" holds out.txt 42

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
        tr '\r' '\n' < screen | sed $'s/\e\\[[0-9;]*[A-Za-z]//g' | grep -a 'bytes of\|tests' > lines
        claim "lines fit into $width columns" [ "$(wc -L < lines)" -le 80 ]
        claim "progress fits into $width columns" \
            [ "$(grep -a ' of 171 bytes ' lines | wc -L)" -lt "$width" ]
        claim "progress is there" grep -qa ' of 171 bytes ' lines
    done
    NO_COLOR=1 TERM=xterm script -qec "'$PARE' reduce -u line -o y 'grep -qx 42' x.txt" screen \
        > /dev/null < /dev/null
    claim "NO_COLOR is honoured" [ "$(grep -ac $'\e\[[0-9;]*m' screen)" -eq 0 ]
    TERM=dumb script -qec "'$PARE' reduce -u line -o y 'grep -qx 42' x.txt" screen \
        > /dev/null < /dev/null
    claim "a dumb terminal gets plain lines" [ "$(grep -ac $'\e' screen)" -eq 0 ]
fi
all_claimed
