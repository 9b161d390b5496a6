#!/bin/bash
# pare as it is built where libnats's header is missing: one sentence for whoever asks for other
# machines, everything else as ever, and CMake says what is missing.
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

# --- campaigns -------------------------------------------------------------------------------------

if ! "$without" fuzz list --store none 2>&1 | grep -q "without campaigns"; then
    mkdir in
    echo null > in/a.txt
    campaign() { # NAME [LINE OF CAMPAIGN...]
        printf '%s\n' '[campaign]' 'jobs = 1' "${@:2}" '[target prog]' 'command = /bin/cat @@' \
            'sandbox = off' '[source files]' 'kind = folder' 'files = in/*' > "$1.ini"
    }
    is_checked() { run "$without" fuzz check with.ini; [ "$code" -eq 1 ] && grep -q -- "$sentence" err; }
    campaign alone
    campaign with 'workers = nats://127.0.0.1'
    claim "a campaign that wants them" refuses fuzz run alone.ini --store one.pare.db --workers nats://127.0.0.1
    claim "and one whose file names them" refuses fuzz run with.ini --store two.pare.db
    claim "have made no store" [ ! -e one.pare.db ]
    claim "neither of them" [ ! -e two.pare.db ]
    claim "a look at that file says it, too" is_checked
    mkdir bin
    ln -s "$without" bin/pare # whose jobs are started by that name
    claim "without them a campaign runs" exits 0 env PATH="$here/bin:$PATH" "$without" fuzz run alone.ini --store three.pare.db
fi

# --- the build -------------------------------------------------------------------------------------

# Configured, not built, with as little as that takes: no header is as good as an empty path to it.
configure() { run cmake -S "$PARE_SOURCE_DIR" -B built "$@" && [ "$code" = 0 ]; }
claim "it is configured without the header" configure -DNATS_INCLUDE_DIR= -DPARE_BUILD_TESTS=OFF \
    -DPARE_BUILD_EXAMPLES=OFF -DPARE_BUILD_BENCH=OFF -DPARE_TREE_SITTER=OFF
claim "which says what is missing" grep -q 'nats/nats.h is missing (apt-get install libnats-dev): pare is built without workers' out
claim "and with workers switched off" configure -DPARE_NATS=OFF
claim "which says that" grep -q 'PARE_NATS is off: pare is built without workers' out
all_claimed
