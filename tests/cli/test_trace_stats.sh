#!/bin/bash
# --trace and --stats: valid JSON with exactly the keys of the contract.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

seq 1 40 > x.txt
claim "reduces" exits 0 "$PARE" reduce -q -a ddmin -u line -o y --trace t --stats s \
    'grep -qx 17' x.txt
holds() { jq -e "$@" > /dev/null; }
claim "each line of the trace has the keys" holds -s 'all(.[];
    keys_unsorted == ["n", "digest", "bytes", "outcome", "source", "ms", "accepted"])' t
claim "one object a line" [ "$(wc -l < t)" -eq "$(jq -s length t)" ]
claim "numbers ascend from 0" holds -s 'map(.n) == [range(length)]' t
claim "0 is the input, which fails" holds -s '.[0] | .bytes == 111 and .outcome == "FAIL"' t
claim "digests have 32 digits" holds -s 'all(.[]; .digest | test("^[0-9a-f]{32}$"))' t
claim "outcomes have their names" holds -s \
    'all(.[]; .outcome == "FAIL" or .outcome == "PASS" or .outcome == "UNRESOLVED")' t
claim "sources have their names" holds -s 'all(.[]; .source == "run" or .source == "cache")' t
claim "what is accepted fails" holds -s 'all(.[]; .accepted == false or .outcome == "FAIL")' t
claim "the last accepted is the result" \
    [ "$(jq -s 'map(select(.accepted)) | last.bytes' t)" -eq "$(wc -c < y)" ]
claim "the statistics have the keys" holds 'keys_unsorted == ["algorithm", "bytes_in",
    "bytes_out", "files_in", "files_out", "units_in", "units_out", "tests_run", "cache_hits", "speculated", "cancelled",
    "wall_s", "oracle_s", "cpu_s", "peak_rss_bytes", "jobs", "stopped", "minimal", "runner",
    "runner_reason", "passes", "curve", "sandbox", "limits", "outcomes", "flaky", "unprotected", "language", "busy_s"]' s
claim "slots are busy for no longer than there are slots" holds '.busy_s > 0 and
    .busy_s <= .wall_s * .jobs' s
claim "limits have the keys" holds '(.limits | keys_unsorted) == ["memory_bytes", "cpu_s",
    "processes", "file_bytes"] and .limits.memory_bytes == null and .limits.file_bytes > 0' s
claim "the outcomes are those of the trace" holds '(.outcomes | .FAIL + .PASS + .UNRESOLVED) > 0 and
    .outcomes.other_failures == 0' s
claim "and say what was done" holds '.algorithm == "ddmin" and .bytes_in == 111 and
    .bytes_out == 3 and .units_in == 40 and .units_out == 1 and .stopped == "minimal" and
    .minimal == "1-minimal" and .tests_run > 0 and .peak_rss_bytes > 0' s
claim "passes have the keys" holds '(.passes | length) > 0 and all(.passes[]; keys_unsorted ==
    ["name", "tests", "oracle_s", "bytes_removed", "successes"])' s
claim "passes account for every byte" holds '(.passes | map(.bytes_removed) | add) ==
    .bytes_in - .bytes_out' s
claim "the curve falls to the result" holds '(.curve | length) > 0 and
    all(.curve[]; length == 3) and (.curve | last | .[2]) == .bytes_out' s

claim "the budget is honoured" exits 0 "$PARE" reduce -q -a ddmin -u line -o y --no-journal \
    --max-tests 3 --stats s 'grep -qx 17' x.txt
claim "and is named" holds '.stopped == "budget" and .minimal == "none"' s
claim "the target is honoured" exits 0 "$PARE" reduce -q -a ddmin -u line -o y --no-journal \
    --target-size 60 --stats s 'grep -qx 17' x.txt
claim "and is named, too" holds '.stopped == "target" and .bytes_out <= 60' s

claim "a trace that cannot be made" exits 3 "$PARE" reduce -o y2 --trace /nowhere/t \
    'grep -qx 17' x.txt
claim "is named" says "cannot write the trace '/nowhere/t'"
claim "before anything is done" [ ! -e y2 ]
claim "statistics that cannot be made" exits 3 "$PARE" reduce -o y2 --stats /nowhere/s \
    'grep -qx 17' x.txt
claim "are named" says "cannot write the statistics '/nowhere/s'"
claim "what is printed on a full disk is an error" exits 3 bash -c \
    '"$1" reduce -u line -o y9 "grep -qx 17" "$2" > /dev/full' bash "$PARE" x.txt
claim "and is told by what it is" says "cannot write to standard output: No space left on device"
claim "the result is there all the same" [ -s y9 ]
claim "a reader that has seen enough is none" exits 0 bash -c \
    'set -o pipefail; "$1" reduce -u line -o y9 "grep -qx 17" "$2" | true' bash "$PARE" x.txt
claim "nothing to read it is none either" exits 0 "$PARE" reduce -q -u line -o y9 "grep -qx 17" x.txt
claim "a file that may not grow is an error, no signal" exits 3 bash -c \
    'seq 20000 > large && ulimit -f 4 && "$1" reduce -q -u line -o y10 "grep -q 1" large' bash "$PARE"
claim "which says so" says "File too large"
claim "a trace on a full disk" exits 3 "$PARE" reduce -q -u line -o y3 --trace /dev/full \
    'grep -qx 17' x.txt
claim "is named as well" says "cannot write the trace '/dev/full'"
claim "and the result is there" [ "$(cat y3)" = 17 ]
claim "statistics on a full disk" exits 3 "$PARE" reduce -q -u line -o y4 --stats /dev/full \
    'grep -qx 17' x.txt
claim "are an error, with the result there" [ "$(cat y4)" = 17 ]
all_claimed
