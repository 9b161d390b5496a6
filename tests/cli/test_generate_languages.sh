#!/bin/bash
# pare generate --lang: texts by the grammars of languages, which their own parsers accept.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

claim "a language that is not added" exits 1 "$PARE" generate --lang json
claim "is told" says "pare lang add json"
claim "no such language" exits 2 "$PARE" generate --lang klingon
refuses() {
    local text=$1
    shift
    claim "usage error: $*" exits 2 "$PARE" generate "$@"
    claim "one line for: $*" says "$text"
}
refuses "a grammar and a language exclude each other" --lang json -g x.g4

# --- added -----------------------------------------------------------------------------
export PARE_DATA=$PARE_TEST_DATA
for name in json c lua; do
    if "$PARE" lang info "$name" | grep -q '^added *no' && ! "$PARE" lang add -q "$name" 2> add.err; then
        echo "skipped: $(cat add.err)"
        [ "$n_false" -eq 0 ] && exit 77
        all_claimed
    fi
    claim "texts of $name" exits 0 "$PARE" generate --lang "$name" -n 20 -0 -j2 --max-tokens 40 -v
    cp out "$name"
    claim "$name: alternatives are counted" grep -qE '[0-9]+ of [0-9]+ alternatives taken' err
    refused=0
    while IFS= read -r -d '' text; do
        printf %s "$text" > text
        "$PARE" parse -q --lang "$name" text > /dev/null 2>&1 || refused=$((refused + 1))
    done < "$name"
    claim "$name: its parser accepts all" [ "$refused" -eq 0 ]
    "$PARE" generate --lang "$name" -n 20 -0 -j1 --max-tokens 40 > one
    claim "$name: the same at every number of jobs" cmp -s one "$name"
done

# --- the fuzzers of The Fuzzing Book ----------------------------------------------------------
for name in json lua; do
    for fuzzer in phases limit complex choice; do
        claim "$name by $fuzzer" exits 0 "$PARE" generate --lang "$name" --fuzzer "$fuzzer" -n 10 -0
        refused=0
        while IFS= read -r -d '' text; do
            printf %s "$text" > text
            "$PARE" parse -q --lang "$name" text > /dev/null 2>&1 || refused=$((refused + 1))
        done < out
        claim "$name by $fuzzer: its parser accepts all" [ "$refused" -eq 0 ]
    done
done

# --- populations and models --------------------------------------------------------------
# Files that the round trip starts from: what is made of them is read back by the same parser.
mkdir files files/json files/c files/lua
cat > files/json/a.json <<'J'
{"a": [1, -2.5e3, "x\n", null], "b": {"c": true}}
J
echo '[[], {"d": "e"}]' > files/json/b.json
cat > files/c/a.c <<'C'
#include <stdio.h>
static int f(const char *s)
{
    for (int i = 0; i < 3; i++) { if (s[i] == 'x') continue; else i += 2; }
    return s ? printf("%d\n", 1) : 0; /* a comment */
}
C
printf 'struct s { int a, b; } x = {1, 2};\nint g(int n) { return n ? g(n - 1) : x.a; }\n' > files/c/b.c
cat > files/lua/a.lua <<'L'
local function f(a, ...) -- a comment
    for i = 1, 3 do if a[i] == "x" then return [[long]] else a[i] = {1, k = 2} end end
end
L
echo 'print(f({}), #"abc" + 1)' > files/lua/b.lua
read_back() { # LANGUAGE WHAT: how many of the texts in `out` its parser takes
    local text
    n_taken=0
    while IFS= read -r -d '' text; do
        printf %s "$text" > text
        ! "$PARE" parse -q --lang "$1" text > /dev/null 2>&1 || n_taken=$((n_taken + 1))
    done < out
    claim "$1: its parser takes every text of $2" [ "$n_taken" -eq 25 ]
}
for name in json c lua; do
    claim "learning from files of $name" exits 0 "$PARE" learn --lang "$name" -v -o "$name.model" "files/$name"
    claim "says what was read" says "2 files read, 0 of them with syntax errors"
    claim "texts of $name like them" exits 0 "$PARE" generate --lang "$name" --model "$name.model" -n 25 -0 --max-tokens 60
    read_back "$name" "the model"
    claim "texts of their trees" exits 0 "$PARE" generate --lang "$name" --population "files/$name" -n 25 -0 -j2 -v
    refused=$(sed -n 's/.*, \([0-9]*\) refused by the parser.*/\1/p' err)
    # Of what is put together nearly all is in the language; the rest is made anew.
    claim "$name: few are refused: ${refused:-0}" [ "${refused:-0}" -le 10 ]
    read_back "$name" "the population"
    mv out "$name"
    "$PARE" generate --lang "$name" --population "files/$name" -n 25 -0 -j1 > one
    claim "$name: the same at every number of jobs" cmp -s one "$name"
    claim "bytes of files of $name" exits 0 "$PARE" generate --lang "$name" --population "files/$name" --fuzzer mutation -n 5
done
claim "names of the files" grep -qa 'print' lua
claim "and their rules" jq -e '.alts._value["0"]["1"] >= 2 and .leaves.number["#2"] != null' json.model
claim "a file of no language" exits 1 "$PARE" generate --lang json --population files/lua
claim "is told" says "no file of the population is in the language"
for command in "learn --lang json --start x files/json" "learn --lang json -g x.g4 files/json"; do
    # shellcheck disable=SC2086
    claim "usage error: $command" exits 2 "$PARE" $command
done
all_claimed
