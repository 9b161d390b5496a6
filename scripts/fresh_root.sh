#!/bin/bash
# Shows on a fresh Debian 12 what a newcomer gets: after `make run` alone, and from then on
# without a network, the cases of a corpus whose languages come with pare are reduced by them.
#
# Usage: scripts/fresh_root.sh [CORPUS]      default: ../shared/corpus beside the repository
#
#   FRESH_TESTS=40   tests that each case may take
#   FRESH_LOG=DIR    where to keep the output of each step; default build/fresh
#
# As root: debootstrap makes the system in a file of 8 GB at most, which is mounted where nobody
# else sees it and removed at the end.  Packages come from where this machine gets its own.  What
# is reduced, and what fails on it, runs in there as a user of no rights.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
corpus=${1:-$here/../shared/corpus}
tests=${FRESH_TESTS:-40}
log=$(realpath -m "${FRESH_LOG:-$here/build/fresh}")

fail() {
    echo "$0: $*" >&2
    exit 3
}

# Each case, its language and the packages of Debian whose programs fail on it.
cases="c-gcc-ice-addr        c           gcc-12 clang-14
       c-gcc-ice-kitten      c           gcc-12 clang-14
       c-gcc-wrongcode       c           gcc-12 clang-14 libclang-rt-14-dev
       c-sdcc-error9         c           sdcc tcc
       c-sdcc-validatelink   c           sdcc tcc
       cpp-clang-crash-small cpp         clang-14
       cpp-gxx-deptype-user  cpp         g++-12
       cpp-gxx-ice-deptype2  cpp         g++-12
       html-hxtoc-segv       html        html-xml-utils
       js-numeral-mujs       javascript  mujs duktape
       js-underscore-mujs    javascript  mujs duktape
       json-jq-implode       json        jq
       lua51-pattern         lua         lua5.1
       php-closure-stack     php         php8.2-cli
       sql-sqlite-fts3       sql         sqlite3
       synth-json-depth      json        gcc"

# --- inside: a name space of its own for mounts and processes --------------------------

# Runs a command in the new system, each line of output with the seconds since the start, and
# at the end what it took of all cores.
in_root() { # LOG COMMAND...
    local to=$1 line TIMEFORMAT='%U s user, %S s system'
    shift
    {
        time env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            npm_config_registry="$registry" NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
            npm_config_cafile=/etc/ssl/certs/ca-certificates.crt \
            chroot "$root" "$@" < /dev/null && echo "exit 0"
    } 2>&1 | while IFS= read -r line; do printf '%5d  %s\n' "$SECONDS" "$line"; done > "$log/$to"
    grep -q '^ *[0-9]*  exit 0$' "$log/$to" || {
        tail -n 25 "$log/$to" >&2
        fail "'$*' failed in the new system: see $log/$to"
    }
}

make_system() {
    local mirror
    apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' | sort -u | awk '$1 == "Debian" && $3 ~ /^bookworm/ && $4 == "main"' \
        > "$log/sources"
    mirror=$(awk '$3 == "bookworm" { print $2; exit }' "$log/sources")
    [ -n "$mirror" ] || fail "this machine has no source of Debian 12: apt-get update, then again"
    debootstrap --variant=minbase --include=ca-certificates,git,make bookworm "$root" "$mirror" \
        > "$log/debootstrap" 2>&1 || fail "debootstrap failed: see $log/debootstrap"
    awk '{ print "deb", $2, $3, $4 }' "$log/sources" > "$root/etc/apt/sources.list"
    # What this machine needs to reach them.
    apt-config dump | grep -E '^Acquire::(Check|http|https|Retries)' \
        > "$root/etc/apt/apt.conf.d/80machine" || true
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/" 2> /dev/null || true
    mount -t proc proc "$root/proc"
    mount -t tmpfs -o size=1g,mode=1777 tmpfs "$root/dev/shm"
    in_root certificates update-ca-certificates
    in_root user useradd --create-home newcomer
}

# Runs pare on a case as `newcomer`, without a network.
run_pare() { # CASE INPUT TEST
    env -i PATH=/usr/sbin:/usr/bin:/bin HOME=/home/newcomer LC_ALL=C.UTF-8 \
        unshare --net timeout -k 10 900 chroot --userspec=newcomer:newcomer "$root" \
        sh -c "cd /home/newcomer/$1 && exec /root/pare/build/release/pare reduce ./$3 $2 \
            -o result --max-tests $tests --stats stats.json --no-journal" \
        > "$log/$1" 2>&1 < /dev/null
}

# Reduces one case; prints a line of the table.  Where Debian has mended what failed, half of the
# input's bytes are kept instead.
reduce() { # CASE LANGUAGE
    local home=$root/home/newcomer input bytes code=0 used mark=
    rm -rf "$home/$1"
    cp -r "$corpus/$1" "$home/$1"
    chmod -R u+w,a+rX "$home/$1"
    chroot "$root" chown -R newcomer: "/home/newcomer/$1"
    input=$(cd "$home/$1" && echo input.*)
    bytes=$(stat -c %s "$home/$1/$input")
    printf '#!/bin/sh\ntest "$(wc -c < "$1")" -ge %d\n' $((bytes / 2)) > "$home/$1/half.sh"
    chmod 755 "$home/$1/half.sh"
    run_pare "$1" "$input" test.sh || code=$?
    if [ "$code" -eq 1 ] && grep -q 'the input does not fail' "$log/$1"; then
        code=0 mark='*'
        run_pare "$1" "$input" half.sh || code=$?
    fi
    used=$(jq -r '.language // "none"' "$home/$1/stats.json" 2> /dev/null || echo nothing)
    printf '| %-22s | %-10s | %-10s | %8s | %8s | %5s |\n' "$1$mark" "$2" "$used" "$bytes" \
        "$(stat -c %s "$home/$1/result" 2> /dev/null)" \
        "$(jq -r .tests_run "$home/$1/stats.json" 2> /dev/null)"
    [ "$code" -eq 0 ] && [ "$used" = "$2" ] && ! grep -q 'pare lang' "$log/$1" && return
    n_wrong=$((n_wrong + 1))
    sed 's/^/  | /' "$log/$1" | tail -n 12
}

inside() {
    local started name language packages
    root=$1 registry=$2 n_wrong=0
    mount -o loop "$3" "$root"
    make_system
    git -c advice.detachedHead=false clone -q --no-local "$here" "$root/root/pare"
    # Others may pass through, but not look around.
    chmod 711 "$root/root"
    started=$SECONDS
    in_root make-run make -C /root/pare run
    echo "make run: $((SECONDS - started)) s, of which to install and fetch:" \
        "$(awk -v from="$started" '/cmake --preset/ { print $1 - from; exit }' "$log/make-run") s;" \
        "of one core $(sed -n 's/^ *[0-9]*  \([0-9.]* s user.*\)/\1/p' "$log/make-run")"
    df -h --output=used "$root" | tail -n 1 | sed 's/^ */disk used then: /'
    in_root languages /root/pare/build/release/pare lang list
    packages=$(echo "$cases" | awk '{ for (i = 3; i <= NF; i++) print $i }' | sort -u)
    in_root programs apt-get install -q -y --no-install-recommends $packages

    printf '| %-22s | %-10s | %-10s | %8s | %8s | %5s |\n' case language used bytes result tests
    echo "|---|---|---|---:|---:|---:|"
    while read -r name language _; do
        if [ -d "$corpus/$name" ]; then reduce "$name" "$language"; fi
    done <<< "$cases"
    echo "* Debian's program does not fail any more: half of the bytes were kept instead"
    echo "$n_wrong cases without their language"
    [ "$n_wrong" -eq 0 ]
}

if [ "${1:-}" = --inside ]; then
    corpus=$5
    inside "$2" "$3" "$4"
    exit
fi

# --- outside ---------------------------------------------------------------------------

[ "$(id -u)" -eq 0 ] || fail "only root can make another system"
[ -d "$corpus" ] || fail "there is no corpus $corpus"
"$here/scripts/bootstrap.sh" fresh
[ -z "$(git -C "$here" status --porcelain --untracked-files=no)" ] ||
    echo "$0: changes that are not committed are not in it" >&2
mkdir -p "$log"
work=$(mktemp -d /var/tmp/pare-fresh-XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT
[ "$(df --output=avail -B1M "$work" | tail -n 1)" -gt 9000 ] || fail "there are no 9 GB for it in /var/tmp"
mkdir "$work/root"
truncate -s 8G "$work/image"
mkfs.ext4 -q -m 0 "$work/image"
chmod 755 "$work"
registry=$(npm config get registry 2> /dev/null || true)
unshare --mount --pid --fork --kill-child --mount-proc \
    "$0" --inside "$work/root" "$registry" "$work/image" "$(realpath "$corpus")"
