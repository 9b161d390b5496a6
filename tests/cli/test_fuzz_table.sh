#!/bin/bash
# scripts/fuzz.sh: the table of what libFuzzer did with each target.  The targets here are scripts that
# say what libFuzzer says.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
mkdir -p build/fuzzers
unset JOBS # of who runs the tests: one target at a time

# target NAME [EXIT-CODE]
target() {
    cat > "build/fuzzers/fuzz_$1" <<T
#!/bin/sh
for word; do case \$word in -max_total_time=*) limit=\${word#*=} ;; esac; done
echo "$1 \$limit" >> "$here/runs"
echo "#10	INITED cov: 5 ft: 9 corp: 2/20b exec/s: 0 rss: 30Mb"
echo "#500	DONE   cov: 12 ft: 40 corp: 7/90b lim: 4 exec/s: 250 rss: 31Mb"
echo "stat::number_of_executed_units: 500"
[ -z "\${PARE_TEST_BUSY:-}" ] || awk 'BEGIN { while (i < 2000000) i++ }'
exit ${2:-0}
T
    chmod +x "build/fuzzers/fuzz_$1"
}
fuzz() { : > runs; exits "$1" "$PARE_SOURCE_DIR/scripts/fuzz.sh" --table "$here/table.md" "$here/build" "${@:2}"; }
order() { [ "$(awk '!seen[$1]++ { printf "%s ", $1 }' runs)" = "$1 " ]; }
rows() { [ "$(awk -F ' *[|] *' '/^[|] [a-z_]+ [|] 2/ { printf "%s ", $2 }' table.md)" = "$1 " ]; }
row() { grep -qE "^\| $1 \| 20[0-9-]+ [0-9:]+ \| 0 \| 500 \| [0-9]+ \| 5 \| 12 \| 40 \| 7 \| $2 \|$" table.md; }

for name in beta alpha delta; do target "$name"; done
printf 'Before.\n\n' > table.md
claim "targets are run" fuzz 0 0
claim "in the order of their names, for there are no figures" order "alpha beta delta"
claim "each has a row" rows "alpha beta delta"
claim "with what libFuzzer said" row beta -
claim "below what was there" [ "$(head -n 1 table.md)" = "Before." ]
claim "the rows are printed, too" grep -q '^| alpha |' out

printf '\nAfter.\n' >> table.md
sed -i 's/^| alpha | [^|]*/| alpha | 2020-01-03 10:00 /; s/^| beta | [^|]*/| beta | 2020-01-02 10:00 /
        s/^| delta | [^|]*/| delta | 2020-01-02 09:00 /' table.md
target charlie
claim "a new target" fuzz 0 0
claim "is the first, then those whose figures are oldest" order "charlie delta beta alpha"
claim "its row is in its place" rows "alpha beta charlie delta"
claim "no row is there twice" [ "$(grep -c '^| beta |' table.md)" -eq 1 ]
claim "nor old" bash -c '! grep -q "2020-" table.md'
claim "what follows stays" [ "$(tail -n 1 table.md)" = "After." ]

target beta 77
claim "one that fails" fuzz 1 0 beta
claim "has a row that says so" row beta "ended with 77"
claim "and so it is said" says "there were failures; the inputs are in"
claim "only what is named is run" order beta
claim "its other rows stay" rows "alpha beta charlie delta"

export PARE_TEST_BUSY=1
claim "a second of processor time" fuzz 0 1 alpha
claim "takes as many looks as it needs" [ "$(wc -l < runs)" -gt 1 ]
claim "whose texts are all counted" grep -qE '^\| alpha \|[^|]*\| 1 \| [1-9][0-9]*[05]00 \|' table.md

rm -r build/fuzzers
claim "without a target" fuzz 1 0
claim "it says what to add" says "add tests/fuzz/fuzz_NAME.c"
claim "an unfinished command line" exits 2 "$PARE_SOURCE_DIR/scripts/fuzz.sh" build
all_claimed
