#!/bin/bash
# What `make test` does beyond the corpus of a fuzz target (tests/fuzz/search.c): a failure is found, what
# shows it is kept and shows it again, and a seed makes the same texts each time.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
replay=$PARE_BUILD_DIR/tests/fuzz/replay_selftest
mkdir corpus kept
printf 'a(b)\n' > corpus/one
printf '12\n' > corpus/two
export PARE_FUZZ_SECONDS=60 PARE_FUZZ_RUNS=20000 PARE_FUZZ_KEEP=$here/kept ASAN_OPTIONS=handle_abort=0

no_search() { PARE_FUZZ_SECONDS=0 exits 0 "$replay" corpus && [ "$(cat out)" = "2 inputs replayed" ]; }
looks() { exits 0 "$replay" corpus && grep -q '^20000 texts made of them$' out; }
dies() {
    rm -f kept/*
    PARE_SELFTEST=$1 exits 1 "$replay" corpus && grep -q "$2" err &&
        [ "$(find kept -type f | wc -l)" -eq 1 ] && LC_ALL=C grep -qa $'\xff' kept/*
}
shows() {
    code=0
    (PARE_FUZZ_SECONDS=0 PARE_SELFTEST=abort "$replay" kept/* > out 2> err) 2> err || code=$?
    [ "$code" -eq 134 ]
}
texts() { PARE_FUZZ_RUNS=300 PARE_FUZZ_SEED=$1 PARE_SELFTEST_SAY=1 "$replay" corpus > "$2"; }
same() { texts 7 first && texts 7 second && cmp first second; }
other() { texts 8 third && ! cmp -s first third; }
differ() { [ "$(sort -u first | wc -l)" -gt 200 ]; }

claim "unless it is asked for, there is only the corpus" no_search
claim "a target that does not fail is looked at as often as was asked for" looks
claim "a target that ends the process is caught, and its text kept" dies exit "ended with 0 after"
claim "a target that aborts is caught, and its text kept" dies abort "ended by signal 6 after"
claim "what was kept shows it again" shows
claim "the same seed makes the same texts" same
claim "another seed makes others" other
claim "most of the texts are different ones" differ
claim "a number that is none is refused" env PARE_FUZZ_RUNS=x bash -c '! "$0" corpus 2> /dev/null' "$replay"
all_claimed
