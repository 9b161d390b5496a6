#!/bin/bash
# A run over a large single line ends soon after SIGTERM, whatever it is doing: every loop over the whole
# input looks at the stop.  See support/stop_instants.py; 100 MB, more names and
# instants with PARE_TEST_LONG.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
names=(line.txt line.js) instants=(0.1 0.5 1.5) megabytes=20 limit=2
if [ -n "${PARE_TEST_LONG:-}" ]; then
    names+=(line.csv line.bin) instants=(0.05 0.15 0.4 1 2 4 8) megabytes=100 limit=5
fi

# stops NAME
stops() {
    code=0
    python3 "$PARE_SOURCE_DIR/tests/cli/support/stop_instants.py" "$PARE" "$1" "$megabytes" "$limit" \
        "${instants[@]}" > out 2> err || code=$?
    [ "$code" -eq 0 ]
}
for name in "${names[@]}"; do
    claim "SIGTERM ends the run at once ($name)" stops "$name"
done
all_claimed
