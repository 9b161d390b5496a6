#!/bin/bash
# What is mounted below /tmp, as containers and build systems do: a full sandbox has no overlay of a
# folder with mounts in it, and shows and copies it part by part.
#
# The test has a mount name space of its own with an empty /tmp: what is in this machine's would be copied
# for each test.  Where pare itself is below /tmp, it stays.
set -eu
if [ -z "${PARE_MOUNTS:-}" ]; then
    as_root=()
    if [ "$(id -u)" != 0 ]; then as_root=(--map-root-user); fi
    if ! unshare "${as_root[@]}" --mount mount -t tmpfs none /tmp 2> /dev/null; then
        echo "no mount name spaces here: not run"
        exit 77
    fi
    PARE_MOUNTS=1 exec unshare "${as_root[@]}" --mount bash "$(realpath "$0")"
fi
case $PARE_SOURCE_DIR:$PARE_BUILD_DIR in
/tmp/* | *:/tmp/*) ;;
*) mount -t tmpfs none /tmp ;;
esac
mkdir -p "${TMPDIR:-/tmp}"
place=$(mktemp -d "${TMPDIR:-/tmp}/pare-cli-mounts-XXXXXX")
trap 'umount "$place/m/inner" "$place/m" 2> /dev/null; rm -rf "$place"' EXIT
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
trap 'umount "$place/m/inner" "$place/m" 2> /dev/null; rm -rf "$here" "$place"' EXIT
case $place in
/tmp/*) ;;
*) echo "temporary files are not below /tmp: not run"; exit 77 ;;
esac
mkdir "$place/m" "$place/beside"
mount -t tmpfs none "$place/m"
mkdir "$place/m/inner"
mount -t tmpfs none "$place/m/inner"
for folder in "$place" "$place/m" "$place/m/inner" "$place/beside"; do
    cp "$(command -v grep)" "$folder/search"
done
ln -s search "$place/link"
printf 'ax' > in # few tests: each has a sandbox of its own
if ! exits 0 "$PARE" reduce -q --no-journal -u char --sandbox full -o y 'grep -q x "$1"' in; then
    echo "no full sandbox here: not run"
    exit 77
fi

# works TEST   The reduction ends as it does without a sandbox.
works() {
    rm -f y
    exits 0 "$PARE" reduce -q --no-journal -u char --sandbox full -o y "$1" in && [ "$(cat y)" = x ]
}
for program in "$place/search" "$place/link" "$place/m/search" "$place/m/inner/search" "$place/beside/search"; do
    claim "a program below /tmp runs: $program" works "$program -q x \"\$1\""
done
for folder in /tmp "$place" "$place/m" "$place/m/inner" "$place/beside"; do
    claim "a test writes to a copy, anew each time: $folder" \
        works "[ ! -e $folder/new ] && echo > $folder/new && grep -q x \"\$1\""
    claim "nothing of that is there" [ ! -e "$folder/new" ]
done
claim "what it removes is there the next time" \
    works "[ -e $place/link ] && rm $place/link $place/beside/search && echo > $place/other && grep -q x \"\$1\""
claim "and outside" [ -e "$place/link" ]
claim "files beside mounts cannot be written" works "! echo > $place/search && grep -q x \"\$1\""
all_claimed
