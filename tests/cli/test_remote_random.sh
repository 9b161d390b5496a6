#!/bin/bash
# Random cases with 1, 3 and 8 workers that come, go and are killed at random: the same bytes and steps
# as one slot at home, every time.  Some cases; PARE_TEST_LONG=1 tries 100.
#
# The test starts a server of its own on loopback; it is skipped without nats-server or libnats.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
. "$PARE_SOURCE_DIR/tests/cli/cluster.sh"

n_cases=3
if [ "${PARE_TEST_LONG:-0}" != 0 ]; then n_cases=100; fi
seed=${PARE_TEST_SEED:-1}
RANDOM=$seed

workers=()
end_everybody() {
    pids+=("${workers[@]}")
    end_all
}
trap end_everybody EXIT
start_server --jetstream --store_dir store

# Cells of the full sandbox are looked at in test_remote.sh; here it is who comes and goes.
start_some_worker() {
    "$PARE" worker "$url" -q -j$((RANDOM % 3 + 1)) --sandbox off > worker 2>&1 &
    workers+=($!)
}
# One of them ends by a signal, with or without a word.
end_worker() {
    local which=$((RANDOM % ${#workers[@]}))
    if [ $((RANDOM % 2)) = 0 ]; then kill -KILL "${workers[which]}"; else kill "${workers[which]}"; fi
    wait "${workers[which]}" 2> /dev/null || true
    unset "workers[which]"
    workers=("${workers[@]}")
}

# Lines of which some words are needed, and a test that takes a moment.
make_case() {
    local i
    words=$((RANDOM % 4 + 1))
    awk -v seed="$RANDOM" -v n="$((RANDOM % 70 + 20))" -v words="$words" 'BEGIN {
        srand(seed)
        for (i = 0; i < n; i++) print "x" int(rand() * 1000) (rand() < .5 ? " { a }" : " (b) c;")
        for (i = 1; i <= words; i++) print "word" i " {"
    }' | awk -v seed="$RANDOM" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -n | cut -f2- > in.txt
    {
        echo '#!/bin/sh'
        echo 'sleep 0.02'
        for i in $(seq "$words"); do echo "grep -q word$i \"\$1\" || exit 1"; done
        # A pair that is only needed together.
        echo 'grep -q "{ a }" "$1" && exit 0'
        echo '! grep -q "(b)" "$1"'
    } > case.sh
    chmod +x case.sh
}
comes_to_the_same() { # WORKERS
    local n reduction
    refresh
    while [ "${#workers[@]}" -lt "$1" ]; do start_some_worker; done
    while [ "${#workers[@]}" -gt "$1" ]; do end_worker; done
    "$PARE" reduce -q --no-journal -j1 --with "$here/fresh" --timeout 60 -o away --trace trace.away --workers "$url" \
        ./case.sh in.txt > out 2> err < /dev/null &
    reduction=$!
    # Nothing waits for these moments: whatever the machine makes of them has to do.
    for n in 1 2 3; do
        sleep "0.$((RANDOM % 6))"
        if [ $((RANDOM % 2)) = 0 ]; then start_some_worker; else end_worker; fi
        [ "${#workers[@]}" -gt 0 ] || start_some_worker
    done
    wait "$reduction" || return 1
    cmp home away && cmp <(plain trace.home) <(plain trace.away)
}

for case in $(seq "$n_cases"); do
    make_case
    claim "case $case reduces at home" exits 0 "$PARE" reduce -q --no-journal --deterministic -j1 \
        --timeout 60 -o home --trace trace.home ./case.sh in.txt
    for n in 1 3 8; do
        [ $((case % 3)) = $((n % 3)) ] || [ "$n_cases" -gt 3 ] || [ "$n" = 8 ] || continue
        claim "seed $seed, case $case: $n workers that come and go come to the same" comes_to_the_same "$n"
    done
done
all_claimed
