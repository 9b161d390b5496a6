#!/bin/bash
# How many tests it takes until 5 % of an input are left, with the tree of its language and with
# --lang none: how much of a tree a text shows of itself.
#
# Usage: bench/without_language.sh PARE SHARED [CASE ...]
#   PARE    its languages have to be added where it looks for them (PARE_DATA)
#   SHARED  the folder of corpus/ and workloads/; default all their cases
# MAX_TESTS (default 400) and MAX_TIME (seconds; default 300) bound each run, TEST_TIMEOUT (20) each test.
# A case is left out, with a notice, where its program is not there, or no language is known for it.
# Prints a table in Markdown, with what was left where that is more than 5 %; then on how many cases the
# text alone needed at most twice the tests.  A run that has more left counts with all its tests.
set -eu

pare=$(realpath "${1:?usage: $0 PARE SHARED [CASE ...]}")
shared=$(realpath "${2:?usage: $0 PARE SHARED [CASE ...]}")
shift 2
if [ $# -eq 0 ]; then
    set -- $(cd "$shared" && for case in corpus/*/ workloads/w*/; do basename "$case"; done)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sets `folder` and `input` of a case; false: it has none.
find_case() { # CASE
    folder=$shared/corpus/$1
    [ -d "$folder" ] || folder=$shared/workloads/$1
    input=$(ls "$folder"/input.* 2>/dev/null | head -n 1) || true
    [ -n "$input" ]
}

# Sets `language`, that of the run, `tests`, and `told`, what the table says of them.
reduce() { # OPTION ...
    local bytes left
    bytes=$(stat -c %s "$input")
    "$pare" reduce -q --no-journal --no-history -j1 --max-tests "${MAX_TESTS:-400}" \
        --max-time "${MAX_TIME:-300}" --timeout "${TEST_TIMEOUT:-20}" --target-size $((bytes / 20)) \
        -o "$work/out" --stats "$work/stats" "$@" -- "$folder/test.sh" "$input" 2>"$work/err" || return 1
    read -r language left tests <<<"$(jq -r '.bytes_out as $out |
        "\(.language // "-") \($out) \([.curve[] | select(.[2] == $out)][0][0] // 0) \(.tests_run)"' "$work/stats" |
        awk -v most=$((bytes / 20)) '{ print $1, $2, $2 <= most ? $3 : $4 }')"
    told=$tests
    [ "$left" -le $((bytes / 20)) ] || told="$tests+ ($((100 * left / bytes)) % left)"
}

echo "| case | language | bytes | tests until 5 %, tree | text alone | ratio |"
echo "|---|---|---:|---:|---:|---:|"
n=0 within=0
for case; do
    find_case "$case" || continue
    if ! reduce; then
        echo "$0: $case is left out: $(head -n 1 "$work/err")" >&2
        continue
    fi
    if [ "$language" = - ]; then
        echo "$0: $case is left out: no language is known for it" >&2
        continue
    fi
    tree=$told known=$language by_tree=$tests
    reduce --lang none || continue
    ratio=$(awk "BEGIN { printf \"%.2f\", $tests / ($by_tree ? $by_tree : 1) }")
    echo "| $case | $known | $(stat -c %s "$input") | $tree | $told | $ratio |"
    n=$((n + 1))
    within=$((within + $(awk "BEGIN { print ($ratio <= 2) }")))
done
echo "within twice the tests: $within of $n"
