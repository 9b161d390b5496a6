#!/bin/bash
# A C++ file of 5.7 MB, preprocessed from headers of Debian's Boost and range-v3, that g++ refuses:
# how small it is after a minute, what memory that took, and for how long slots had nothing to run.
#
# Usage: bench/big/cpp_five.sh PARE [SECONDS [JOBS [TEST_MS]]]
#   PARE      the program; its language cpp has to be added (pare lang add cpp)
#   SECONDS   of the run, default 60; JOBS: default 2
#   TEST_MS   each test takes so long at least, whatever the size; default 0
# Needs g++ 12 or newer, libboost-dev and librange-v3-dev.  Prints one line; the trace and the
# statistics stay in the folder that is named on it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pare=$(realpath "${1:?usage: $0 PARE [SECONDS [JOBS [TEST_MS]]]}")
seconds=${2:-60} jobs=${3:-2} test_ms=${4:-0}

for header in boost/multi_index_container.hpp range/v3/all.hpp; do
    echo "#include <$header>" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1 ||
        { echo "$0: <$header> is not there: apt-get install g++ libboost-dev librange-v3-dev" >&2; exit 1; }
done

work=$(mktemp -d)
cd "$work"
g++ -std=c++20 -E "$here/cpp_five.cpp" -o five.ii
cat >test.sh <<EOF
#!/bin/sh
ulimit -v 4000000
sleep $((test_ms / 1000)).$(printf %03d $((test_ms % 1000))) &
g++ -std=c++20 -fsyntax-only -w "\$1" 2>&1 | grep -q 'error: static assertion failed: holder of 24'
code=\$?
wait
exit \$code
EOF
chmod +x test.sh
"$pare" reduce ./test.sh five.ii --lang cpp -j "$jobs" -q --no-journal -o out.ii --stats stats.json \
    --trace trace.json --max-time "${seconds}s"
jq -r --arg folder "$work" '
    "\(.bytes_in) bytes: \(.bytes_out) (\(1000 * .bytes_out / .bytes_in | round / 10) %) after " +
    "\(.tests_run) tests, \(.wall_s | round) s; first smaller one after \(.curve[0][1] // "-") s; " +
    "\(10 * .peak_rss_bytes / .bytes_in | round / 10) bytes of memory a byte; " +
    "slots waited \(1000 * (1 - .busy_s / (.wall_s * .jobs)) | round / 10) % of the time; " +
    "pare itself \(10 * .cpu_s | round / 10) s; \($folder)"' stats.json
