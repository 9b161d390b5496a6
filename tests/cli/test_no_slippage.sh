#!/bin/bash
# Slippage: a program with two bugs.  Whatever way a reduction takes, the result keeps the
# failure of the input, and the other failure is saved.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

two_bugs=$PARE_HELPERS/two_bugs
runs=8 # so that each number of jobs has one
[ -z "${PARE_TEST_LONG:-}" ] || runs=100
kept=0
saved=0
for ((k = 0; k < runs; k++)); do
    # The first bug's "q ... x" stands among letters, the "z" behind it, so that the program
    # stops at the first; the half without the "q" meets the second.
    awk -v seed="$k" 'BEGIN { srand(seed)
        for (i = 0; i < 120; i++) {
            c = substr("abcdefghijklmnoprstuvw\n", 1 + int(rand() * 23), 1)
            printf "%s", c
            if (i == 20) printf "q"; if (i == 100) printf "x"; if (i > 100) printf "z"
        } }' > in.txt
    rm -rf in.also in.min.txt
    "$PARE" reduce -q --no-journal -j $((1 + k % 8)) -u line,char -a ddmin --order random --seed "$k" \
        in.txt -- "$two_bugs" @@ || continue
    { "$two_bugs" in.min.txt || true; } 2> said
    grep -q 'close_list' said && [ "$(tr -d '\n' < in.min.txt)" = qx ] && kept=$((kept + 1))
    for other in in.also/*.txt; do
        [ -e "$other" ] || continue
        { "$two_bugs" "$other" || true; } 2> said
        grep -q 'open_list' said && [ "$(tr -d '\n' < "$other" | wc -c)" -lt 120 ] && saved=$((saved + 1))
    done
done
claim "the result keeps the first bug in $kept of $runs runs" [ "$kept" -eq "$runs" ]
claim "the second is saved in $saved of $runs runs" [ "$saved" -eq "$runs" ]

# --- the signature, from the trace to the file ------------------------------------------
printf 'aqbbbbbbbbbbxzzz!!' > in.txt
rm -rf in.also
again() { "$PARE" reduce --no-journal -u char -a ddmin in.txt "$@" -- "$two_bugs" @@; }
again --trace trace --stats stats > said
claim "it is shown" grep -q 'keeping.*close_list' said
claim "the trace names the other" [ "$(jq -rs 'map(.signature // empty) | unique | length' trace)" = 1 ]
claim "it was never accepted" [ "$(jq -s 'map(select(.signature and .accepted)) | length' trace)" = 0 ]
claim "it is PASS" [ "$(jq -rs 'map(select(.signature).outcome) | unique[]' trace)" = PASS ]
printf 'qx!' > rejected.txt
"$PARE" reduce -q --no-journal -u char -a ddmin --stats stats rejected.txt -- "$two_bugs" @@
claim "the rejected are UNRESOLVED, apart" [ "$(jq '.outcomes.UNRESOLVED' stats)" -gt 0 ]
sig=$(ls in.also/*.signature)
again -q --signature "$sig" 2> err && code=0 || code=$?
claim "another failure's file is another failure" [ "$code" -eq 1 ]
claim "and the sentence says so" grep -q 'not the signature' err
printf 'zzz\n' > other.txt
"$PARE" reduce -q --no-journal -u char --signature "$sig" other.txt -- "$two_bugs"
claim "standard input does as well" [ "$(tr -d '\n' < other.min.txt)" = zzz ]

# --- the same bytes and the same trace for any number of jobs ---------------------------
for j in 1 2 7; do
    # A limit that is given: a learnt one may end a test that the machine keeps waiting.
    again -q -j "$j" --timeout 100 --trace "trace$j" -o "out$j"
    jq -c 'del(.ms)' "trace$j" > "steps$j"
done
claim "the same steps for -j 1, 2 and 7" eval 'cmp steps1 steps2 && cmp steps1 steps7 && cmp out1 out7'

# What a cancelled test has printed is not the next one's: of tests that are forked, which follow each other
# quickest, one in six runs took it for that.
if again -q -j 1 --runner preload --timeout 100 -o out0; then
    n=0
    for k in $(seq 25); do
        again -q -j 7 --runner preload --timeout 100 --trace trace0 -o out0
        jq -c 'del(.ms)' trace0 > steps0
        if diff steps1 steps0; then n=$((n + 1)); fi
    done
    claim "the same steps in $n of 25 runs of forked tests" [ "$n" -eq 25 ]
fi

# --- killed and resumed: the signature is not learnt again -------------------------------
"$PARE" reduce -q -u char -a ddmin --max-tests 5 in.txt -- "$two_bugs" @@
claim "the signature is beside the journal" grep -q close_list in.min.txt.pare/signature
"$PARE" reduce -u char -a ddmin --trace resumed -o in.min.txt in.txt -- "$two_bugs" @@ > said
claim "it goes on" grep -q 'continuing where' said
jq -c 'del(.ms, .source)' resumed > a
jq -c 'del(.ms, .source)' trace1 > b
claim "the trace is that of an undisturbed run" cmp a b
claim "nothing stays but the history" [ "$(echo in.min.txt.pare/*)" = in.min.txt.pare/history ]

# --- what is not a failure -------------------------------------------------------------
refuse() { # REGEX ARGUMENTS: one sentence, exit code 1
    local words=$1
    shift
    "$PARE" reduce -q --no-journal "$@" 2> err && code=0 || code=$?
    claim "refused: $words" [ "$code" -eq 1 ]
    claim "in these words: $words" grep -q -- "$words" err
}
echo fine > fine.txt
refuse 'reports no failure' fine.txt -- "$two_bugs" @@
refuse 'ended with exit code 0, but --exit' --exit 3 fine.txt -- "$two_bugs" @@
refuse "does not match 'nothing'" --stdout nothing fine.txt -- "$two_bugs" @@
refuse 'exit and print the same' --differs 'cat @@' fine.txt -- cat @@
refuse 'does not exit with 0' --exit 0 --valid 'false' fine.txt -- "$two_bugs" @@

# --- what else can be kept --------------------------------------------------------------
unit=char
keep() { # EXPECTED ARGUMENTS
    local expected=$1
    shift
    "$PARE" reduce -q --no-journal -u "$unit" -o kept "$@" && code=0 || code=$?
    claim "kept: $*" [ "$code$(tr -d '\n' < kept)" = "0$expected" ]
}
printf 'one needle two' > hay.txt
keep needle --stdout needle hay.txt -- cat
keep needle --stdout needle --exit 0 hay.txt -- cat @@.other
keep needle --any-output 'need.e' --no-output pin hay.txt -- sh -c 'cat "$1" >&2' sh @@
keep needle --differs 'sed s/needle/pin/ @@' hay.txt -- cat @@
# Ordinary runs have to take less than half of the limit, on a busy machine too.
unit=token
keep needle --hang 1.5 hay.txt -- sh -c 'grep -q needle "$1" && exec sleep 5' sh @@
unit=char
keep needle --valid 'grep -q needle @@' --exit 0 hay.txt -- cat @@

# --- a flood ----------------------------------------------------------------------------
"$PARE" reduce -q --no-journal -u char --stats flood --signature flood.sig hay.txt -- \
    sh -c 'grep -q needle && exec yes' sh
claim "an endless output is a failure of its own" grep -q '^flood' flood.sig
[ -n "$PARE_SANITIZE" ] || claim "in constant memory" [ "$(jq .peak_rss_bytes flood)" -lt $((64 * 1024 * 1024)) ]
all_claimed
