#!/bin/bash
# pare fuzz run: a whole campaign, taken up again, stopped, killed, and with what can go wrong.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
needs_campaigns

# Dies of what holds "null" after "[", and complains about what holds "true" after "{".
cat > prog.sh << 'END'
#!/bin/sh
case $(cat "$1") in
*'['*null*) kill -SEGV $$ ;;
*'{'*true*) echo 'prog.c:12: parse: Assertion `x > 0'\'' failed.' >&2; kill -ABRT $$ ;;
esac
END
chmod +x prog.sh
mkdir in
for i in 1 2 3 4 5 6; do
    echo "[1, 2, $i, null, \"some more text\"]" > "in/n$i.json"
    echo "{\"a\": 1, \"b\": [$i, 2], \"c\": true}" > "in/t$i.json"
    echo "[$i, 2, 3]" > "in/ok$i.json"
done
listed() { "$PARE" fuzz list --store "$1" --json; }
no_jobs() { ! pgrep -f "fuzz job $PWD/" > /dev/null; }
# A number of the store, by a statement.
number() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$@"; }

# --- from one line to reduced findings ---------------------------------------------------------

claim "one line is a campaign" exits 0 "$PARE" fuzz run -j 1 --from 'folder:in/*.json' --finish -- ./prog.sh @@
claim "it says where it is" grep -qF "this campaign is in $PWD/prog.sh.ini" out
claim "a finding is told" grep -qF "is new: SIGSEGV (prog.sh, by folder)" out
claim "with its reduction" grep -qE "finding [12] is reduced from [0-9]+ to [0-9]+ bytes" out
claim "and the end" grep -qE "^[0-9.]+ s, 18 tests .*12 failures, 2 new findings, 2 in all, 2 reduced$" out
claim "nothing is on standard error" [ ! -s err ]
claim "no job is left" no_jobs
ls -A > files
claim "files are as promised" [ "$(tr '\n' ' ' < files)" = "err files in out prog.sh prog.sh.ini prog.sh.pare.db prog.sh.pare.db.lock prog.sh.pare.db.work " ]
claim "no folder of a job is left" [ -z "$(ls -d prog.sh.pare.db.work/job-* 2> /dev/null)" ]
listed prog.sh.pare.db > list.json
claim "there are two findings" jq -e 'length == 2' list.json
claim "each counted six times" jq -e 'all(.[]; .count == 6)' list.json
claim "both reduced" jq -e 'all(.[]; .state == "reduced" and .reduced_bytes < .bytes)' list.json
for k in 1 2; do
    "$PARE" fuzz show $k --json --store prog.sh.pare.db > show.json
    claim "and validated after that" jq -e '.[0] | .validated > 0 and .runs == 3 and .fails == 3' show.json
done
claim "which is told" grep -q "finding 1 is still there in each of 3 runs" out
claim "and shown" exits 0 "$PARE" fuzz show 1 --store prog.sh.pare.db
claim "with when and how" grep -qE "^  validated 20[0-9: -]+, fails 3 times of 3$" out

claim "the file goes on with it" exits 0 "$PARE" fuzz run prog.sh.ini
claim "all files are tested again" grep -qE "^[0-9.]+ s, 18 tests .*12 failures, 2 in all, 2 reduced$" out
listed prog.sh.pare.db > list2.json
claim "with the same findings" jq -e 'length == 2 and all(.[]; .count == 12)' list2.json

# An exit code is no crash: who expects a finding is told how to have it.
mkdir exits
cd exits
printf '#!/bin/sh\nif grep -q null "$1"; then echo "error: null"; exit 3; fi\n' > picky.sh
chmod +x picky.sh
echo '[null]' > a.json
claim "an exit code is no finding" exits 0 "$PARE" fuzz run --from 'folder:a.json' -- ./picky.sh @@
claim "which is told" grep -qF "nothing crashed; -D target:finding=any" out
claim "with what makes more inputs" grep -qF -- "--from mutation:PATH makes new inputs from them" out
claim "a model by itself" exits 1 "$PARE" fuzz run --from model:a.json -- ./picky.sh @@
claim "lacks its grammar" says "needs the grammar that it was learnt with: -D source:grammar=FILE.g4"
claim "it is one if asked for" exits 0 "$PARE" fuzz run --from 'folder:a.json' -D target:finding=any -- ./picky.sh @@
claim "indeed" grep -q "finding 1 is new: error: " out
claim "and nothing is told" [ "$(grep -c 'nothing crashed' out)" = 0 ]
cd ..

# --- what is said --------------------------------------------------------------------------------

rm -rf prog.sh.pare.db*
claim "quiet is quiet" exits 0 "$PARE" fuzz run -q prog.sh.ini
claim "indeed" [ ! -s out ]
rm -rf prog.sh.pare.db*
claim "verbose" exits 0 "$PARE" fuzz run -v --color always prog.sh.ini
claim "tells of jobs" grep -qE "job [0-9]+ \(reduce\) is done" out
claim "in colour" grep -q $'\033\[31mfinding' out
echo '[target x]' > prog.sh.ini
claim "another file of this name" exits 0 "$PARE" fuzz run -q --from 'folder:in/*.json' -- ./prog.sh @@
claim "stays" says "prog.sh.ini is another campaign and is left as it is"

# --- validation ----------------------------------------------------------------------------------

cat > chance.ini << END
[target chance]
command = bash -c '! grep -q bad "\$1" || [ \$((RANDOM % 3)) -gt 0 ] || kill -SEGV \$\$' bash @@
reduce_time = 5s
[source files]
kind = folder
files = chance/*
[report written]
to = folder
auto = yes
END
printf '[target prog]\ncommand = %s/prog.sh @@\nvalidate_runs = 0\n[source s]\nkind = folder\nfiles = in/*\n' "$PWD" > prog2.ini
mkdir chance
for i in $(seq 1 40); do echo "bad $i" > chance/$i; done
claim "what fails by chance" exits 0 "$PARE" fuzz run chance.ini --finish
claim "is measured" grep -qE "finding 1 is still there in [0-9]+ of [0-9]+ runs" out
"$PARE" fuzz show 1 --store chance.pare.db > out
claim "the report comes last" [ "$(grep -nE '\((reduce|validate|report)\) is started' out | grep -oE '\((reduce|validate|report)\)' | tr '\n' ' ')" = "(reduce) (validate) (report) " ]
claim "no validation" exits 0 "$PARE" fuzz run prog2.ini --finish
claim "where none is wanted" [ "$("$PARE" fuzz show 1 --store prog2.pare.db --json | jq '.[0].validated')" = 0 ]

# --- limits --------------------------------------------------------------------------------------

cat > r.ini << END
[target prog]
command = $PWD/prog.sh @@
[source random]
kind = random
END
claim "a limit of tests" exits 0 "$PARE" fuzz run r.ini --max-tests 30 -j 1
claim "holds" grep -qE ", 30 tests " out
claim "a limit of time" exits 0 "$PARE" fuzz run r.ini --max-time 1 -j 1
claim "leaves no job" no_jobs
claim "options of the file, too" exits 0 "$PARE" fuzz run r.ini -D campaign:max_tests=20 -D campaign:jobs=1
claim "hold" grep -qE ", 20 tests " out

# --- stopped, and killed -------------------------------------------------------------------------

has_tests() { [ "$(number r.pare.db 'SELECT coalesce(sum(tests), 0) FROM stream' 2> /dev/null)" -gt "${1:-0}" ]; }
for signal in INT TERM; do
    before=$(number r.pare.db 'SELECT sum(tests) FROM stream')
    "$PARE" fuzz run r.ini > out 2> err & child=$!
    claim "it runs" await has_tests "$before"
    kill -$signal $child
    ends $child
    claim "SIG$signal ends it" [ "$code" -eq 0 ]
    claim "with all its jobs" no_jobs
    claim "and a last line" grep -qE "^[0-9.]+ s, [0-9,]+ tests" out
    claim "no job is said to run" [ "$(number r.pare.db 'SELECT count(*) FROM job WHERE state = 1')" -eq 0 ]
done

before=$(number r.pare.db 'SELECT sum(tests) FROM stream')
"$PARE" fuzz run r.ini > out 2> err & child=$!
claim "it runs" await has_tests "$before"
claim "a second one" exits 3 "$PARE" fuzz run r.ini
claim "is refused" says "another process is running a campaign on $PWD/r.pare.db"
kill -KILL $child
ends $child
claim "its jobs die with it" await no_jobs
claim "the next run takes it up" exits 0 "$PARE" fuzz run r.ini --max-tests 10 -j 1
claim "and ends all that was begun" [ "$(number r.pare.db 'SELECT count(*) FROM job WHERE state < 3')" -eq 0 ]

before=$(number r.pare.db 'SELECT sum(tests) FROM stream')
"$PARE" fuzz run r.ini > out 2> err & child=$!
claim "it runs" await has_tests "$before"
rm -rf r.pare.db.work
claim "it survives the loss of its folder" await has_tests $((before + 20))
kill -INT $child
ends $child
claim "to its end" [ "$code" -eq 0 ]

# --- what does not work ----------------------------------------------------------------------------

claim "a program that is not there" exits 1 "$PARE" fuzz run --from random -- ./none @@
claim "is told" grep -q "^pare fuzz run: .*none" err
claim "and leaves no file behind" [ ! -e none.ini ]
claim "and no store" [ ! -e none.pare.db ]
claim "a grammar that is not there" exits 1 "$PARE" fuzz run --from grammar:none.g4 --store g.db -- ./prog.sh @@
claim "is told" grep -q "^pare fuzz run: .*none.g4" err
claim "and leaves no store behind" [ ! -e g.db ]
printf '#!/bin/sh\nkill -SEGV $$\n' > dies.sh
chmod +x dies.sh
claim "a program that dies of everything" exits 1 "$PARE" fuzz run --from random -- ./dies.sh @@
claim "is refused" grep -q "^pare fuzz run: target 'dies.sh' fails on an empty input too" err
claim "and leaves no store" [ ! -e dies.sh.pare.db ]
claim "nor a file" [ ! -e dies.sh.ini ]
echo '[campaign]' > empty.ini
claim "a campaign of nothing" exits 1 "$PARE" fuzz run empty.ini
claim "is told" says "the campaign has no [target NAME]"
head -c 4096 /dev/urandom > d.db
claim "a damaged store" exits 3 "$PARE" fuzz run r.ini --store d.db
claim "is one sentence" says "d.db"
claim "a store that cannot be" exits 3 "$PARE" fuzz run r.ini --store /proc/x.db
claim "is one sentence" says "/proc/x.db"
claim "a job of no store" exits 3 "$PARE" fuzz job none.db 1
claim "is one sentence" says "none.db"
claim "a job of no number" exits 2 "$PARE" fuzz job r.pare.db x
claim "an ended job" exits 1 "$PARE" fuzz job r.pare.db 1
claim "is not done again" says "job 1 has ended"

all_claimed
