#!/bin/bash
# Started by chroot, as on a system that debootstrap made: tests of root, which join a name space
# of mounts, stay in there, and find what they are to run.
set -u
. "$(dirname "$0")/claims.sh"

if [ "$(id -u)" -ne 0 ] || ! unshare --mount mount -t tmpfs none /mnt 2> /dev/null; then
    echo "skipped: only root can mount here"
    exit 77
fi
# The same files, but for /mnt, which is there only inside.
cat > in-chroot << 'END'
root=$1 program=$2
mount --rbind / "$root" && mount -t tmpfs none "$root/mnt" || exit 90
printf 'one\nneedle\ntwo\n' > "$root/mnt/in"
printf '#!/bin/sh\n[ -e /mnt/test.sh ] && exec grep -q needle "$1"\n' > "$root/mnt/test.sh"
chmod +x "$root/mnt/test.sh"
chroot "$root" sh -c 'cd /mnt && exec "$@"' sh "$program" reduce -q ./test.sh in --stats s || exit
cp "$root/mnt/in.min" "$root/mnt/s" .
END
mkdir root
claim "in a chroot tests run" exits 0 unshare --mount bash in-chroot "$here/root" "$PARE"
claim "the result" [ "$(cat in.min 2> /dev/null)" = needle ]
claim "and devices are still protected" [ "$(jq -r .sandbox s 2> /dev/null)" = devices ]
all_claimed
