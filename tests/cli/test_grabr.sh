#!/bin/bash
# GRABR through the command line: the candidates of The Fuzzing Book (seed 002), in its
# order, with both searches and both ways of combining; what it refuses.
set -u
. "$(dirname "$0")/claims.sh"

cat >Expr.json <<'JSON'
{"<start>": ["<expr>"],
 "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
 "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
 "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
 "<integer>": ["<digit><integer>", "<digit>"],
 "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}
JSON
printf '%s' '1 + (2 * 3)' >in.txt

# The book's mystery: a bracket that opens and one that closes.  Writes down what it sees.
export SEEN=$PWD/seen
cat >mystery.sh <<'TEST'
#!/bin/sh
cat "$1" >>"$SEEN"
echo >>"$SEEN"
grep -q '(.*)' "$1"
TEST
chmod +x mystery.sh

# tests_of OPTIONS...   The candidates tested, in order, in one line.
tests_of() {
    rm -f "$SEEN"
    "$PARE" reduce -q -j1 --flaky off --allow-empty ./mystery.sh in.txt -a grabr --grammar Expr.json "$@" -o out.txt \
        --trace trace.json || return
    [ "$(wc -l <"$SEEN")" -eq "$(grep -c '"source":"run"' trace.json)" ] || return
    sed 1d "$SEEN" | paste -sd,
}
claim "all levels, first combination: the five tests of the book" \
    [ "$(tests_of --search all)" = "(2 * 3),2 * 3,3,2,(3)" ]
claim "the book's result" [ "$(cat out.txt)" = "(3)" ]
claim "all levels, all combinations" \
    [ "$(tests_of --search all --combinations all)" = "(2 * 3),2 * 3,3,2,3 * 3,(3)" ]
claim "level by level, as by default" [ "$(tests_of)" = "(2 * 3),(3),3" ]
claim "that is --search depth" [ "$(tests_of --search depth)" = "(2 * 3),(3),3" ]
claim "level by level, all combinations" [ "$(tests_of --combinations all)" = "(2 * 3),(3),3" ]
claim "the same bytes at -j8" exits 0 "$PARE" reduce -q ./mystery.sh in.txt -j8 -a grabr \
    --grammar Expr.json -o j8.txt
claim "indeed" cmp out.txt j8.txt

# Exercise 2 of the book: what is not in the input is made.
cat >Number.json <<'JSON'
{"<start>": ["<number>"], "<number>": ["<float>", "<integer>", "<nan>"],
 "<float>": ["<digits>.<digits>"], "<integer>": ["<digits>"], "<nan>": ["NaN"],
 "<digits>": ["<digit><digits>", "<digit>"], "<digit>": ["0", "1", "9"]}
JSON
printf '%s' '100.99' >number.txt
claim "the generative form" exits 0 "$PARE" reduce -q "grep -qE 'NaN|99'" number.txt \
    -a grabr-generative --grammar Number.json -o nan.txt
claim "finds what was not there" [ "$(cat nan.txt)" = NaN ]

# The same as it is printed, without a symbol above <number>: the root gives way too.
cat >Printed.json <<'JSON'
{"<number>": ["<float>", "<integer>", "<not-a-number>"],
 "<float>": ["<digits>.<digits>"], "<integer>": ["<digits>"], "<not-a-number>": ["NaN"],
 "<digits>": ["<digit><digits>", "<digit>"],
 "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}
JSON
cat >Printed.g4 <<'G4'
grammar Printed;
number: float_ | integer | not_a_number;
float_: digits '.' digits;
integer: digits;
not_a_number: 'NaN';
digits: DIGIT+;
DIGIT: [0-9];
G4
# left ALGORITHM GRAMMAR START TEST [OPTIONS...]   What is left of input.txt.
left() {
    local algorithm=$1 grammar=$2 start=$3 test=$4
    shift 4
    exits 0 "$PARE" reduce -q --no-journal --flaky off "$test" input.txt -a "$algorithm" \
        --grammar "$grammar" --start "$start" -o left.txt "$@" && cat left.txt
}
printf '%s' '100.99' >input.txt
for grammar in Printed.json Printed.g4; do
    claim "$grammar: an integer" [ "$(left grabr-generative $grammar number "grep -q '[1-9N]'")" = 1 ]
    claim "$grammar: none" [ "$(left grabr-generative $grammar number "grep -q '[.N]'")" = NaN ]
    claim "$grammar: one of the digits that are there" \
        grep -qxE '100?' <(left grabr-generative $grammar number 'grep -q 10')
    claim "$grammar: nothing is made by grabr" \
        [ "$(left grabr $grammar number "grep -q '[1-9N]'")" = 9.9 ]
done
echo '{"<s>": ["<s>+<s>", "a", ""]}' >Sum.json
printf '%s' 'a+a+a' >input.txt
for algorithm in grabr grabr-generative; do
    for search in all depth; do
        claim "$algorithm, $search: the root gives way to what is below it" \
            [ "$(left $algorithm Sum.json s 'grep -q a' --search $search)" = a ]
    done
done

# A grammar of ANTLR, with quantifiers and token sets.
cat >List.g4 <<'G4'
grammar List;
s: item* EOF;
item: ID ('=' v)? ';' | '{' item+ '}';
v: NUM | '[' (v (',' v)*)? ']' | ('t' | 'f');
ID: [a-z]+ ;
NUM: [0-9]+ ;
W: [ \n]+ -> skip ;
G4
echo 'a=1; b=[1,2,[3,4]]; {c=5; d; e=[];} g=[[7,t]];' >list.txt
for algorithm in grabr grabr-generative; do
    for options in "" "--search all" "--combinations all"; do
        # shellcheck disable=SC2086
        claim "$algorithm $options by a grammar of ANTLR" exits 0 "$PARE" reduce -q 'grep -q 4' \
            list.txt -a $algorithm --grammar List.g4 $options -o list.out
        claim "$algorithm $options: it fails" grep -q 4 list.out
        claim "$algorithm $options: it is in the language" exits 0 "$PARE" parse \
            --grammar List.g4 list.out
    done
done

claim "no grammar" exits 2 "$PARE" reduce -q ./mystery.sh in.txt -a grabr
claim "one sentence" says "needs a grammar, which neither brackets nor languages have"
claim "a language that is not there" exits 3 "$PARE" reduce -q ./mystery.sh in.txt -a grabr-generative --lang c
claim "what adds it" says "'pare lang add c' adds it"
echo 'one and two' >broken.txt
claim "an input that is not in the grammar" exits 2 "$PARE" reduce -q 'grep -q o' broken.txt \
    -a grabr --grammar Expr.json
claim "says so" says "'grabr' needs an input that is in the grammar"
claim "they are described" exits 0 "$PARE" reduce --list-algorithms
claim "both" [ "$(grep -c '^  grabr' out)" -eq 2 ]
all_claimed
