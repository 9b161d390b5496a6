#!/bin/bash
# Runs the tests of a preset by ctest, then says which took longest.
#
# Usage: scripts/run_tests.sh PRESET [CTEST-OPTION...]
#
# ctest gets three slots for each core, and two more: most tests take three, those that mostly wait take
# one (PROCESSORS in cmake/Tests.cmake).  So two that wait run beside as many that compute as there are
# cores, all the time, and neither kind keeps the other from beginning.  The last line, also kept in
# build/PRESET/tests/summary.txt, counts them.  Exit code: ctest's, or 1 when ThreadSanitizer has reported
# something that no test has failed for.
set -u
cd "$(dirname "$0")/.."

preset=${1:-}
if [ -z "$preset" ]; then
    echo "usage: $0 PRESET [CTEST-OPTION...]" >&2
    exit 2
fi
shift
jobs=${JOBS:-$(nproc)}
summary=build/$preset/tests/summary.txt reports=build/$preset/tests/thread-reports
times=$(mktemp)
trap 'rm -f "$times"' EXIT
export CTEST_OUTPUT_ON_FAILURE=1
code=0 begin=$SECONDS
rm -f "$summary" "$reports"/*
ctest --preset "$preset" --parallel $((3 * jobs + 2)) --output-junit "$times" "$@" || code=$?

echo "The slowest tests of '$preset', seconds:"
sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 \1/p' "$times" |
    sort -rn | head -n 10 | while read -r seconds name; do
    LC_ALL=C printf '%9.1f  %s\n' "$seconds" "$name"
done

# The attribute $1 of all tests together.
count() {
    sed -n "/<testsuite/,/>/ s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$times" | head -n 1
}

# What a failed test said last, and which claims of it were not true, where a log is cut to its end.
python3 - "$times" << 'END'
import sys, xml.etree.ElementTree as tree
try:
    cases = tree.parse(sys.argv[1]).iter("testcase")
except (OSError, tree.ParseError):
    sys.exit(0)
for case in cases:
    if case.find("failure") is None:
        continue
    lines = (case.findtext("system-out") or "").splitlines()
    claims = [line for line in lines if line.startswith("not true:") or "[  ERROR   ]" in line]
    print(f"What {case.get('name')} said:")
    for line in (claims[:5] + lines[-5:]):
        print("    " + line[:300])
END

n_reports=0
for report in "$reports"/*; do
    grep -qs 'WARNING: ThreadSanitizer' "$report" || continue
    cat "$report"
    n_reports=$((n_reports + 1))
done
[ "$n_reports" -eq 0 ] || [ "$code" -ne 0 ] || code=1
n=$(count tests) failed=$(count failures) skipped=$(count skipped)
text="$preset: ${n:-0} tests, ${failed:-0} failed, ${skipped:-0} skipped, $((SECONDS - begin)) s"
[ "$n_reports" -eq 0 ] || text="$text, $n_reports reports of ThreadSanitizer"
if [ -n "$n" ]; then
    echo "$text" | tee "$summary"
else
    echo "$preset: no test was run"
fi
exit "$code"
