#!/bin/bash
# Islands: JSON in fields of a host, JavaScript in HTML; parsed, reduced, what stays.
set -u
. "$(dirname "$0")/claims.sh"

cat >Csv.g4 <<'G4'
grammar Csv;
table: row* EOF;
row: field (',' field)* ';';
field: QUOTED | WORD;
QUOTED: '\'' ~['\n]* '\'';
WORD: [a-z]+;
W: [ \n]+ -> skip;
G4
cat >Json.g4 <<'G4'
grammar Json;
json: value EOF;
value: '{' (pair (',' pair)*)? '}' | '[' (value (',' value)*)? ']' | STRING | NUMBER;
pair: STRING ':' value;
STRING: '"' ~["\n]* '"';
NUMBER: '-'? [0-9]+;
W: [ \n]+ -> skip;
G4
printf "one, '{\"x\": [1, {\"bug\": 2}, 3]}', two;\nthree, 'no json', '[4]' ;\n" >in.csv
ISLAND="QUOTED:(?<=').*(?=')=Json.g4"
languages=${PARE_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/pare}/languages

parse() { exits 0 "$PARE" parse --grammar Csv.g4 in.csv "$@"; }
printed() { grep -qF -- "$1" out; }

claim "a tree with islands" parse --island "$ISLAND"
claim "holds them below the host's token" printed "(QUOTED ' (json (value { (pair \"x\" :"
claim "what does not parse stays a token" printed "(field 'no json')"
claim "the last one is there" printed "(QUOTED ' (json (value [ (value 4) ]) <EOF>) ')"
claim "from another rule" parse --island "QUOTED:(?<=').*(?=')=Json.g4#value"
claim "the tree begins there" printed "(QUOTED ' (value { (pair"
claim "a rule of the host has islands too" parse --island "field:\\[.*\\]=Json.g4"
claim "in place of its children" printed "(field ' (json (value [ (value 4) ]) <EOF>) ')"
claim "as JSON" parse --island "$ISLAND" --format json
leaves='[.. | objects | select(.text)]'
claim "every leaf has its bytes" jq -e --rawfile text in.csv \
    "$leaves | all(. as \$leaf | .text == \$text[.begin:.end])" out
jq -rj --rawfile text in.csv "$leaves | . + [{begin: (\$text | length), text: \"\"}] |
    reduce .[] as \$leaf ({at: 0, s: \"\"}; {at: \$leaf.end,
        s: (.s + \$text[.at:\$leaf.begin] + \$leaf.text)}) | .s" out >printed
claim "printing gives the input back" cmp printed in.csv

# json_in FILE   What is between the quotes of the only field with "bug" is JSON.
json_in() { sed -n "s/.*'\(.*bug.*\)'.*/\1/p" "$1" | jq -e . >/dev/null; }
TEST='grep -q "bug.*2"'
for algorithm in hdd perses; do
    claim "$algorithm without islands" exits 0 "$PARE" reduce -q "$TEST" in.csv \
        -a $algorithm --grammar Csv.g4 -o plain.csv
    claim "$algorithm with islands" exits 0 "$PARE" reduce -q "$TEST" in.csv -a $algorithm \
        --grammar Csv.g4 --island "$ISLAND" -o island.csv --trace one.trace
    claim "$algorithm: smaller" [ "$(wc -c <island.csv)" -lt "$(wc -c <plain.csv)" ]
    claim "$algorithm: it is of the host's language" exits 0 "$PARE" parse -g Csv.g4 island.csv
    claim "$algorithm: the island is of its own" json_in island.csv
    claim "$algorithm at -j1" exits 0 "$PARE" reduce -q "$TEST" in.csv -a $algorithm -j 1 \
        --grammar Csv.g4 --island "$ISLAND" -o again.csv
    claim "$algorithm: byte for byte" cmp island.csv again.csv
done
claim "grabr knows no islands" exits 0 "$PARE" reduce 'grep -q bug' in.csv -a grabr \
    --grammar Csv.g4 --island "$ISLAND" -o grabr.csv
claim "it is said" grep -q -e '--island: without effect' out

# Two languages in fields of one kind: both are reduced, whichever is named first.
cat >List.g4 <<'G4'
grammar List;
list: item (';' item)* EOF;
item: WORD ('=' NUMBER)?;
WORD: [a-z]+;
NUMBER: [0-9]+;
W: [ \n]+ -> skip;
G4
printf "'a=1; bug=2; c; d=3', '{\"x\": [1, {\"bug\": 2}, 3]}', '[4, 5]';\n" >both.csv
both() {
    exits 0 "$PARE" reduce -q --no-journal 'grep -q "bug=.*bug.:"' both.csv -a perses \
        --grammar Csv.g4 -o left.csv "$@"
}
QUOTES="QUOTED:(?<=').*(?=')"
claim "both, JSON first" both --island "$QUOTES=Json.g4" --island "$QUOTES=List.g4"
claim "are reduced" [ "$(cat left.csv)" = "'bug=2', '{\"bug\": 2}';" ]
claim "both, lists first" both --island "$QUOTES=List.g4" --island "$QUOTES=Json.g4"
claim "are reduced alike" [ "$(cat left.csv)" = "'bug=2', '{\"bug\": 2}';" ]
claim "one alone" both --island "$QUOTES=Json.g4"
claim "leaves the other" grep -qF "a=1; bug=2; c; d=3" left.csv

claim "no host" exits 2 "$PARE" reduce "$TEST" in.csv --island "$ISLAND"
claim "is told" says "'--island' needs the '--grammar' or '--lang' whose tokens it names"
claim "another form" exits 2 "$PARE" reduce "$TEST" in.csv -a hdd --grammar Csv.g4 --island QUOTED
claim "names the right one" says "'QUOTED' is not an island: give TOKEN[:REGEX]=FILE.g4[#RULE]"
claim "a wrong expression" exits 2 "$PARE" parse -g Csv.g4 in.csv --island "QUOTED:(=Json.g4"
claim "a wrong rule" exits 2 "$PARE" parse -g Csv.g4 in.csv --island "QUOTED=Json.g4#nothing"
claim "is named" says "has no rule 'nothing'"

if [ ! -d "$languages/html" ] || [ ! -d "$languages/javascript" ] ||
    ! "$PARE" lang info html | grep -q '^added *[^n]'; then
    echo "without html and javascript (pare lang add html javascript): skipped that part"
    all_claimed
fi
printf '%s\n' '<h1>t</h1>' '<script>' 'let a = 1;' 'if (a) { f(1); g(bug, [2, 3]); }' \
    '</script>' '<p>text</p>' >in.html
claim "JavaScript in HTML" exits 0 "$PARE" parse in.html --island raw_text=lang:javascript
claim "is a tree" printed "(raw_text"
claim "of its own" printed "(program (lexical_declaration let"
for algorithm in hdd perses; do
    claim "$algorithm in HTML" exits 0 "$PARE" reduce -q 'grep -q "g(bug"' in.html \
        -a $algorithm --lang html -o plain.html
    claim "$algorithm in JavaScript" exits 0 "$PARE" reduce -q 'grep -q "g(bug"' in.html \
        -a $algorithm --lang html --island raw_text=lang:javascript -o island.html
    claim "$algorithm: less is left" [ "$(wc -c <island.html)" -lt "$(wc -c <plain.html)" ]
done
if [ -d "$languages/css" ]; then
    printf '%s\n' '<h1>t</h1>' '<style>' 'p { color: red; margin: 0 }' 'q { color: bug }' '</style>' \
        '<script>' 'let a = 1;' 'if (a) { f(1); g(bug, [2, 3]); }' '</script>' >both.html
    for order in "javascript css" "css javascript"; do
        read -r first second <<<"$order"
        claim "a style and a script, $first first" exits 0 "$PARE" reduce -q --no-journal \
            'tr -d "\n" < "$1" | grep -q "color: *bug.*g(bug"' both.html -a perses --lang html \
            --island raw_text=lang:"$first" --island raw_text=lang:"$second" -o left.html
        claim "both are reduced" [ "$(grep -cE 'margin|let a|h1' left.html)" -eq 0 ]
    done
fi
all_claimed
