#!/bin/bash
# What stays: --protect and keep comments, for every kind of unit and algorithm.
set -u
. "$(dirname "$0")/claims.sh"

cat >in.c <<'C'
#include <one.h>
int f(int a) { return (a + (1 * 2)); }
/* pare:keep-begin */
int g(int b) { return [b, {c}]; }
/* pare:keep-end */
int h(int c) { if (c) { bug(c, (d)); } return 3; }
#include <two.h>
C
grep '^#include' in.c >protected
sed -n '/keep-begin/,/keep-end/p' in.c >>protected

# Whether every protected line is in the file, and how many bytes of it are not protected.
holds() { while read -r line; do grep -qF -- "$line" "$1" || return 1; done <protected; }
rest() { echo $(($(tr -d '\n' <"$1" | wc -c) - $(tr -d '\n' <protected | wc -c))); }

for algorithm in auto ddmin ddmin-complement quickxplain probdd perses hdd gtr coarse-hdd; do
    claim "$algorithm" exits 0 "$PARE" reduce -q 'grep -q bug' in.c -a $algorithm \
        --protect '^#include.*' -o out.c
    claim "$algorithm: every protected line is there" holds out.c
    claim "$algorithm: and the rest is small" \
        [ "$(rest out.c)" -lt 60 ]
    claim "$algorithm: the same bytes at -j8" exits 0 "$PARE" reduce -q 'grep -q bug' in.c \
        -a $algorithm --protect '^#include.*' -o out8.c -j8 --deterministic
    claim "$algorithm: indeed" cmp out.c out8.c
done
claim "the default leaves nothing else but the bug" exits 0 "$PARE" reduce -q 'grep -q bug' in.c \
    --protect '^#include.*' -o out.c
claim "that is three bytes" [ "$(rest out.c)" -eq 3 ]

printf 'x1\ny1\nz2\n' >all.txt
claim "everything protected: nothing changes" exits 0 "$PARE" reduce -q --allow-empty true all.txt --protect '(?s).*'
claim "indeed" cmp all.txt all.min.txt
claim "an expression that loses its anchor goes on protecting" exits 0 "$PARE" reduce -q --allow-empty true \
    all.txt --protect '^[yz].' -o anchored.txt
claim "indeed" [ "$(cat anchored.txt)" = y1z2 ]
claim "a wrong expression" exits 2 "$PARE" reduce true all.txt --protect 'a(b'
claim "says where" says "'a(b' is wrong at character 4"

all_claimed
