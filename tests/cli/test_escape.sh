#!/bin/bash
# The escape suite: what a test reaches of the machine, by default and in a full sandbox, as root
# and as a user without rights.  What docs/design/sandbox.md says is held is held; with
# PARE_ESCAPE_TABLE=FILE the table of that document is written there.
#
# All of it runs in name spaces of its own, with a /run, a /dev and a /mnt of its own, and tries
# nothing but its own bait (tests/helpers/escape.c).
set -eu
if [ -z "${PARE_NET:-}" ]; then
    # shellcheck disable=SC2016 # expanded inside
    exec_net='
        mount -t tmpfs -o mode=755 none /mnt && mkdir /mnt/shm /mnt/pts &&
        mknod -m 666 /mnt/null c 1 3 && mknod -m 666 /mnt/zero c 1 5 &&
        mknod -m 666 /mnt/full c 1 7 && mknod -m 666 /mnt/random c 1 8 &&
        mknod -m 666 /mnt/urandom c 1 9 && mknod -m 666 /mnt/tty c 5 0 &&
        mount -t tmpfs -o mode=1777,size=256m none /mnt/shm &&
        mount -t devpts -o newinstance,ptmxmode=0666 none /mnt/pts &&
        ln -s pts/ptmx /mnt/ptmx && ln -s /proc/self/fd /mnt/fd && mount --move /mnt /dev &&
        mount -t tmpfs -o mode=755,size=64m none /mnt &&
        mount -t tmpfs -o mode=755 none /run && ip link set lo up 2> /dev/null || :
        [ -d /mnt ] && [ -c /dev/null ]'
    if [ "$(id -u)" -ne 0 ] || ! unshare -m -p -f --mount-proc sh -ec "$exec_net" 2> /dev/null; then
        echo "no name spaces here, or not root: nothing is tried"
        exit 77
    fi
    export PARE_NET=1
    exec unshare -m -p -f --mount-proc --kill-child sh -ec "$exec_net
        echo 5000 2> /dev/null > /proc/sys/kernel/ns_last_pid || :
        exec bash \"\$0\"" "$(realpath "$0")"
fi
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
document=$PARE_SOURCE_DIR/docs/design/sandbox.md

# tries NAME USER OPTION...   Writes NAME.found: a line for each probe.
tries() {
    local name=$1 user=$2 place=/mnt/$1
    shift 2
    mkdir -m 777 "$place" "$place/room"
    printf 'ax' > "$place/room/in"
    rm -f /run/pare-escape.* /dev/pare-escape-null
    chmod 666 /dev/full
    if (cd "$place/room" && HOME=$place/room exec timeout 120 "$PARE_HELPERS/escape" bait "$place" \
        "$user" "$PARE" reduce -q --no-journal -u char -o y --runner spawn "$@" \
        "$PARE_HELPERS/escape probe $place" in) > "$name.found" 2> err && [ -s "$name.found" ]; then
        return 0
    fi
    cat err
    return 1
}

# holds NAME   Everything that the document says is held in that column is held here.  By default
# only what we do is: the rest is as the machine and its root are.
ours() {
    case $1 in full-*) return 0 ;; esac
    [ "$2" = "inherited descriptor" ] || [ "$1 $2" = "default-root device, removed" ] ||
        [ "$1 $2" = "default-root device, its mode" ]
}
needs_kernel() { [ "$1" = "FIFO elsewhere, written" ] && ! "$PARE_HELPERS/escape" landlock; }
column() { case $1 in default-root) echo 3 ;; default-nobody) echo 4 ;; full-root) echo 5 ;; *) echo 6 ;; esac; }
holds() {
    local probe found good=0
    while IFS=$'\t' read -r probe found; do
        said=$(awk -F ' *\\| *' -v probe="$probe" -v at="$(column "$1")" \
            '$2 == probe { print $at }' "$document")
        if ! ours "$1" "$probe"; then continue; fi
        if needs_kernel "$probe"; then
            echo "no Landlock here: $probe is $found"
            continue
        fi
        case $said in
            held) [ "$found" != reached ] || { echo "$1: $probe is $found"; good=1; } ;;
            reached | absent) ;;
            *) echo "$1: $probe is not in the document"; good=1 ;;
        esac
    done < "$1.found"
    return $good
}

names="default-root full-root"
claim "root, by default" tries default-root 0
if ! tries full-root 0 --sandbox full --writable /mnt/full-root/out; then
    grep -q "this machine has no full sandbox" err && echo "no full sandbox here: $(cat err)" && exit 77
    claim "root, in full" false
fi
if setpriv --reuid 65534 --regid 65534 --clear-groups "$PARE" --version > /dev/null 2>&1 &&
    setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$PARE_HELPERS/escape"; then
    claim "a user, by default" tries default-nobody 65534
    names+=" default-nobody"
    if tries full-nobody 65534 --sandbox full --writable /mnt/full-nobody/out; then
        names+=" full-nobody"
    else
        claim "a user, in full" grep -q "this machine has no full sandbox" err
        echo "no full sandbox for users here"
    fi
else
    echo "a user cannot read what was built: only root is tried"
fi
# The document has a row for each probe, in their order; on the machine that it names it has what was found.
probes() { sed -n '/^| probe |/,/^$/s/^| *\([^|]*[^| ]\) *|.*/\1/p' "$document" | sed 1,2d; }
made() {
    echo "| probe | default, root | default, user | full, root | full, user |"
    echo "|---|---|---|---|---|"
    paste default-root.found default-nobody.found full-root.found full-nobody.found |
        awk -F '\t' '{ printf "| %s | %s | %s | %s | %s |\n", $1, $2, $4, $6, $8 }'
}
[ -z "${PARE_ESCAPE_TABLE:-}" ] || made > "$PARE_ESCAPE_TABLE"
claim "the document has a row for each probe" diff <(probes) <(cut -f 1 default-root.found)
kernel=$(sed -n 's/^table was made (\(Linux [0-9.]*\)).*/\1/p' "$document")
claim "the document says on which kernel its table was made" [ -n "$kernel" ]
case "$(uname -s) $(uname -r)." in
"$kernel".*)
    if [ "$(wc -w <<< "$names")" -eq 4 ]; then
        claim "the document's table is what is made here" \
            diff <(sed -n '/^| probe |/,/^$/p' "$document" | sed '/^$/d') <(made)
    fi
    ;;
*) echo "the document's table was made on $kernel: not compared" ;;
esac
for name in $names; do
    claim "$name: what is said to be held is held" holds "$name"
done
# What is named is there: a service that the test needs.
claim "a socket that is named is reached" tries visible-root 0 --sandbox full \
    --writable /mnt/visible-root/out --visible /run/pare-escape.stream
claim "it" grep -q "^stream socket in /run.reached" visible-root.found
claim "and no other" grep -q "^datagram socket in /run.held" visible-root.found
claim "what is named must be there" exits 2 "$PARE" reduce --sandbox full --visible nowhere true \
    /mnt/full-root/room/in
claim "so it says" says "nowhere cannot stay visible"
all_claimed
