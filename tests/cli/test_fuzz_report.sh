#!/bin/bash
# pare fuzz report: folders, requests that curl sends, issues of trackers on this machine that answer
# well, badly or not at all, and files for CI.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

needs_campaigns
command -v python3 > /dev/null || { echo "skipped: there is no python3"; exit 77; }
unset GITHUB_TOKEN GITLAB_TOKEN BUGZILLA_API_KEY
export no_proxy=127.0.0.1

# --- a store: findings as another store has exported them -------------------------------------

mkdir findings
python3 - << 'END'
import hashlib, json
def put(data):
    name = hashlib.sha512(data).hexdigest()[:32]
    open("findings/" + name, "wb").write(data)
    return name
def finding(number, title, data, reduced, **more):
    one = {"format": "pare-finding", "schema": 1, "store": "0123456789abcdef0123456789abcdef", "id": number,
           "state": "reduced" if reduced else "new", "target": "cat", "source": "s",
           "identity": "exit 1; message \"%d\"" % number, "signature": "exit 1", "title": title,
           "version": "1", "last_version": "1", "gone_version": "", "first_bad": "", "url": "",
           "note": "", "explanation": "", "output": "one\n```\n@admin \x1b[2J\n", "input": put(data),
           "reduced": put(reduced) if reduced else "", "count": 3, "first_seen": 1700000000000,
           "last_seen": 1700000001000, "validated": 0, "fails": 0, "runs": 0, "pinned": 0,
           "merged_into": 0, "members": []}
    one.update(more)
    return json.dumps(one)
lines = [finding(1, "an error in f", b"long input\n", b"in\n"),
         finding(2, "`x` <b> $(touch owned)\n&", b"\xff\r\n", None),
         finding(3, "another error in g", b"third\n", b"3\n")]
open("findings/findings.jsonl", "w").write("".join(line + "\n" for line in lines))
END
cat > cat.ini << 'END'
[target cat]
command = /bin/cat @@
suffix = .txt
END
# The store of a campaign, as its coordinator leaves it: the file is known, and nothing has run.
claim "findings are imported" exits 0 "$PARE" fuzz import findings --store cat.pare.db

# --- folders ------------------------------------------------------------------------------------

claim "a folder" exits 0 "$PARE" fuzz report 1 --to reports
claim "is named" grep -qx "finding 1 is written: reports/finding-1" out
claim "has the reduced input" grep -qx in reports/finding-1/reduced*
claim "and the original" grep -qx "long input" reports/finding-1/original*
claim "its report is Markdown with long fences" grep -qx '````' reports/finding-1/README.md
claim "hostile texts" exits 0 "$PARE" fuzz report 2 --to reports
claim "are no commands" sh -n reports/finding-2/show.sh
claim "nothing was run" [ ! -e owned ]
claim "without a place it is beside the store" exits 0 "$PARE" fuzz report 1
claim "in NAME.reports" [ -x cat.reports/finding-1/show.sh ]
claim "a number as trackers write it" exits 0 "$PARE" fuzz report '#3' --to trackers
claim "is the finding's" [ -x trackers/finding-3/show.sh ]

# --- files ----------------------------------------------------------------------------------------

for format in sarif junit markdown json; do
    claim "a file: $format" exits 0 "$PARE" fuzz report --format $format -o f.$format
done
claim "JUnit is XML" python3 -c '
import xml.etree.ElementTree as tree
root = tree.parse("f.junit").getroot()
assert root.tag == "testsuites" and len(root.findall(".//testcase/failure")) == 3'
claim "SARIF has what its schema requires" python3 -c '
import json
log = json.load(open("f.sarif"))
assert log["version"] == "2.1.0" and log["$schema"].startswith("https://")
run, = log["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "pare" and len({r["id"] for r in driver["rules"]}) == len(driver["rules"])
assert len(run["results"]) == 3
for result in run["results"]:
    assert result["message"]["text"] and result["occurrenceCount"] == 3
    assert result["level"] == "error" and result["kind"] == "fail"
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert run["artifacts"][place["index"]]["location"]["uri"] == place["uri"]
    assert len(result["partialFingerprints"]["pareIdentity/v1"]) == 32
    assert result["baselineState"] in ("new", "unchanged", "updated", "absent")'
claim "JSON has all" exits 0 jq -e '.findings | length == 3 and .[0].input_text == "in\n"' f.json
claim "only some states" exits 0 "$PARE" fuzz report --format json -o g.json --state new
claim "are taken" exits 0 jq -e '.findings | length == 1' g.json

# --- what is refused ----------------------------------------------------------------------------

claim "no number" exits 2 "$PARE" fuzz report
claim "is told" says "the findings' numbers are missing"
claim "a wrong number behind a right one" exits 2 "$PARE" fuzz report 1 '#0' --to never
claim "reports nothing" [ ! -e never ]
claim "a wrong number" exits 2 "$PARE" fuzz report x
claim "is told" says "'x' is not the number of a finding"
claim "no such finding" exits 1 "$PARE" fuzz report 99 --to reports
claim "no project" exits 2 "$PARE" fuzz report 1 --to github
claim "is told" says "github: the project is missing, such as project = OWNER/NAME"
claim "no token" exits 1 "$PARE" fuzz report 1 --to github --project o/r --send
claim "is told" says "the token is missing: set GITHUB_TOKEN to it"
claim "a wrong state" exits 2 "$PARE" fuzz report --format json -o g.json --state neww
claim "gets the nearest" says "unknown state 'neww': did you mean 'new'?"
claim "a file without a name" exits 2 "$PARE" fuzz report --format json
claim "a full disk" exits 3 "$PARE" fuzz report --format json -o /dev/full/x

# --- trackers -------------------------------------------------------------------------------------

tracker_pid=
stop_tracker() {
    [ -n "$tracker_pid" ] || return 0
    exec 8>&-
    wait "$tracker_pid" || true
    tracker_pid=
}
trap 'stop_tracker; rm -rf "$here"' EXIT

# Starts a tracker in a mode; $url is its address then.
start_tracker() {
    stop_tracker
    rm -f tracker.in tracker.out requests.log
    mkfifo tracker.in tracker.out
    python3 "$PARE_SOURCE_DIR/tests/cli/support/tracker.py" "$1" requests.log < tracker.in > tracker.out &
    tracker_pid=$!
    exec 8> tracker.in
    read -r port < tracker.out
    url=http://127.0.0.1:$port
    echo "$url" > url
    : > requests.log
}

state_of() { "$PARE" fuzz list --store cat.pare.db --json | jq -r ".[] | select(.id == $1) | .state"; }
printf '#!/bin/sh\nexec "$PARE" fuzz report "$@" --url "$(cat url)"\n' > report
chmod +x report

start_tracker ok
claim "a request is written" exits 0 ./report 1 --to github --project o/r -o requests
claim "as a script" grep -qx "finding 1 is ready to be sent: requests/finding-1-github.sh" out
claim "and a body" exits 0 jq -e '.title == "cat: an error in f" and (.body | test("pare-finding: [0-9a-f]{32}"))' requests/finding-1-github.json
claim "nobody was asked" [ ! -s requests.log ]
if command -v curl > /dev/null; then
    claim "without a token the script says so" exits 2 requests/finding-1-github.sh
    claim "curl sends it" exits 0 env GITHUB_TOKEN=s3cret requests/finding-1-github.sh
    claim "the tracker took it" grep -qx "POST /repos/o/r/issues True" requests.log
    claim "what was sent by hand is known" exits 0 env GITHUB_TOKEN=s3cret "$PARE" fuzz report 1 --to github --project o/r --url "$url" --send
    claim "at its address" grep -qx "finding 1 is reported already: https://tracker.example.org/1" out
    claim "and kept" [ "$(state_of 1)" = reported ]
fi

export GITHUB_TOKEN=s3cret GITLAB_TOKEN=s3cret BUGZILLA_API_KEY=s3cret
start_tracker ok
claim "an issue is made" exits 0 ./report 3 --to github --project o/r --send
if grep -q "libcurl" err; then echo "skipped: there is no libcurl"; all_claimed; exit; fi
claim "and told" grep -qx "finding 3 is reported: https://tracker.example.org/1" out
claim "the state is kept" [ "$(state_of 3)" = reported ]
claim "again it is not" exits 1 ./report 3 --to github --project o/r --send
claim "but told" says "finding 3 was reported before, at https://tracker.example.org/1"
claim "unless asked for" exits 0 ./report 3 --to github --project o/r --send --again
claim "GitLab" exits 0 ./report 3 --to gitlab --project g/p --send --again
claim "was asked properly" grep -qx "POST /api/v4/projects/g%2Fp/issues True" requests.log
claim "Bugzilla" exits 0 ./report 3 --to bugzilla --project P/C --send --again
claim "has its own addresses" grep -qx "finding 3 is reported: $url/show_bug.cgi?id=4" out

start_tracker lost
claim "an answer that is lost" exits 3 ./report 2 --to github --project o/r --send
claim "leaves the state" [ "$(state_of 2)" = new ]
claim "and the next attempt" exits 0 ./report 2 --to github --project o/r --send
claim "finds the issue" grep -qx "finding 2 is reported already: https://tracker.example.org/1" out
claim "which was made once" [ "$(grep -c ^POST requests.log)" -eq 1 ]

# Findings anew, none of them reported.
rm -f cat.pare.db*
claim "a new store" exits 0 "$PARE" fuzz import findings --store cat.pare.db
for mode in 500 garbage; do
    start_tracker $mode
    claim "a tracker: $mode" exits 3 ./report 1 --to github --project o/r --send
    claim "is one sentence" [ "$(wc -l < err)" -eq 1 ]
    claim "without control characters" [ -z "$(grep $'\033' err)" ]
    claim "without the token" [ -z "$(grep s3cret err)" ]
    claim "and the state stays" [ "$(state_of 1)" = reduced ]
done
start_tracker silent
cat > again.ini << 'END'
[target cat]
command = /bin/cat @@
validate_runs = 0
[source s]
kind = folder
files = findings/findings.jsonl
[report slow]
to = github
project = o/r
timeout = 100ms
END
claim "a campaign whose file has sections" exits 0 "$PARE" fuzz run again.ini --store cat.pare.db -D target:reduce=no
claim "a tracker that never answers" exits 3 ./report 1 --to slow --send
claim "is given up" says "Timeout was reached"
claim "and the state stays" [ "$(state_of 1)" = reduced ]
claim "a wrong token" exits 2 env GITHUB_TOKEN=$'a\nb' "$PARE" fuzz report 1 --to github --project o/r --url "$url" --send
claim "is not sent" says "the token of a tracker must be one line"
claim "nor over an open line" exits 1 "$PARE" fuzz report 1 --to github --project o/r --url http://tracker.example.org --send
claim "where others could read it" says "the token is not sent over http://"
stop_tracker
mkdir nothing
: > nothing/libcurl.so.4
: > nothing/libcurl-gnutls.so.4
claim "without libcurl" exits 2 env LD_LIBRARY_PATH="$here/nothing" ./report 1 --to github --project o/r --send
claim "what to do is told" says "sending needs libcurl: apt-get install libcurl4, or use the files"
claim "nobody there" exits 3 ./report 1 --to github --project o/r --send
claim "and the state stays" [ "$(state_of 1)" = reduced ]

all_claimed
