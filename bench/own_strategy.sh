#!/bin/bash
# What a proposal of a process (--strategy) costs beside its test: the same steps by `-a ddmin`, by
# examples/strategies/ddmin.py and by the same in C, one after the other, and the difference for each step.
#
# Usage: bench/own_strategy.sh PARE [LINES]
#
# The test is a function, in a process that stays, so that hardly anything but proposals is measured.  With
# Python part of the difference is what Python computes; with C it is pare's share, and that of the kernel,
# which switches from one process to the other and back.  On a busy machine that is what is seen, so the
# processor time of pare itself is told, too.
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
cat > ddmin.c << 'EOF'
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned units[1<<20], rest[1<<20], n_units;
static bool fails(const unsigned *kept, unsigned n)
{
    char line[32];
    fputs("KEEP", stdout);
    for (unsigned i = 0; i < n;) {
        unsigned k = i;
        while (k + 1 < n && kept[k + 1] == kept[k] + 1) k++;
        printf(" %u-%u", kept[i], kept[k]);
        i = k + 1;
    }
    putchar('\n');
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) exit(1);
    return strcmp(line, "FAIL\n") == 0;
}
int main(void)
{
    if (scanf("UNITS %u%*c", &n_units) != 1) return 1;
    for (unsigned i = 0; i < n_units; i++) units[i] = i;
    for (unsigned n = 2; n_units >= 2;) {
        bool subset = false, complement = false;
        for (int pass = 0; pass < 2 && !subset && !complement; pass++)
            for (unsigned k = 0, from = 0, to; k < n && !subset && !complement; k++, from = to) {
                to = from + (n_units - from) / (n - k);
                unsigned m = 0;
                for (unsigned i = 0; i < n_units; i++)
                    if ((i >= from && i < to) == (pass == 0)) rest[m++] = units[i];
                if (!fails(rest, m)) continue;
                memcpy(units, rest, m * sizeof *rest);
                n_units = m;
                subset = pass == 0;
                complement = pass == 1;
            }
        if (!subset && !complement && n == n_units) break;
        n = subset ? 2 : complement ? (n > 3 ? n - 1 : 2) : 2 * n < n_units ? 2 * n : n_units;
    }
    puts("DONE");
    return 0;
}
EOF
cc -O2 -o ddmin ddmin.c
seq 1 "$lines" | awk '{ print NR % 30 ? $0 : "x" }' > input
# Of five runs the fastest: what else the machine does only adds to it.
steps() { # NAME OPTION...
    local k
    for k in 1 2 3 4 5; do
        once "$1.$k" "${@:2}"
        cmp -s "$1.$k" "$1.1"
    done
    cp "$1.1" "$1"
    jq -s '{tests_run: .[0].tests_run, wall_s: map(.wall_s) | min, cpu_s: map(.cpu_s) | min}' "$1".?.json > "$1.json"
}
once() { # NAME OPTION...
    "$pare" reduce -q --no-journal --no-cache -j1 --flaky off -u line --stats "$1.json" -o "$1" "${@:2}" \
        input -- ./test.so > /dev/null
}
steps ours -a ddmin
steps in_c --strategy "$work/ddmin"
steps in_python --strategy "python3 $root/examples/strategies/ddmin.py"
cmp ours in_c
cmp ours in_python
for strategy in in_c in_python; do
    jq -n --arg name "${strategy#in_}" --slurpfile a ours.json --slurpfile b $strategy.json '
        $a[0].tests_run as $n
        | def us(f): ($b[0] | f) - ($a[0] | f) | . * 1e6 / $n | round;
        "\($n) steps, a strategy in \($name): \(us(.wall_s)) us more a step than -a ddmin ("
        + "\($a[0].wall_s * 1e6 / $n | round)), \(us(.cpu_s)) us of them processor time of pare"' -r
done
