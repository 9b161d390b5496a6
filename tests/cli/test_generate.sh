#!/bin/bash
# pare generate: texts by grammars, to standard output and to files; seeds, jobs, weights.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

refuses() {
    local text=$1
    shift
    claim "usage error: $*" exits 2 "$PARE" generate "$@"
    claim "one line for: $*" says "$text"
}

cat > Sum.g4 <<'G'
grammar Sum;
sum: term (('+' | '-') term)* EOF;
term: N | ID | 'let' ID 'in' term | '(' term ')';
ID: [a-z]+;
N: [0-9]+;
WS: [ \n]+ -> skip;
G
cat > bits.json <<'G'
{"<start>": ["<bit><bit>"], "<bit>": ["0", "1"]}
G

# --- what is made ---------------------------------------------------------------------
claim "a text is made" exits 0 "$PARE" generate -g Sum.g4
claim "one line" [ "$(wc -l < out)" -eq 1 ]
mkdir sums
claim "300 texts" exits 0 "$PARE" generate -g Sum.g4 -n 300 -o 'sums/s%d.txt'
claim "are 300 files" [ "$(ls sums | wc -l)" -eq 300 ]
claim "of which none is like another" [ "$(cat sums/* | wc -c)" -gt 300 ]
claim "named by numbers from 0" [ -e sums/s0.txt -a -e sums/s299.txt ]
refused=0
for file in sums/*; do "$PARE" parse -g Sum.g4 "$file" > /dev/null 2>&1 || refused=$((refused + 1)); done
claim "all of them are in the language" [ "$refused" -eq 0 ]
claim "some have words side by side" grep -qE 'let [a-z]+ in' sums/*
claim "none has a space that it could do without" [ "$(cat sums/* | grep -cE '[-+()] | [-+()]')" -eq 0 ]

# --- order and seeds ------------------------------------------------------------------
"$PARE" generate -g Sum.g4 -n 2000 -j1 --seed 7 > one
"$PARE" generate -g Sum.g4 -n 2000 -j5 --seed 7 > five
"$PARE" generate -g Sum.g4 -n 2000 -j1 --seed 8 > other
claim "the same at every number of jobs" cmp -s one five
claim "other texts with another seed" [ "$(cmp -s one other && echo same || echo other)" = other ]
claim "none is repeated" [ "$(sort one | uniq -d | wc -l)" -eq 0 ]
"$PARE" generate -g Sum.g4 -n 2000 -j1 --cooldown 0.5 > one
"$PARE" generate -g Sum.g4 -n 2000 -j3 --cooldown 0.5 > five
claim "the same with a cooldown" cmp -s one five
"$PARE" generate -g Sum.g4 -n 3 -0 > nul
claim "NUL bytes end texts" [ "$(tr -dc '\0' < nul | wc -c)" -eq 3 ]

# --- when there are no more -----------------------------------------------------------
claim "a small language is exhausted" exits 1 "$PARE" generate -g bits.json -n 9
claim "all its texts were made" [ "$(sort out | tr '\n' ' ')" = "00 01 10 11 " ]
claim "it says so" says "no more new texts after 4"
claim "with repeats it is not" exits 0 "$PARE" generate -g bits.json -n 9 --repeats -v
claim "alternatives are counted" grep -q "2 of 2 alternatives taken" err

# --- limits and weights ---------------------------------------------------------------
claim "a limit of tokens" exits 0 "$PARE" generate -g Sum.g4 -n 20 --repeats --max-tokens 1 --start term
claim "holds" [ "$(grep -cE '[(]|let' out)" -eq 0 ]
echo '{"alts": {"term": {"0": {"1": 0, "2": 0, "3": 0}}}, "quants": {"sum": {"0": 0.9}}}' > w.json
claim "weights" exits 0 "$PARE" generate -g Sum.g4 -n 50 --weights w.json
claim "of zero are not taken" [ "$(grep -c '[a-z(]' out)" -eq 0 ]
claim "and chances make long texts" grep -qE '([0-9]+[-+]){8}' out

bad_weights() {
    echo "$2" > bad.json
    claim "wrong weights: $2" exits 3 "$PARE" generate -g Sum.g4 --weights bad.json
    claim "one line for: $2" says "$1"
}
bad_weights "rule 'x': the grammar has no such rule" '{"alts": {"x": {}}}'
bad_weights "rule 'term': a weight must be a number from 0 to 1e100" '{"alts": {"term": {"0": {"0": -1}}}}'
bad_weights "rule 'term': a weight must be a number from 0 to 1e100" '{"alts": {"term": {"0": {"0": 1e308, "1": 1e308}}}}'
bad_weights "rule 'term': it names an alternation that does not exist" '{"alts": {"term": {"7": {"0": 1}}}}'
bad_weights "rule 'term': it names an alternative that does not exist" '{"alts": {"term": {"0": {"4": 1}}}}'
bad_weights "rule 'sum': all weights of an alternation are 0" '{"alts": {"sum": {"0": {"0": 0, "1": 0}}}}'
bad_weights "rule 'sum': the probability of a quantifier" '{"quants": {"sum": {"0": 1}}}'
bad_weights "rule 'sum': it names a quantifier that does not exist" '{"quants": {"sum": {"1": 0.5}}}'
bad_weights "bad.json:2:0: unexpected" '{"alts": '

# --- what cannot be made --------------------------------------------------------------
printf 'grammar Endless; a: A b; b: a; A: [a];' > Endless.g4
claim "a grammar without a finite text" exits 3 "$PARE" generate -g Endless.g4
claim "is told" grep -q "rule 'a' has no finite text" err
printf 'grammar Glued; a: A A EOF; A: [a]+;' > Glued.g4
claim "tokens that nothing keeps apart" exits 1 "$PARE" generate -q -g Glued.g4
claim "are told" says "a token A would be read as something else at its place"
printf 'grammar Deep; s: a EOF; a: (A | B a)*; A: [a]; B: [b];' > Deep.g4
claim "endless recursion ends" exits 0 "$PARE" generate -g Deep.g4 -n 500 --max-depth 1000000 --max-tokens 1000

# --- populations --------------------------------------------------------------------------
mkdir -p members/more
printf 'let x in (y)\n' > members/a
printf '1 + 2 - z' > members/more/b
printf '1 + (' > members/wrong
claim "texts of a population" exits 0 "$PARE" generate -g Sum.g4 --population members -n 200 -0
cp out first
refused=0
while IFS= read -r -d '' text; do
    printf %s "$text" > text
    "$PARE" parse -g Sum.g4 text > /dev/null 2>&1 || refused=$((refused + 1))
done < first
claim "are all in the language" [ "$refused" -eq 0 ]
claim "are 200" [ "$(tr -dc '\0' < first | wc -c)" -eq 200 ]
claim "hold parts of both members" grep -qaE '2.*let x in|let x in \(?(1|2|z)' first
"$PARE" generate -g Sum.g4 --population members -n 200 -0 -j5 > five
claim "the same at every number of jobs" cmp -s first five
claim "bytes without a grammar" exits 0 "$PARE" generate --population members -n 5 -q
claim "make texts" [ "$(wc -l < out)" -ge 5 ]
mkdir none
claim "an empty population" exits 1 "$PARE" generate -g Sum.g4 --population none
claim "is told" says "there is no file in the population"
claim "one that is not in the language" exits 1 "$PARE" generate -g Sum.g4 --population members/wrong
claim "is told" says "no file of the population is in the language"
refuses "hooks and cooldown cannot be combined with a population" -g Sum.g4 --population members --cooldown 0.5
refuses "the fuzzer 'mutation' needs a population" -g Sum.g4 --fuzzer mutation
refuses "a population is for the fuzzers" -g bits.json --fuzzer limit --population members

refuses "a grammar is missing"
refuses "there are too many operands" -g Sum.g4 x
refuses "'x' has no %d, which stands" -g Sum.g4 -n 2 -o x
refuses "more than one %d" -g Sum.g4 -o '%d%d'
refuses "'2' is not a cooldown" -g Sum.g4 --cooldown 2
refuses "the grammar has no rule 'nix'" -g Sum.g4 --start nix
claim "a folder that is not there" exits 3 "$PARE" generate -g Sum.g4 -o no/x
claim "is named" says "cannot write 'no/x'"
claim "a grammar that is not there" exits 3 "$PARE" generate -g None.g4
claim "help" exits 0 "$PARE" help generate
claim "names the options" grep -q -- '--max-tokens' out
all_claimed
