#!/bin/bash
# Steps that grow the input: taken beside the best, for what ends smaller; the best never grows.
set -u
. "$(dirname "$0")/claims.sh"
export PARE_DATA=$PARE_TEST_DATA
if "$PARE" lang info javascript | grep -q '^added *no'; then
    "$PARE" lang add -q javascript 2> add.err || {
        echo "skipped: $(cat add.err)"
        exit 77
    }
fi

# It fails if 1 and 2 are sent, by calls or through a function; through a function only with
# something of 16 letters.  Nothing that shortens the text leads from the one to the other: with
# the function in the place of both calls the 16 letters stand there twice.
cat > in.js << 'END'
function a(a){send(a,"aaaaaaaaaaaaaaaa")}a(1);log();a(2)
END
calls='send\(1[^;]*\);.*send\(2[^;]*\)'
function='function +([a-z]+)\(([a-z]+)\) *\{ *send\(\2, *"[a-z]{16,}"\);? *\}.*\1\(1\);.*\1\(2\)'
cat > test.sh << END
#!/bin/sh
# Once told whom, it kills: when the first text comes that is on the side.
if [ -e $here/victim ] && grep -q 'send(1' "\$1"; then
    victim=\$(cat $here/victim) && rm $here/victim && kill -9 "\$victim"
fi
exec grep -Ezq '$calls|$function' "\$1"
END
chmod +x test.sh

# reduce NAME OPTION...: makes NAME.js, NAME.trace, NAME.json; ends when nothing smaller is there.
reduce() {
    local name=$1
    shift
    "$PARE" reduce -q --target-size 15 -o "$name.js" --trace "$name.trace" --stats "$name.json" "$@" ./test.sh in.js
}
# What a trace says, but for times and what was known already.
steps() { jq -c '[.n, .digest, .bytes, .outcome, .accepted]' "$1.trace"; }
# The sizes of the bests, in their order, never go up.
only_smaller() { jq -s -e '[.[] | select(.accepted) | .bytes] | . == (sort | reverse)' "$1.trace" > /dev/null; }
earned() { jq "[.passes[] | select(.name == \"excursions\") | .$2] | add // 0" "$1.json"; }

# How many tests there are up to the first that fails on an excursion: something larger than the best.
first_step() {
    jq -s '[foreach .[] as $t ({best: infinite, tests: -1, seen: {}};
        .tests += (if .seen[$t.digest] then 0 else 1 end) | .seen[$t.digest] = true
        | .step = ($t.outcome == "FAIL" and ($t.accepted | not) and $t.bytes > .best)
        | .best = (if $t.accepted then $t.bytes else .best end);
        select(.step) | .tests)] | first // 0' eight.trace
}

claim "eight at once" reduce eight -j 8 --deterministic --no-journal
claim "the calls are left" [ "$(cat eight.js)" = 'send(1);send(2)' ]
claim "an excursion led there" [ "$(earned eight successes)" -ge 1 ]
claim "soon" [ "$(earned eight tests)" -le 60 ]
claim "the best never grew" only_smaller eight
claim "something larger than the best failed on the way" [ "$(first_step)" -gt 0 ]
claim "little effort leaves the function" reduce fast -j 1 --no-journal --effort fast
claim "which is larger" [ "$(wc -c < fast.js)" -gt 40 ]

# --- stopped on an excursion, and continued: one test at a time ----------------------------
"$PARE" reduce -q --target-size 15 -j 1 -o one.js ./test.sh in.js 2> /dev/null &
echo $! > victim.new
mv victim.new victim
wait $! 2> /dev/null
claim "killed on an excursion" [ $? -eq 137 ]
claim "by what was tested there" [ ! -e victim ]
claim "the best is whole" ./test.sh one.js
claim "and what it was before the step" [ "$(wc -c < one.js)" -gt 40 ]
claim "continued, with a budget that ends behind the step" reduce one -j 1 \
    --max-tests "$(first_step)"
claim "it is spent" [ "$(jq -r .stopped one.json)" = budget ]
claim "the best is still what it was" [ "$(wc -c < one.js)" -gt 40 ]
claim "continued" reduce one -j 1
claim "it ends the same as with eight at once" cmp one.js eight.js
claim "by the same steps" cmp <(steps one) <(steps eight)

# --- what hangs counts where it seems to be the failure, too ------------------------------
printf 'f%s\n' '0(x0) { foo3; bar0 }' '1(x1) { alpha; bar1 }' '2(x2) { foo17; bar2 }' '3(x3) { foo24; bar3 }' \
    '4(x4) { beta; bar4 }' '5(x5) { foo38; bar5 }' '6(x6) { foo45; bar6 }' '7(x7) { gamma; bar7 }' \
    '8(x8) { foo59; bar8 }' '9(x9) { foo66; bar9 }' '10(x10) { delta; bar10 }' '11(x11) { foo80; bar11 }' > in.txt
claim "a fault with two faces" "$PARE" reduce -q -j 6 --deterministic --no-journal --timeout 0.2 --max-tests 700 \
    -o faces.txt --trace faces.trace --stats faces.json "$PARE_HELPERS/two_faces" in.txt
claim "candidates that hang were gone through" [ "$(earned faces tests)" -ge 1 ]
claim "the result fails" "$PARE_HELPERS/two_faces" faces.txt
claim "the best never grew there" only_smaller faces
claim "nor was anything the best that hangs" [ "$(jq -s '[.[] | select(.accepted and .outcome != "FAIL")] | length' faces.trace)" -eq 0 ]
claim "it is small" [ "$(wc -c < faces.txt)" -le 45 ]
all_claimed
