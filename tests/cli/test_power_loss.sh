#!/bin/bash
# What a loss of power leaves, at each instant of a run and in each order of what was not synced: the
# original, a result that fails, and a journal to go on from.  See support/power_loss.py; the calls
# are those of os/sync.h.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# loss ARGUMENT...   Of a run in a folder of its own; what tests write in memory is not looked at.
loss() {
    run python3 "$PARE_SOURCE_DIR/tests/cli/support/power_loss.py" "$PARE" \
        "$PARE_HELPERS/files_library.so" "$here/place" "$@"
    cat out
}
keeps() { loss "$@" && [ "$code" -eq 0 ] && grep -q ' 0 broken' out; }
loses() {
    loss "$@" > /dev/null
    [ "$code" -eq 1 ] && grep -q "$seen" out
}

for scenario in file earlier in-place folder folder-in-place folder-in-place-plain; do
    claim "a loss of power keeps what was promised ($scenario)" keeps "$scenario"
done
for scenario in file folder-in-place; do
    claim "every outcome is kept that was asked for ($scenario)" keeps "$scenario" --sync always
done

# What would be seen if it were not so.
seen='does not fail'
claim "without a sync a result may be empty" loses file --sync never
seen='original is lost'
claim "without a sync the original may be lost" loses in-place --sync never

run "$PARE" reduce --sync sometimes true x
claim "a word that there is not is refused" [ "$code" -eq 2 ]
all_claimed
