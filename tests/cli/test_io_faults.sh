#!/bin/bash
# One call of pare fails, each time another one: it says so in a sentence and keeps the best, or all is
# as if nothing had happened.  See support/io_faults.py; a sample, or with PARE_TEST_LONG every call.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
most=6
place=$here
if [ -w /dev/shm ]; then # where a sync takes no time
    place=$(mktemp -d /dev/shm/pare-cli-XXXXXX)
    trap 'rm -rf "$here" "$place"' EXIT
fi
[ -z "${PARE_TEST_LONG:-}" ] || most=0

# stands SCENARIO [KIND]
stands() {
    code=0
    python3 "$PARE_SOURCE_DIR/tests/cli/support/io_faults.py" "$PARE" "$PARE_HELPERS" "$place/$1" "$1" \
        "$most" "${@:2}" > out 2> err || code=$?
    tail -n 1 out
    [ "$code" -eq 0 ]
}
for scenario in file in-place folder folder-in-place program program-spawned worker afl inprocess; do
    claim "whatever call fails ($scenario)" stands "$scenario"
done
if [ "$most" -gt 0 ]; then # a server whose answer cannot be read
    for scenario in worker afl; do
        claim "whatever is not read ($scenario)" stands "$scenario" read
    done
fi
all_claimed
