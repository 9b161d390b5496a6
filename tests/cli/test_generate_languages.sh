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
refuses "--fuzzer limit needs a grammar" --lang json --fuzzer limit
refuses "give --grammar FILE in place of --lang, or leave --fuzzer out" --lang json --fuzzer limit
refuses "--population needs a grammar" --lang json --population .

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
all_claimed
