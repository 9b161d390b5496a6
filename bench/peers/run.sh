#!/bin/bash
# Runs other reducers and ours on the cases of suites, each test counted in the same way.
#
# Usage: bench/peers/run.sh [OPTION ...] BUILD_DIR [SUITE.json ...]
#   -p PEER      one of creduce cvise singledelta multidelta dustmite afl-tmin pare; repeated;
#                default all.  One that is not installed is skipped with a notice
#   -c CASE      only cases of this name; repeated
#   -t SECONDS   of each run; default 90
#   -T SECONDS   of one more run of ours at -j1 where its first one was cut off, which is what is
#                held against other people's records; default 300; 0: none
#   -n TESTS     of each run; default 5000
#   -J N,...     tests at once; default 1,2
#   -l LANES     runs side by side of those that do one test at a time; default the number of
#                processors.  Runs that do more have the machine to themselves
#   -o DIR       where results are written; default peers
#   -r           goes on with the results in DIR: no run of theirs is done again
#
# Suites are those of pare shootout (default bench/suites/corpus.json and workloads.json).
# Preprocessed programs are bench/suites/big.json; they want longer runs: -t 240 -J 2 -T 0.
# Writes results.jsonl, one object a run, and report.txt, which is also printed: final size,
# tests and seconds to it, side by side, and each target of ours as met or MISSED.  Ours gets
# the languages of the suites' inputs; they are added to DIR/data where they are missing.
#
# What is run is hostile: as root it runs as nobody, in namespaces of its own for processes and
# the network, so that everything ends with the run; always in a folder of its own in memory.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(cd "$here/../.." && pwd)
all_peers="creduce cvise singledelta multidelta dustmite afl-tmin pare"
peers= cases= seconds=90 long=300 max_tests=5000 jobs=1,2 lanes=$(nproc) out=peers resume=
while getopts p:c:t:T:n:J:l:o:r option; do
    case $option in
    p) peers="$peers $OPTARG" ;;
    c) cases="$cases $OPTARG" ;;
    t) seconds=$OPTARG ;;
    T) long=$OPTARG ;;
    n) max_tests=$OPTARG ;;
    J) jobs=$OPTARG ;;
    l) lanes=$OPTARG ;;
    o) out=$OPTARG ;;
    r) resume=yes ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
build=$(cd "${1:?usage: $0 [-p PEER] [-c CASE] [-t SECONDS] [-T SECONDS] [-n TESTS] [-J N,...] [-l LANES] [-o DIR] [-r] BUILD_DIR [SUITE.json ...]}" && pwd)
shift
[ $# -gt 0 ] || set -- "$source_dir/bench/suites/corpus.json" "$source_dir/bench/suites/workloads.json"
: "${peers:=$all_peers}"

memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/pare-peers.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$out"

# --- what runs need, where another user can read it -----------------------------------------
bin=$work/bin
mkdir "$bin"
cp "$here"/*.sh "$build/pare" "$build"/libpare_*.so "$bin"
# What was built with it and is looked for beside it: languages, edits by libclang.
for part in languages pare-clang-edits; do
    [ ! -e "$build/$part" ] || cp -r "$build/$part" "$bin"
done
${CC:-cc} -std=c17 -D_GNU_SOURCE -O2 -o "$bin/counted_test" "$here/counted_test.c"
data=${PARE_DATA:-$(realpath "$out")/data}
"$source_dir/bench/languages.sh" "$build/pare" "$data"
mkdir "$work/data"
if [ -d "$data/languages" ]; then cp -r "$data/languages" "$work/data/"; fi
chmod -R a+rX "$work"

jail=
if [ "$(id -u)" -eq 0 ]; then
    jail="setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs"
    apart="unshare --pid --fork --kill-child --mount-proc --net"
    if $apart true 2> /dev/null; then jail="$apart $jail"; fi
fi

# Sets `available` to the peers that are there.
find_peers() {
    local peer
    available=
    for peer in $peers; do
        pare=$bin/pare
        peer_program=$peer
        if [ ! -f "$here/$peer.sh" ]; then
            echo "peers: there is no wrapper for '$peer' in bench/peers" >&2
            exit 2
        fi
        . "$here/$peer.sh"
        if command -v "$peer_program" > /dev/null; then
            available="$available $peer"
        else
            echo "peers: $peer is not installed and is skipped (make bench-peers installs it)" >&2
        fi
    done
}

# still_fails TEST FILE: tests it once, not counted, in a folder of its own.
still_fails() {
    local folder status=0
    folder=$(mktemp -d "$work/check.XXXXXX")
    if [ -n "$jail" ]; then chown 65534:65534 "$folder"; fi
    (cd "$folder" && TMPDIR=$folder timeout 60 $jail "$1" "$2") > /dev/null 2>&1 < /dev/null || status=$?
    rm -rf "$folder"
    return "$status"
}

# As much, in one of three times: a test may run out of time on a busy machine.
fails_here() { still_fails "$@" || still_fails "$@" || still_fails "$@"; }

# The same within the limits of the counted test: a sanitizer may need more memory than it allows.
fails_counted() { # TEST FILE
    local log=$work/check.log status=0
    : > "$log"
    chmod a+rw "$log"
    PEERS_TEST=$1 PEERS_LOG=$log PEERS_NAME=$(basename "$2") PEERS_MAX_TESTS=9 \
        fails_here "$bin/counted_test" "$2" || status=$?
    rm -f "$log"
    return "$status"
}

# The smallest of the files that a run of NAME left in the folder `w` and that still fails, or
# else the one called NAME: what a user finds, also of a run that was cut off.  Sets `left` and
# `checked`.
collect() { # FOLDER NAME TEST
    left=$1/w/$2 checked=false
    local file
    while IFS= read -r file; do
        still_fails "$3" "$file" || continue
        left=$file checked=true
        return
    done < <(find "$1/w" -type f \( -name "$2" -o -name "$2.min" \) -size +0 -printf '%s %p\n' | sort -n | cut -d ' ' -f 2-)
}

# --- one run -----------------------------------------------------------------------------------

# Figures of a log on one line of JSON; $1 the log, $2 bytes on disk at the end, $3 when the
# run began.  Tests are in the order in which they began.
figures() {
    sort -n "$1" | awk -v final="$2" -v began="$3" '
        function mark(n) { return n in after ? after[n] : best == "" ? "null" : best }
        {
            tests++
            if (seen[$4]++) repeats++
            oracle += ($2 - $1) / 1e9
            if ($5 == 0) {
                passed++
                if (best == "" || $3 < best) best = $3
                if (!reached && $3 <= final) { reached = tests; reached_s = ($2 - began) / 1e9 }
                if ($3 < least || least == "") { curve = curve (curve == "" ? "" : ",") sprintf("[%d,%.3f,%d,%d]", tests, ($2 - began) / 1e9, $3, $6); least = $3 }
            }
            if (tests == 30 || tests == 100 || tests == 300 || tests == 1000) after[tests] = best == "" ? "null" : best
        }
        END {
            printf "{\"tests\":%d,\"passed\":%d,\"repeats\":%d,\"oracle_s\":%.3f,\"tests_to_final\":%s,\"seconds_to_final\":%s,\"after\":{\"30\":%s,\"100\":%s,\"300\":%s,\"1000\":%s},\"curve\":[%s]}\n",
                tests, passed, repeats, oracle, reached ? reached : "null", reached ? reached_s : "null",
                mark(30), mark(100), mark(300), mark(1000), curve
        }'
}

# run_one PEER JOBS CASE INPUT TEST SECONDS: appends a line to results.jsonl, in one write, since others
# may run beside it.
run_one() {
    local folder name left checked status=0 began ended size load
    name=$(basename "$4")
    folder=$(mktemp -d "$work/run.XXXXXX")
    chmod a+rx "$folder"
    mkdir -p "$folder/w" "$folder/tmp"
    cp "$4" "$folder/w/$name"
    chmod -R u+w "$folder"
    : > "$folder/log"
    if [ -n "$jail" ]; then chown -R 65534:65534 "$folder"; fi
    export TMPDIR=$folder/tmp HOME=$folder PARE_DATA=$work/data
    export PEERS_TEST=$5 PEERS_LOG=$folder/log PEERS_NAME=$name PEERS_MAX_TESTS=$max_tests
    load=$(cut -d ' ' -f 1 /proc/loadavg)
    began=$(awk '{ printf "%.0f", $1 * 1e9 }' /proc/uptime)
    (cd "$folder/w" && timeout -k 1 "$6" $jail "$bin/one.sh" "$1" "$name" "$2") || status=$?
    ended=$(awk '{ printf "%.0f", $1 * 1e9 }' /proc/uptime)
    collect "$folder" "$name" "$5"
    size=$(stat -c %s "$left" 2> /dev/null || echo 0)
    figures "$folder/log" "$size" "$began" | jq -c --arg case "$3" --arg peer "$1" --argjson jobs "$2" \
        --argjson in "$(stat -Lc %s "$4")" --argjson out "$size" --argjson checked "$checked" \
        --argjson status "$status" --argjson wall "$(((ended - began) / 1000000))" --argjson load "$load" --argjson limit "$6" \
        '{case: $case, peer: $peer, jobs: $jobs, bytes_in: $in, bytes_out: $out, checked: $checked,
          finished: ($status != 124 and $status != 137), exit: $status, wall_s: ($wall / 1000), limit_s: $limit, load: $load} + .' \
        > "$folder/line"
    cat "$folder/line" >> "$out/results.jsonl"
    rm -rf "$folder"
}

# --- the matrix --------------------------------------------------------------------------------

wanted() { [ -z "$cases" ] || case " $cases " in *" $1 "*) true ;; *) false ;; esac; }

# Whether the peer uses more than one test at once.
parallel() { case $1 in singledelta | multidelta | afl-tmin) false ;; *) true ;; esac; }

# Whether a run is among the results; with a last argument, whether it was cut off there.
is_done() { # PEER JOBS CASE SECONDS [CUT_OFF]
    jq -es --arg case "$3" --arg peer "$1" --argjson jobs "$2" --argjson limit "$4" --arg cut "${5:-}" \
        'any(.[]; .case == $case and .peer == $peer and .jobs == $jobs
                  and (.limit_s // $limit) == $limit and ($cut == "" or (.finished | not)))' \
        "$out/results.jsonl" > /dev/null
}

# Starts a run beside the others, as soon as there is room for it.
start_one() { # PEER JOBS CASE INPUT TEST SECONDS
    is_done "$1" "$2" "$3" "$6" && return
    [ "$(jobs -pr | wc -l)" -lt "$(($2 > 1 ? 1 : lanes))" ] || wait -n || true
    printf '%s %s %s -j%s\n' "$(date -u +%T)" "$3" "$1" "$2" >&2
    run_one "$@" < /dev/null &
}

# All runs of a case, or our long one.
run_case() { # NAME INPUT TEST short|long
    local peer n
    if [ "$4" = long ]; then
        is_done pare 1 "$1" "$seconds" cut_off || return 0
        start_one pare 1 "$1" "$2" "$3" "$long"
        return
    fi
    for n in ${jobs//,/ }; do
        for peer in $available; do
            [ "$n" -eq 1 ] || parallel "$peer" || continue
            start_one "$peer" "$n" "$1" "$2" "$3" "$seconds"
        done
        wait
    done
}

run_suite() { # SUITE.json short|long
    local name input test folder base
    base=$(cd "$(dirname "$1")" && pwd)
    jq -r '.cases[] | [.name, (.input // ""), (.test // ""), (.folder // "")] | join("\u001f")' "$1" | {
        while IFS=$'\037' read -r name input test folder; do
            wanted "$name" || continue
            if [ -n "$folder" ]; then
                input=$(ls -d "$base/$folder"/input* 2> /dev/null | head -n 1)
                test=$base/$folder/test.sh
            else
                input=$base/$input
                test=$base/$test
            fi
            if [ ! -f "$input" ] || [ ! -f "$test" ]; then
                echo "peers: case $name is not there and is skipped" >&2
                continue
            fi
            test=$(readlink -f "$test")
            if ! fails_here "$test" "$(readlink -f "$input")"; then
                echo "peers: case $name does not fail here (is its program installed?) and is skipped" >&2
                continue
            fi
            if ! fails_counted "$test" "$(readlink -f "$input")"; then
                echo "peers: case $name does not fail within the limits of the counted test and is skipped" >&2
                continue
            fi
            run_case "$name" "$input" "$test" "$2"
        done
        wait
    }
}

find_peers
if [ -z "$resume" ] || [ ! -e "$out/results.jsonl" ]; then
    : > "$out/results.jsonl"
    printf '%s %s\n' "$(date -u '+%Y-%m-%d %R')" "$(git -C "$source_dir" describe --always --dirty 2> /dev/null ||
        "$build/pare" --version | head -n 1)" > "$out/began"
fi
for suite in "$@"; do run_suite "$suite" short; done
if [ "$long" -gt 0 ]; then
    for suite in "$@"; do run_suite "$suite" long; done
fi
{
    printf 'Reducers side by side, begun %s, ended %s\n' "$(cat "$out/began")" "$(date -u +%R)"
    printf '%s processors (%s), %s; %s s and %s tests at most a run, runs at -j1 %s at once\n' \
        "$(nproc)" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(uname -srm)" \
        "$seconds" "$max_tests" "$lanes"
    [ "$long" -eq 0 ] || printf 'Against records: runs of pare -j1 of %s s at most\n' "$long"
    jq -rn -f "$here/report.jq" --slurpfile runs "$out/results.jsonl" \
        --slurpfile suites <(cat "$@")
} | tee "$out/report.txt"
