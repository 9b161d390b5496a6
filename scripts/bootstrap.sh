#!/bin/bash
# Installs the Debian packages that a purpose needs and that are missing.
#
# Usage: scripts/bootstrap.sh run|test|lint|bench|deb|valgrind|coverage|fuzz
#
# With everything in place it runs no apt-get, needs no network and no root.
set -eu

build="gcc libc6-dev make cmake ninja-build pkg-config
       libutf8proc-dev libxxhash-dev libjansson-dev"
tests="libcmocka-dev libpcre2-dev jq"

purpose=${1:-}
case $purpose in
run)      wanted="$build jq" ;;
test)     wanted="$build $tests clang-format" ;;
lint)     wanted="$build $tests clang-format clang-tidy cppcheck" ;;
bench)    wanted="$build jq" ;;
deb)      wanted="$build dpkg-dev file" ;;
valgrind) wanted="$build $tests valgrind" ;;
coverage) wanted="$build $tests gcovr" ;;
fuzz)     wanted="$build $tests clang libclang-rt-14-dev llvm" ;;
*)
    echo "usage: $0 run|test|lint|bench|deb|valgrind|coverage|fuzz" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "bootstrap: this is not a Debian system, so install what these packages provide yourself:" $wanted >&2
    exit 0
fi

missing=()
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
    # A multi-arch package answers once for each architecture.
    case $state in
    *installed*) [ "$state" != not-installed ] || missing+=("$package") ;;
    *) missing+=("$package") ;;
    esac
done
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=(env DEBIAN_FRONTEND=noninteractive)
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "bootstrap: not root and no sudo, so run this as root first: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    echo "bootstrap: not root, using sudo"
    as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
fi

echo "bootstrap: installing for '$purpose': ${missing[*]}"
if ! "${as_root[@]}" apt-get update -q; then
    echo "bootstrap: apt-get update failed, trying with the package lists there are" >&2
fi
if ! "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"; then
    echo "bootstrap: cannot install ${missing[*]}: see apt-get's message above, and check the network and the package sources" >&2
    exit 1
fi
