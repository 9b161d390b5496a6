#!/bin/bash
# What a proposal of a process (--strategy) costs beside its test: the same steps by `-a ddmin` and by
# examples/strategies/ddmin.py, one after the other, and the difference for each step.
#
# Usage: bench/own_strategy.sh PARE [LINES]
#
# The test is a function in our process, so that hardly anything but proposals is measured; part of
# the difference is what Python computes.
set -eu
pare=$(realpath "$1")
lines=${2:-400}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > test.c << 'EOF'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t found = 0;
    for (size_t i = 0; i + 1 < size; i++)
        found += data[i] == 'x' && data[i + 1] == '\n';
    if (found >= 12) abort();
    return 0;
}
EOF
cc -shared -fPIC -O1 -o test.so test.c
seq 1 "$lines" | awk '{ print NR % 30 ? $0 : "x" }' > input
steps() { # NAME OPTION...
    "$pare" reduce -q --no-journal --no-cache -j1 --flaky off -u line --stats "$1.json" -o "$1" "${@:2}" \
        input -- ./test.so > /dev/null
}
steps ours -a ddmin
steps own --strategy "python3 $root/examples/strategies/ddmin.py"
cmp ours own
jq -n --slurpfile a ours.json --slurpfile b own.json '
    $a[0].tests_run as $n | "\($n) steps; ours \($a[0].wall_s * 1e6 / $n | round) us a step, a process "
    + "\($b[0].wall_s * 1e6 / $n | round) us: \(($b[0].wall_s - $a[0].wall_s) * 1e6 / $n | round) us more"' -r
