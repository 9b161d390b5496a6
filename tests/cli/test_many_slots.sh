#!/bin/bash
# Plain -j8 of the default: its passes use all slots at once, in the order in which tests end.
# Not faster, here: as small as -j1, minimal, within the budget, resumed.
set -u
. "$(dirname "$0")/claims.sh"

# Two calls are needed, each in a block of a function of its own.
awk 'BEGIN {
    for (i = 0; i < 14; i++)
        printf "void f%d(int a%d) { int v%d = a%d + %d; if (v%d) { g%d(v%d); %s; } }\n",
               i, i, i, i, i * 7, i, i, i, i % 13 ? "h(" i ")" : "need" i "()"
}' >in.c
cat >test.sh <<'SH'
#!/bin/sh
for i in 0 13; do grep -q "need$i" "$1" || exit 1; done
SH
chmod +x test.sh
cat >reduce <<'SH'
#!/bin/sh
name=$1
shift
exec "$PARE" reduce -q ./test.sh in.c -o "$name.c" --trace "$name.trace" \
    --stats "$name.stats" --timeout 60 "$@"
SH
chmod +x reduce
steps() { jq -c 'del(.ms)' "$1.trace"; }
size() { stat -c %s "$1.c"; }

claim "one at a time" exits 0 ./reduce one -j1
claim "eight, in one order" exits 0 ./reduce fixed -j8 --deterministic
claim "gives the same bytes" cmp one.c fixed.c
claim "by the same steps" cmp <(steps one) <(steps fixed)
claim "eight" exits 0 ./reduce eight -j8
claim "gives as small a result" [ $(($(size eight) * 100)) -le $(($(size one) * 102)) ]
claim "that fails" ./test.sh eight.c
claim "it says that it is minimal" [ "$(jq -r .stopped eight.stats)" = minimal ]
cp eight.c swept.c
claim "no character can go" exits 0 "$PARE" reduce -q ./test.sh swept.c -a sweep -u char -o less.c
claim "indeed" cmp eight.c less.c
claim "every test has its number" [ "$(jq -s 'map(.n) == [range(length)]' eight.trace)" = true ]
claim "each success is smaller, or is in the order" jq -se '[.[] | select(.accepted) | .bytes] |
    . == (sort | reverse)' eight.trace
claim "the passes' tests are the trace's" [ "$(jq '[.passes[].tests] | add' eight.stats)" -eq \
    "$(jq -s 'map(select(.source == "run")) | length - 1' eight.trace)" ]
claim "nothing is tested twice" [ -z "$(jq -r 'select(.source == "run") | .digest' eight.trace |
    sort | uniq -d)" ]

# --- limits and journals ------------------------------------------------------------------
claim "stopped" exits 0 ./reduce part -j8 --max-tests 90
claim "within the budget" [ "$(jq -s 'map(select(.source == "run")) | length' part.trace)" -le 91 ]
claim "with a result that fails" ./test.sh part.c
claim "gone on" exits 0 ./reduce part -j8
claim "without repeating" [ "$(jq -s 'map(select(.source == "cache")) | length' part.trace)" -ge 10 ]
claim "to as small a result" [ $(($(size part) * 100)) -le $(($(size one) * 102)) ]
claim "what is protected stays" exits 0 ./reduce kept -j8 --protect 'int v7 = a7'
claim "indeed" grep -q 'int v7 = a7' kept.c
all_claimed
