#!/bin/bash
# pare as it is built where libnats's header is missing: one sentence for whoever asks for other
# machines, and everything else as ever.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

without=$PARE_HELPERS/without_nats
sentence='this pare was built without libnats: apt-get install libnats-dev, and build it again'
refuses() { # COMMAND...
    run "$without" "$@"
    [ "$code" -eq 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q -- "$sentence" err
}

printf 'one\nalpha\ntwo\n' > in.txt
claim "it has the command" "$without" worker --help
claim "a worker says what is missing" refuses worker nats://127.0.0.1
claim "so does who asks for workers" refuses worker nats://127.0.0.1 --status
claim "and a reduction that wants them" \
    refuses reduce -q --no-journal -o out.txt --workers nats://127.0.0.1 'grep -q alpha "$1"' in.txt
claim "which has written nothing" [ ! -e out.txt ]
claim "without them it reduces" "$without" reduce -q --no-journal -o out.txt 'grep -q alpha "$1"' in.txt
claim "to one word" [ "$(cat out.txt)" = alpha ]
all_claimed
