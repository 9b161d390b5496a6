#!/bin/bash
# The default on every case of the shared corpus: -j1, --deterministic -j8 and plain -j8 end in
# the same bytes by the same steps, and the result fails by its own test once more.
#
# Usage: bench/check_default.sh PARE SHARED [CASE ...]
# MAX_TESTS (default 400) bounds each run.  Prints one line a case; exits with 1 if any differ.
set -eu

pare=$(realpath "$1")
shared=$(realpath "$2")
shift 2
[ $# -gt 0 ] || set -- $(cd "$shared/corpus" && for case in */; do echo "${case%/}"; done)
work=$(mktemp -d /dev/shm/check-default-XXXXXX)
trap 'rm -rf "$work"' EXIT
n_wrong=0

run() { # NAME CASE ARGUMENTS: steps.NAME, out.NAME
    local name=$1 case=$2 input
    shift 2
    input=$(echo "$shared/corpus/$case"/input.*)
    "$pare" reduce -q --no-journal --max-tests "${MAX_TESTS:-400}" --trace "$work/trace" \
        -o "$work/out.$name" "$@" "$shared/corpus/$case/test.sh" "$input" 2> "$work/err" || return 1
    jq -c 'del(.ms)' "$work/trace" > "$work/steps.$name"
}

for case; do
    rm -f "$work"/*
    if ! run one "$case" -j1; then
        printf '%-24s %s\n' "$case" "not run: $(head -c 100 "$work/err" | head -n 1)"
        continue
    fi
    run fixed "$case" -j8 --deterministic
    run eight "$case" -j8
    verdict=same
    for name in fixed eight; do
        cmp -s "$work/out.one" "$work/out.$name" || verdict="other bytes ($name)"
        cmp -s "$work/steps.one" "$work/steps.$name" || verdict="$verdict, other steps ($name)"
    done
    "$shared/corpus/$case/test.sh" "$work/out.one" > /dev/null 2>&1 < /dev/null ||
        verdict="$verdict, does not fail"
    [ "$verdict" = same ] || n_wrong=$((n_wrong + 1))
    printf '%-24s %7d bytes, %5d steps  %s\n' "$case" "$(wc -c < "$work/out.one")" \
        "$(wc -l < "$work/steps.one")" "$verdict"
done
[ "$n_wrong" -eq 0 ]
