#!/bin/bash
# What the seeds print, from the command line: seed 004's eleven outputs by Python's random numbers and
# the recorded runs of its generators and reductions; what is said of mistakes.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
records=${PARE_SHARED:-$PARE_SOURCE_DIR/../shared}/golden/choice

# Seed 004's grammars: any names, and names that are declared.
cat > free.json << 'END'
{"<start>": [["<assignments>"]],
 "<assignments>": [["<assign>"], ["<assign>", ";\n", "<assignments>"]],
 "<assign>": [["<var>", " = ", "<expr>"]],
 "<expr>": [["<expr>", " + ", "<expr>"], ["<expr>", " - ", "<expr>"], ["(", "<expr>", ")"],
            ["<var>"], ["<digit>"]],
 "<digit>": [["0"], ["1"]],
 "<var>": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
           "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z"]}
END
jq '.["<assignments>"] = [["<assign>", [";\n", {post: "commit"}]],
                          ["<assign>", [";\n", {post: "commit"}], "<assignments>"]]
    | .["<assign>"] = [[["<var>", {post: "define"}], " = ", "<expr>"]]
    | .["<expr>"][3] = [["<var>", {pre: "use"}]]' free.json > declared.json
cat > defaults.json << 'END'
{"<start>": "a=0;\n", "<assignments>": "a=0;\n", "<assign>": "a=0", "<expr>": "0",
 "<digit>": "0", "<var>": "0", "use": "000"}
END

python_of() { # FUZZER GRAMMAR SEED OPTION...
    run "$PARE" generate -g "$2" --fuzzer "$1" --random python --seed "$3" "${@:4}"
    [ "$code" -eq 0 ]
}
prints() { printf '%s\n' "$1" | cmp -s - out; }
list_of() { tail -n +2 "$1" | tr '\n' ' '; }
names_of() { sed 's/ = .*//' "$1" | tr '\n' ' '; }

# --- what seed 004 prints of its generators ------------------------------------------------------
claim "LimitFuzzer, 5" python_of limit free.json 5
claim "as printed" prints "o = (h) + r - 0 + i - f - 1 + 0 + 0 - 1 + (0) + j - 1 - f + (((0)) + 1) - \
(((w))) + (p - a + m - l + s) - b + 0 - l - 1 + 1;
s = ((c + (1) - ((1)) - ((0))));
p = 1 + 1 - (u) + e + k + 1 - 0 - l + j + t - 1 - w - (i)"
claim "ComplexFuzzer, 6" python_of complex declared.json 6
claim "as printed" prints "b = 1 - (((00) + 00 - 0)) + 1 - 0;
c = (b);
y = (0 + (b) + 0) - (1 - ((0)));
d = 1;
"
claim "with its names" [ "$(names_of out)" = "b c y d  " ]
claim "ChoiceFuzzer, 6" python_of choice declared.json 6 --record 6.choices
claim "as printed" prints "e = (1) + 1 + 00 + 00 - 00 + 00 - 0 + 1;
f = 1 - e - 1 + 1 + e - e + e + 1 - 1 - e - e;
e = e;
c = 1;
d = (f + 0 + e - e + (e));
"
claim "with its names" [ "$(names_of out)" = "e f e c d  " ]
claim "with its choices" [ "$(list_of 6.choices)" = "9 1 7 4 0 0 2 9 7 5 5 0 4 7 3 6 8 8 1 3 9 8 4 9 1 \
6 5 1 5 6 4 7 1 3 4 1 0 9 3 5 7 3 8 9 8 0 5 3 9 6 4 5 9 1 1 8 8 3 1 9 4 4 3 6 7 3 2 9 3 8 0 3 2 0 5 8 9 9 4 5 \
6 8 6 4 2 7 0 2 " ]
cp out text
run "$PARE" generate -g declared.json --fuzzer choice --replay 6.choices
claim "which make it again" cmp -s text out

# --- its reductions ------------------------------------------------------------------------------
# Both are run on the list of choices, a line each; the test makes the text.
cat > test.sh << END
#!/bin/sh
text=\$("$PARE" generate -q -g "$PWD/declared.json" --fuzzer choice \$DEFAULTS --replay "\$1" 2> /dev/null) || exit 1
case \$text in *'(('*) ;; *) exit 1 ;; esac
case \$text in *'))'*) ;; *) exit 1 ;; esac
END
chmod +x test.sh
nops="python3 $PARE_SOURCE_DIR/examples/strategies/nop_ddmin.py"
reduce() { # plain|nops SEED: leaves original, list, text, and trace with a line for each test
    local way=(-a ddmin-blog --fixpoint)
    export DEFAULTS=
    [ "$1" = plain ] || { way=(--strategy "$nops"); DEFAULTS="--defaults $PWD/defaults.json"; }
    "$PARE" generate -q -g declared.json --fuzzer choice --random python --seed "$2" \
        --record bad.choices -o original
    run "$PARE" reduce -q --no-journal -u line "${way[@]}" --protect '^pare.*\n' --trace trace \
        --timeout 60 -o list ./test.sh bad.choices
    [ "$code" -eq 0 ] || return 1
    # shellcheck disable=SC2086 # words
    "$PARE" generate -q -g declared.json --fuzzer choice $DEFAULTS --replay list -o text
}
printed() { # plain|nops SEED CHOICES-OF-ORIGINAL TEXT LIST
    claim "reduction of $2, $1" reduce "$1" "$2"
    claim "of $3 choices" [ "$(list_of bad.choices | wc -w)" -eq "$3" ]
    claim "$1 $2: the text" [ "$(cat text)" = "$4" ]
    claim "$1 $2: the choices" [ "$(list_of list)" = "$5 " ]
}
if command -v python3 > /dev/null; then
    ways="plain nops"
else
    ways=plain
    echo "no python3: reductions with NOPs are not compared"
fi
# With sanitizers one by each way: a test starts pare, which takes ten times as long there.
printed plain 1 61 'd = ((00));' '6 0 8 3 7 7 8'
if [ -z "$PARE_SANITIZE" ]; then
    printed plain 5 40 'd = ((1));' '2 2 0 3 2 2 4 5'
    printed plain 9 71 $'e = ((00 + 1 + 0));\nj = 1;' '7 9 5 4 2 2 0 5 8 9 1 9 6 6 1 9 9 3'
    printed plain 16 33 'a = ((00));' '0 2 9 0 7 7 3'
fi
if [ "$ways" != plain ]; then
    printed nops 16 33 $'0 = 0 - 0 + 0;\na = ((0));' '5 7 7 -1 0 6 -1 -1 -1 2 9 0 7 7 -1'
fi
if [ "$ways" != plain ] && [ -z "$PARE_SANITIZE" ]; then
    printed nops 1 61 $'0 = ((0));\na=0;' '2 9 1 -1 7 7 -1 -1'
    printed nops 5 40 'i = 0 + 0 + 0 + ((0));' '9 4 5 8 0 -1 0 -1 0 -1 2 2 -1'
    printed nops 9 71 $'e = ((0));\na=0;' '7 9 5 4 2 2 -1 -1'
fi

# --- the recorded runs: all generators' texts at once, and each reduction to its last test -------
texts_are() { # FUZZER GRAMMAR RECORDS
    run "$PARE" generate -g "$2" --fuzzer "$1" --random python --seed 0 \
        -n "$(wc -l < "$3")" --repeats --null
    [ "$code" -eq 0 ] && jq -j '.text + "\u0000"' "$3" | cmp -s - out
}
choices_are() { # RECORDS
    local seed wanted most=1000000
    [ -z "$PARE_SANITIZE" ] || most=10
    while read -r seed wanted; do
        python_of choice declared.json 0 --only "$seed" --repeats --record one.choices || return 1
        [ "$(list_of one.choices)" = "$wanted " ] || { echo "choices of $seed" >&2; return 1; }
    done < <(head -n "$most" "$1" | jq -r '"\(.seed) \(.choices | map(tostring) | join(" "))"')
}
steps_are() { # plain|nops RECORD
    local field
    reduce "$1" "$(jq .seed <<< "$2")" || return 1
    for field in original minimal; do
        jq -j ".$field" <<< "$2" > wanted
        cmp -s wanted "${field/minimal/text}" || return 1
    done
    [ "$(list_of list)" = "$(jq -r '.choices | map(tostring) | join(" ")' <<< "$2") " ] || return 1
    [ "$(wc -l < trace)" -eq "$(jq .tests <<< "$2")" ]
}
# One by each way, since each is some sixty tests; tests/unit/test_choice_reduction.c has all, also with sanitizers.
each_steps() { # plain|nops RECORDS
    local record few='select(.seed == 4)'
    [ -z "$PARE_SANITIZE" ] || return 0
    [ -z "${PARE_TEST_LONG:-}" ] || few=.
    while read -r record; do
        claim "$1: the steps of $(jq .seed <<< "$record")" steps_are "$1" "$record"
    done < <(jq -c "$few" "$2")
}
if [ -d "$records" ]; then
    claim "LimitFuzzer's records" texts_are limit free.json "$records/limit.jsonl"
    claim "ComplexFuzzer's records" texts_are complex declared.json "$records/complex.jsonl"
    claim "ChoiceFuzzer's records" texts_are choice declared.json "$records/choice.jsonl"
    claim "and their choices" choices_are "$records/choice.jsonl"
    each_steps plain "$records/reduce.jsonl"
    [ "$ways" = plain ] || each_steps nops "$records/reduce-default.jsonl"
else
    echo "no $records: its runs are not compared"
fi

# --- other texts by Python's numbers -------------------------------------------------------------
python_of limit free.json 7
cp out seven
claim "text K is that of the seed and K" python_of limit free.json 4 --only 3
claim "of 7" cmp -s out seven
claim "whatever the jobs" python_of grammar free.json 1 -n 200 -j1
cp out one
claim "whatever the jobs" python_of grammar free.json 1 -n 200 -j4
claim "are the same" cmp -s out one
run "$PARE" generate -g free.json --seed 1 -n 200
claim "other texts than ours" [ "$(cmp -s out one; echo $?)" -eq 1 ]

# --- seed 002: subtrees by symbol, and the candidates of an algorithm in order -------------------
cat > expr.json << 'END'
{"<start>": ["<expr>"],
 "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
 "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
 "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
 "<integer>": ["<digit><integer>", "<digit>"],
 "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}
END
printf '1 + (2 * 3)' > expr.txt
parses() { run "$PARE" parse -g expr.json "$@" expr.txt; [ "$code" -eq 0 ]; }
lines() { tr '\n' ';' < out; }
claim "subtrees" parses --symbol '<term>'
claim "with <term>" [ "$(lines)" = "1;(2 * 3);2 * 3;3;" ]
claim "without brackets, of a level" parses --symbol term --depth 2
claim "with <term>" [ "$(lines)" = "1;" ]
claim "the root is none" exits 1 "$PARE" parse -g expr.json --symbol start expr.txt
claim "nor is what is not there" says "no such subtree"
claim "texts have no format" exits 2 "$PARE" parse -g expr.json --symbol term --format dot expr.txt
claim "levels are of a symbol" exits 2 "$PARE" parse -g expr.json --depth 2 expr.txt
printf 'a = "x\ty\n";\nb;\n' > lines.txt
cat > Lines.g4 << 'END'
grammar Lines; file: line+ EOF; line: C* NL; NL: '\n'; C: ~[\n];
END
run "$PARE" parse -g Lines.g4 --symbol line lines.txt
claim "line ends are escaped" [ "$(lines)" = 'a = "x\ty\n;";\n;b;\n;' ]

lists() { # INPUT OPTION...
    run "$PARE" reduce --list-candidates "$1" -g expr.json "${@:2}"
    [ "$code" -eq 0 ]
}
claim "candidates" lists expr.txt -a grabr --search all --combinations all
claim "subtrees of <expr> before what expansions make" [ "$(head -3 out | tr '\n' ';')" = "(2 * 3);2 * 3;1;" ]
cp out listed
cat > log.sh << 'END'
#!/bin/sh
grep -qxF '1 + (2 * 3)' "$1" && exit 0
cat "$1" >> "$LOG" && echo >> "$LOG"
exit 1
END
chmod +x log.sh
LOG=$PWD/tested "$PARE" reduce -q --no-journal -j1 ./log.sh expr.txt -g expr.json -a grabr --search all \
    --combinations all --allow-empty -o none || true
claim "those that are tested, in their order" cmp -s listed tested
claim "nothing was written" [ ! -e expr.min.txt ]
claim "of one input" exits 2 "$PARE" reduce --list-candidates expr.txt expr.txt
claim "without a test" exits 2 "$PARE" reduce --list-candidates expr.txt -- cat
claim "as many as one wants" lists expr.txt -a ddmin -u char --max-tests 3
claim "are three" [ "$(wc -l < out)" -le 3 ]

# --- seed 000: the search that its text proposes -------------------------------------------------
printf '1 + ((2 * 3 / 4))' > nest.txt
claim "by breadth" lists nest.txt -a perses --search breadth
claim "what is nearest comes first" [ "$(head -5 out | tr '\n' ';')" = \
    "((2 * 3 / 4));(2 * 3 / 4);2 * 3 / 4;1 + (2 * 3 / 4);1 + 2 * 3 / 4;" ]
claim "not by weight" [ "$(grep -nx '1 + 3' out | cut -d: -f1)" -gt "$(grep -nx '1 + 2' out | cut -d: -f1)" ]
run "$PARE" reduce -q --no-journal "grep -q '.*[(][(].*[)][)].*'" nest.txt -g expr.json -a perses \
    --search breadth -o nested
claim "to the seed's result" [ "$(cat nested)" = "((4))" ]
run "$PARE" reduce --no-journal "grep -q '.*[(][(].*[)][)].*'" nest.txt -g expr.json -a hdd \
    --search breadth -o nested
claim "others are told that it is not for them" grep -q -- '--search: without effect' out

# --- bounds of The Fuzzing Book's fuzzers --------------------------------------------------------
makes() { run "$PARE" generate -n 60 --null "$@"; [ "$code" -eq 0 ]; }
sizes() { tr '\0\n' '\n ' < out | awk '{ print length($0) }' | sort -n | sed -n '1p;$p' | tr '\n' ' '; }
claim "random texts of a length" makes --fuzzer random --min-length 3 --max-length 5
claim "are of that length" [ "$(sizes)" = "3 5 " ]
claim "a least length" makes --fuzzer random --min-length 150
claim "is that of all" [ "$(sizes)" = "150 150 " ]
claim "a most length" makes --fuzzer random --max-length 4
claim "is that of all" [ "$(sizes)" = "4 4 " ]
printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' > member
claim "one change" makes --fuzzer mutation --population member --min-mutations 1 --max-mutations 1
claim "is a byte more, less or other" [ "$(sizes)" = "39 41 " ]
run "$PARE" generate -n 1 --fuzzer mutation --population member --min-mutations 0 --max-mutations 0
claim "none is no number of most" [ "$code" -eq 2 ]
claim "short expressions" makes --fuzzer phases -g expr.json --max-nonterminals 2 --repeats
short=$(wc -c < out)
claim "long expressions" makes --fuzzer phases -g expr.json --min-nonterminals 100 --repeats
claim "are longer" [ "$(wc -c < out)" -gt $((20 * short)) ]
claim "bounds are not for others" exits 2 "$PARE" generate --fuzzer random --min-mutations 3
claim "in a sentence" says "are for the fuzzer 'mutation'"
claim "the least is not above the most" exits 2 "$PARE" generate --fuzzer random --min-length 9 --max-length 8
claim "in a sentence" says "9, is above the upper one, 8"

# --- mistakes ------------------------------------------------------------------------------------
refused() { # CODE SENTENCE OPTION...
    run "$PARE" generate "${@:3}"
    [ "$code" -eq "$1" ] && says "$2"
}
claim "one source" refused 2 "not both" -g free.json --random python --unseeded
claim "of those there are" refused 2 "one of pare, python" -g free.json --random perl
claim "defaults have fuzzers" refused 2 "are for the fuzzers" -g free.json --defaults defaults.json
echo '{"<sum>": "0"}' > wrong.json
claim "and rules" refused 3 "no rule '<sum>'" -g free.json --fuzzer limit --defaults wrong.json
echo '{"<expr>": 0}' > wrong.json
claim "and texts" refused 3 "not a text" -g free.json --fuzzer limit --defaults wrong.json
echo '["<expr>"]' > wrong.json
claim "in an object" refused 3 "must be an object" -g free.json --fuzzer limit --defaults wrong.json
echo '{' > wrong.json
claim "of JSON" refused 3 "wrong.json:" -g free.json --fuzzer limit --defaults wrong.json
printf 'pare choices 1\n-1\n' > nop.choices
claim "a default of the start" "$PARE" generate -g declared.json --fuzzer choice \
    --defaults defaults.json --replay nop.choices -o nop
claim "is its text" [ "$(cat nop)" = "a=0;" ]
printf 'pare choices 1\n-2\n' > nop.choices
claim "no other sign" refused 3 "a choice must be a number" -g free.json --fuzzer choice --replay nop.choices

all_claimed
