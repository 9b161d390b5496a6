#!/bin/bash
# Over generated inputs of 15 formats for which there is no language, the default comes near to the
# smallest text that is known, in a bounded number of tests: a sample of `make bench-formats`.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

bench=$PARE_BUILD_DIR/bench/bench_formats
if [ ! -x "$bench" ]; then
    echo "skipped: the benchmarks are not built (PARE_BUILD_BENCH)"
    exit 77
fi

all_are_there() { [ "$(grep -cE '^  [a-z]' out)" -eq 22 ]; } # with the head and the sum

claim "each family of formats is within its bounds" exits 0 "$bench" --sample
claim "all formats take part" all_are_there
claim "an unknown format is told" exits 1 "$bench" --format nothing
all_claimed
