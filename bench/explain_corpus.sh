#!/bin/bash
# Explains results of the corpus, and checks what is claimed by fresh samples.
#
# Usage: bench/explain_corpus.sh [-r RESULTS] [-n SAMPLES] [CASE...]
#        PARE=PATH        program, default build/default/pare
#        PARE_CORPUS=DIR  folders with input.* and test.sh; without it nothing is done
#   -r   folder of results, RESULTS/CASE/input.EXT; what is missing there is reduced first, in at most
#        2,000 tests, and kept; default: a folder that is removed at the end
#   -n   samples of each kind, default 200
#
# A line for each case: bytes of the result; tests of the explanation (at most 300); parts, and how many of
# them are needed, any, ranges, names; thresholds that were checked on both sides, and how many of them
# are exact; of the claims, each varied by itself in turn, how many of SAMPLES fresh samples still fail;
# the same of the largest group varied at once.
set -eu
PARE=${PARE:-build/default/pare}
results='' samples=200
while getopts r:n: option; do
    case $option in
    r) results=$OPTARG ;;
    n) samples=$OPTARG ;;
    *) sed -n '2,17p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ ! -d "${PARE_CORPUS:-}" ]; then
    echo "explain_corpus: PARE_CORPUS names no folder: nothing to explain" >&2
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${results:=$work/results}"
if [ $# -eq 0 ]; then
    mapfile -t cases < <(find "$PARE_CORPUS" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
    set -- "${cases[@]}"
fi

# fails TEST FILE NAME: whether FILE, under the base name NAME, still fails.
fails() {
    local folder code=0
    folder=$(mktemp -d "$work/run.XXXXXX")
    cp "$2" "$folder/$3"
    (cd "$folder" && timeout 20 "$1" "$folder/$3" > /dev/null 2>&1) || code=$?
    rm -rf "$folder"
    [ $code -eq 0 ]
}

# holding TEST NAME FOLDER: how many of the files in FOLDER still fail.
holding() {
    local n=0 file
    for file in "$3"/*; do
        if fails "$1" "$file" "$2"; then n=$((n + 1)); fi
    done
    echo $n
}

# thresholds JSON TEST NAME RESULT: "EXACT/ALL" ends of ranges of whole numbers: the end fails, and the
# number just outside passes.
thresholds() {
    local exact=0 all=0 from to number outside
    while read -r from to number outside; do
        all=$((all + 1))
        for pair in "$number:0" "$outside:1"; do
            { head -c "$from" "$4"; printf %s "${pair%:*}"; tail -c +$((to + 1)) "$4"; } > "$work/threshold"
            if fails "$2" "$work/threshold" "$3"; then code=0; else code=1; fi
            [ $code = "${pair#*:}" ] && exact=$((exact + 1))
        done
    done < <(jq -r '.parts[] | select(.verdict == "range" and .sampled_as == "whole" and .places == 1) |
        [.from, .to] as $at |
        ((select(.low) | $at + [.low, .low - 1]), (select(.high) | $at + [.high, .high + 1])) |
        map(tostring) | join(" ")' "$1")
    echo "$((exact / 2))/$all"
}

explain_one() {
    local name=$1 test=$PARE_CORPUS/$1/test.sh input base result counts apart together n_apart n_together
    input=$(find "$PARE_CORPUS/$name" -name 'input.*' | sort | head -n 1)
    base=$(basename "$input")
    result=$results/$name/$base
    if [ ! -f "$result" ]; then
        mkdir -p "$results/$name"
        "$PARE" reduce -q --no-journal --max-tests 2000 -o "$result" "$test" "$input" 2> "$work/err" || {
            echo "| $name | $(head -n 1 "$work/err" | cut -c 1-60) | | | | | | | | |"
            return
        }
    fi
    if ! "$PARE" explain --json "$result" "$test" > "$work/$name.json" 2> "$work/err"; then
        echo "| $name | $(head -n 1 "$work/err" | cut -c 1-60) | | | | | | | | |"
        return
    fi
    counts=$(jq -r '[.tests, (.parts | length),
        (.parts | map(select(.verdict == "needed")) | length),
        (.parts | map(select(.verdict == "any")) | length),
        (.parts | map(select(.verdict == "range")) | length),
        (.parts | map(select(.verdict == "rename")) | length)] | map(tostring) | join(" | ")' "$work/$name.json")
    apart=- together=-
    mkdir -p "$work/apart" "$work/together"
    if "$PARE" generate --pattern "$work/$name.json" --one -n "$samples" --seed 7 -o "$work/apart/%d" \
        2> /dev/null; then
        n_apart=$(holding "$test" "$base" "$work/apart")
        apart="$n_apart/$samples"
    fi
    if "$PARE" generate --pattern "$work/$name.json" -n "$samples" --seed 8 -o "$work/together/%d" \
        2> /dev/null; then
        n_together=$(holding "$test" "$base" "$work/together")
        together="$n_together/$samples"
    fi
    rm -rf "$work/apart" "$work/together"
    echo "| $name | $(stat -c %s "$result") | $counts | $(thresholds "$work/$name.json" "$test" "$base" "$result") |" \
        "$apart | $together |"
    if [ -n "${PARE_KEEP:-}" ]; then cp "$work/$name.json" "$PARE_KEEP/"; fi
}

echo "| case | bytes | tests | parts | needed | any | ranges | names | thresholds exact | claims, apart | largest group at once |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
for name in "$@"; do
    explain_one "$name"
done
