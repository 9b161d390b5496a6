#!/bin/bash
# examples/cluster: a server and three workers on one machine by one command, in network name spaces
# where that is permitted and on loopback, and nothing that is left of it.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
. "$PARE_SOURCE_DIR/tests/cli/cluster.sh"

cluster=$PARE_SOURCE_DIR/examples/cluster/run.sh
export TMPDIR=$here/tmp CLUSTER_SANDBOX=off
mkdir "$TMPDIR"
awk 'BEGIN { srand(7); for (i = 0; i < 200; i++) print "line " i (i == 90 ? " alpha" : "") (i == 150 ? " omega" : "") }' > in.txt
printf '#!/bin/sh\nsleep 0.05\ngrep -q alpha "$1" && grep -q omega "$1"\n' > test.sh
chmod +x test.sh

machines() { # NAME OPTION...
    run "$cluster" pare reduce --no-journal --color never -j1 -o "out.$1" --stats "stats.$1" "${@:2}" ./test.sh in.txt
    cp out "told.$1"; cp err "said.$1"
    [ "$code" -eq 0 ]
}
is_empty() { [ -z "$(ls -A "$1")" ]; }
# No process has a word of the folder's in its command line, as every server and worker has.
nobody_is_left() { ! grep -qsF "$TMPDIR/" /proc/[0-9]*/cmdline; }

claim "it reduces at home" reduce home ./test.sh in.txt
claim "it reduces on a cluster" machines name_spaces
claim "to the same bytes" cmp out.home out.name_spaces
claim "with three machines" jq -e '.workers.most_machines == 3 and .workers.tests_away > 0' stats.name_spaces
if grep -q 'all are on loopback' said.name_spaces; then
    echo "network name spaces cannot be had here: loopback alone is looked at"
fi
export CLUSTER_LOOPBACK=1
claim "it reduces on loopback" machines loopback
claim "to the same bytes" cmp out.home out.loopback
claim "with three machines" jq -e '.workers.most_machines == 3' stats.loopback
claim "the code is that of the command" exits 7 "$cluster" sh -c 'exit 7'
# shellcheck disable=SC2016
claim "any command is told where it is" exits 0 "$cluster" \
    sh -c '"$PARE" worker "$PARE_CLUSTER_URL" --credentials "$PARE_CLUSTER_CREDENTIALS" --status'
claim "nothing is left of it" is_empty "$TMPDIR"
claim "and nobody" nobody_is_left
all_claimed
