#!/bin/bash
# A campaign that tells: listeners get its events, a section with auto = yes makes an issue once, and a
# kill in between loses neither.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

needs_campaigns
for program in python3 jq; do
    command -v $program > /dev/null || { echo "skipped: there is no $program"; exit 77; }
done
export no_proxy=127.0.0.1
url=http://127.0.0.1:1 tracker_pid=
trap '[ -z "$tracker_pid" ] || { exec 8>&-; wait "$tracker_pid" || true; }; rm -rf "$here"' EXIT

mkdir seeds
echo 'a' > seeds/1
echo 'some b here' > seeds/2
# Dies of an input with a "b".
printf '#!/bin/sh\necho "hub token: $HUB_TOKEN."\ngrep -q b "$1" && kill -SEGV $$\nexit 0\n' > target.sh
printf '#!/bin/sh\ncat >> "%s/events.jsonl"\n' "$here" > listen.sh
chmod +x target.sh listen.sh
cat > c.ini << 'END'
[target t]
command = ./target.sh @@
suffix = .txt
[source s]
kind = folder
files = seeds/*
[listener all]
events = new reduced reported
command = ./listen.sh
[listener wrong]
events = new
command = echo no such host >&2; exit 7
[report hub]
to = github
project = o/r
token_env = HUB_TOKEN
auto = yes
END

kinds() { jq -r .kind events.jsonl | sort | tr '\n' ' '; }

mkfifo tracker.in tracker.out
python3 "$PARE_SOURCE_DIR/tests/cli/support/tracker.py" ok requests.log < tracker.in > tracker.out &
tracker_pid=$!
exec 8> tracker.in
read -r port < tracker.out
url=http://127.0.0.1:$port

claim "a campaign" exits 0 env HUB_TOKEN=s3cret "$PARE" fuzz run c.ini -D "report hub:url=$url" --finish
claim "has one finding" exits 0 "$PARE" fuzz list --json
claim "which is reduced" [ "$(jq -r '.[] | .bytes, .reduced_bytes' out | tr '\n' ' ')" = "12 1 " ]
if "$PARE" fuzz show 1 --json | jq -e '.[0].state != "reported"' > /dev/null; then
    "$PARE" fuzz report 1 --to hub --send 2> err || true
    grep -q libcurl err && { echo "skipped: there is no libcurl"; all_claimed; }
fi
claim "it was reported" [ "$("$PARE" fuzz list --json | jq -r '.[].state')" = reported ]
claim "once" [ "$(grep -c ^POST requests.log)" -eq 1 ]
claim "the listener was told of all" [ "$(kinds)" = "new reduced reported " ]
claim "with the finding" [ "$(jq -r 'select(.kind == "new").finding.target' events.jsonl)" = t ]
claim "each event is a line" [ "$(wc -l < events.jsonl)" -eq 3 ]
python3 -c 'import sqlite3
for row in sqlite3.connect("c.pare.db").execute("SELECT kind, text FROM event"): print(*row)' > all
claim "a listener that fails is told of" grep -qx "log listener wrong: exit code 7: no such host" all

claim "a target does not see the token" exits 0 "$PARE" fuzz show 1 --print output
claim "so that it cannot tell it" grep -qx "hub token: ." out

claim "the same again" exits 0 env HUB_TOKEN=s3cret "$PARE" fuzz run c.ini -D "report hub:url=$url" --finish
claim "tells nothing anew" [ "$(kinds)" = "new reduced reported " ]
claim "and reports nothing" [ "$(grep -c ^POST requests.log)" -eq 1 ]

# --- a target that is not reduced ------------------------------------------------------------------

claim "without reductions" exits 0 "$PARE" fuzz run c.ini --store plain.pare.db -D target:reduce=no -D "report hub:to=folder" -D "report hub:url=plain" -D "listener all:events=fixed" -D "listener wrong:events=fixed" --finish
claim "a report comes after validation" [ -x plain/finding-1/show.sh ]

# --- what happens while nothing runs is told in the next run ------------------------------------

claim "somebody marks it" exits 0 "$PARE" fuzz mark 1 --as fixed --store c.pare.db
echo "# another version" >> target.sh
claim "with another version it is there again" exits 0 env HUB_TOKEN=s3cret "$PARE" fuzz run c.ini -D "report hub:url=$url" -D "listener all:events=edited regressed" --finish
claim "the listener gets both" [ "$(kinds)" = "edited new reduced regressed reported " ]

all_claimed
