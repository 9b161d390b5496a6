#!/bin/bash
# Installs the Debian packages that a purpose needs and that are missing, and fetches what
# the build takes from npm: the core of tree-sitter and the parsers of languages, all pinned.
#
# Usage: scripts/bootstrap.sh run|test|lint|bench|csmith|peers|deb|fresh|valgrind|coverage|fuzz
#
# With everything in place it runs neither apt-get nor npm, needs no network and no root.
set -eu

build="gcc libc6-dev make cmake ninja-build pkg-config
       libutf8proc-dev libxxhash-dev libjansson-dev libpcre2-dev liblua5.4-dev zlib1g-dev liblzma-dev
       libsqlite3-dev libinih-dev libmicrohttpd-dev libncurses-dev libcurl4-gnutls-dev"
tests="libcmocka-dev jq g++ python3"
# The Python package, and what its tests use; without them it is not built, and its test is skipped.
python="python3-cffi python3-dev"
python_tests="$python python3-pytest python3-hypothesis"
# Many machines: the header that the build asks for, and a server for the test; both do without.
nats=libnats-dev
nats_tests="$nats nats-server"
# What is compiled is kept for the next clone on the same machine; built without it where it cannot be had.
cache=ccache
# What looks at reports (100 MB to fetch, 300 MB on disk); its test is skipped without it,
# so it is wanted but not needed.
browser="chromium-headless-shell libxml2-utils"
# Small programs that fail on the cases of a shared corpus beside the repository; the same.
corpus="abcmidi duktape html-xml-utils iverilog lua5.1 mujs sqlite3"
# Small compilers, interpreters and tools (130 MB on disk) that newcomers reduce inputs of, see
# docs/guide/newcomer.md; lines for programs that are not there are skipped, so the same.
newcomers="abcmidi bats bc bison dasm duktape flex gawk gforth gringo html-xml-utils iverilog ksh libxml2-utils
           lua-busted lua5.1 lua5.4 luajit m4 mawk mujs nasm netpbm perl php-cli python3 regina-rexx
           ruby sqlite3 tcc tcl tidy xa65 xsltproc yamllint z3"
# Reducers that ours is compared with, and all programs of the corpus; likewise.
peers="creduce cvise delta dustmite afl++ $corpus clang-14 cvc4 cvc5 jq netpbm sdcc tcc"

# A generator of another's, and the header of what it makes (1 MB); the same.
generators="csmith libcsmith-dev"

purpose=${1:-}
case $purpose in
run)      wanted="$build jq" ;;
test)     wanted="$build $tests clang-format" ;;
lint)     wanted="$build $tests $python_tests clang-format clang-tidy cppcheck mypy" ;;
bench)    wanted="$build jq python3 dpkg-dev" ;;
peers)    wanted="$build jq python3" ;;
csmith)   wanted="$build $generators creduce tcc" ;;
deb)      wanted="$build $python dpkg-dev file lintian" ;;
fresh)    wanted="debootstrap e2fsprogs git jq" ;;
valgrind) wanted="$build $tests valgrind" ;;
coverage) wanted="$build $tests gcovr" ;;
fuzz)     wanted="$build $tests clang libclang-rt-14-dev llvm" ;;
*)
    echo "usage: $0 run|test|lint|bench|csmith|peers|deb|fresh|valgrind|coverage|fuzz" >&2
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

# Installs the packages that are missing; fails with a sentence.  The lists of packages are fetched once.
updated=no
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
    if [ "$updated" = no ] && ! "${as_root[@]}" apt-get update -q; then
        echo "bootstrap: apt-get update failed, trying with the package lists there are" >&2
    fi
    updated=yes
    if ! "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"; then
        echo "bootstrap: cannot install ${missing[*]}: see apt-get's message above, and check the network and the package sources" >&2
        return 1
    fi
}

# --- tree-sitter and languages -------------------------------------------------

third_party=$(cd "$(dirname "$0")/.." && pwd)/third_party

# The packages that FOLDER/package.json names under the KEYS, each as NAME VERSION.
pins() { # FOLDER KEY...
    local folder=$1 key
    shift
    for key in "$@"; do
        sed -n "/\"$key\": {/,/}/s/^ *\"\([^\"]*\)\": \"\([0-9][^\"]*\)\".*/\1 \2/p" \
            "$third_party/$folder/package.json"
    done
}

# Whether the packages are there in those versions.
has_packages() { # FOLDER KEY...
    local name version
    while read -r name version; do
        grep -qsF "\"version\": \"$version\"" \
            "$third_party/$1/node_modules/$name/package.json" || return 1
    done < <(pins "$@")
}

# Fetches a folder's packages, and removes at once what of them is for other programs.
fetch() { # FOLDER WHAT OPTION...
    local folder=$third_party/$1 what=$2
    shift 2
    echo "bootstrap: fetching for '$purpose': $what, by npm"
    (cd "$folder" && npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund \
        --no-update-notifier --fetch-retries=1 "$@") || return 1
    find "$folder/node_modules" -name prebuilds -prune -exec rm -rf {} +
    find "$folder/node_modules" \( -name '*.wasm' -o -name '*.node' \) -delete
}

# Whether something is left to fetch.
lacks_packages() {
    ! has_packages tree-sitter dependencies || ! has_packages languages $languages
}

# What cannot be had is said by the build too, which does not go on without it unasked.
fetch_packages() {
    local more=()
    if ! command -v npm >/dev/null; then
        echo "bootstrap: there is no npm, by which tree-sitter and languages are fetched: install Node.js with npm" >&2
        return
    fi
    case $languages in *devDependencies*) ;; *) more=(--omit=dev) ;; esac
    if { ! has_packages tree-sitter dependencies && ! fetch tree-sitter "the core of tree-sitter"; } ||
        { ! has_packages languages $languages &&
            ! fetch languages "the parsers of languages" "${more[@]}"; }; then
        echo "bootstrap: npm cannot fetch tree-sitter and its languages: check the network and npm's registry" >&2
    fi
}

# --- what is wanted -----------------------------------------------------------

# Packages get every language; who only runs pare, those that most people need.
case $purpose in
deb) languages="dependencies devDependencies" ;;
*) languages=dependencies ;;
esac
lacking=no
case $purpose in
lint | fresh) ;;
*) if lacks_packages; then lacking=yes; fi ;;
esac

# What the purpose can do without, a line for what comes or does not come together.
useful=()
case $purpose in
run) useful=("$nats") ;;
test)
    useful=("$cache" "$nats_tests" "$browser" "$python_tests" "$generators" "$newcomers")
    [ ! -d "$(dirname "$0")/../../shared/corpus" ] || useful+=("$corpus")
    ;;
peers) for package in $peers; do useful+=("$package"); done ;;
esac

# All in one go, since apt-get takes some seconds each time it is called.  Where that cannot be had, what is
# needed comes first, with npm and without, and then one line after the other.
install_wanted() {
    local packages npm=
    if [ $lacking = yes ] && ! command -v npm >/dev/null; then npm="nodejs npm"; fi
    if install_packages $wanted $npm ${useful[*]}; then return; fi
    echo "bootstrap: so what is needed comes first, and the rest one after the other"
    if [ -z "$npm" ] || ! install_packages $wanted $npm; then install_packages $wanted; fi
    for packages in "${useful[@]}"; do install_packages $packages || true; done
}

if is_debian; then
    install_wanted
else
    echo "bootstrap: this is not a Debian system, so install what these packages provide yourself:" $wanted >&2
fi
if [ $lacking = yes ]; then fetch_packages; fi
