#!/bin/bash
# Installs the Debian packages that a purpose needs and that are missing, and the
# core of tree-sitter, a pinned npm package that the build takes when it is there.
#
# Usage: scripts/bootstrap.sh run|test|lint|bench|csmith|peers|deb|valgrind|coverage|fuzz
#
# With everything in place it runs neither apt-get nor npm, needs no network and no root.
set -eu

build="gcc libc6-dev make cmake ninja-build pkg-config
       libutf8proc-dev libxxhash-dev libjansson-dev libpcre2-dev liblua5.4-dev"
tests="libcmocka-dev jq"
# What looks at reports (100 MB to fetch, 300 MB on disk); its test is skipped without it,
# so it is wanted but not needed.
browser="chromium-headless-shell libxml2-utils"
# Small programs that fail on the cases of a shared corpus beside the repository; the same.
corpus="abcmidi duktape html-xml-utils iverilog lua5.1 mujs sqlite3"
# Reducers that ours is compared with, and all programs of the corpus; likewise.
peers="creduce cvise delta dustmite afl++ $corpus clang-14 cvc4 cvc5 jq netpbm sdcc tcc"

# A generator of another's, and the header of what it makes (1 MB); the same.
generators="csmith libcsmith-dev"

purpose=${1:-}
case $purpose in
run)      wanted="$build jq" ;;
test)     wanted="$build $tests clang-format" ;;
lint)     wanted="$build $tests clang-format clang-tidy cppcheck" ;;
bench)    wanted="$build jq" ;;
peers)    wanted="$build jq python3" ;;
csmith)   wanted="$build $generators creduce tcc" ;;
deb)      wanted="$build dpkg-dev file" ;;
valgrind) wanted="$build $tests valgrind" ;;
coverage) wanted="$build $tests gcovr" ;;
fuzz)     wanted="$build $tests clang libclang-rt-14-dev llvm" ;;
*)
    echo "usage: $0 run|test|lint|bench|csmith|peers|deb|valgrind|coverage|fuzz" >&2
    exit 2
    ;;
esac

# --- Debian packages ----------------------------------------------------------

is_debian() { command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; }

# Sets `missing` to those of the packages that are not installed.
find_missing() {
    local package state
    missing=()
    for package in "$@"; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
        # A multi-arch package answers once for each architecture.
        case $state in
        *installed*) [ "$state" != not-installed ] || missing+=("$package") ;;
        *) missing+=("$package") ;;
        esac
    done
}

# Installs the packages that are missing; fails with a sentence.
install_packages() {
    find_missing "$@"
    [ "${#missing[@]}" -gt 0 ] || return 0
    local as_root=(env DEBIAN_FRONTEND=noninteractive)
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "bootstrap: not root and no sudo, so run this as root first: apt-get install ${missing[*]}" >&2
            return 1
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
        return 1
    fi
}

# --- the core of tree-sitter --------------------------------------------------

core=$(cd "$(dirname "$0")/.." && pwd)/third_party/tree-sitter

# Whether the core is there in the version that package.json names.
has_core() {
    local pin
    pin=$(sed -n 's/.*"tree-sitter": "\([^"]*\)".*/\1/p' "$core/package.json")
    [ -f "$core/node_modules/tree-sitter/vendor/tree-sitter/lib/src/lib.c" ] &&
        grep -qF "\"version\": \"$pin\"" "$core/node_modules/tree-sitter/package.json"
}

# pare is built without tree-sitter when it cannot be had, so this never fails.
install_core() {
    if ! command -v npm >/dev/null && is_debian; then
        install_packages nodejs npm || true
    fi
    if ! command -v npm >/dev/null; then
        echo "bootstrap: there is no npm, so pare is built without tree-sitter and its languages" >&2
        return
    fi
    echo "bootstrap: installing for '$purpose': the core of tree-sitter, by npm"
    if ! (cd "$core" && npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1); then
        echo "bootstrap: npm cannot fetch tree-sitter, so pare is built without its languages: check the network and npm's registry" >&2
    fi
}

# --- what is wanted -----------------------------------------------------------

if is_debian; then
    install_packages $wanted
else
    echo "bootstrap: this is not a Debian system, so install what these packages provide yourself:" $wanted >&2
fi
if [ "$purpose" = test ] && is_debian; then
    install_packages $browser || true
    install_packages $generators || true
fi
if [ "$purpose" = peers ] && is_debian; then
    for package in $peers; do install_packages "$package" || true; done
fi
if [ "$purpose" = test ] && is_debian && [ -d "$(dirname "$0")/../../shared/corpus" ]; then
    install_packages $corpus || true
fi
case $purpose in
lint) ;;
*) has_core || install_core ;;
esac
