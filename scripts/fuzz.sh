#!/bin/bash
# Runs each libFuzzer target for a while, JOBS (1) of them at a time, and notes what came of it.
#
# Usage: scripts/fuzz.sh [--table FILE] BUILD-DIR SECONDS [NAME...]
#
# SECONDS are of processor time, whatever else the machine does.  A run starts from
# tests/fuzz/corpus/<name>; what it finds new goes to BUILD-DIR/corpus/<name>, an input that fails to
# BUILD-DIR/crashes/<name>/, what libFuzzer says to BUILD-DIR/logs/<name>.
#
# Prints a row for each target as soon as it has ended.  With --table the row takes the place of the
# target's older one in FILE (docs/lab/fuzzing.md), and those come first that have none there, then
# those whose row is oldest: who ends it early loses nothing, and goes on where it was ended.
set -eu
cd "$(dirname "$0")/.."

header='| target | date (UTC) | s | texts | a second | edges, corpus | edges | features | inputs | failure |'
rule='|---|---|---|---|---|---|---|---|---|---|'
table=
if [ "${1:-}" = --table ]; then
    table=${2:-}
    shift 2
fi
if [ $# -lt 2 ]; then
    echo "usage: $0 [--table FILE] BUILD-DIR SECONDS [NAME...]" >&2
    exit 2
fi
build=$1
seconds=$2
shift 2

# look NAME LIMIT   One run of libFuzzer, of LIMIT s at most by the clock; sets code and took, its seconds
# by the clock and of processor time.  Leaks are looked for when the process ends: libFuzzer looks after
# each text that keeps anything, a cache too, and then is a thousand times as slow.
look() {
    code=0
    local TIMEFORMAT='%R %U %S'
    { time "$build/fuzzers/fuzz_$1" -max_total_time="$2" -print_final_stats=1 -close_fd_mask=1 \
        -detect_leaks=0 -timeout=60 -rss_limit_mb=4096 -artifact_prefix="$build/crashes/$1/" \
        "$build/corpus/$1" "tests/fuzz/corpus/$1" >> "$build/logs/$1" 2>&1 || code=$?; } \
        2> "$build/logs/$1.time"
    took=$(awk 'END { print $1, $2 + $3 }' "$build/logs/$1.time")
}

# What one target does; for xargs below.  A first look tells how much of a processor it gets here, and
# further ones take the rest; 20 at most, so that a machine that gives nothing is not waited for.
if [ "${1:-}" = --one ]; then
    name=$2
    mkdir -p "$build/corpus/$name" "$build/crashes/$name" "$build/logs"
    : > "$build/logs/$name"
    used=0
    limit=$((seconds / 10 + 1))
    for ((round = 0; round < 20 && limit > 0; round++)); do
        look "$name" "$limit"
        read -r used limit < <(awk -v all="$seconds" -v used="$used" -v took="$took" 'BEGIN {
            split(took, part, " ")
            used += part[2]
            share = part[1] > 0 ? part[2] / part[1] : 1
            if (share < 0.05) share = 0.05
            if (share > 1) share = 1
            left = all - used
            print used, (left > all / 100 ? int(left / share) + 1 : 0)
        }')
        [ "$code" -eq 0 ] || break
    done
    row=$(awk -v name="$name" -v code="$code" -v used="$used" -v date="$(date -u '+%F %H:%M')" '
        / cov: / {
            for (i = 1; i < NF; i++) {
                if ($i == "cov:") edges = $(i + 1)
                if ($i == "ft:") features = $(i + 1)
                if ($i == "corp:") inputs = $(i + 1) + 0
            }
            if ($2 == "INITED" && !first) first = edges
        }
        /^stat::number_of_executed_units:/ { texts += $2 }
        END {
            ended = code ? "ended with " code : "-"
            printf "| %s | %s | %.0f | %d | %.0f | %d | %d | %d | %d | %s |\n", name, date, used, texts,
                   (used > 0 ? texts / used : 0), first, edges, features, inputs, ended
        }' "$build/logs/$name")
    echo "$row"
    if [ -n "$table" ]; then
        (
            flock 9
            awk -v row="$row" -v header="$header" '
                function put() { if (!there) { there = 1; print row } }
                BEGIN { split(row, new, " *[|] *") }
                inside && !/^[|]/ { put(); inside = 0 }
                inside && !/^[|]-/ {
                    split($0, old, " *[|] *")
                    if (old[2] >= new[2]) put()
                    if (old[2] == new[2]) next
                }
                { print }
                $0 == header { inside = 1 }
                END { if (inside) put() }' "$table" > "$build/table"
            cat "$build/table" > "$table"
        ) 9> "$build/table.lock"
    fi
    exit "$code"
fi

# The names of the targets in the table, the oldest row first.
noted() {
    [ -z "$table" ] || awk -F ' *[|] *' -v header="$header" '
        $0 == header { inside = 1; next }
        !/^[|]/ { inside = 0 }
        inside && !/^[|]-/ { print $3 "\t" $2 }' "$table" | sort | cut -f 2
}

names=("$@")
if [ "${#names[@]}" -eq 0 ]; then
    shopt -s nullglob
    there=()
    for fuzzer in "$build"/fuzzers/fuzz_*; do
        there+=("${fuzzer##*/fuzz_}")
    done
    if [ "${#there[@]}" -eq 0 ]; then
        echo "fuzz: no fuzz target in $build/fuzzers: add tests/fuzz/fuzz_NAME.c" >&2
        exit 1
    fi
    old=$(noted)
    mapfile -t names < <(
        printf '%s\n' "${there[@]}" | grep -vxF -e "$old" || :
        printf '%s\n' "$old" | grep -xF -e "$(printf '%s\n' "${there[@]}")" || :
    )
fi
if [ -n "$table" ] && ! grep -qxF "$header" "$table" 2> /dev/null; then
    printf '%s\n%s\n' "$header" "$rule" >> "$table"
fi
printf '%s\n%s\n' "$header" "$rule"
if ! printf '%s\n' "${names[@]}" |
    xargs -P "${JOBS:-1}" -I{} "scripts/${0##*/}" --table "$table" "$build" "$seconds" --one {}; then
    echo "fuzz: there were failures; the inputs are in $build/crashes, what was said in $build/logs" >&2
    exit 1
fi
