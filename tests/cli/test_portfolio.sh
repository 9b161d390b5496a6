#!/bin/bash
# Bytes, tree and choices side by side: the best of them is kept, whichever it is, by the same
# steps at any number of jobs, within one budget.
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
gen=$PARE_HELPERS/random_program
"$PARE" generate --record bad.txt.choices -o bad.txt -- "$gen" rand 27
printf '#!/bin/sh\nexec "%s" check "$1"\n' "$gen" > test.sh
chmod +x test.sh

# by ALGORITHM RESULT OPTIONS...
cat > by <<T
#!/bin/bash
exec "$PARE" reduce --timeout 250 --generator "$gen rand" --choices bad.txt.choices -a "\$1" -o "\$2" "\${@:3}"
T
chmod +x by

tests_of() { jq .tests_run "$1"; }
bytes_of() { jq .bytes_out "$1"; }
# The portfolio, against its best member alone: no larger, and, as members that cannot win are stopped,
# for at most one and a half times the tests, or ten more: of so few, nothing tells yet who cannot win.
compared() { # WHAT PORTFOLIO-STATS MEMBER-STATS
    claim "$1: it is no larger" [ "$(bytes_of "$2")" -le "$(bytes_of "$3")" ]
    local alone
    alone=$(tests_of "$3")
    claim "$1: for at most half as many tests more" [ "$(tests_of "$2")" -le $((alone + (alone > 20 ? alone / 2 : 10))) ]
}

# Length and checksum keep all but choices from doing anything.
claim "choices alone" exits 0 ./by choices choices -q --stats alone.stats -j 1 -- ./test.sh
claim "a portfolio" exits 0 ./by portfolio best --max-tests 300 --trace trace.1 --stats best.stats -j 1 -- ./test.sh
claim "tells what each member came to" grep -qE '^portfolio, bytes left: bytes [0-9]+, tree [0-9]+, choices [0-9]+$' out
claim "and keeps what choices found" cmp -s best choices
compared "choices" best.stats alone.stats
claim "whose choices make it" exits 0 "$PARE" generate --replay best.choices -- "$gen" rand
claim "as it is" cmp -s out best
claim "it keeps to its budget" [ "$(grep -c '"source": *"run"' trace.1)" -le 301 ]
claim "with more jobs" exits 0 ./by portfolio other --max-tests 300 --trace trace.3 -j 3 -- ./test.sh
claim "it finds the same" cmp -s best other
claim "by the same steps" cmp -s <(sed 's/"source".*//' trace.1) <(sed 's/"source".*//' trace.3)

# A test that asks for no program is best served by bytes.
claim "another failure" exits 0 ./by portfolio bytes -v --stats few.stats -j 1 -- grep -q 'use v0'
claim "is reduced below any program" [ "$(cat bytes)" = "use v0" ]
claim "choices come to more" grep -qE 'portfolio, bytes left: bytes 6, tree [0-9]+, choices [1-9][0-9]' out
claim "bytes alone" exits 0 "$PARE" reduce -q 'grep -q "use v0"' bad.txt -a adaptive \
    -u line,token,char -o alone --stats alone.stats -j 1
compared "bytes" few.stats alone.stats
# A tree does in few tests what bytes cannot do: a deep nest whose brackets have to match.
awk 'BEGIN { for (i = 0; i < 12; i++) { open = open "[" i ",\n"; close_ = "," i "]\n" close_ }
             printf "%s\"bug\"%s", open, close_ }' > nest.json
jq -e . nest.json > /dev/null
printf '#!/bin/sh\njq -e . "$1" > /dev/null 2>&1 && grep -q bug "$1"\n' > nested.sh
chmod +x nested.sh
cat > Nest.g4 <<'G'
grammar Nest;
value: '[' value (',' value)* ']' | NUMBER | STRING;
NUMBER: [0-9]+;
STRING: '"' ~["]* '"';
SPACE: [ \n]+ -> channel(HIDDEN);
G
claim "a tree alone" exits 0 "$PARE" reduce -q ./nested.sh nest.json -a perses --grammar Nest.g4 \
    -o alone --stats alone.stats -j 1
claim "a portfolio" exits 0 "$PARE" reduce -q ./nested.sh nest.json -a portfolio --grammar Nest.g4 \
    -o few --stats few.stats -j 1
compared "a tree" few.stats alone.stats

# Without a generator there are no choices.
claim "without a generator" exits 0 "$PARE" reduce -a portfolio 'grep -q "use v0"' bad.txt -o two
claim "there are two members" grep -qE '^portfolio, bytes left: bytes 6, tree [0-9]+$' out
claim "and the same result" [ "$(cat two)" = "use v0" ]
printf '(((a)))' > c
claim "bytes of a generator are a third" exits 0 "$PARE" reduce --generator 'cat' --choices c -a portfolio -o three -- grep -q a
claim "which is told" grep -qE 'portfolio, bytes left: bytes 1, tree [0-9], choices 1' out
mkdir folder
cp bad.txt folder
claim "a folder is refused" exits 2 "$PARE" reduce 'test -s "$1/bad.txt"' folder -a portfolio
claim "in one sentence" says "'portfolio' needs a single file in which nothing is protected"
all_claimed
