#!/bin/bash
# Trees by languages through the command line: each tree algorithm, run to its end on a
# small source, ends with a text of the language; the default tells the language by the
# file's name, and goes on by brackets where it was not added.  All algorithms reduce each source to
# one word; to several words one in turn does, or all with PARE_TEST_LONG.
set -u
. "$(dirname "$0")/claims.sh"

cat >a.c <<'C'
#include <stdio.h>
/* counts */
static int count(const char *s, int n)
{
    int sum = 0, other = 1;
    for (int i = 0; i < n && s[i]; i++) {
        if (s[i] == 'x' || n > 3)
            sum += needle(s, (i + other), sum);
        else
            continue;
    }
    do { sum--; } while (sum > 100);
    return sum ? sum : -1; // done
}

int main(int argc, char **argv) { return count(argv[0], argc) + (int)sizeof(struct { int a; }); }
C
cat >a.js <<'JS'
'use strict';
const f = async (a, {b, c = 2}, ...rest) => {
  for (const k of rest) { if (!k) break; else await needle(k, [a, b, c], `t ${a + 1}`) }
  try { throw new Error("x") } catch (e) { return e } finally { f() }
}
class A extends B { constructor(x) { super(x); this.y = x } get q() { return this.y } }
switch (f) { case 1: f(); break; default: new A(1) }
JS
cat >a.py <<'PY'
import os, sys
from a import (b, c)

@decorated
def f(a, *b, c=1, **d):
    """doc"""
    if a and not b:
        return [x for x in needle(a, b) if x != c]
    elif d:
        pass
    else:
        with open(a) as g, h:
            raise E from None
    while a: a -= 1

class A(B, metaclass=C):
    x: int = 1
PY
cat >a.json <<'JSON'
{"a": [1, -2.5e3, {"needle": [true, null]}, "x\n"], "": {}, "b": {"c": [[], [0]]}}
JSON
cat >a.lua <<'LUA'
local t = {1, x = 2, ["y"] = function(...) return ... end; 3}
function t.f(a, b)
  for i = 1, #t do if a == b then break elseif a then t.g = needle(a, b) else return end end
  repeat local c = not a until c
  return a .. b, t:f(1), "s"
end
LUA
find_needle="grep -q needle"

# --- not added -------------------------------------------------------------------------
export PARE_DATA=$PWD/data
claim "without the language" exits 0 "$PARE" reduce "$find_needle" a.c -o by-brackets.c
claim "one notice says what adds it" [ "$(cat out err | grep -c "pare lang add c'")" -eq 1 ]
claim "and the needle is found" [ "$(cat by-brackets.c)" = needle ]
claim "by brackets, if they are asked for" exits 0 "$PARE" reduce "$find_needle" a.c --lang none \
    -o none.c
claim "of which nothing need be said" [ "$(cat out err | grep -c 'pare lang')" -eq 0 ]
claim "it is the same" cmp by-brackets.c none.c
cp a.c plain
claim "a name that tells nothing" exits 0 "$PARE" reduce "$find_needle" plain -o plain.out
claim "of which one line tells" [ "$(cat out err | grep -c 'tells no language')" -eq 1 ]
claim "without the folder, and with what helps" grep -qx "the name 'plain' tells no language: going \
on by brackets; if it is in one that 'pare lang list' shows, --lang NAME makes the result smaller" out
for name in log.txt b.LOG; do
    cp a.c "$name"
    claim "of $name nothing need be said" exits 0 "$PARE" reduce "$find_needle" "$name" -o plain.out
    claim "and is not" [ "$(cat out err | grep -c 'language')" -eq 0 ]
done
{ printf '\0\1\2\3\377%.0s' {1..20}; echo needle; } > bytes
claim "nor of bytes that are no text" exits 0 "$PARE" reduce "$find_needle" bytes -o plain.out
claim "either" [ "$(cat out err | grep -c 'language')" -eq 0 ]
claim "unless it was meant so" exits 0 "$PARE" reduce "$find_needle" plain -o plain.out --lang none
claim "of which nothing need be said either" [ "$(cat out err | grep -c 'language')" -eq 0 ]
claim "lists need no language" exits 0 "$PARE" reduce "$find_needle" a.c -u line -o lines.c
claim "nor do they ask for one" [ "$(cat out err | grep -c 'pare lang')" -eq 0 ]

# --- added -----------------------------------------------------------------------------
export PARE_DATA=$PARE_TEST_DATA
languages="c javascript python json lua"
for language in $languages; do
    "$PARE" lang info "$language" | grep -q '^added *no' || continue
    "$PARE" lang add -q "$language" 2>add.err && continue
    echo "skipped: $(cat add.err)"
    [ "$n_false" -eq 0 ] && exit 77
    all_claimed
done

all="hdd hddr coarse-hdd perses gtr"
turn=0
# keeps SOURCE NAME WORD...: algorithms, while all WORDs stay in the text.
keeps() {
    local source=$1 name=$2 algorithm algorithms=$all result word
    shift 2
    if [ "$name" != one ] && [ -z "${PARE_TEST_LONG:-}" ]; then
        algorithms=$(echo $all | cut -d ' ' -f $((turn % 5 + 1)))
        turn=$((turn + 1))
    fi
    printf '#!/bin/sh\nset -e\n' >keeps.sh
    for word in "$@"; do
        printf 'grep -q -e "%s" "$1"\n' "$word" >>keeps.sh
    done
    chmod +x keeps.sh
    for algorithm in $algorithms; do
        result=$algorithm-$name-$source
        claim "$result" exits 0 "$PARE" reduce -q ./keeps.sh "$source" -a $algorithm -o "$result"
        claim "$result keeps what it is to keep" ./keeps.sh "$result"
        claim "$result is smaller" [ "$(wc -c <"$result")" -lt "$(wc -c <"$source")" ]
        claim "$result is in its language" exits 0 "$PARE" parse "$result"
    done
}

for source in a.c a.js a.py a.json a.lua; do
    claim "$source is in its language" exits 0 "$PARE" parse "$source"
    keeps $source one needle
done
keeps a.c loops needle while other
keeps a.c types struct sizeof argv
keeps a.c branches else -1
keeps a.js strings needle rest 'b, c'
keeps a.js classes super default q
keeps a.js errors catch 'this' 'case'
keeps a.py loops needle while with
keeps a.py classes metaclass decorated elif
keeps a.py raises raise return c=1
keeps a.json numbers -2.5e3 0 c
keeps a.lua loops repeat elseif for
keeps a.lua tables needle 'y' 'x = 2'
claim "perses leaves little of the C" [ "$(wc -c <perses-one-a.c)" -le 60 ]

# What comes after comments, definitions that nothing leads to, and the scout, which knows no structure and cannot
# find three words alone.
printf '#!/bin/sh\ngrep -q struct "$1" && grep -q argv "$1" && exec grep -q needle "$1"\n' >three.sh
chmod +x three.sh
passes() { jq -r '.passes[].name' stats.json; }
first_pass() { passes | grep -v -e scout -e comments -e unused-definitions | head -n 1; }
claim "the default" exits 0 "$PARE" reduce ./three.sh a.c -o default.c --stats stats.json
claim "the statistics name the language" [ "$(jq -r .language stats.json)" = c ]
claim "it begins with the tree of the language" [ "$(first_pass)" = heavy-lists/tree ]
claim "its result" [ "$(wc -c <default.c)" -le 18 ]
claim "by brackets" exits 0 "$PARE" reduce ./three.sh a.c -o default.c --lang none \
    --stats stats.json
claim "begins with what the text shows" [ "$(first_pass)" = structure ]

# Nodes that the language wants there give way to its shortest texts.
replaces() { # FILE LANGUAGE WANTED LEFT
    local algorithm
    for algorithm in hdd hddr; do
        claim "$algorithm replaces nodes of $1" exits 0 "$PARE" reduce -q "grep -qE '$3'" "$1" \
            -o "short.$1" -a "$algorithm" --lang "$2" --no-journal
        claim "with the shortest texts of $1 by $algorithm" grep -qE "$4" "short.$1"
        claim "and little else of $1 is left by $algorithm" [ "$(wc -c <"short.$1")" -le 40 ]
    done
}
echo 'int f(void) { while (first(1) > 2) { g(1 + 2, h(3), keep); } return 7 * 8; }' >args.c
replaces args.c c 'g[(].+, .+, keep[)]' 'g[(]0, 0, keep[)]'
# Here a type's shortest text, a name, is known by the input alone; by the result it is a word.
echo 'name gone; long keep;' >late.c
replaces late.c c '(long|int) keep' '^int keep'
echo 'if (first(1) > other) { call(keep, 2); } else g();' >if.js
replaces if.js javascript 'if [(].+[)].*keep' 'if [(]0[)].*keep'
all_claimed
