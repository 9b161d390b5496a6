#!/bin/bash
# The default on every case of the shared corpus and workloads: --deterministic -j8 does what -j1
# does, and plain -j8 ends as small.
#
# Usage: bench/check_default.sh PARE SHARED [CASE ...]
# MAX_TESTS (default 400; 0: none) and MAX_TIME (seconds; default 0: none) bound each run; on a run
# that was bounded by time nothing can be said about steps.  JOBS (8) is what stands for -j8.
#
# One line a case: bytes of -j1 and its tests, then
#   same        the bytes and the steps of --deterministic -j8 are those of -j1; "other time-outs":
#               the same steps but for the outcome of candidates that were not accepted and that one
#               of the two ended at its time limit (UNRESOLVED)
#   +0.0 %      by how much the result of plain -j8 is larger; at most 2 are allowed
#   minimal     plain -j8 ended by itself, and left out of its result no character, of a long
#               one no token, can go: tested one by one, not believed; or what bounded it
# then how many cases met each.  Each result is tested again.  Exits with 1 if one missed.
set -eu

pare=$(realpath "$1")
shared=$(realpath "$2")
shift 2
if [ $# -eq 0 ]; then
    set -- $(cd "$shared" && for case in corpus/*/ workloads/w*/; do basename "$case"; done)
fi
work=$(mktemp -d /dev/shm/check-default-XXXXXX)
trap 'rm -rf "$work"' EXIT
LONG=400 # bytes, from which on tokens are swept
n_cases=0 n_same=0 n_close=0 n_minimal=0 n_ended=0 n_bad=0 n_alike=0 n_bytes=0

# Sets `folder` and `input` of a case; w6 is made.
find_case() { # CASE
    folder=$shared/corpus/$1
    [ -d "$folder" ] || folder=$shared/workloads/$1
    input=$(ls "$folder"/input.* 2> /dev/null | head -n 1) || true
    if [ -z "$input" ] && [ -x "$folder/make-input.py" ]; then
        input=$work/input.txt
        "$folder/make-input.py" "$input"
    fi
}

run() { # NAME OPTION ...: steps.NAME, stats.NAME, out.NAME
    local name=$1
    shift
    local bounds=()
    [ "${MAX_TESTS:-400}" = 0 ] || bounds+=(--max-tests "${MAX_TESTS:-400}")
    [ "${MAX_TIME:-0}" = 0 ] || bounds+=(--max-time "$MAX_TIME")
    "$pare" reduce -q --no-journal "${bounds[@]}" --trace "$work/trace" --stats "$work/stats.$name" \
        -o "$work/out.$name" "$@" "$folder/test.sh" "$input" 2> "$work/err" || return 1
    jq -c 'del(.ms)' "$work/trace" > "$work/steps.$name"
}

fails() { "$folder/test.sh" "$1" > /dev/null 2>&1 < /dev/null; }

# Whether no unit of the file can go by itself.
swept() { # FILE
    local unit=char
    [ "$(wc -c < "$1")" -le "$LONG" ] || unit=token
    cp "$1" "$work/swept.${input##*.}"
    "$pare" reduce -q --no-journal -a sweep -u "$unit" --stats "$work/stats.swept" \
        -o "$work/out.swept" "$folder/test.sh" "$work/swept.${input##*.}" 2> /dev/null && cmp -s "$work/out.swept" "$1"
}

# Steps without what a time limit decides of candidates that fail in no case.
decided() { jq -c 'if .outcome == "UNRESOLVED" then .outcome = "PASS" else . end' "$1"; }

# Sets `same`: how --deterministic compares with -j1.
compare_fixed() {
    same=same
    cmp -s "$work/out.one" "$work/out.fixed" || same="OTHER BYTES"
    [ "$same" != same ] || n_bytes=$((n_bytes + 1))
    if ! cmp -s "$work/steps.one" "$work/steps.fixed"; then
        if cmp -s <(decided "$work/steps.one") <(decided "$work/steps.fixed"); then
            same="$same, other time-outs"
        else
            same="$same, other steps"
        fi
    fi
    if [ "$same" != same ] && grep -q '"stopped": *"budget"' "$work/stats.one" "$work/stats.fixed" &&
        [ "${MAX_TIME:-0}" != 0 ]; then
        same="cut off"
    fi
}

# Sets `minimal`: what plain -j8 promises, and keeps.
check_minimal() {
    minimal=$(jq -r .stopped "$work/stats.eight")
    [ "$minimal" = minimal ] || return 0
    n_ended=$((n_ended + 1))
    swept "$work/out.eight" && n_minimal=$((n_minimal + 1)) || minimal="NOT MINIMAL"
}

check() { # CASE
    local one eight more name again=
    run fixed "-j${JOBS:-8}" --deterministic || true
    run eight "-j${JOBS:-8}" || true
    one=$(wc -c < "$work/out.one") eight=$(wc -c < "$work/out.eight")
    more=$(awk "BEGIN { printf \"%+.1f\", ($eight - $one) * 100 / ($one ? $one : 1) }")
    compare_fixed
    check_minimal
    if cmp -s "$work/out.one" "$work/out.eight" && cmp -s "$work/steps.one" "$work/steps.eight"; then
        n_alike=$((n_alike + 1))
    fi
    for name in one fixed eight; do fails "$work/out.$name" || again="$again, $name DOES NOT FAIL"; done
    [ "$same" != same ] || n_same=$((n_same + 1))
    case $more in -*) more_is_fine=1 ;; *) more_is_fine=$(awk "BEGIN { print ($more <= 2) }") ;; esac
    n_close=$((n_close + more_is_fine))
    [ -z "$again" ] || n_bad=$((n_bad + 1))
    printf '%-20s %7d bytes, %5d tests  %-24s %7s %%%s  %s%s\n' "$1" "$one" \
        "$(jq .tests_run "$work/stats.one")" "$same" "$more" \
        "$([ "$more_is_fine" = 1 ] || echo " TOO LARGE")" "$minimal" "$again"
}

for case; do
    rm -rf "${work:?}"/*
    find_case "$case"
    if [ -z "$input" ]; then
        printf '%-20s %s\n' "$case" "not run: it has no input"
    elif ! run one -j1; then
        printf '%-20s %s\n' "$case" "not run: $(head -c 100 "$work/err" | head -n 1)"
    else
        n_cases=$((n_cases + 1))
        check "$case"
    fi
done
verdict() { [ "$1" -eq "$2" ] && echo met || echo MISSED; }
printf '%-7s -j1 and --deterministic -j%s end in the same bytes: %d of %d cases\n' \
    "$(verdict $n_bytes $n_cases)" "${JOBS:-8}" $n_bytes $n_cases
printf '%-7s by the same steps: %d of %d cases\n' "$(verdict $n_same $n_cases)" $n_same $n_cases
printf '%-7s plain -j%s within 2 %% of -j1: %d of %d cases\n' \
    "$(verdict $n_close $n_cases)" "${JOBS:-8}" $n_close $n_cases
printf '%-7s plain -j%s minimal: %d of the %d cases that ended by themselves\n' \
    "$(verdict $n_minimal $n_ended)" "${JOBS:-8}" $n_minimal $n_ended
printf '%-7s results fail again: %d of %d cases\n' "$(verdict $n_bad 0)" $((n_cases - n_bad)) $n_cases
printf '%-7s plain -j%s in the same bytes by the same steps: %d of %d cases (not asked for)\n' - \
    "${JOBS:-8}" $n_alike $n_cases
[ "$n_same" -eq "$n_cases" ] && [ "$n_close" -eq "$n_cases" ] && [ "$n_minimal" -eq "$n_ended" ] &&
    [ "$n_bad" -eq 0 ]
