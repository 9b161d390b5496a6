#!/bin/bash
# A machine that stands still for longer than a test may take, while tests run: no test is
# called a time-out for it.  A test that does run too long is.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

seq 1 40 > in.txt

# Fails where 7 is.  The first test of a shorter input has the reducer stand still, and itself
# where $STILL says so; a process of its own wakes both behind twice the least limit.
cat > stall.sh <<'END'
if [ ! -d "$WORK/mine" ] && [ "$(wc -l < "$1")" -lt 30 ] && mkdir "$WORK/mine" 2> /dev/null; then
    reducer=$(cat "$PID_FILE")
    both="$reducer"
    [ "$STILL" = all ] && both="$reducer $$"
    setsid -f sh -c "sleep 2.2; kill -CONT $both" < /dev/null > /dev/null 2>&1
    kill -STOP "$reducer"
    [ "$STILL" = all ] && kill -STOP $$
fi
echo heard >&2
! grep -qx 7 "$1"
END

stalled() { # STILL JOBS
    rm -rf work in.min.txt
    mkdir work
    WORK=$PWD/work PID_FILE=$PWD/pid STILL=$1 sh -c 'echo $$ > pid; exec "$@"' sh \
        "$PARE" reduce -q --no-journal --sandbox devices --exit 1 -j "$2" --trace trace --stats stats \
        in.txt -- sh "$PWD/stall.sh" @@
}
for jobs in 1 4; do
    for still in reducer all; do
        stalled "$still" "$jobs"
        claim "-j $jobs: it stood still" [ -d work/mine ]
        claim "-j $jobs, still: $still: no time-out" [ "$(jq .outcomes.UNRESOLVED stats)" = 0 ]
        claim "-j $jobs, still: $still: the line is found" [ "$(cat in.min.txt)" = 7 ]
    done
done

cat > hang.sh <<'END'
grep -qx 3 "$1" || exec sleep 60
! grep -qx 7 "$1"
END
seq 1 8 > in.txt
"$PARE" reduce -q --no-journal --timeout 1 --exit 1 -j 4 --stats stats in.txt -- sh "$PWD/hang.sh" @@
claim "what hangs is a time-out" [ "$(jq .outcomes.UNRESOLVED stats)" -gt 0 ]
claim "the rest is reduced" [ "$(tr '\n' ' ' < in.min.txt)" = "3 7" ]
all_claimed
