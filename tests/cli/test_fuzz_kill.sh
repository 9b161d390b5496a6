#!/bin/bash
# A campaign with jobs of all kinds that is killed at random instants, or one of its jobs: 200 times
# with PARE_TEST_LONG, else a few.  After each kill no process is left and the store is whole: no
# finding is lost or there twice, and no job that had ended is done again.  At the end the campaign
# comes to what it would have come to anyway, and no folder is left.
# PARE_TEST_SEED=N chooses other instants.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
"$PARE" fuzz --help > /dev/null 2>&1 || { echo "pare is built without campaigns: skipped"; exit 77; }
python3 -c 'import sqlite3' 2> /dev/null || { echo "python3 with sqlite3 is missing: skipped"; exit 77; }

kills=9
[ -z "${PARE_TEST_LONG:-}" ] || kills=200
RANDOM=${PARE_TEST_SEED:-7}

cat > Toy.g4 <<'END'
grammar Toy;
text: (WORD ' ')* WORD;
WORD: [a-z] [a-z0-9]? [0-9]?;
END

# Fails in six ways, each on a text of two characters.
cat > target.sh <<'END'
pwd >> "$(dirname "$0")/folders"
for letter in a b c d e f; do
    if grep -q "${letter}1" "$1"; then
        echo "toy.c:1: text: Assertion \`$letter' failed." >&2
        kill -s ABRT $$
    fi
done
exit 0
END
cp target.sh good.sh
sed -i 's/a b c d e f/none/' good.sh

cat > toy.ini <<'END'
[campaign]
jobs = 3

[target toy]
command = sh ${folder}/target.sh @@
sandbox = off
runner = spawn
version = cat ${folder}/version
update = date +%N > ${folder}/version
versions =
    old sh ${folder}/good.sh @@
    middle sh ${folder}/good.sh @@
    new sh ${folder}/target.sh @@

[source words]
kind = grammar
grammar = Toy.g4
batch = 60

[report folder]
to = folder
url = ${folder}/reports
auto = yes
END
echo 1 > version

# What has to hold of the store at any instant, and since the last look.
cat > look.py <<'END'
import json, os, sqlite3, sys

store = sqlite3.connect("toy.pare.db", timeout=30)
ask = lambda sql: store.execute(sql).fetchall()
wrong = []
if ask("PRAGMA integrity_check") != [("ok",)]:
    wrong.append("the database is damaged")
if ask("SELECT 1 FROM finding GROUP BY target, identity HAVING count(*) > 1"):
    wrong.append("a finding is there twice")
if ask("SELECT 1 FROM event WHERE kind = 'new' GROUP BY finding HAVING count(*) > 1"):
    wrong.append("a finding was new twice")
if ask("SELECT 1 FROM job WHERE kind = 1 AND state = 3 GROUP BY finding HAVING count(*) > 1"):
    wrong.append("a finding was reduced twice")
if ask("SELECT 1 FROM finding WHERE input NOT IN (SELECT digest FROM content)"):
    wrong.append("an input is lost")
now = {"findings": {str(i): [identity, count] for i, identity, count in
                    ask("SELECT id, identity, count FROM finding")},
       "ended": {str(i): when for i, when in ask("SELECT id, ended FROM job WHERE state = 3")}}
before = json.load(open("before.json")) if os.path.exists("before.json") else now
for i, (identity, count) in before["findings"].items():
    if now["findings"].get(i, ["", 0])[0] != identity:
        wrong.append("finding %s is lost" % i)
    elif now["findings"][i][1] < count:
        wrong.append("finding %s was seen less often than before" % i)
for i, when in before["ended"].items():
    # Rows of fuzz jobs that ended long ago may go.
    if i in now["ended"] and now["ended"][i] != when:
        wrong.append("job %s was done again" % i)
json.dump(now, open("before.json", "w"))
if wrong:
    print("\n".join(wrong))
sys.exit(1 if wrong else 0)
END

# Processes of the jobs of our store, but this test's own shells.
# The path is in a file, as it would be a word of grep's own otherwise.
echo "$here/toy.pare.db" > store-path
of_ours() {
    grep -lsazxF -f store-path /proc/[0-9]*/cmdline | cut -d / -f 3
}
none_left() { [ -z "$(of_ours)" ]; }
targets_ended() {
    ! grep -lsaF "$here/target.sh" /proc/[0-9]*/cmdline > /dev/null 2>&1
}

# Its time only bounds what a broken test leaves behind: it is killed, or told to end.
begin() {
    "$PARE" fuzz run toy.ini --max-time 900 -q > run.out 2> run.err < /dev/null &
    campaign=$!
}
patience=20
wants() { # asks for a job of another kind, in turns, of a campaign that may die meanwhile
    case $(($1 % 3)) in
    0) timeout "$patience" "$PARE" fuzz validate -q > out 2>&1 ;;
    1) timeout "$patience" "$PARE" fuzz bisect 1 -q > out 2>&1 ;;
    2) timeout "$patience" "$PARE" fuzz update toy -q > out 2>&1 ;;
    esac
    return 0
}

n_campaigns=0 n_jobs=0
begin
await [ -s toy.pare.db ]
for k in $(seq $kills); do
    sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
    victims=$(of_ours)
    if [ $((k % 3)) = 0 ] && [ -n "$victims" ] && kill -0 $campaign 2> /dev/null; then
        # The coordinator stays, and does what the job has not done.
        n_jobs=$((n_jobs + 1))
        echo "$victims" | sed -n "$((RANDOM % $(echo "$victims" | wc -l) + 1))p" | xargs kill -9 2> /dev/null || true
        [ $((RANDOM % 2)) = 0 ] || wants "$k"
    else
        n_campaigns=$((n_campaigns + 1))
        kill -9 $campaign 2> /dev/null || true
        wait $campaign 2> /dev/null || true
        claim "kill $k: its jobs have died with it" await none_left
        claim "kill $k: and what they had started" await targets_ended
    fi
    claim "kill $k: the store is whole" python3 look.py
    kill -0 $campaign 2> /dev/null || begin
done
kill -9 $campaign 2> /dev/null || true
wait $campaign 2> /dev/null || true
claim "no job is left" await none_left

all_reduced() {
    "$PARE" fuzz list --json > list.json &&
        [ "$(jq '[.[] | select(.reduced_bytes == 2 or .state == "merged")] | length' list.json)" -ge 6 ]
}
begin
# The sixth is found by chance, and on a busy machine a test takes a second.
PATIENCE=400
claim "all six are found and reduced" await all_reduced
PATIENCE=120
# Each kind was begun many times; now each may come to its end.
kinds_done() {
    python3 - <<'END' | grep -qx "0 1 2 3 4 5"
import sqlite3
print(*sorted(k for k, in sqlite3.connect("toy.pare.db", timeout=30).execute(
    "SELECT DISTINCT kind FROM job WHERE state = 3")))
END
}
patience=300
for k in 0 1 2; do wants $k; done
claim "each kind of job is done" await kinds_done
kill -TERM $campaign
claim "it ends when it is told to" wait $campaign
claim "the store is whole" python3 look.py
claim "there are six, of one signature each" \
    [ "$(jq -r '.[].signature' list.json | sort | uniq -c | awk '$1 == 1' | wc -l)" = 6 ]
claim "no job is left" await none_left
claim "no test is left" await targets_ended
folders_left() { sort -u folders | while read -r folder; do [ ! -e "$folder" ] || echo "$folder"; done; }
no_folder_left() { [ -z "$(folders_left)" ]; }
claim "no folder of a test is left" await no_folder_left
ended_folders() { # of jobs that have ended
    python3 - <<'END'
import os, sqlite3, sys
store = sqlite3.connect("toy.pare.db")
left = [f for f in os.listdir("toy.pare.db.work") if f.startswith("job-") and store.execute(
    "SELECT 1 FROM job WHERE id = ? AND state < 3", (int(f[4:]),)).fetchone() is None]
print(left)
sys.exit(1 if left else 0)
END
}
claim "no folder of a job that has ended is left" ended_folders
echo "$n_campaigns campaigns and $n_jobs jobs were killed"
all_claimed
