#!/bin/bash
# Runs each libFuzzer target for a while, JOBS (1) of them at a time.
#
# Usage: scripts/fuzz.sh BUILD-DIR SECONDS [NAME...]
#
# Starts from tests/fuzz/corpus/<name>; what it finds new goes to
# BUILD-DIR/corpus/<name>, an input that crashes to BUILD-DIR/crashes/<name>/, what libFuzzer says to
# BUILD-DIR/logs/<name>.  Prints a table: how many texts, edges of the program reached, by the corpus
# and at the end, and failures.
set -eu
cd "$(dirname "$0")/.."

if [ $# -lt 2 ]; then
    echo "usage: $0 BUILD-DIR SECONDS [NAME...]" >&2
    exit 2
fi
build=$1
seconds=$2
shift 2

# What one target does; for xargs below.  Leaks are looked for when the process ends: libFuzzer looks
# after each text that keeps anything, a cache too, and then is a thousand times as slow.
if [ "${1:-}" = --one ]; then
    name=$2
    mkdir -p "$build/corpus/$name" "$build/crashes/$name" "$build/logs"
    code=0
    "$build/fuzzers/fuzz_$name" -max_total_time="$seconds" -print_final_stats=1 -close_fd_mask=1 \
        -detect_leaks=0 -timeout=60 -rss_limit_mb=4096 -artifact_prefix="$build/crashes/$name/" \
        "$build/corpus/$name" "tests/fuzz/corpus/$name" > "$build/logs/$name" 2>&1 || code=$?
    awk -v name="$name" -v code="$code" '
        / cov: / {
            for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1)
            if ($2 == "INITED") first = edges
        }
        /^stat::number_of_executed_units:/ { texts = $2 }
        END {
            ended = code ? "ended with " code : "-"
            printf "| %s | %d | %d | %d | %s |\n", name, texts, first, edges, ended
        }' "$build/logs/$name"
    exit "$code"
fi

names=("$@")
if [ "${#names[@]}" -eq 0 ]; then
    shopt -s nullglob
    for fuzzer in "$build"/fuzzers/fuzz_*; do
        names+=("${fuzzer##*/fuzz_}")
    done
fi
if [ "${#names[@]}" -eq 0 ]; then
    echo "fuzz: no fuzz target in $build/fuzzers: add tests/fuzz/fuzz_NAME.c" >&2
    exit 1
fi
echo "| target | texts in $seconds s | edges, corpus | edges | failure |"
echo "|---|---|---|---|---|"
if ! printf '%s\n' "${names[@]}" |
    xargs -P "${JOBS:-1}" -I{} "scripts/${0##*/}" "$build" "$seconds" --one {}; then
    echo "fuzz: there were failures; the inputs are in $build/crashes, what was said in $build/logs" >&2
    exit 1
fi
