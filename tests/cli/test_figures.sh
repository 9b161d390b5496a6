#!/bin/bash
# tools/figures: the commands that print the seeds' tables take the seeds' own steps; short runs of those that
# measure time.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

if [ ! -e "$PARE_BUILD_DIR/python/pare/_pare.abi3.so" ]; then
    echo "the Python package is not built (apt-get install python3-cffi python3-dev, no sanitizer)"
    exit 77
fi
python=$(sed -n 's/^PARE_PYTHON_PROGRAM:[A-Z]*=//p' "$PARE_BUILD_DIR/CMakeCache.txt")
export PYTHONPATH=$PARE_BUILD_DIR/python PYTHONDONTWRITEBYTECODE=1
unset PARE_LIBEXEC
figure() { exits 0 "$python" "$PARE_SOURCE_DIR/tools/figures/$1" "${@:2}"; }

claim "seed 000 is printed" figure seed-000-ddmin
claim "with its steps" grep -qx "27 of 27 tests are the same, of 27 of ours\." out
claim "and its Perses" grep -qF '| `((4))` | `((4))` |' out
claim "seed 003 is printed" figure seed-003-log
claim "with its steps" grep -qx "29 of 29 tests are the same, of 29 of ours\." out
claim "seed 002 is printed" figure seed-002-strategies 2
claim "with its five tests" grep -qF '| 5 tests | `(3)` | 5 |' out
claim "and fewer by depth" grep -qF '| fewer than 5 tests | `(3)` | 3 |' out
claim "and what delta debugging cannot do" grep -qF '`1 + (2 * 3)`: nothing can go | `1 + (2 * 3)` |' out
claim "exercise 1 of seed 002 is measured" figure seed-002-exercise-1 60 1
claim "for each program and fuzzer" [ "$(grep -cE '^[|] [a-zA-Z_.]+ [|] (MutationFuzzer|MutationCoverageFuzzer|exercise 1) [|] [1-9]' out)" -eq 12 ]
claim "seed 004 is printed" figure seed-004-choices
claim "with its eight results" grep -qx "8 of 8 results are the same\." out
claim "seed 001 is measured" figure seed-001-parallel 0.01 2
claim "for each variant" [ "$(grep -c '^## ' out)" -eq 3 ]

all_claimed
