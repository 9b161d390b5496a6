#!/bin/bash
# Tree algorithms through the command line: by a grammar, by brackets, without a language.
set -u
. "$(dirname "$0")/claims.sh"

cat >Expr.g4 <<'G4'
grammar Expr;
start: expr EOF ;
expr: expr '*' expr | expr '+' expr | '(' expr ')' | NUMBER ;
NUMBER: [0-9]+ ;
SPACE: [ \t\r\n]+ -> skip ;
G4
cat >Expr.json <<'JSON'
{"<start>": ["<expr>"], "<expr>": ["<term> + <expr>", "<term>"],
 "<term>": ["(<expr>)", "<digit>"], "<digit>": ["0","1","2","3","4","5","6","7","8","9"]}
JSON
echo '1 + (2 * (31 + 4)) * 5 + ((6))' >in.txt
printf '%s' '1 + (2 + (3 + 4)) + 5' >book.txt
export PARE_DATA=$PWD/data

# The failure: two opening brackets in a row, not counting spaces.
cat >doubled.sh <<'SH'
#!/bin/sh
tr -d ' \n' <"$1" | grep -q '((.*))'
SH
chmod +x doubled.sh

for algorithm in hdd hddr coarse-hdd perses gtr; do
    claim "$algorithm by a grammar" exits 0 "$PARE" reduce -q ./doubled.sh in.txt \
        -a $algorithm --grammar Expr.g4 -o "$algorithm.txt"
    claim "$algorithm: the result fails" ./doubled.sh "$algorithm.txt"
    # gtr asks no grammar what may go; the others do.
    [ $algorithm = gtr ] || claim "$algorithm: the result is in the language" exits 0 \
        "$PARE" parse --grammar Expr.g4 "$algorithm.txt"
    claim "$algorithm: the same bytes at -j8" exits 0 "$PARE" reduce -q ./doubled.sh in.txt \
        -a $algorithm --grammar Expr.g4 -j8 -o "$algorithm.j8"
    claim "$algorithm: indeed" cmp "$algorithm.txt" "$algorithm.j8"
done
claim "perses finds ((6)), or smaller" [ "$(tr -d ' \n' <perses.txt | wc -c)" -le 5 ]

claim "a grammar of The Fuzzing Book" exits 0 "$PARE" reduce -q 'grep -q "(.*(.*))"' book.txt \
    -a perses --grammar Expr.json -o book.out
claim "its result fails" grep -q '(.*(.*))' book.out
claim "a tree by it" exits 0 "$PARE" parse -g Expr.json --start expr book.txt
claim "has its literals as leaves" grep -qF '(<expr> (<term> (<digit> 1))  +  (<expr> (<term> ( (<expr>' out
cat >Seed.json <<'JSON'
{"<start>": ["<expr>"], "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
 "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
 "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
 "<integer>": ["<digit><integer>", "<digit>"],
 "<digit>": ["0","1","2","3","4","5","6","7","8","9"]}
JSON
printf '1 + ((2 * 3 / 4))' >seed.txt
claim "the example of seed 000" exits 0 "$PARE" reduce -q "grep -q '.*[(][(].*[)][)].*'" seed.txt \
    -a perses --grammar Seed.json -o seed.out
claim "prints what the seed prints" [ "$(cat seed.out)" = "((4))" ]
printf '1 + x' >wrong.txt
claim "what is not in it" exits 1 "$PARE" parse -g Expr.json wrong.txt
claim "is said" grep -qF 'wrong.txt:1:4: ' err

echo 'let x = (1 + 2) ; f((3))' >foreign.txt
claim "text outside the grammar" exits 0 "$PARE" reduce ./doubled.sh foreign.txt -a perses \
    --grammar Expr.g4 -o foreign.out
claim "says where it leaves it" grep -q 'leaves the grammar at line 1, column 0: ' out
claim "and reduces all the same" [ "$(tr -d ' \n' <foreign.out | wc -c)" -le 7 ]

claim "a language that is named and not there" exits 3 "$PARE" reduce ./doubled.sh in.txt -a hdd \
    --lang c -o lang.out
claim "says what adds it" says "'pare lang add c' adds it"
cp in.txt in.c
claim "one that a name tells is done without" exits 0 "$PARE" reduce ./doubled.sh in.c -a hdd -o lang.out
claim "and told of" grep -q 'pare lang add c' out
claim "an unknown language" exits 2 "$PARE" reduce ./doubled.sh in.txt -a hdd --lang klingon
claim "an unknown rule" exits 2 "$PARE" reduce ./doubled.sh in.txt -a hdd --grammar Expr.g4 \
    --start nothing
claim "names it" grep -q "no rule 'nothing'" err
claim "a missing grammar" exits 3 "$PARE" reduce ./doubled.sh in.txt -a hdd --grammar None.g4
claim "names it too" grep -q 'None.g4' err
echo 'grammar Bad; a: b ;' >Bad.g4
claim "a wrong grammar" exits 3 "$PARE" reduce ./doubled.sh in.txt -a hdd --grammar Bad.g4
claim "says where" grep -q 'Bad.g4:1:' err

deep=$(printf '(%.0s' {1..5000})x$(printf ')%.0s' {1..5000})
printf '%s' "$deep" >deep.txt
claim "perses goes down a deep nest by doubling" exits 0 "$PARE" reduce -q 'grep -q x' deep.txt \
    -a perses -o deep.out --stats deep.json
claim "in few tests" [ "$(sed 's/.*"tests_run": \([0-9]*\).*/\1/' deep.json)" -le 40 ]
claim "to its end" [ "$(wc -c <deep.out)" -le 3 ]
all_claimed
