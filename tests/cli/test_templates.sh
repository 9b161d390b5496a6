#!/bin/bash
# --corpus: GTR's templates, learned from example files.
set -u
. "$(dirname "$0")/claims.sh"

cat >Plan.g4 <<'G4'
grammar Plan;
plan: step+ EOF;
step: 'do' NAME args? ';' | 'if' cond step ('else' step)? | '{' step* '}';
args: '(' value (',' value)* ')';
cond: value '<' value;
value: NAME | NUM | '-' value;
NAME: [a-z]+ ;
NUM: [0-9]+ ;
W: [ \n]+ -> skip ;
G4
cat >JSON.g4 <<'G4'
grammar JSON;
json: value EOF;
value: obj | arr | STRING | NUMBER | 'true' | 'false' | 'null';
obj: '{' pair (',' pair)* '}' | '{' '}';
pair: STRING ':' value;
arr: '[' value (',' value)* ']' | '[' ']';
STRING: '"' ~["\n]* '"';
NUMBER: '-'? [0-9]+;
WS: [ \n\t]+ -> skip;
G4
mkdir examples json
echo 'do a; do b(1); if 1 < 2 { } { do c(x, -y); do d; if a < 3 do e; else do f; }' >examples/one
echo 'do a(1, 2, 3);' >examples/two
echo 'if do a;' >examples/broken
echo 'do load; if -x < 10 { do run(1, 2, -bug, 4); do stop; } else do stop(7); { do a; do b(2); }' \
    >in.plan
echo '{"a": 1, "b": [1, 2], "c": {}}' >json/one
echo '[{"x": null}, true, []]' >json/two
echo '{"first": [1, {"second": "bug", "third": [2, 3]}, 4], "last": {"x": true}}' >in.json
export PARE_DATA=$PWD/data

# reduces INPUT GRAMMAR OUTPUT OPTIONS...   By gtr.
reduces() {
    local input=$1 grammar=$2 output=$3
    shift 3
    exits 0 "$PARE" reduce "$TEST" "$input" -a gtr --grammar "$grammar" -o "$output" \
        --trace "$output.trace" --no-journal "$@"
}

TEST='grep -q bug'

# in_language GRAMMAR FILE
in_language() { exits 0 "$PARE" parse --grammar "$1" "$2"; }
leaves_language() { exits 1 "$PARE" parse --grammar "$1" "$2"; }
fewer() { [ "$(wc -l <"$1.trace")" -lt "$(wc -l <"$2.trace")" ]; }

claim "plans without examples" reduces in.plan Plan.g4 free.plan
claim "gtr leaves the language" leaves_language Plan.g4 free.plan
claim "plans with examples" reduces in.plan Plan.g4 learned.plan --corpus examples
claim "what does not parse is told, once" \
    [ "$(grep -c '1 of 3 files of the corpus do not parse: gtr learns from the others' out)" -eq 1 ]
claim "the result fails" grep -q bug learned.plan
claim "it is smaller" [ "$(wc -c <learned.plan)" -lt "$(wc -c <in.plan)" ]
claim "it is in the language" in_language Plan.g4 learned.plan
claim "nothing is tried that was never seen" fewer learned.plan free.plan
claim "the same at every -j" reduces in.plan Plan.g4 again.plan --corpus examples -j 1
claim "byte for byte" cmp learned.plan again.plan

TEST='grep -q "second.*bug"'
claim "JSON without examples" reduces in.json JSON.g4 free.json
claim "gtr leaves it" leaves_language JSON.g4 free.json
claim "JSON with examples, one by one" reduces in.json JSON.g4 learned.json \
    --corpus json/one --corpus json/two
claim "nothing is skipped" [ "$(grep -c corpus out)" -eq 0 ]
claim "the result fails too" grep -q "second.*bug" learned.json
claim "it is smaller too" [ "$(wc -c <learned.json)" -lt "$(wc -c <in.json)" ]
claim "it is JSON" jq -e . learned.json
claim "in fewer tests" fewer learned.json free.json

claim "a corpus of which nothing parses" reduces in.json JSON.g4 none.json --corpus examples
claim "is told" grep -q '3 of 3 files of the corpus do not parse: gtr learns nothing' out
claim "and changes nothing" cmp none.json free.json
claim "without a grammar, brackets are learned from" exits 0 "$PARE" reduce 'grep -q bug' in.json \
    -a gtr --corpus json -o brackets.json
claim "for other algorithms" exits 0 "$PARE" reduce 'grep -q bug' in.json -a perses \
    --grammar JSON.g4 --corpus json -o perses.json
claim "it is named as without effect" grep -q -e '--corpus: without effect on the algo' out
claim "a corpus that is not there" exits 3 "$PARE" reduce 'grep -q bug' in.json -a gtr \
    --corpus nowhere
claim "is an error" says "cannot open nowhere: there is no such example"
all_claimed
