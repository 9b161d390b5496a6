#!/bin/bash
# pare fuzz reduce, validate, update and bisect: done at once without a campaign, and by the
# coordinator while one runs.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
"$PARE" fuzz --help > /dev/null 2>&1 || { echo "pare is built without campaigns: skipped"; exit 77; }

mkdir in
printf 'one\ntwo a three\nfour\n' > in/1
printf 'five\nb\n' > in/2
cat > target.sh <<'END'
grep -q a "$1" && kill -s SEGV $$
grep -q b "$1" && kill -s ABRT $$
exit 0
END
echo 'exit 0' > good.sh
echo 1 > version
cat > toy.ini <<'END'
[campaign]
reduce = no
[target toy]
command = sh ${folder}/target.sh @@
sandbox = off
runner = spawn
version = cat ${folder}/version
update = echo 2 > ${folder}/version; cp ${folder}/new.sh ${folder}/target.sh
versions =
    1.0 sh ${folder}/good.sh @@
    1.1 sh ${folder}/gone.sh @@
    1.2 sh ${folder}/good.sh @@
    1.3 sh ${folder}/target.sh @@
    1.4 sh ${folder}/target.sh @@
[source files]
kind = folder
files = in
END
claim "a campaign" exits 0 "$PARE" fuzz run toy.ini --max-time 30 --finish
claim "it found two" [ "$("$PARE" fuzz list --json | jq length)" = 2 ]
segv=$("$PARE" fuzz list --json | jq '.[] | select(.signature | test("SEGV")) | .id')
bytes() { "$PARE" fuzz list --json | jq ".[] | select(.id == $1) | .reduced_bytes"; }
state() { "$PARE" fuzz list --json | jq -r ".[] | select(.id == $1) | .state"; }

claim "reduce" exits 0 "$PARE" fuzz reduce "$segv"
claim "says what came of it" grep -q "^finding $segv: from 21 to 1 bytes in" out
claim "the result is kept" [ "$(bytes "$segv")" = 1 ]
claim "validate" exits 0 "$PARE" fuzz validate
claim "of all" [ "$(grep -c 'fails in each of 3 runs' out)" = 2 ]
claim "bisect" exits 0 "$PARE" fuzz bisect "$segv"
claim "finds the version" grep -qx "finding $segv: first in 1.3, not yet in 1.2" out
printf 'old sh %s @@\nnew sh %s @@\n' "$PWD/good.sh" "$PWD/target.sh" > list
claim "bisect by a list" exits 0 "$PARE" fuzz bisect "$segv" --versions list
claim "finds it there" grep -q "first in new, not yet in old" out

# An update that repairs one of them.
sed '/^grep -q a/d' target.sh > new.sh
claim "update" exits 0 "$PARE" fuzz update
claim "tells the versions" grep -q "is updated from '1' to '2'; 2 findings are validated" out
claim "and validates" grep -q "finding $segv: fails in 0 of 3 runs" out
claim "one is fixed" [ "$(state "$segv")" = fixed ]
echo 'grep -q a "$1" && kill -s SEGV $$; exit 0' > target.sh
echo 3 > version
claim "validate again" exits 0 "$PARE" fuzz validate "$segv"
claim "it has regressed" [ "$(state "$segv")" = regressed ]

claim "no such finding" exits 1 "$PARE" fuzz reduce 99
claim "says so" says "there is no finding 99"
claim "no number" exits 2 "$PARE" fuzz validate x
claim "no finding named" exits 2 "$PARE" fuzz reduce
claim "no list" exits 3 "$PARE" fuzz bisect "$segv" --versions nowhere

# While a campaign runs, its coordinator does it.
printf '[source words]\nkind = random\n' >> toy.ini
"$PARE" fuzz run toy.ini -q > run.out 2> run.err < /dev/null &
campaign=$!
asked() { "$PARE" fuzz validate "$segv" > out 2> err && grep -q "the campaign does it as job" out; }
claim "a campaign is asked" await asked
job=$(sed -n 's/.*as job //p' out)
done_by_it() { "$PARE" fuzz show "$segv" | grep -q "job $job (validate) is done"; }
claim "and does it" await done_by_it
kill -TERM $campaign
wait $campaign || true
all_claimed
