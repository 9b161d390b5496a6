#!/bin/bash
# Runs each libFuzzer target for a while.
#
# Usage: scripts/fuzz.sh BUILD-DIR SECONDS
#
# Starts from tests/fuzz/corpus/<name>; what it finds new goes to
# BUILD-DIR/corpus/<name>, an input that crashes to BUILD-DIR/crashes/<name>/.
set -eu
cd "$(dirname "$0")/.."

if [ $# -ne 2 ]; then
    echo "usage: $0 BUILD-DIR SECONDS" >&2
    exit 2
fi
build=$1
seconds=$2
shopt -s nullglob
fuzzers=("$build"/fuzzers/fuzz_*)
if [ "${#fuzzers[@]}" -eq 0 ]; then
    echo "fuzz: no fuzz target in $build/fuzzers: add tests/fuzz/fuzz_NAME.c" >&2
    exit 1
fi
failed=()
for fuzzer in "${fuzzers[@]}"; do
    name=${fuzzer##*/fuzz_}
    mkdir -p "$build/corpus/$name" "$build/crashes/$name"
    echo "== $name"
    "$fuzzer" -max_total_time="$seconds" -print_final_stats=1 -close_fd_mask=1 \
        -artifact_prefix="$build/crashes/$name/" \
        "$build/corpus/$name" "tests/fuzz/corpus/$name" || failed+=("$name")
done
if [ "${#failed[@]}" -gt 0 ]; then
    echo "fuzz: failed: ${failed[*]}; the inputs are in $build/crashes" >&2
    exit 1
fi
