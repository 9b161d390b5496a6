#!/bin/bash
# Descriptors that pare inherited do not reach tests: neither a file nor a folder, whichever
# way a test is started, inside a sandbox and outside.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

printf 'one\n2x3\ntwo\n' > in.txt
printf '77\n7d7\n77\n' > d.txt
mkdir -p outside/deep outside/flat
: > outside/log

# Runs a command with files and folders open besides the standard ones.
cat > leaky <<'L'
#!/bin/bash
exec 3>> outside/log 7< outside/deep 8< outside/flat 150>> outside/log 210>> outside/log
exec "$@"
L
chmod +x leaky
untouched() { [ ! -s outside/log ] && [ -z "$(ls -A outside/deep outside/flat | grep leaked)" ]; }

# keeps WANTED OPTION...   The run ends with this result, and nothing was reached.
keeps() {
    local wanted=$1
    shift
    rm -rf y y.also
    exits 0 ./leaky "$PARE" reduce -q --no-journal --timeout 60 -a ddmin -u char -o y "$@" &&
        [ "$(cat y)" = "$wanted" ] && untouched
}

run ./leaky sh -c '[ -w /proc/self/fd/3 ] && [ -d /proc/self/fd/8 ]'
claim "the descriptors are there" [ "$code" -eq 0 ]
for runner in spawn preload; do
    for level in off devices full; do
        claim "a test by $runner, sandbox $level" keeps x --runner "$runner" --sandbox "$level" \
            "$PARE_HELPERS/subject inherited" in.txt
    done
    claim "a program by $runner" keeps x --runner "$runner" --exit 0 in.txt -- \
        "$PARE_HELPERS/subject" inherited @@
done
claim "a script" keeps x 'for fd in 3 7 8 150 210; do [ ! -e /proc/self/fd/$fd ] || exit 1; done; grep -q x "$1"' \
    in.txt
for runner in spawn inprocess; do
    claim "a harness by $runner" keeps d --runner "$runner" --exit 50 d.txt -- \
        "$PARE_HELPERS/harness_library.so"
done
claim "AFL's server" keeps d --runner afl --sandbox devices --exit 50 d.txt -- \
    "$PARE_HELPERS/afl_server"
claim "AFL's program as a process" keeps d --runner spawn --exit 50 d.txt -- \
    "$PARE_HELPERS/afl_server"
claim "a worker of the user's" keeps d --worker "$PARE_HELPERS/line_worker 9" d.txt
claim "a worker in a sandbox" keeps d --sandbox full --worker "$PARE_HELPERS/line_worker 9" d.txt
claim "a command that checks candidates" keeps x --exit 0 \
    --valid "$PARE_HELPERS/subject inherited @@" in.txt -- "$PARE_HELPERS/subject" file @@
# A generator's randomness is recorded in a process of ours too.
claim "a generator" exits 0 ./leaky "$PARE" generate -q --record choices -o text -- \
    sh -c 'for fd in 3 7 8 150 210; do [ ! -e /proc/self/fd/$fd ] || exit 1; done; od -An -N4 -tx1 /dev/urandom'
all_claimed
