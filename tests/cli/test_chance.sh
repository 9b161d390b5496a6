#!/usr/bin/env bash
# Failures that come by chance on the command line: what is found out, tried and told.
# shellcheck source=claims.sh
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

for i in $(seq 40); do
    case $i in 9) echo BUG ;; 23) echo TRIGGER ;; *) echo "line $i" ;; esac
done > in

# Fails when both words are there, but in every fifth run, or in the run number $3 only.
cat > chance << EOF
#!/bin/sh
n=\$((\$(cat $here/n) + 1))
echo \$n > $here/n
grep -q BUG "\$1" && grep -q TRIGGER "\$1" || exit 1
case \$(cat $here/when) in every5) [ \$((n % 5)) -ne 0 ] ;; *) [ \$n -ne \$(cat $here/when) ] ;; esac
EOF
chmod +x chance
# passes WHEN: from now on.
passes() {
    echo 0 > n
    echo "$1" > when
}

passes 0
claim "a certain failure" exits 0 "$PARE" reduce -q -j1 -u line --no-journal --stats s ./chance in -o y
claim "is not said to come by chance" [ "$(jq .flaky s)" = null ]
runs=$(cat n)

passes "$((runs - 5))"
claim "a run disturbed at the end" exits 0 "$PARE" reduce -j1 -u line --no-journal --stats s ./chance in -o y
claim "does not make it one by chance" [ "$(jq .flaky s)" = null ]
claim "nor costs thousands of runs" [ "$(cat n)" -le "$((runs + 60))" ]

passes every5
claim "four of five runs" exits 0 "$PARE" reduce -j1 -u line --no-journal --stats s ./chance in -o y
claim "are reduced as well" [ "$(grep -c . y)" -le 4 ]
claim "and told" grep -q 'the failure comes by chance: in [0-9.]* % of 20 runs of the input' out
claim "in the summary too" grep -Eq 'flaky +the input fails in [0-9.]+ % of [0-9]+ runs' out
claim "how often the result" grep -Eq '^ +the result in [0-9.]+ % of [0-9]+ runs .*; [0-9,]+ in all' out
# 20 runs of the input and 20 of the result measure how often they fail. How many runs a certain failure
# takes goes by the clock (session/test/flaky.h), so they are no measure of the price.
claim "at a bounded price" [ "$(cat n)" -le "$((4 * $(jq .tests_run s) + 40))" ]
claim "input measured by few runs" [ "$(jq .flaky.input.runs s)" -le 60 ]
claim "and runs counted" [ "$(jq .flaky.runs s)" = "$(cat n)" ]
claim "with one at a time no run disturbs another" bash -c '! grep -q "disturb each other" out'

passes every5
claim "two at once" exits 0 "$PARE" reduce -j2 -u line --no-journal --max-tests 10 ./chance in -o y
claim "may disturb each other, which is told with what to do" \
    grep -q 'outside its own directory, runs at once disturb each other: begin again with -j1' out

# Passes if another run is under way, for which the first of two that start at once waits.
cat > alone << EOF
#!/bin/sh
: > "$here/under-way.\$\$"
sleep 0.4
set -- "\$1" "$here"/under-way.*
rm -f "$here/under-way.\$\$"
[ \$# -eq 2 ] && grep -q BUG "\$1"
EOF
chmod +x alone
printf 'one\nBUG\nthree\n' > few
claim "runs that disturb each other" exits 0 "$PARE" reduce -j2 -u line --stats s --max-tests 3 ./alone few -o z
claim "are told from chance" grep -Eq 'runs at once disturb each other .*: tests run one at a time from now on' out
claim "and counted so" jq -e '.flaky.one_at_a_time and .flaky.input.fails == .flaky.input.runs and .jobs == 1' s
claim "the run goes on" exits 0 "$PARE" reduce -j2 -u line --stats s ./alone few -o z
claim "one at a time, without finding it out again" bash -c 'grep -q "one run at a time" out && ! grep -q "from now on" out'
claim "to the end" [ "$(cat z)" = BUG ]

passes every5
claim "a precision" exits 0 "$PARE" reduce -q -j1 -u line --no-journal --stats s \
    --flaky-precision 0.1 ./chance in -o y
claim "is reached" jq -e '.flaky.input | .high - .low <= 0.2' s > /dev/null
for wrong in 0.5 0 x -1; do
    claim "no precision: $wrong" exits 2 "$PARE" reduce "--flaky-precision=$wrong" ./chance in
    claim "so told: $wrong" grep -q "takes a share of runs below 0.5, such as 0.02" err
done

# A program that fails for one of two places of its stack.
cat > place.c << 'EOF'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    char text[4096] = "";
    FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!f || !fread(text, 1, sizeof text - 1, f)) return 1;
    if (!strstr(text, "BUG") || !strstr(text, "TRIGGER")) return 1;
    return ((uintptr_t)(void *)text >> 16 & 1) == WHERE ? 0 : 1;
}
EOF
fixed=unknown
for where in 0 1; do
    "${CC:-cc}" -O1 -DWHERE=$where place.c -o "place$where" || exit 1
    if setarch -R "./place$where" in 2> /dev/null; then fixed=place$where; fi
done
if [ "$fixed" = unknown ] || has_fixed_addresses; then
    echo "addresses cannot be fixed here, or are so already: not tested" >&2
else
    claim "one of two stacks" exits 0 "$PARE" reduce -u line --no-journal --runner spawn --stats s \
        "./$fixed" in -o y
    if [ "$(jq .flaky.fixed_addresses s)" = true ]; then
        claim "fixed addresses make it certain" grep -q "in each of 20 runs with fixed addresses" out
        claim "in the summary" grep -q 'with fixed addresses, as by --no-aslr' out
        claim "the result fails each time" jq -e '.flaky.result | .runs > 0 and .fails == .runs' s > /dev/null
    else
        claim "fixed addresses were tried" false
    fi
    claim "all else went" [ "$(sort y | tr '\n' ' ')" = "BUG TRIGGER " ]
    claim "not where the user has chosen" exits 0 "$PARE" reduce -q -u line --no-journal --no-aslr \
        --stats s "./$fixed" in -o y
    claim "so it is certain" [ "$(jq .flaky s)" = null ]
fi
# Whether an input that passes fails now and then takes many runs; a test with a mistake needs none of them.
for code in 1 2 127; do
    printf '#!/bin/sh\necho >> "%s/ran%s"\nexit %s\n' "$here" $code $code > "ends$code"
    chmod +x "ends$code"
    claim "a test that ends with $code" exits 1 "$PARE" reduce -q -j1 --no-journal "./ends$code" in -o y
done
claim "2 is not taken for chance" [ "$(grep -c '' ran2)" -le 4 ]
claim "nor is 127" [ "$(grep -c '' ran127)" -le 4 ]
claim "1 may be" [ "$(grep -c '' ran1)" -ge 3 ]

all_claimed
