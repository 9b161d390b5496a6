#!/bin/bash
# How many tests two builds need until 5 % of a large input are left, in each language of
# make_input.py: what a dependency graph, or a change of it, saves.
#
# Usage: [SEED=N] [FACTOR=N] bench/big/until_five.sh PARE OTHER_PARE [TESTS [KIND ...]]
#   PARE, OTHER_PARE  two builds; those languages are used that are beside PARE, or were added.  OTHER_PARE
#                     may be "without": the sources beside this script are built with no graphs of
#                     declarations or files, which takes some minutes
#   TESTS             at most so many tests each, default 200; OTHER_PARE also at most FACTOR times those of PARE
#   FACTOR            default 4, and no fewer than 12 tests: more say no more than that the aim, 3, is met
#   KIND              javascript esbuild python sql java go php, and the folders package crate gopackage esm commonjs
#                     tspackage javapackage luapackage; default all of them
#   SEED              of the inputs that are made up, default 16
# Go is run by `go` (golang-go), gopackage by a reader of its own where that is missing; the others by what is
# written in program_of.  A kind is left out, with a notice, where its program or what it is made of is not there.  Prints a table
# in Markdown, then the geometric mean of the ratios; an input that has more than 5 % left counts with
# all tests that were allowed, so that the mean is a bound.  Coverage is off: it would do the work of the graph.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pare=$(realpath "${1:?usage: $0 PARE OTHER_PARE [TESTS [KIND ...]]}")
[ -d "$(dirname "$pare")/languages" ] && export PARE_LANGUAGE_PATH=${PARE_LANGUAGE_PATH:-$(dirname "$pare")/languages}
other=${2:?usage: $0 PARE OTHER_PARE [TESTS [KIND ...]]}
tests=${3:-200}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- javascript esbuild python sql java go php package crate gopackage esm commonjs tspackage javapackage luapackage
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds the sources without graphs in $work/build: of declarations none is known, and folders are not
# searched for what mentions what.
build_without() {
    local source=$work/source
    mkdir "$source"
    tar -C "$here/../.." --exclude=./build --exclude=./.git --exclude=./third_party/languages/node_modules \
        -cf - . | tar -C "$source" -xf -
    sed -i 's/^    \*known = is_c(view->language, &cpp);/    (void)is_c, (void)cpp, *known = false;\
    if (!*known) return PARE_OK;/' "$source/src/reduce/dependency/dependency.c"
    sed -i 's/^    if (project.n_files > 1) status = search(work, &project, err);/    (void)search;/' \
        "$source/src/session/plan/project_phase.c"
    grep -q 'void)is_c' "$source/src/reduce/dependency/dependency.c" &&
        grep -q 'void)search' "$source/src/session/plan/project_phase.c" ||
        { echo "$0: the sources have changed: mend build_without" >&2; exit 1; }
    cmake -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DPARE_LANGUAGES=none -DPARE_BUILD_TESTS=OFF \
        -DPARE_BUILD_BENCH=OFF -DPARE_BUILD_EXAMPLES=OFF >/dev/null && cmake --build "$work/build" -j2 >&2
}
if [ "$other" = without ]; then
    build_without
    other=$work/build/pare
fi
other=$(realpath "$other")

# What runs the inputs of a kind.
program_of() { # KIND
    case $1 in
    python) echo python3 ;;
    sql) echo sqlite3 ;;
    java | javapackage) echo javac ;;
    javascript | esm | commonjs) echo node ;;
    tspackage) echo tsc ;;
    luapackage) echo lua ;;
    package | gopackage) echo python3 ;; # of Go, whose reader it runs where there is no go
    crate) echo rustc ;;
    *) echo "$1" ;;
    esac
}

# Prints bytes left, and the number of the test that left 5 % or less, or TESTS+.
reduce() { # PARE KIND TESTS
    local input size
    input=$(ls -d "$work/$2"/input*)
    size=$(find "$input" -type f -printf '%s\n' | awk '{ s += $1 } END { print int(s / 20) }')
    rm -rf "$work/out"
    "$1" reduce "$work/$2/test.sh" "$input" -q --no-journal --no-coverage -j1 --max-tests "$3" --target-size "$size" \
        -o "$work/out" --stats "$work/stats.json" || return 1
    jq -r --arg most "$3+" '.bytes_in as $in |
        "\(.bytes_out) \([.curve[] | select(20 * .[2] <= $in)][0][0] // $most)"' "$work/stats.json"
}

# Tests that the other may take where PARE took so many.
most_of_other() { # TESTS
    local most=$((${FACTOR:-4} * $1))
    [ "$most" -ge 12 ] || most=12
    [ "$most" -le "$tests" ] || most=$tests
    echo "$most"
}

echo "| input | bytes | left | tests until 5 % | left by the other | tests until 5 % | ratio |"
echo "|---|---:|---:|---:|---:|---:|---:|"
for kind; do
    program=$(program_of "$kind")
    if ! command -v "$program" >/dev/null || ! python3 "$here/make_input.py" "$kind" "$work/$kind" "${SEED:-16}" >&2; then
        echo "$0: $kind is left out: its input or $program is not there" >&2
        continue
    fi
    if ! a=$(reduce "$pare" "$kind" "$tests"); then
        echo "$0: $kind is left out: its failure does not reproduce here" >&2
        continue
    fi
    read -r left at <<<"$a"
    b=$(reduce "$other" "$kind" "$(most_of_other "${at%+}")")
    read -r other_left other_at <<<"$b"
    ratio=$(awk -v a="${at%+}" -v b="${other_at%+}" 'BEGIN { printf "%.2f", b / a }')
    echo "$ratio" >>"$work/ratios"
    echo "| $kind | $(jq .bytes_in "$work/stats.json") | $left | $at | $other_left | $other_at | $ratio |"
done
[ -s "$work/ratios" ] || { echo "$0: no input could be made" >&2; exit 1; }
awk '{ s += log($1); n++ } END { printf "geometric mean of the ratios: %.2f\n", exp(s / n) }' "$work/ratios"
