#!/bin/bash
# Runs the tests of a preset by ctest, then says which took longest.
#
# Usage: scripts/run_tests.sh PRESET [CTEST-OPTION...]
#
# ctest gets two slots for each core: most tests take two, those that mostly wait take one
# (PROCESSORS in cmake/Tests.cmake), so that two of them share a core.  Exit code: ctest's.
set -u
cd "$(dirname "$0")/.."

preset=${1:-}
if [ -z "$preset" ]; then
    echo "usage: $0 PRESET [CTEST-OPTION...]" >&2
    exit 2
fi
shift
jobs=${JOBS:-$(nproc)}
times=$(mktemp)
trap 'rm -f "$times"' EXIT
export CTEST_OUTPUT_ON_FAILURE=1
code=0
ctest --preset "$preset" --parallel $((2 * jobs)) --output-junit "$times" "$@" || code=$?

echo "The slowest tests of '$preset', seconds:"
sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 \1/p' "$times" |
    sort -rn | head -n 10 | while read -r seconds name; do
    LC_ALL=C printf '%9.1f  %s\n' "$seconds" "$name"
done
exit "$code"
