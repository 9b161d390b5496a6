#!/bin/bash
# pare fuzz run --workers: the same findings as at home, also when workers and the server are killed;
# feedback, reductions and validations with workers; what is said of servers that do not do.
#
# At home tests wait at a gate ($PARE_TEST_GATE, which workers do not have in their environment), all
# but the first $PARE_TEST_FREE: so workers get tests whatever the load, and what happens meanwhile
# happens in the middle.
#
# The test starts servers of its own on loopback and ends them; it is skipped without nats-server or
# libnats.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
needs_campaigns
. "$PARE_SOURCE_DIR/tests/cli/cluster.sh"

# Dies of what holds "null" after "[", and complains about what holds "true" after "{".  Files have
# more than a line end: the controls pass.
cat > prog.sh << 'END'
#!/bin/sh
[ "${WORD:-}" = travels ] || exit 9
if [ "${PARE_TEST_GATE:-}" ] && [ "$(wc -c < "$1")" -gt 1 ]; then
    echo >> "$PARE_TEST_GATE.runs"
    until [ "$(wc -l < "$PARE_TEST_GATE.runs")" -le "${PARE_TEST_FREE:-0}" ] || [ -e "$PARE_TEST_GATE" ]; do
        sleep 0.05
    done
fi
if [ "${PARE_TEST_LOG:-}" ]; then head -c 1 "$1" >> "$PARE_TEST_LOG"; fi
[ "${SLOW:-}" ] && sleep "$SLOW"
case $(cat "$1") in
*'['*null*) kill -SEGV $$ ;;
*'{'*true*) echo 'prog.c:12: parse: Assertion `x > 0'\'' failed.' >&2; kill -ABRT $$ ;;
esac
END
chmod +x prog.sh
mkdir in
for i in $(seq 10 21); do
    echo "[1, 2, $i, null, \"some more text\"]" > "in/n$i.json"
    echo "{\"a\": 1, \"b\": [$i, 2], \"c\": true}" > "in/t$i.json"
    echo "[$i, 2, 3]" > "in/ok$i.json"
done
campaign() { # NAME [LINE OF THE TARGET...]
    printf '[campaign]\njobs = 1\n[target prog]\ncommand = %s/prog.sh @@\nsandbox = off\ntimeout = 200\nenv = WORD=travels\n' "$here" > "$1.ini"
    for line in "${@:2}"; do echo "$line" >> "$1.ini"; done
    printf '[source files]\nkind = folder\nfiles = in/*\n' >> "$1.ini"
}
# What was found, without when: the same whoever ran the tests.
found() {
    local id
    "$PARE" fuzz list --store "$1.pare.db" --json |
        jq -c 'sort_by(.signature) | .[] | [.state, .signature, .count, .reduced_bytes]'
    for id in $("$PARE" fuzz list --store "$1.pare.db" --json | jq 'sort_by(.signature) | .[].id'); do
        "$PARE" fuzz show "$id" --print result --store "$1.pare.db"
        "$PARE" fuzz show "$id" --json --store "$1.pare.db" | jq -c '.[0] | [.runs, .fails]'
    done
}
same() { cmp <(found "$1") <(found "$2"); }
number() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$@"; }
is_counted_once() {
    [ "$(number "$1.pare.db" 'SELECT sum(tests) FROM stream')" = 36 ] &&
        [ "$(number "$1.pare.db" 'SELECT sum(failures) FROM stream')" = 24 ] &&
        [ "$(number "$1.pare.db" 'SELECT count(*) FROM finding')" = 2 ] &&
        [ "$(number "$1.pare.db" 'SELECT count(*) FROM member')" -le 32 ] &&
        [ "$(number "$1.pare.db" "SELECT count(*) FROM fact WHERE name GLOB 'workers of*'")" = 0 ]
}
more_than() { [ "$(ran "$1")" -gt "$2" ]; }

# --- the same as at home -------------------------------------------------------------------------

campaign home
claim "a campaign at home" exits 0 "$PARE" fuzz run home.ini --finish
claim "a server starts" start_server --jetstream --store_dir store
campaign nobody
claim "without workers it runs at home" exits 0 "$PARE" fuzz run nobody.ini --workers "$url" --finish
claim "which is told" grep -q "no worker is at $url yet" out
claim "to the same findings" same home nobody

claim "a worker starts" start_worker one -j2
# Whether there is a full sandbox shows when it is used.
refused_sandbox() { grep -q 'is refused: .*sandbox' worker.one; }
campaign probe
exits 0 "$PARE" fuzz run probe.ini --workers "$url" --finish || true
if refused_sandbox; then
    echo "the full sandbox cannot be had here: workers run without it"
    sandbox=off
    kill "$worker"; wait "$worker" || true
    claim "a worker starts without a sandbox" start_worker one -j2
fi
first=$worker
claim "another worker starts" start_worker two -j2
second=$worker

# run_gated NAME COMMAND...   A campaign whose tests at home wait until COMMAND is true.
run_gated() {
    local gate=$here/gate.$1 ended=0 pid
    PARE_TEST_GATE=$gate timeout 250 "$PARE" fuzz run "$1.ini" --workers "$url" --finish > out 2> err < /dev/null &
    pid=$!
    until_true "${@:2}" || ended=1
    touch "$gate"
    wait "$pid" && [ "$ended" = 0 ]
}
both_ran() { more_than one "$at_one" && more_than two "$at_two"; }
at_one=$(ran one) at_two=$(ran two)
campaign both
claim "with two workers" run_gated both both_ran
claim "to the same findings" same home both
claim "each counted once" is_counted_once both
claim "workers and slots are told" grep -q "2 workers with 4 slots at $url" out
claim "nothing is wrong" [ ! -s err ]

# --- reductions and validations ------------------------------------------------------------------

# Again by hand, with workers: at home one test of the reduction, and the second run of the
# validation, wait until a worker has run some.
by_hand() { # FREE WORD...
    local gate=$here/gate.hand ended=0 pid at
    rm -f "$gate" "$gate.runs"
    at=$(($(ran one) + $(ran two)))
    PARE_TEST_GATE=$gate PARE_TEST_FREE=$1 timeout 250 "$PARE" fuzz "${@:2}" --store both.pare.db > out 2> err < /dev/null &
    pid=$!
    until_true some_ran "$at" || ended=1
    touch "$gate"
    wait "$pid" && [ "$ended" = 0 ]
}
some_ran() { [ $(($(ran one) + $(ran two))) -gt "$1" ]; }
# A test takes a moment: of shorter ones none is tried ahead on a busy machine.
export SLOW=0.05
claim "a reduction by hand uses workers" by_hand 12 reduce 1
claim "to the same result" same home both
export SLOW=0.3
claim "a validation by hand does" by_hand 1 validate 1
unset SLOW
claim "which says that it is there" grep -q 'fails in each of 3 runs\|still there' out

# --- a target that is a worker of the user's ----------------------------------------------------

# Its process is started anew on each machine.  At home it waits for the gate, as programs do.
cat > judge.sh << 'END'
#!/bin/sh
while read -r size path; do
    if [ "${PARE_TEST_GATE:-}" ] && [ "$size" -gt 1 ]; then
        until [ -e "$PARE_TEST_GATE" ]; do sleep 0.05; done
    fi
    case $(cat "$path") in *'['*null*) echo FAIL ;; *) echo PASS ;; esac
done
END
chmod +x judge.sh
judged() { # NAME
    campaign "$1" "kind = worker" "finding = test"
    sed -i "s,^command.*,command = $here/judge.sh," "$1.ini"
}
found_by_judge() { found "$1" | sed 1q; "$PARE" fuzz show 1 --print result --store "$1.pare.db"; }
judged judge_home
claim "a target that is a worker, at home" exits 0 "$PARE" fuzz run judge_home.ini --finish
judged judge_both
at_one=$(ran one) at_two=$(ran two)
claim "and on workers" run_gated judge_both some_ran "$((at_one + at_two + 4))"
claim "to the same finding" cmp -s <(found_by_judge judge_home) <(found_by_judge judge_both)
claim "of which there is one" [ "$(number judge_both.pare.db 'SELECT count(*) FROM finding')" = 1 ]
claim "each counted once" [ "$(number judge_both.pare.db 'SELECT sum(tests) FROM stream')" = 36 ]

# --- a worker that is killed ---------------------------------------------------------------------

one_killed() {
    if [ "$second" ]; then
        both_ran || return 1
        kill -KILL "$second"
        second=
    fi
    grep -q 'worker two is gone' out
}
at_one=$(ran one) at_two=$(ran two)
campaign killed
claim "a worker is killed in the middle, and that is told" run_gated killed one_killed
claim "to the same findings" same home killed
claim "each counted once" is_counted_once killed

# --- feedback ------------------------------------------------------------------------------------

# Who has run an input is known by its first letter, which is what it reaches.
kill "$first"; wait "$first" || true
export PARE_TEST_LOG=$here/log.away
claim "a worker that keeps a log starts" start_worker log -j1 --sandbox off
logging=$worker
export PARE_TEST_LOG=$here/log.home
mkdir letters
for letter in a b c d e f g h; do echo "$letter$letter$letter" > "letters/$letter"; done
campaign feedback 'coverage_by = cut -c 1'
sed -i 's,in/\*,letters/*,' feedback.ini
: > log.away
claim "a campaign with feedback" run_gated feedback test -s log.away
unset PARE_TEST_LOG
members() { python3 -c 'import sqlite3; print("".join(sorted(r[0].decode()[0] for r in sqlite3.connect("feedback.pare.db").execute("SELECT bytes FROM content WHERE digest IN (SELECT digest FROM corpus)"))))'; }
claim "all that reaches something new joins" [ "$(members)" = abcdefgh ]
only_away() { [ "$(tr -cd a-h < log.away | tr -d "$(tr -cd a-h < log.home)")" ]; }
claim "also what a worker alone has run" only_away
claim "each reached once" [ "$(number feedback.pare.db 'SELECT sum(edges) FROM stream')" = 8 ]
kill "$logging"; wait "$logging" || true

# --- a server that dies --------------------------------------------------------------------------

claim "a worker starts anew" start_worker three -j2
server_dies() {
    more_than three 0 || return 1
    kill -KILL "$server"
}
campaign alone
claim "the server is killed in the middle" run_gated alone server_dies
claim "to the same findings" same home alone
claim "each counted once" is_counted_once alone
claim "which is told" grep -qE "is away: tests run on this machine|no server answers at .*: tests run on this machine alone" out
claim "and later, too" grep -q "no server answers at $url.*: tests run on this machine alone" out

# --- what cannot be ------------------------------------------------------------------------------

refused() { # CODE SENTENCE OPTION...
    run "$PARE" fuzz run home.ini --store none.pare.db "${@:3}"
    [ "$code" = "$1" ] && says "$2" && [ ! -e none.pare.db ]
}
claim "no server" refused 3 'no server answers at nats://127.0.0.1:1: start one' --workers nats://127.0.0.1:1
claim "no URL" refused 2 'a server is nats://HOST' --workers 127.0.0.1
claim "another machine without credentials" refused 2 'give --credentials FILE' --workers nats://192.0.2.1
claim "a password in the URL" refused 2 'USER:PASSWORD to a file' --workers nats://u:p@127.0.0.1
claim "nothing for workers without them" refused 2 "needs '--workers'" --insecure
claim "check says it, too" exits 1 "$PARE" fuzz check home.ini --workers nats://127.0.0.1:1
claim "in a sentence" grep -q 'no server answers at nats://127.0.0.1:1' err

port=$(free_port)
url=nats://127.0.0.1:$port
nats-server --addr 127.0.0.1 --port "$port" --jetstream --store_dir store2 --user u --pass p > server.log 2>&1 &
pids+=($!)
printf 'u:p\n' > right; printf 'u:q\n' > wrong
lets_in() { "$PARE" worker "$url" --credentials right --status 2>&1 | grep -q 'no worker answers'; }
claim "a server with a password lets in who knows it" until_true lets_in
claim "wrong credentials" refused 3 'refuses these credentials' --workers "$url" --credentials wrong
claim "no credentials" refused 3 'refuses these credentials' --workers "$url"
"$PARE" worker "$url" --credentials right --name locked --sandbox "$sandbox" > worker.locked 2>&1 &
pids+=($!)
is_there() { "$PARE" worker "$url" --credentials right --status | grep -q '^locked '; }
claim "a worker with the password" until_true is_there
mkdir elsewhere
campaign elsewhere/file "reduce = no"
sed -i "s,in/\*,../in/ok*,; s,^jobs.*,&\nworkers = $url\ncredentials = ../right," elsewhere/file.ini
claim "the options may be in the file" exits 0 "$PARE" fuzz run elsewhere/file.ini
claim "paths of which are relative to it" grep -q "1 worker with . slots* at $url" out
all_claimed
