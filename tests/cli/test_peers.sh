#!/bin/bash
# bench/peers/run.sh: tests of any reducer are counted alike, results are checked, one that is
# missing is skipped with a notice, targets are told.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
export PARE_DATA=$PARE_TEST_DATA # languages are added there
command -v jq > /dev/null || { echo "skipped: there is no jq"; exit 77; }
peers=$PARE_SOURCE_DIR/bench/peers

# --- the counted test alone ------------------------------------------------------------
${CC:-cc} -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -o counted "$peers/counted_test.c"
cat > probe.sh <<'T'
#!/bin/sh
: > left-behind
grep -q bug "$1"
T
cat > endless.sh <<'T'
#!/bin/sh
sleep 1000
T
chmod +x probe.sh endless.sh
printf 'a bug' > good
printf 'none' > bad
mkdir tmp
export PEERS_TEST=$here/probe.sh PEERS_LOG=$here/log PEERS_NAME=good TMPDIR=$here/tmp
claim "the candidate is an argument" exits 0 ./counted good
claim "or called by its name" exits 0 ./counted
claim "what does not fail is told" exits 1 ./counted bad
claim "three tests are three lines" [ "$(wc -l < log)" -eq 3 ]
claim "with size and answer" [ "$(awk '{ print $3 ":" $5 }' log | tr '\n' ' ')" = "5:0 5:0 4:1 " ]
claim "equal candidates have equal digests" [ "$(awk '{ print $4 }' log | sort -u | wc -l)" -eq 2 ]
claim "nothing is left behind" [ -z "$(ls tmp)" ]
claim "nothing is run beyond the limit" exits 1 env PEERS_MAX_TESTS=3 ./counted good
claim "nor counted" [ "$(wc -l < log)" -eq 3 ]
claim "a test that does not end is ended" exits 1 env PEERS_TIMEOUT=1 PEERS_TEST="$here/endless.sh" ./counted good
claim "a crash where one is wanted" exits 134 env PEERS_CRASH=1 ./counted good
claim "no test is an error" exits 3 env PEERS_TEST= ./counted good
unset PEERS_TEST PEERS_LOG PEERS_NAME TMPDIR

# --- a suite -----------------------------------------------------------------------------
chmod a+rx "$here"
printf '%s\n' one two three bug five six > in.txt
cat > suite.json <<'C'
{"cases": [
 {"name": "bug", "input": "in.txt", "test": "probe.sh", "known": 1,
  "peer": {"name": "somebody", "best": [90, 3]}, "frontier": [[30, 3], [100, 2]]},
 {"name": "absent", "folder": "nowhere", "optional": true}]}
C
run_peers() { exits 0 "$peers/run.sh" -t 20 -n 200 -o results "$@" "$PARE_BUILD_DIR" suite.json; }
claim "ours is run" run_peers -p pare -J 1
claim "a case that is not there is skipped" grep -q 'case absent is not there' err
claim "one object a run" [ "$(jq -s length results/results.jsonl)" -eq 1 ]
claim "the result is checked" exits 0 jq -es 'all(.[]; .checked and .bytes_out == 3)' results/results.jsonl
claim "tests are counted" exits 0 jq -es 'all(.[]; .tests > 0 and .tests_to_final <= .tests)' results/results.jsonl
claim "the curve ends at the result" exits 0 jq -es 'all(.[]; .curve[-1][2] == .bytes_out)' results/results.jsonl
claim "met targets are told" grep -q '^  met     3 bytes; recorded best peer somebody 3' results/report.txt
claim "and missed ones" grep -q '^  MISSED  3 bytes after 100 tests; peers 2' results/report.txt
claim "an unknown peer is a usage error" exits 2 "$peers/run.sh" -p nobody -o results "$PARE_BUILD_DIR" suite.json

cat > hungry.sh <<'T'
#!/bin/sh
[ "$(ulimit -v)" = unlimited ] && grep -q bug "$1"
T
chmod a+rx hungry.sh
sed 's/probe.sh/hungry.sh/' suite.json > hungry.json
claim "a test that wants more memory is skipped" exits 0 "$peers/run.sh" -p pare -J 1 -t 20 -o hungry "$PARE_BUILD_DIR" hungry.json
claim "with a notice" grep -q 'case bug does not fail within the limits of the counted test' err
claim "and no run" [ ! -s hungry/results.jsonl ]

mkdir path
for tool in $(compgen -c | sort -u | grep -xE '\[|awk|bash|basename|cat|cc|chmod|chown|cp|cut|date|dirname|env|grep|head|id|jq|ls|mkdir|mktemp|mv|nproc|readlink|rm|sed|setpriv|sh|sort|stat|tail|tee|timeout|true|uname|unshare|wc|as|ld|gcc'); do
    ln -sf "$(command -v "$tool")" "path/$tool" 2> /dev/null || true
done
claim "a missing one is skipped" exits 0 env PATH="$here/path" "$peers/run.sh" -p creduce -o results "$PARE_BUILD_DIR" suite.json
claim "with a notice" grep -q 'creduce is not installed and is skipped' err
claim "every wrapper says what it needs" [ "$(grep -L '^peer_program=' $(ls "$peers"/*.sh | grep -vE '/(run|one)\.sh$') | wc -l)" -eq 0 ]
all_claimed
