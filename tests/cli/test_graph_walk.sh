#!/bin/bash
# pare generate --graph: what is made for real engines parses there, the same for every -j; limits,
# kept values, graphs with grammars, choices that are recorded and reduced.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

has() { command -v "$1" > /dev/null || { echo "skipped: there is no $1"; return 1; }; }

# A graph of two functions: Date, which makes dates, and their setTime.
cat > toy.json <<'J'
{"format":"pare-graph","version":1,"engine":"toy","digest":"","global":0,
"types":[
{"id":0,"kind":"object","path":"this"},
{"id":1,"kind":"function","path":"this.Date","length":7},
{"id":2,"kind":"object","path":"this.Date.prototype"},
{"id":3,"kind":"function","path":"this.Date.prototype.setTime","length":1},
{"id":4,"kind":"object","path":"new (this.Date)","instance":true},
{"id":5,"kind":"number","path":"number"}
],
"signatures":[
{"id":0,"parameters":7,"constructor":true},
{"id":1,"parameters":1}
],
"edges":[
{"kind":"property","from":0,"to":1,"name":"Date"},
{"kind":"property","from":1,"to":2,"name":"prototype"},
{"kind":"property","from":2,"to":3,"name":"setTime"},
{"kind":"prototype","from":4,"to":2},
{"kind":"call","from":3,"to":1},
{"kind":"constructor","from":1,"to":0},
{"kind":"parameter","from":5,"to":1,"position":0,"values":["77001"]},
{"kind":"return","from":0,"to":4}
]}
J

# parse_all FILE ENGINE: each line is read by ENGINE, as the body of a function.
parse_all() {
    { echo "var bad = 0, say = typeof print === 'function' ? print : function (t) { console.log(t); };"
      echo "function read(s) { try { Function(s); } catch (e) { bad++; say(e + ': ' + s); } }"
      jq -Rr '"read(" + tojson + ");"' "$1"
      echo "say('all is read, ' + bad + ' is wrong');"; } > parse.js
    timeout 100 "$2" parse.js > read 2> /dev/null
    grep -q "all is read, 0 is wrong" read || { head -c 3000 read >&2; return 1; }
}

# --- what is made ---------------------------------------------------------------------
claim "expressions are made" exits 0 "$PARE" generate --graph toy.json -n 500
claim "500 lines" [ "$(wc -l < out)" -eq 500 ]
claim "none is like another" [ "$(sort -u out | wc -l)" -eq 500 ]
claim "methods are called on instances" grep -q '^new (this.Date)([^)]*).setTime(' out
claim "learned values are passed" grep -q 'setTime([^)]*77001' out
"$PARE" generate --graph toy.json -n 3000 -j1 --seed 7 > one
"$PARE" generate --graph toy.json -n 3000 -j5 --seed 7 > five
claim "the same at every number of jobs" cmp -s one five
"$PARE" generate --graph toy.json -n 3000 -j1 --cooldown 0.5 > one
"$PARE" generate --graph toy.json -n 3000 -j3 --cooldown 0.5 > five
claim "the same with a cooldown" cmp -s one five
claim "a limit of calls" exits 0 "$PARE" generate --graph toy.json -n 500 --max-calls 1
claim "holds" [ "$(grep -cE 'new \(this.Date\).*(setTime|Date\))\(' out)" -eq 0 ]
claim "a limit of depth" exits 0 "$PARE" generate --graph toy.json -n 100 --repeats --max-depth 2
claim "holds, too" [ "$(grep -c 'this.Date.prototype.setTime' out)" -eq 0 ]
claim "values are kept" exits 0 "$PARE" generate --graph toy.json -n 200 --keep-values 0.8
claim "and used" grep -q 'v0.setTime(' out
claim "one text is one line" [ "$(wc -l < out)" -eq 200 ]

# --- real engines -----------------------------------------------------------------------
# With sanitizers of the smallest engine, and fewer: the engines take the time, and what walks is the same.
engines="mujs duk node" most=50000
[ -z "$PARE_SANITIZE" ] || engines=mujs most=6000
for name in $engines; do
    has $name && has jq || continue
    claim "$name is explored" exits 0 "$PARE" graph explore -q -o $name.json -- $name @@
    claim "$most are made for $name" exits 0 "$PARE" generate --graph $name.json -n "$most"
    mv out all
    head -n 2000 all > some
    "$PARE" generate --graph $name.json -n 1000 --seed 1 --max-depth 16 --max-calls 20 >> some
    "$PARE" generate --graph $name.json -n 1000 --seed 2 --keep-values 0.7 >> some
    claim "$name reads all of them" parse_all some $name
    [ $name = node ] || ! has node || claim "so does node, of $name" parse_all some node
    "$PARE" generate --graph $name.json -g "$PARE_SOURCE_DIR/examples/graph/Es5.g4" -n 1000 \
        --max-tokens 100 > some
    claim "programs have expressions of $name" grep -q 'Array.prototype' some
    claim "$name reads programs" parse_all some $name
done

# --- weights ------------------------------------------------------------------------------
# Tests that have 77001 are worth making: with weights there are more of them.
"$PARE" generate --graph toy.json -n 2000 --seed 3 --repeats > tests
grep -n 'setTime([^)]*77001' tests | awk -F: '{ print $1 - 1 }' > worthwhile
claim "edges are weighed" exits 0 "$PARE" graph weigh toy.json worthwhile -n 2000 --seed 3 -o heavy.json
claim "and said" grep -qE '^heavy.json: [0-9]+ of [0-9]+ edges taken have more weight, by [0-9]+' out
claim "the file has them" grep -q "\"values\":\[\"77001\"\],\"weight\":" heavy.json
"$PARE" generate --graph heavy.json -n 2000 --seed 4 --repeats > heavier
claim "there are more of them" [ "$(grep -c 'setTime([^)]*77001' heavier)" -gt \
    "$(($(wc -l < worthwhile) * 11 / 10))" ]
"$PARE" generate --graph heavy.json -n 2000 -j1 > one
"$PARE" generate --graph heavy.json -n 2000 -j3 > three
claim "the same at every number of jobs, with weights" cmp -s one three
cp heavy.json again.json
claim "weighing again" exits 0 "$PARE" graph weigh -q toy.json worthwhile -n 2000 --seed 3 -o again.json
claim "gives the same" cmp -s heavy.json again.json
claim "-q says nothing" [ ! -s out ]
: > none
claim "nothing worthwhile is told" exits 1 "$PARE" graph weigh toy.json none -n 9 -o none.json
claim "in a line" says "no edge is in these tests more often"
claim "and written nowhere" [ ! -e none.json ]
echo '12 ' > wrong
claim "no number" exits 3 "$PARE" graph weigh toy.json wrong -n 20
claim "is told with its line" says "wrong:1: this is not the number of a test"
claim "a number beyond" exits 2 "$PARE" graph weigh toy.json worthwhile -n 2
claim "is told with what there is" says "2 were made"

# --- graph and grammar --------------------------------------------------------------------
cat > Sum.g4 <<'G'
grammar Sum;
sum: expr (('+' | 'in') expr)* EOF;
expr: N | ID;
N: [0-9]+;
ID: [a-z]+;
WS: ' ' -> skip;
G
claim "a rule gives way" exits 0 "$PARE" generate --graph toy.json -g Sum.g4 -n 200 --graph-share 1
claim "always" [ "$(grep -vc '^(.*)$' out)" -eq 0 ]
claim "tokens touch what is in parentheses" grep -q ')in(' out
claim "the global object goes unnamed" [ "$(grep -c 'this\.Date' out)" -eq 0 ]
claim "or half of the time" exits 0 "$PARE" generate --graph toy.json -g Sum.g4 -n 200
claim "so the rule is made, too" grep -qE '^[0-9a-z]' out
"$PARE" generate --graph toy.json -g Sum.g4 -n 2000 -j1 > one
"$PARE" generate --graph toy.json -g Sum.g4 -n 2000 -j4 > four
claim "the same at every number of jobs, with a grammar" cmp -s one four

# --- choices --------------------------------------------------------------------------------
# Recorded, replayed, and reduced: each candidate is an expression of the graph.
generator="$PARE generate --unseeded --graph toy.json -j1"
# A short one, so that it is reduced by some hundred runs of the generator: found in one run, made alone.
"$PARE" generate --graph toy.json --repeats --seed 1 -n 3000 -j1 > many
found=$(grep -nE 'setTime.*77001' many | awk -F: 'length($0) <= 100 { print $1 - 1; exit }')
claim "a short expression with 77001 is found" [ -n "$found" ]
claim "it is made alone, with its choices" exits 0 "$PARE" generate --graph toy.json --repeats --seed 1 \
    --only "$found" --record e.choices
cp out e
claim "and fails" grep -q 'setTime.*77001' e
"$PARE" generate --record r.choices -o r -- $generator > /dev/null
"$PARE" generate --replay r.choices -o again -- $generator
claim "the choices of a generator that is recorded make its text again" cmp -s r again
"$PARE" generate --replay e.choices -o again -- $generator
claim "its choices make it again" cmp -s e again
cat > test.sh <<'T'
#!/bin/sh
grep -q 'setTime.*77001' "$1"
T
chmod +x test.sh
# Several runs of the generator for each test, which with sanitizers start slowly: then not to the end.
claim "it is reduced through its choices" exits 0 "$PARE" reduce -q --generator "$generator" \
    --choices e.choices -o small ${PARE_SANITIZE:+--max-tests 4} -- ./test.sh
claim "it fails" ./test.sh small
claim "it is no larger" [ "$(wc -c < small)" -le "$(wc -c < e)" ]
if [ -z "$PARE_SANITIZE" ]; then
    claim "to the shortest" [ "$(wc -c < small)" -le 45 ]
    claim "which the graph makes" grep -qE '^(new \(this.Date\)\(\)|this.Date.prototype)\.setTime' small
fi

# Text 41 of a seeded run, alone, and its choices: no recorder is needed for either.
"$PARE" generate --graph toy.json --seed 7 -n 42 | tail -n 1 > want
claim "text 41 is made alone" exits 0 "$PARE" generate --graph toy.json --seed 7 --only 41 \
    --record k.choices
claim "as the run has it" cmp -s out want
claim "its choices make it again" exits 0 "$PARE" generate --graph toy.json --replay k.choices
claim "the same" cmp -s out want
claim "also of a generator that is recorded" exits 0 "$PARE" generate --replay k.choices -- $generator
claim "the same, too" cmp -s out want
"$PARE" generate --graph toy.json -g Sum.g4 --seed 3 --only 17 --record m.choices > want
claim "choices of a mix" exits 0 "$PARE" generate --graph toy.json -g Sum.g4 --replay m.choices
claim "make the mix" cmp -s out want

# --- what is refused ---------------------------------------------------------------------------
refuses() {
    local code=$1 text=$2
    shift 2
    claim "refused: $*" exits "$code" "$PARE" generate "$@"
    claim "one line for: $*" says "$text"
}
refuses 3 "no.json" --graph no.json
refuses 2 "'2' is not a probability: write a number from 0 to 1" --graph toy.json --keep-values 2
refuses 2 "need a graph" -g Sum.g4 --max-calls 3
refuses 2 "need a graph and a grammar" --graph toy.json --graph-rule expr
refuses 2 "the grammar has no parser rule 'none'" --graph toy.json -g Sum.g4 --graph-rule none
refuses 2 "cannot be combined with a graph and a grammar" --graph toy.json -g Sum.g4 --keep-values 0.5
refuses 2 "with --graph-rule" --graph toy.json -g <(sed 's/expr/term/g; s/Sum/Term/' Sum.g4)
head -c 300 toy.json > half.json
refuses 3 "half.json" --graph half.json
all_claimed
