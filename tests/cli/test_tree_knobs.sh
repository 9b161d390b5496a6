#!/bin/bash
# The knobs of the tree algorithms: transformations, phases, traversals, list algorithms; wrong names.
# Each transformation is tried with two tree algorithms in turn, each list algorithm with one; all
# with each of them with PARE_TEST_LONG.
set -u
. "$(dirname "$0")/claims.sh"

cat >List.g4 <<'G4'
grammar List;
s: item* EOF;
item: ID ('=' e)? ';' | '{' item+ '}';
e: e '+' t | t;
t: ID | NUM | '(' e ')' | '[' (e (',' e)*)? ']';
ID: [a-z]+ ;
NUM: [0-9]+ ;
W: [ \n]+ -> skip ;
G4
echo 'a = 1; b = [1, 2, (3 + 44 + 5), [6]]; { c = ((4)); d; { e = []; } } f = 1 + 2 + 3;' >in.txt
export PARE_DATA=$PWD/data
GRAMMAR='--grammar List.g4'
TEST='grep -q 44'

TEST_LINE=./one.sh
printf '%s\n' '#!/bin/sh' 'grep -q 44 "$1"' >one.sh
chmod +x one.sh

# reduces WHAT OPTIONS...   A reduction whose result fails and is in the language.
reduces() {
    local what=$1
    shift
    claim "$what" exits 0 "$PARE" reduce -q "$TEST" in.txt $GRAMMAR "$@" -o out.txt \
        --trace trace.json --no-journal
    claim "$what: it fails" $TEST out.txt
    case "$*" in
    *gtr* | *delete* | *child*) ;; # they ask no grammar what may go
    *) claim "$what: in the language" exits 0 "$PARE" parse $GRAMMAR out.txt ;;
    esac
}

# in_turn N NAME...   Prints all names with PARE_TEST_LONG, else N: those that come after the last ones.
turn=0
in_turn() {
    local k n=$1
    shift
    local names=("$@")
    [ -z "${PARE_TEST_LONG:-}" ] || n=$#
    for ((k = 0; k < n; k++)); do
        echo "${names[(turn + k) % $#]}"
    done
}

for transforms in none squeeze hide flatten remove-empty skip-space \
    remove-empty,flatten,squeeze,hide,skip-space hide,squeeze,flatten; do
    for algorithm in $(in_turn 2 hdd hddr coarse-hdd perses gtr grabr grabr-generative); do
        reduces "$algorithm, $transforms" -a "$algorithm" --transform $transforms
    done
    turn=$((turn + 2))
done

# tests_of OPTIONS...   How many tests a reduction asks for, the cache included.
tests_of() {
    "$PARE" reduce -q "$TEST" in.txt $GRAMMAR "$@" -o out.txt --trace trace.json --no-journal &&
        wc -l <trace.json
}
claim "squeeze and hide save tests" [ "$(tests_of -a hdd)" -lt \
    "$(tests_of -a hdd --transform none)" ]
claim "they are the default" [ "$(tests_of -a hdd)" -eq \
    "$(tests_of -a hdd --transform squeeze,hide)" ]

reduces "pruning, then hoisting" -a hdd --phase prune --phase hoist
reduces "coarse first" -a hdd --phase coarse --phase prune
reduces "in a row" -a hddr --phase coarse,hoist --phase prune,hoist
reduces "steps of gtr" -a hdd --phase delete,child
claim "the phases are run in sequence" [ "$(tests_of -a hdd --phase coarse --phase prune)" -gt \
    "$(tests_of -a hdd --phase coarse)" ]
claim "hoisting finds more" [ "$(tests_of -a hdd --phase prune,hoist >/dev/null; wc -c <out.txt)" \
    -lt "$(tests_of -a hdd >/dev/null; wc -c <out.txt)" ]

# The failure is in two places, so that it matters which is looked at first.
printf '%s\n' '#!/bin/sh' 'grep -q "44.*d.*2" "$1"' >two.sh
chmod +x two.sh
TEST=./two.sh
: >orders
for traversal in last last-backward first first-backward; do
    reduces "$traversal" -a hddr --traversal $traversal
    "$PARE" reduce -q "$TEST" in.txt $GRAMMAR -a hddr --traversal $traversal -o out.txt \
        --trace trace.json
    sed 's/.*"digest":"\([0-9a-f]*\)".*/\1/' trace.json | tr '\n' ' ' >>orders
    echo >>orders
done
TEST='grep -q 44'
claim "four traversals, four orders" [ "$(sort -u orders | wc -l)" -eq 4 ]

lists=$("$PARE" reduce --list-algorithms | sed -n '/^Algo/,/^  hdd/s/^  \([a-z-]*\) .*/\1/p' |
    grep -v -e auto -e hdd)
claim "there are many list algorithms" [ "$(echo "$lists" | wc -l)" -ge 10 ]
for list in $lists halves; do
    for algorithm in $(in_turn 1 hdd hddr coarse-hdd perses gtr); do
        reduces "$algorithm with $list" -a "$algorithm" --list-algorithm "$list"
    done
    turn=$((turn + 1))
done

# An option that nothing looks at is told, once; one that something looks at is not.
quiet_about() { ! grep -q 'without effect' out; }
claim "knobs of lists with perses" exits 0 "$PARE" reduce $TEST_LINE in.txt $GRAMMAR -a perses \
    -u line --subsets last --order backward --traversal first -o out.txt
claim "are named" grep -q -e '--unit, --traversal, --subsets, --order: without effect' out
claim "once" [ "$(grep -c 'without effect' out)" -eq 1 ]
claim "with a list algorithm that has them" exits 0 "$PARE" reduce $TEST_LINE in.txt $GRAMMAR \
    -a perses --list-algorithm ddmin --subsets last --order backward -o out.txt
claim "nothing is said" quiet_about
claim "a grammar without trees" exits 0 "$PARE" reduce $TEST_LINE in.txt $GRAMMAR -a ddmin \
    --search all -o out.txt
claim "is named too" grep -q -e '--grammar, --search: without effect' out

claim "what was shown" exits 0 "$PARE" reduce $TEST_LINE in.txt $GRAMMAR -a hddr -o out.txt \
    --stats stats.json
claim "is said" grep -q 'minimal: no single node of the tree below its root can give way' out
claim "and kept" grep -q '"minimal_nodes": "no single node' stats.json

claim "an unknown transformation" exits 2 "$PARE" reduce "$TEST" in.txt -a hdd --transform squash
claim "names those there are" says "unknown transformation 'squash': use remove-empty, flatten"
claim "none is alone" exits 2 "$PARE" reduce "$TEST" in.txt -a hdd --transform squeeze,none
claim "an unknown step" exits 2 "$PARE" reduce "$TEST" in.txt -a hdd --phase prune,raise
claim "names those there are" says "unknown step 'raise': a phase consists of prune, coarse"
claim "too many steps" exits 2 "$PARE" reduce "$TEST" in.txt -a hdd \
    --phase prune,prune,prune,prune,prune
claim "an unknown list algorithm" exits 2 "$PARE" reduce "$TEST" in.txt -a hdd \
    --list-algorithm ddmim
claim "names the nearest" says "ddmin"
claim "a tree algorithm is none" exits 2 "$PARE" reduce "$TEST" in.txt -a hdd --list-algorithm hddr
all_claimed
