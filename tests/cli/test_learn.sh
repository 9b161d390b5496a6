#!/bin/bash
# pare learn: weights and texts of tokens from files, for pare generate --model.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

cat > Calls.g4 <<'G'
grammar Calls;
file: call* EOF;
call: ID '(' (arg (',' arg)*)? ')' ';' | 'stop' ';';
arg: ID | N;
ID: [a-z]+;
N: [0-9]+;
WS: [ \n]+ -> skip;
G
mkdir -p corpus/more
echo 'open(x, 1); close(x);' > corpus/a
echo 'open(y); stop;' > corpus/more/b

claim "learning from a folder" exits 0 "$PARE" learn -g Calls.g4 -v -o model.json corpus
claim "says what was read" says "2 files read, 0 of them with syntax errors"
claim "and writes JSON" jq -e '.alts.call["0"] == {"0": 3, "1": 1}' model.json
claim "with the texts of tokens" jq -e '.leaves.call.ID == {"open": 2, "close": 1}' model.json
claim "by rule" jq -e '.leaves.arg == {"ID": {"x": 2, "y": 1}, "N": {"1": 1}}' model.json
claim "texts like them" exits 0 "$PARE" generate -g Calls.g4 --model model.json -n 100
claim "hold their names" [ "$(grep -c 'open(x' out)" -gt 5 ]
jq '.fresh = 0 | .leaves.arg.N = {"7": 1}' model.json > known.json
claim "and nothing else, if that is wanted" exits 0 "$PARE" generate -g Calls.g4 --model known.json -n 50
claim "but what is in the model" [ "$(grep -oE '[a-z]+|[0-9]+' out | sort -u | tr '\n' ' ')" = "7 close open stop x y " ]
echo '{"alts": {"call": {"0": {"0": 0}}}}' > stop.json
claim "weights count where both say something" exits 0 "$PARE" generate -g Calls.g4 --model model.json --weights stop.json -n 20
claim "so nothing is called" [ "$(grep -c open out)" -eq 0 ]

echo 'open(x); ) close(' > wrong
claim "a file with syntax errors" exits 0 "$PARE" learn -g Calls.g4 wrong corpus/a
claim "is told" says "2 files read, 1 of them with syntax errors"
claim "standard output holds the model" jq -e .leaves out
claim "fewer texts" exits 0 "$PARE" learn -g Calls.g4 --leaves 1 corpus
claim "the most frequent one" jq -e '.leaves.call.ID == {"open": 2}' out
mkdir empty
claim "nothing to learn from" exits 1 "$PARE" learn -g Calls.g4 empty
claim "is told" says "there is no file to learn from"
claim "no files" exits 2 "$PARE" learn -g Calls.g4
claim "are missed" says "the files to learn from are missing"
claim "no grammar" exits 2 "$PARE" learn corpus
claim "is missed" says "a grammar is missing"
claim "a file that is not there" exits 3 "$PARE" learn -g Calls.g4 none
claim "is named" says "none"
echo '{"leaves": {"call": {"NAME": {"x": 1}}}}' > bad.json
claim "a model of another grammar" exits 3 "$PARE" generate -g Calls.g4 --model bad.json
claim "is told" says "texts of 'NAME': the grammar has no such token"
claim "help" exits 0 "$PARE" help learn
all_claimed
