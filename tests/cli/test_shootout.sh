#!/bin/bash
# pare shootout: a small matrix, its three files, results that are tested again, descriptions
# that are wrong.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

refuses() {
    local text=$1
    shift
    claim "usage error: $*" exits 2 "$PARE" shootout "$@"
    claim "one line for: $*" says "$text"
}
# holds FILTER   What jq says of the results is true.
holds() { jq -e "$1" "${results:-so/results.json}" > /dev/null; }

# --- a matrix by a description ---------------------------------------------------------
mkdir dir
seq 1 30 > dir/numbers.txt
printf '[1,[2,3],"bug"]' > dir/in.json
cat > "dir/a test.sh" <<'T'
#!/bin/sh
grep -q '^7$' "$1" && grep -q '^19$' "$1"
T
chmod +x "dir/a test.sh"
cat > dir/cases.json <<'C'
{"name": "mine", "algorithms": ["ddmin/line", "auto"], "max_tests": 500, "cases": [
 {"name": "numbers", "input": "numbers.txt", "test": "a test.sh", "group": "lines", "known": 5,
  "peer": {"name": "somebody", "best": [900, 6]}, "frontier": [[1, 1], [400, 5]], "target": [300, 5]},
 {"name": "json", "input": "in.json", "test": "grep -q bug", "group": ["words", "short"]},
 {"name": "absent", "folder": "nowhere", "optional": true}]}
C
claim "a matrix is run" exits 0 "$PARE" shootout dir/cases.json -o so -j 1,2
cp out table
claim "what is left out is told" says "case 'absent' is left out"
claim "five files are written" [ "$(ls so | tr '\n' ' ')" = "index.html results.csv results.json tables.tex tables.txt " ]
claim "the JSON is one object of its format" holds '.format == "pare-shootout-1" and .suite == "mine"'
claim "every cell was run" holds '.runs | length == 2 * 2 * 2'
claim "and tested again" holds 'all(.runs[]; .checked == "FAIL")'
claim "a result is what the test wants" holds \
    'all(.runs[] | select(.case == "numbers"); .result / "\n" | index("7") != null and index("19") != null)'
claim "its size is told" holds 'all(.runs[]; .bytes_out == (.result | length))'
claim "curves end at the result" holds 'all(.runs[]; (.curve[-1][2] // .bytes_in) == .bytes_out)'
claim "tests are within their limit" holds 'all(.runs[]; .tests_run <= 500)'
claim "the same bytes with two tests at once" holds \
    '[.runs | group_by([.case, .algorithm])[] | map(.result) | unique | length == 1] | all'
claim "means are over all cases" holds \
    '.scores[] | select(.algorithm == "auto" and .group == null and .jobs == 1) | .cases == 2'
claim "and geometric" holds '
    (.runs | map(select(.algorithm == "auto" and .jobs == 1) | .bytes_out | log) | add / 2 | exp) as $mean
    | .scores[] | select(.algorithm == "auto" and .group == null and .jobs == 1)
    | (.bytes - $mean) | fabs < 1e-6'
claim "groups have scores" holds '[.scores[].group] | unique == [null, "lines", "short", "words"]'
claim "targets are judged" holds '
    [.runs[] | select(.case == "numbers" and .algorithm == "auto" and .jobs == 1) | .targets[].kind]
    == ["tests", "size", "tests", "frontier", "frontier", "known"]'
claim "the met ones" holds \
    '.runs[1 + 1] | .algorithm == "auto" and ([.targets[].met] | .[1] and .[4] and .[5])'
claim "and the missed one" holds '.runs[2].targets[3].met == false'
claim "there is a speed-up" holds 'all(.scores[] | select(.jobs == 2); .speed_up > 0)'
claim "needed tests are told apart" holds 'all(.runs[]; .tests_needed <= .tests_run and (.jobs > 1 or .tests_needed == .tests_run))'
claim "two are compared" holds '[.comparisons[] | select(.jobs == 1) | .figure] == ["bytes", "tests_needed", "wall_s"]'
claim "with an interval around the ratio" holds 'all(.comparisons[]; .interval[0] <= .ratio and .ratio <= .interval[1])'
claim "a line of CSV for each run" [ "$(wc -l < so/results.csv)" -eq 9 ]
claim "with as many fields" [ "$(awk -F, '{ print NF }' so/results.csv | sort -u)" = 16 ]
claim "tables for a paper" grep -q 'begin{tabular}' so/tables.tex
claim "phases tell what they earned" holds '[.runs[].passes[].bytes_removed] | add > 0'
claim "and a table sums it" grep -q '^What phases of auto earned over all cases, -j1' so/tables.txt
claim "machine and date" holds '(.machine | length > 9) and (.date | fromdate > 0)'
claim "the table tells targets" grep -q '^Targets of auto: ' table
claim "and what was missed" grep -q 'MISSED .* bytes after 1 tests; the peers 1' table
for file in table so/tables.txt; do
    claim "$file is 80 columns wide" [ "$(tail -n +2 "$file" | awk '{ if (length($0) > m) m = length($0) } END { print m }')" -le 80 ]
done

# --- the page --------------------------------------------------------------------------
claim "the page stands by itself" [ "$(grep -cE '<link|<img|src=|href=|url\(|@import|://' so/index.html)" -eq 0 ]
claim "and says so" grep -q "default-src 'none'; script-src 'sha512-" so/index.html
claim "with no style but its sheet" [ "$(grep -c ' style=' so/index.html)" -eq 0 ]
claim "it has plots" [ "$(grep -c 'viewBox="0 0 1000 1000"' so/index.html)" -ge 4 ]
claim "it tells the command" grep -q 'pare shootout dir/cases.json -o so' so/index.html
for title in Algorithms 'Size over tests' 'By circumstances' 'Parallel speed-up' Targets Cases; do
    claim "it has $title" grep -q ">$title</h2>" so/index.html
done

# --- other suites ----------------------------------------------------------------------
mkdir -p folder/one
printf 'abcxdef' > folder/one/input
printf '#!/bin/sh\ngrep -q x "$1"\n' > folder/one/test.sh
chmod +x folder/one/test.sh
claim "a folder of cases" exits 0 "$PARE" shootout -q folder -a ddmin/char -o f
claim "is as quiet as asked" [ "$(cat out err | wc -c)" -eq 0 ]
results=f/results.json
claim "and reduced" holds '.runs[0].result == "x"'

# A generator's text, reduced through the generator's choices.
cat > dir/drawn.json <<C
{"name": "drawn", "cases": [
 {"name": "drawn", "generator": "$PARE_HELPERS/random_program rand 4", "test": "$PARE_HELPERS/random_program check",
  "group": "made"},
 {"name": "no generator", "generator": "false", "test": "true", "optional": true}]}
C
results=d/results.json
claim "what a generator makes" exits 0 "$PARE" shootout dir/drawn.json -a choices -a ddmin/line --max-tests 12 -o d
claim "is reduced through its choices" holds '.runs[0] | .algorithm == "choices" and .checked == "FAIL" and .bytes_out < .bytes_in'
claim "and as bytes" holds '.runs[1] | .algorithm == "ddmin/line" and .checked == "FAIL"'
claim "an optional one that fails is left out" says "case 'no generator' is left out"

results=g/results.json
claim "generated cases" exits 0 "$PARE" shootout generated --inputs 1 -a hdd -a gtr -a grabr -a perses -o g
claim "by all of four algorithms" holds '.runs | length == 4 * 30'
claim "each tested again" holds 'all(.runs[]; .checked == "FAIL")'
claim "none larger than its input" holds 'all(.runs[]; .bytes_out <= .bytes_in)'
claim "cases can be listed" exits 0 "$PARE" shootout --inputs 1 --list
claim "one a line" [ "$(wc -l < out)" -eq 30 ]

# A test that changes its mind: the first tests fail, the one of the result does not.
cat > fickle.sh <<'T'
#!/bin/sh
echo >> "$COUNT"
[ "$(wc -l < "$COUNT")" -le 5 ]
T
chmod +x fickle.sh
echo '{"cases": [{"name": "fickle", "input": "dir/numbers.txt", "test": "fickle.sh"}]}' > fickle.json
export COUNT=$here/count
results=h/results.json
claim "a result that does not fail again is not hidden" exits 1 "$PARE" shootout fickle.json -a sweep/line --max-tests 4 -o h
claim "but told" grep -q 'the result does not fail when tested again: PASS' out
claim "and recorded" holds '.runs[0].checked == "PASS" and .scores[0].refuted == 1'
claim "an algorithm that does not fit is told too" exits 1 "$PARE" shootout folder -a grabr -o h
claim "with its reason" holds '.runs[0].error | contains("grammar")'

# --- what is wrong ---------------------------------------------------------------------
refuses "there is no suite 'nosuch'" nosuch
refuses "unknown algorithm 'ddmni' in 'ddmni/line'" folder -a ddmni/line
refuses "'auto' is named twice" folder -a auto -a auto
refuses "--jobs takes numbers from 1 to 1024" folder -j 1,x
refuses "each above the one before" folder -j 2,1
refuses "there is no case in" dir
wrong() {
    local text=$1
    printf '%s' "$2" > wrong.json
    claim "an error: $2" exits 3 "$PARE" shootout wrong.json
    claim "one line that says: $text" says "$text"
}
wrong 'wrong.json:1:1: ' '{'
wrong "\"cases\" is missing" '{}'
wrong "case 'x': 'input' is missing" '{"cases": [{"name": "x", "test": "true"}]}'
wrong "case 'x': 'tset' is not known" '{"cases": [{"name": "x", "input": "dir/in.json", "tset": "true"}]}'
wrong "nowhere.txt" '{"cases": [{"name": "x", "input": "nowhere.txt", "test": "true"}]}'
wrong "case 'x': 'generator' makes the input" '{"cases": [{"name": "x", "generator": "true", "input": "dir/in.json", "test": "true"}]}'
wrong "case 'x': 'choices' has to be a path" '{"cases": [{"name": "x", "choices": 1, "test": "true"}]}'
wrong "case 'x': " '{"cases": [{"name": "x", "generator": "false", "test": "true"}]}'
claim "no folder for results" exits 3 "$PARE" shootout folder -o dir/in.json
claim "is one sentence" says "cannot write 'dir/in.json'"
# --- configurations, and repeats by seeds ---------------------------------------------------
results=conf/results.json
claim "configurations take part" exits 0 "$PARE" shootout dir/cases.json --repeats 3 -o conf \
    -a 'ddmin/line --order random' -a 'ddmin/line --subsets skip --no-cache -j 2'
claim "with repeats" holds '.repeats == 3 and (.runs | length == 2 * 2 * 3)'
claim "by other seeds" holds '[.runs[] | select(.case == "numbers" and (.algorithm | test("random"))) | .tests_run] | unique | length > 1'
claim "caches are off" holds 'all(.runs[] | select(.algorithm | test("no-cache")); .cache_hits == 0)'
claim "the median is in the table" holds '
    ([.runs[] | select(.case == "numbers" and (.algorithm | test("random"))) | .tests_run] | sort | .[1]) as $median
    | ([.runs[] | select(.case == "json" and (.algorithm | test("random"))) | .tests_run] | sort | .[1]) as $other
    | [.scores[] | select(.group == null and (.algorithm | test("random"))) | .tests][0]
    | . * . / ($median * $other) | . > 0.999 and . < 1.001'
refuses "unknown algorithm 'ddmim'" -a 'ddmim --order random' generated --inputs 1
refuses "'--subsets' takes one of" -a 'ddmin --subsets middle' generated --inputs 1

all_claimed
