#!/bin/bash
# Tests that want to wreck the system: the run goes on, and the system is as before.
#
# As root the whole test runs in name spaces of its own, with a /dev of its own, a file
# system that is read-only, and few processes, so that a protection that fails costs
# nothing but this test.
set -eu
if [ "$(id -u)" -eq 0 ] && [ -z "${PARE_NET:-}" ]; then
    # shellcheck disable=SC2016 # expanded inside
    exec_net='
        mount -t tmpfs -o mode=755 none /mnt && mkdir /mnt/shm /mnt/pts && chmod 1777 /mnt/shm &&
        mknod -m 666 /mnt/null c 1 3 && mknod -m 666 /mnt/zero c 1 5 &&
        mknod -m 666 /mnt/full c 1 7 && mknod -m 666 /mnt/random c 1 8 &&
        mknod -m 666 /mnt/urandom c 1 9 && mknod -m 666 /mnt/tty c 5 0 &&
        mount -t tmpfs -o mode=1777,size=256m none /mnt/shm &&
        mount -t devpts -o newinstance,ptmxmode=0666 none /mnt/pts &&
        ln -s pts/ptmx /mnt/ptmx && ln -s /proc/self/fd /mnt/fd && mount --move /mnt /dev &&
        mount -t tmpfs -o mode=1777,size=256m none /mnt && mount -o bind,remount,ro / &&
        export TMPDIR=/mnt && cd /mnt'
    if ! unshare -m -p -f --mount-proc sh -ec "$exec_net" 2> /dev/null; then
        echo "no name spaces here: tests that wreck are not run"
        exit 77
    fi
    export PARE_NET=1
    exec unshare -m -p -f --mount-proc --kill-child sh -ec "$exec_net
        echo 6000 > /proc/sys/kernel/pid_max 2> /dev/null || ulimit -u 6000
        exec bash \"\$0\"" "$(realpath "$0")"
fi
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

wrecker=$PARE_HELPERS/wrecker
mkdir home
echo kept > home/precious
export HOME=$here/home
printf 'abxcd' > in

# The attempt fails, and the run ends as if there had been none.
survives() {
    local what=$1
    shift
    rm -rf y y.pare
    exits 0 "$PARE" reduce -q -u char -a ddmin -j2 --timeout 60 --stats s "$@" -o y \
        "$wrecker $what" in && [ "$(cat y)" = x ]
}
nothing_left() {
    [ -c /dev/null ] && [ "$(cat home/precious)" = kept ] && [ ! -e /tmp/wrecker-was-here ] &&
        [ ! -e /dev/shm/wrecker-was-here ] && [ ! -e /etc/wrecker-was-here ] &&
        { [ -z "${PARE_NET:-}" ] || [ -z "$(ls -A /dev/shm)" ]; }
}

claim "limits hold everywhere: memory" survives memory --memory 64M
claim "and are in the statistics" [ "$(jq .limits.memory_bytes s)" = 67108864 ]
claim "CPU time" exits 1 "$PARE" reduce -q --cpu 1 --timeout 60 -o y "$wrecker time" in
claim "the same addresses, no core" survives order --no-aslr
has_fixed_addresses || claim "addresses are random otherwise" exits 1 "$PARE" reduce -q -o y "$wrecker order" in
# shellcheck disable=SC2016
claim "file size" exits 0 "$PARE" reduce -q -u char --file-size 64K -o y \
    'trap "" XFSZ; ! head -c 100000 /dev/zero > big && grep -q x "$1"' in
# shellcheck disable=SC2016
claim "none" exits 0 "$PARE" reduce -q -u char --file-size none -o y \
    '[ "$(ulimit -f)" = unlimited ] && grep -q x "$1"' in
claim "the terminal is not ours" survives tty
# The same where there is a terminal to be taken: of pare's session, then one that it only
# has open.  The run ends as if there had been none, and the terminal is as before.
cat > terminal.sh <<'T'
exec 3<> /dev/tty || exit 90
before=$(stty -g <&3)
"$@" 3>&- || exit
[ "$(stty -g <&3)" = "$before" ] || exit 91
exec 4<> /dev/tty || exit 92
T
keeps_terminal() { # PREFIX OPTION...
    local prefix=$1 command
    shift
    rm -rf y y.pare
    printf -v command '%q ' sh terminal.sh $prefix "$PARE" reduce -q -u char -o y "$@" "$wrecker tty" in
    run script -qec "$command" /dev/null
    [ "$code" -eq 0 ] && [ "$(cat y)" = x ]
}
for level in off devices full; do
    claim "a controlling terminal stays, $level" keeps_terminal "" --sandbox "$level"
    claim "one of nobody, $level" keeps_terminal "setsid -w" --sandbox "$level"
done
if [ "$(id -u)" -eq 0 ]; then
    claim "root cannot remove devices" survives devices
    claim "by default" [ "$(jq -r .sandbox s)" = devices ]
    claim "root's processes are not limited" exits 0 "$PARE" reduce -u char -o y --processes 5 \
        'grep -q x' in
    claim "which is said, and what to do" grep -q "to change that, add --sandbox full" out
else
    run "$PARE" reduce -u char -o y --processes 5 "$wrecker forks" in
fi

run "$PARE" reduce -u char -o y --stats s --sandbox full 'grep -q x' in
if [ "$code" -eq 3 ]; then
    claim "what the machine lacks is said" says "this machine has no full sandbox for tests"
    echo "no user name spaces here: the full sandbox is not tested"
    all_claimed
    exit
fi
claim "a full sandbox runs tests" [ "$code" -eq 0 ]
claim "which is in the statistics" [ "$(jq -r .sandbox s)" = full ]
claim "nothing is to be said" [ ! -s err ]
for what in disks remove kill escape tty devices network; do
    claim "full: $what" survives "$what" --sandbox full --file-size 1M
    claim "$what: the system is as before" nothing_left
done
claim "processes end" survives forks --sandbox full --processes 200
claim "forks: the system is as before" nothing_left

# A program without a script is in there by default; with a server too, which shares the
# sandbox with its tests and goes with it when one leaves anything behind.
survives_as_program() {
    rm -rf y y.pare
    exits 0 "$PARE" reduce -q -u char -a ddmin -j2 --timeout 60 --exit 0 --file-size 1M --stats s \
        --runner "$2" -o y in -- "$wrecker" "$1" @@ && [ "$(cat y)" = x ] &&
        [ "$(jq -r .sandbox s)" = full ] && [ "$(jq -r .runner s)" = "$2" ]
}
for runner in spawn preload; do
    for what in disks remove kill escape tty devices network; do
        # The parent of a served test is the server: it is in reach, and made anew.
        [ "$runner $what" = "preload kill" ] && continue
        claim "program by $runner: $what" survives_as_program "$what" "$runner"
        claim "$what by $runner: the system is as before" nothing_left
    done
done

# shellcheck disable=SC2016
claim "files of /tmp can be read and changed" exits 0 "$PARE" reduce -q -u char --sandbox full \
    -o y "cat $here/in > /dev/null && echo z >> $here/in && [ -s in ] && grep -q x \"\$1\"" in
claim "a copy of them" [ "$(cat in)" = abxcd ]
mkdir log
claim "what is named stays writable" exits 0 "$PARE" reduce -q -u char --sandbox full \
    --writable log -o y "echo run >> $here/log/runs && grep -q x \"\$1\"" in
claim "and is written" [ -s log/runs ]
claim "it must exist" exits 2 "$PARE" reduce --sandbox full --writable nowhere true in
claim "so it says" says "nowhere cannot stay writable"
claim "each test sees no other's files" exits 0 "$PARE" reduce -q -u char --sandbox full -j2 -o y \
    '[ ! -e /tmp/mine ] && : > /tmp/mine && grep -q x "$1"' in
# shellcheck disable=SC2016
claim "processes are numbered from 1" exits 0 "$PARE" reduce -q -u char --sandbox full -o y \
    '[ -d /proc/$$ ] && [ "$(cat /proc/1/comm)" = cat ] && grep -q x "$1"' in
all_claimed
