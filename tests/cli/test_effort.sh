#!/bin/bash
# --effort: less than the default, and more.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

cat > in.c <<'END'
#include <stdio.h>
static int table[] = {1, 20, 300, 4000};
static int sum(int from, int to)
{
    int all = 0;
    for (int i = from; i < to; i++)
        all += table[i] * needle(i, from + 17);
    return all ? all : -1;
}
int main(void) { printf("%d\n", sum(0, 4)); return 0; }
END
# So much has to stay that passes are set aside after 40 tests: what fast leaves out.
printf '#!/bin/sh\ngrep -q "needle(.*17" "$1" && grep -q "return all" "$1" && grep -q "table.*300, 4000" "$1"\n' \
    > test.sh
chmod +x test.sh
# One at a time: tests that were run ahead count, and how many depends on the machine.
for effort in fast normal max; do
    "$PARE" reduce -j 1 --no-journal --lang none --effort $effort -o $effort.c --stats $effort.json ./test.sh in.c \
        > $effort.txt 2>&1 && code=0 || code=$?
    claim "$effort: exit code 0" [ "$code" -eq 0 ]
    claim "$effort: the result fails" ./test.sh $effort.c
done
tests() { jq .tests_run "$1.json"; }
size() { wc -c < "$1.c"; }
claim "fast takes fewer tests" [ "$(tests fast)" -lt "$(tests normal)" ]
claim "fast says why it stopped" [ "$(jq -r .stopped fast.json)" = effort ]
claim "and in words" grep -q 'not minimal (see --effort)' fast.txt
claim "fast promises nothing" [ "$(jq -r .minimal fast.json)" = none ]
claim "normal is minimal" [ "$(jq -r .minimal normal.json)" = 1-minimal ]
claim "max is minimal" [ "$(jq -r .minimal max.json)" = 1-minimal ]
claim "max is no larger" [ "$(size max)" -le "$(size normal)" ]
claim "max has tried more" [ "$(tests max)" -gt "$(tests normal)" ]

for j in 1 4; do
    "$PARE" reduce -q --no-journal --effort max --lang none -j $j --trace trace$j -o max$j.c ./test.sh in.c
    jq -c 'del(.ms)' trace$j > steps$j
done
claim "the same steps for -j 1 and 4" eval 'cmp steps1 steps4 && cmp max1.c max4.c'

printf '#!/bin/sh\n[ "$(cksum < "$1")" = "%s" ]\n' "$(cksum < in.c)" > whole.sh
chmod +x whole.sh
claim "where all is needed" exits 0 "$PARE" reduce -j 1 --no-journal --effort fast -o whole.c ./whole.sh in.c
claim "it is said that nothing goes" grep -q 'because nothing that was tried could be left out' out
"$PARE" reduce --effort most ./test.sh in.c 2> err && code=0 || code=$?
claim "another word is refused" [ "$code" -eq 2 ]
claim "with the words there are" grep -q 'normal' err
all_claimed
