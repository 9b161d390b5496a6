#!/bin/bash
# Explains results of the corpus, makes a report of each, and checks what is claimed by fresh samples.
#
# Usage: bench/explain_corpus.sh [-r RESULTS] [-o REPORTS] [-n SAMPLES] [-t SECONDS] [-m TIME] [-j SLOTS]
#                                [CASE...]
#        PARE=PATH        program, default build/default/pare
#        PARE_CORPUS=DIR  folders with input.* and test.sh; without it nothing is done
#   -r   folder of results, RESULTS/CASE/input.EXT; what is missing there is reduced first, in at most
#        2,000 tests, and kept; default: a folder that is removed at the end
#   -o   folder for the report of each case, CASE.html, and its explanation, CASE.json
#   -n   samples of each kind, default 200
#   -t   limit of one test in seconds, default 20; more on a busy machine
#   -m   limit of one reduction, as --max-time has it, default none; what it has by then is explained
#   -j   samples that are tested at once, default 2
#
# A case whose packages (info.md of its folder, as Debian names them) are not installed, or whose input does
# not fail here, has a line that says so.
#
# A line for each other case: bytes of the result; tests of the explanation (at most 300); parts, and how
# many of them are needed, any, ranges, names; thresholds that were checked on both sides, and how many of
# them are exact; then claims: SAMPLES texts of another seed, which vary one part each, every claim in
# turn, of how many the failure stays: of all of them, and of those of each kind; and of SAMPLES texts that
# vary the largest group at once.  The last line is the sum.  The exit code is 1 if there is a case with
# more than 300 tests, or where less than 95 % of what is claimed of parts by themselves holds.
#
# A text that comes twice is tested once.  Programs under test are hostile: as root all of them run as
# nobody, without a network and in processes of their own, where the machine can do that.
set -eu
PARE=$(realpath "${PARE:-build/default/pare}")
results='' reports='' samples=200 limit=20 slots=2 longest=()
while getopts r:o:n:t:m:j: option; do
    case $option in
    r) results=$OPTARG ;;
    o) reports=$OPTARG ;;
    n) samples=$OPTARG ;;
    t) limit=$OPTARG ;;
    j) slots=$OPTARG ;;
    m) longest=(--max-time "$OPTARG") ;;
    *) sed -n '2,28p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ ! -d "${PARE_CORPUS:-}" ]; then
    echo "explain_corpus: PARE_CORPUS names no folder: nothing to explain" >&2
    exit 0
fi
work=$(mktemp -d)
chmod 755 "$work"
mkdir "$work/tmp" # of the tests, of which some make a program there the first time
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
: "${results:=$work/results}"
if [ -n "$reports" ]; then mkdir -p "$reports"; fi
if [ $# -eq 0 ]; then
    mapfile -t cases < <(find "$PARE_CORPUS" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
    set -- "${cases[@]}"
fi

jail=(env)
if [ "$(id -u)" -eq 0 ]; then
    jail=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs)
    apart=(unshare --pid --fork --kill-child --mount-proc --net)
    chown 65534:65534 "$work/tmp"
    if "${apart[@]}" true 2> /dev/null; then jail=("${apart[@]}" "${jail[@]}"); fi
fi

# judge_files TEST NAME: for each line "DIGEST FILE" of standard input a line "DIGEST 1" if FILE, under the base
# name NAME, still fails, else "DIGEST 0", in any order.  All of them run in one jail, each in a folder of its own:
# making a jail takes longer than most tests, and what a test leaves running, or on disk, ends with the jail.
judge_files() {
    # shellcheck disable=SC2016 # it is the other shell that puts them in
    TMPDIR=$work/tmp "${jail[@]}" bash -c '
        mapfile -t lines
        judge_each() { # of every $4 lines one, from line $5 on
            for ((k = $5; k < ${#lines[@]}; k += $4)); do
                read -r digest file <<< "${lines[k]}"
                folder=$base/$k
                mkdir "$folder" && cp "$file" "$folder/$2"
                if (cd "$folder" && exec timeout "$3" "$1" "$folder/$2" > /dev/null 2>&1 < /dev/null); then
                    echo "$digest 1"
                else
                    echo "$digest 0"
                fi
            done
        }
        base=$(mktemp -d)
        for ((slot = 0; slot < $4; slot++)); do judge_each "$@" "$slot" & done
        wait
        rm -rf "$base"' judge_files "$1" "$2" "$limit" "$slots"
}

# fails TEST FILE NAME: whether FILE, under the base name NAME, still fails.
fails() { [ "$(echo "one $2" | judge_files "$1" "$3")" = "one 1" ]; }

# judge TEST NAME FOLDER: a line for each of the files in FOLDER, from 0 on: 1 if it still fails, else 0.
# Of files that are the same one is tested.
judge() {
    local digests=$work/digests k
    for ((k = 0; ; k++)); do
        [ -f "$3/$k" ] || break
        echo "$3/$k"
    done | xargs -d '\n' -r sha256sum > "$digests"
    awk '!seen[$1]++' "$digests" | judge_files "$1" "$2" > "$work/known"
    awk 'NR == FNR { known[$1] = $2; next } { print known[$1] }' "$work/known" "$digests"
}

# thresholds JSON TEST NAME RESULT: "EXACT ALL" ends of ranges of whole numbers: the end fails, and the
# number just outside passes.  An end that is told as "about" a number is not claimed to be exact.
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
        ((select(.low and (.low_is_vague | not)) | $at + [.low, .low - 1]),
         (select(.high and (.high_is_vague | not)) | $at + [.high, .high + 1])) |
        map(tostring) | join(" ")' "$1")
    echo "$((exact / 2)) $all"
}

sums=(0 0 0 0 0 0 0 0 0 0 0 0) # of what is counted below, in its order
n_cases=0 n_worse=0

# of FAILED ALL: "FAILED/ALL", or "-" where there was nothing to count.
of() { if [ "$2" -gt 0 ]; then echo "$1/$2"; else echo -; fi; }

# row NAME BYTES COUNTS FIGURES...: a line of the table; figures are pairs.
row() {
    local head="| $1 | $2 | $3 |"
    shift 3
    while [ $# -gt 1 ]; do
        head="$head $(of "$1" "$2") |"
        shift 2
    done
    echo "$head"
}

# missing_packages CASE: those that its info.md names and that are not installed.  The test of such a case
# says that the failure is not there, since it keeps to itself that it did not find its program.
missing_packages() {
    local line package rest
    command -v dpkg-query > /dev/null && [ -f "$PARE_CORPUS/$1/info.md" ] || return 0
    line=$(sed -n 's/^- packages[^:]*: *//p' "$PARE_CORPUS/$1/info.md")
    tr ',' '\n' <<< "$line" | while read -r package rest; do
        [ -z "$package" ] || dpkg-query -W -f '${db:Status-Status}\n' "$package" 2> /dev/null |
            grep -qx installed || echo "$package"
    done
}

say_why() { echo "| $1 | $(head -n 1 "$work/err" | cut -c 1-60) | | | | | | | | | | | | |"; }

# explain_one CASE
explain_one() {
    local name=$1 test=$PARE_CORPUS/$1/test.sh input base result json=$work/$1.json tests counts figures kinds k
    local page=() missing
    missing=$(missing_packages "$name")
    if [ -n "$missing" ]; then
        echo "not installed: ${missing//$'\n'/, }" > "$work/err"
        say_why "$name"
        return
    fi
    input=$(find "$PARE_CORPUS/$name" -name 'input.*' | sort | head -n 1)
    base=$(basename "$input")
    result=$results/$name/$base
    if [ ! -f "$result" ]; then
        mkdir -p "$results/$name"
        "$PARE" reduce -q --no-journal --timeout "$limit" --max-tests 2000 "${longest[@]}" -o "$result" \
            "$test" "$input" \
            2> "$work/err" || {
            say_why "$name"
            return
        }
    fi
    if [ -n "$reports" ]; then page=(--report "$reports/$name.html"); fi
    if ! "$PARE" explain --json --timeout "$limit" "${page[@]}" "$result" "$test" > "$json" 2> "$work/err"; then
        say_why "$name"
        return
    fi
    if [ -n "$reports" ]; then cp "$json" "$reports/"; fi
    tests=$(jq .tests "$json")
    counts=$(jq -r '[.tests, (.parts | length),
        (.parts | map(select(.verdict == "needed")) | length),
        (.parts | map(select(.verdict == "any")) | length),
        (.parts | map(select(.verdict == "range")) | length),
        (.parts | map(select(.verdict == "rename")) | length)] | map(tostring) | join(" | ")' "$json")
    # Pairs: thresholds, all claims, of any, of ranges, of names, at once.
    read -ra figures < <(thresholds "$json" "$test" "$base" "$result")
    figures+=(0 0 0 0 0 0 0 0 0 0)
    mapfile -t kinds < <(jq -r '.parts[] | .verdict | select(. == "any" or . == "range" or . == "rename")' "$json")
    mkdir -p "$work/apart" "$work/together"
    if [ ${#kinds[@]} -gt 0 ] && "$PARE" generate --pattern "$json" --one -n "$samples" --seed 7 \
        -o "$work/apart/%d" 2> /dev/null; then
        k=0
        for failed in $(judge "$test" "$base" "$work/apart"); do
            case ${kinds[k % ${#kinds[@]}]} in any) at=4 ;; range) at=6 ;; *) at=8 ;; esac
            figures[2]=$((figures[2] + failed)) figures[3]=$((figures[3] + 1))
            figures[at]=$((figures[at] + failed)) figures[at + 1]=$((figures[at + 1] + 1))
            k=$((k + 1))
        done
    fi
    if "$PARE" generate --pattern "$json" -n "$samples" --seed 8 -o "$work/together/%d" 2> /dev/null; then
        for failed in $(judge "$test" "$base" "$work/together"); do
            figures[10]=$((figures[10] + failed)) figures[11]=$((figures[11] + 1))
        done
    fi
    rm -rf "$work/apart" "$work/together"
    row "$name" "$(stat -c %s "$result")" "$counts" "${figures[@]}"
    for k in "${!figures[@]}"; do sums[k]=$((sums[k] + figures[k])); done
    n_cases=$((n_cases + 1))
    if [ "$tests" -gt 300 ] || [ $((figures[2] * 100)) -lt $((figures[3] * 95)) ]; then n_worse=$((n_worse + 1)); fi
}

echo "| case | bytes | tests | parts | needed | any | ranges | names | thresholds exact | claims, apart | of any | of ranges | of names | largest group at once |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
for name in "$@"; do
    explain_one "$name"
done
row "$n_cases cases" "" "| | | | |" "${sums[@]}"
[ "$n_worse" -eq 0 ]
