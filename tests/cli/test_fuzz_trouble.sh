#!/bin/bash
# What a campaign says when what it needs is not there: a full disk, a store that is locked, gone or
# damaged, sources that give nothing or never end, trackers that answer 500 or not at all.  One
# sentence each in the log, and what was found is kept.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
needs_campaigns
chmod 755 "$here"

cat > prog.sh << 'END'
#!/bin/sh
case $(cat "$1") in *bad*) kill -s SEGV $$ ;; esac
END
chmod 755 prog.sh
mkdir in
echo "a bad text" > in/1
echo "a good one" > in/2
target="[target prog]
command = $here/prog.sh @@
validate_runs = 1"
# lines TEXT   How many lines of the log, and of what went to standard error, have this text.
lines() { cat out err | grep -cF -- "$1" || true; }
once() { [ "$(lines "$1")" -eq 1 ]; }
is_one_line() { [ "$(wc -l < "$1")" -eq 1 ]; }
has_finding() { [ "$("$PARE" fuzz list --json --store "$1" 2> /dev/null | jq length)" = 1 ]; }

# --- the disk is full ------------------------------------------------------------------------------

# A name space of mounts has a disk of 1 MiB, which somebody fills when the first finding is told.
cat > disk.ini << END
$target
sandbox = off
[source files]
kind = folder
files = $here/in/*
[source counts]
kind = command
command = printf '%s' "\$PARE_SEED"
END
mkdir disk
cat > disk.sh << 'END'
mount -t tmpfs -o size=1m pare disk || exit 77
mkfifo log
"$PARE" fuzz run disk.ini -j 1 --store disk/s.db > log 2> err & child=$!
while read -r line; do
    case $line in *"is new"*) head -c 2M /dev/zero > disk/ballast 2> /dev/null ;; esac
done < log
code=0
wait $child || code=$?
echo $code > code
rm disk/ballast
"$PARE" fuzz list --json --store disk/s.db > list.json
"$PARE" fuzz run disk.ini -j 1 --store disk/s.db --max-tests 5 > out2 2> err2
echo $? > code2
END
rights=
[ "$(id -u)" -eq 0 ] || rights=-r
if unshare -m $rights true 2> /dev/null && timeout -s KILL 300 unshare -m $rights bash disk.sh > /dev/null 2>&1 && [ -f code2 ]; then
    claim "a full disk ends the campaign" [ "$(cat code)" -eq 3 ]
    claim "with one sentence" grep -q "pare fuzz run: .*s.db: the disk is full" err
    claim "and no other" is_one_line err
    claim "what was found is kept" jq -e 'length == 1' list.json
    claim "with room again it goes on" [ "$(cat code2)" -eq 0 ]
    claim "and says nothing of it" [ ! -s err2 ]
else
    echo "no disk can be mounted here: that it is full is not tried"
fi

# --- the store is locked, or damaged ---------------------------------------------------------------

cat > store.ini << END
$target
[source files]
kind = folder
files = in/*
[source counts]
kind = command
command = printf '%s' "\$PARE_SEED"
END
cat > hold.py << 'END'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
store.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
END
"$PARE" fuzz run store.ini -j 1 --store locked.db > out 2> err & child=$!
claim "a campaign runs" await has_finding locked.db
mkfifo held hold
python3 hold.py locked.db < hold > held & holder=$!
exec 7> hold
read -r line < held
claim "a store that somebody else keeps locked is told of" await once "locked.db is locked by another process"
exec 7>&-
wait $holder
n_tests() { python3 -c 'import sqlite3; print(*sqlite3.connect("locked.db").execute("SELECT sum(tests) FROM stream").fetchone())'; }
before=$(n_tests)
goes_on() { [ "$(n_tests)" -gt "$before" ]; }
claim "when that is over it goes on" await goes_on
kill -INT $child
ends $child
claim "and ends well" [ "$code" -eq 0 ]
claim "it was told once" once "locked.db is locked by another process"
claim "and is no error" [ ! -s err ]
claim "what was found is kept" has_finding locked.db

"$PARE" fuzz run store.ini -j 1 --store gone.db > out 2> err & child=$!
claim "a campaign runs" await has_finding gone.db
python3 hold.py gone.db < hold > held & holder=$!
exec 7> hold
read -r line < held
rm gone.db
ends $child
claim "a store that is gone ends it" [ "$code" -eq 3 ]
claim "with one sentence" once "gone.db no longer exists"
exec 7>&-
wait $holder

"$PARE" fuzz run store.ini -j 1 --store hurt.db > out 2> err & child=$!
claim "a campaign runs" await has_finding hurt.db
python3 - << 'END'
for name in "hurt.db", "hurt.db-wal":
    with open(name, "r+b") as file:
        file.write(b"\xa5" * 300000)
END
ends $child
claim "a store that is damaged ends it" [ "$code" -eq 3 ]
claim "with one sentence" grep -qE "pare fuzz run: .*hurt.db is (damaged|not a store)" err
claim "and no other" is_one_line err
claim "it is not written over" exits 3 "$PARE" fuzz run store.ini --store hurt.db
claim "but told of" says "hurt.db is not a store of pare"

# --- sources -----------------------------------------------------------------------------------------

while IFS=@ read -r name what sentence; do
    printf '%s\n[source good]\nkind = folder\nfiles = in/*\n[source wrong]\n%b\n' "$target" "$what" > source.ini
    rm -rf source.pare.db*
    run "$PARE" fuzz run source.ini -j 1
    claim "a source that gives $name does not end the campaign" [ "$code" -eq 0 ]
    claim "it is told: $sentence" once "source wrong: $sentence"
    claim "once" once "source wrong: "
    claim "what others find is kept" has_finding source.pare.db
done << 'END'
nothing@kind = prints\ncommand = true@the command prints nothing
no file@kind = command\ncommand = true@the command writes no file, and prints nothing
an error@kind = command\ncommand = sh -c 'echo broken >&2; exit 3'@the command makes no input and ends with exit code 3: broken
no end@kind = command\ncommand = sleep 1000\ntime = 100ms@the command did not end within 0.1 s
too much@kind = prints\ncommand = yes@the command prints more than 256 MiB
no files@kind = folder\nfiles = none/*@'files = 
END

# --- commands --------------------------------------------------------------------------------------

# refused SENTENCE COMMAND...   A target that cannot find what it needs is refused, and leaves nothing.
refused() {
    local sentence=$1
    shift
    claim "refused: $*" exits 1 "$PARE" fuzz run --from 'folder:in/*' --store refused.db -- "$@"
    claim "told: $sentence" says "$sentence"
    claim "and nothing is left" [ ! -e refused.db ]
}
printf 'grep -q bad "$1" && kill -s SEGV $$\n' > part.sh
printf '#!/bin/sh\n. ./part.sh\n' > whole.sh
chmod 755 whole.sh
refused "target 'whole.sh': the program does not find './part.sh': tests run in a private folder, so write its full path: $here/part.sh" ./whole.sh @@
refused "does not find './part.sh'" sh -c '. ./part.sh' sh @@
refused "target 'sh': the command cannot be run (exit code 127)" sh -c 'no-such-program-here' sh @@
if hidden=$(mktemp -d /dev/shm/pare-cli-XXXXXX 2> /dev/null); then
    cp part.sh "$hidden"
    run "$PARE" fuzz run --from 'folder:in/*' --store hidden.db -- sh "$hidden/part.sh" @@
    # Where there is no sandbox it is found.
    [ "$code" -eq 0 ] || claim "what the sandbox does not show is told" \
        says "does not find '$hidden/part.sh', which is there: the sandbox hides /dev/shm"
    rm -rf "$hidden"
fi

# --- trackers ----------------------------------------------------------------------------------------

cat > tracker.ini << END
$target
[source files]
kind = folder
files = in/*
[report there]
to = github
project = o/r
auto = yes
timeout = 500ms
token_env = PARE_TEST_TOKEN
END
export PARE_TEST_TOKEN=s3cret
tracker_pid=
trap '[ -z "$tracker_pid" ] || kill "$tracker_pid" 2> /dev/null; rm -rf "$here"' EXIT
for mode in 500 silent none; do
    rm -rf tracker.pare.db* tracker.in tracker.out
    url=http://127.0.0.1:1
    if [ $mode != none ]; then
        mkfifo tracker.in tracker.out
        python3 "$PARE_SOURCE_DIR/tests/cli/support/tracker.py" $mode requests.log < tracker.in > tracker.out &
        tracker_pid=$!
        exec 8> tracker.in
        read -r port < tracker.out
        url=http://127.0.0.1:$port
    fi
    run "$PARE" fuzz run tracker.ini -j 1 -D "report there:url=$url"
    if grep -q "needs libcurl" out err; then echo "skipped: there is no libcurl"; break; fi
    claim "tracker ($mode): the campaign ends well" [ "$code" -eq 0 ]
    claim "tracker ($mode): one sentence names it" [ "$(grep -c -e 127.0.0.1 -e "github refuses a search (500)" out)" -eq 1 ]
    claim "tracker ($mode): the finding stays as it was" \
        [ "$("$PARE" fuzz list --json --store tracker.pare.db | jq -r '.[0].state')" = reduced ]
    [ $mode = none ] || { exec 8>&-; wait "$tracker_pid" || true; tracker_pid=; }
done
all_claimed
