#!/bin/bash
# Stopped by a signal: exit code 130, the best so far on disk, nothing left
# running, and the same command goes on.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

seq 1 200 > x.txt
# Runs at full speed for 16 runs, the controls among them, then waits as long as $HOLD exists: without
# tests ahead of time, which a busy machine may not start, there are 23 of them in all.
cat > slow.sh <<'T'
#!/bin/sh
echo >> "$COUNT"
while [ -e "$HOLD" ] && [ "$(wc -l < "$COUNT")" -gt 16 ]; do sleep 0.02; done
grep -qx 42 "$1"
T
chmod +x slow.sh
export COUNT=$here/count HOLD=$here/hold

held() { [ "$(wc -l < count)" -gt 16 ]; }
fails() { grep -qx 42 "$1"; }
still_fails() { [ "$(wc -c < y)" -lt "$(wc -c < x.txt)" ] && fails y; }
nothing_runs() { ! pgrep -f "$here/slow.sh" > /dev/null; }

# stopped_by SIGNAL OPTION...   Starts a reduction, sends the signal once tests wait.
stopped_by() {
    local signal=$1 pid
    shift
    : > count
    : > hold
    rm -rf y y.pare
    setsid "$PARE" reduce -a ddmin -u line -j 2 --timeout 60 -o y "$@" ./slow.sh x.txt \
        > out 2> err < /dev/null &
    pid=$!
    claim "tests wait ($signal)" await held
    kill -s "$signal" "$pid"
    ends "$pid"
}

for signal in INT TERM HUP; do
    stopped_by "$signal"
    claim "exit code 130 at SIG$signal" [ "$code" -eq 130 ]
    claim "the best so far still fails" still_fails
    claim "it says where that is" grep -qE '^  result +y$' out
    claim "it says how to go on" grep -q 'run the same command again' out
    claim "no test is left" await nothing_runs
done

rm hold
claim "the same command goes on" exits 0 "$PARE" reduce -a ddmin -u line -j 2 --timeout 60 -o y \
    --stats s ./slow.sh x.txt
claim "and says so" grep -q 'continuing' out
claim "to the result of an undisturbed run" [ "$(cat y)" = 42 ]
claim "answers of the first run are used" [ "$(jq .cache_hits s)" -gt 0 ]

stopped_by INT --quiet
claim "130 when quiet, too" [ "$code" -eq 130 ]
claim "and quiet" [ ! -s out ]

# The second SIGINT asks for the same as the first.
: > count
: > hold
rm -rf y y.pare
setsid "$PARE" reduce -a ddmin -u line -j 2 --timeout 60 -o y ./slow.sh x.txt > out 2> err < /dev/null &
pid=$!
claim "tests wait" await held
kill -s INT "$pid"
kill -s INT "$pid" 2> /dev/null || true
ends "$pid"
claim "two signals are as good as one" [ "$code" -eq 130 ]
claim "the best is there as well" still_fails
all_claimed
