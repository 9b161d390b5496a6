#!/bin/bash
# Runs all benchmarks and prints one report.
#
# Usage: bench/run.sh BUILD_DIR [PART ...]
# PART: million overhead spawn walls bigtext speculation makespan canonical text tree deep parse
# tree_sitter seeds formats runner generate store folder fuzz_web remote, then same, shootout and peers, which take hours and
# need the shared cases beside the repository; default all.
#
# A missed aim is printed as MISSED and changes nothing about the exit code, which is 0
# unless a benchmark cannot run: figures depend on the machine and on what else it does.
# Files go to a folder in /dev/shm where there is one, and are removed at the end; results of
# shoot-outs and of the peers stay, in BUILD_DIR/../shootout and BUILD_DIR/../peers.
set -eu

build=${1:?usage: $0 BUILD_DIR [PART ...]}
build=$(cd "$build" && pwd)
shift
[ $# -gt 0 ] || set -- million overhead spawn walls bigtext speculation makespan canonical text tree deep \
    parse tree_sitter seeds formats runner generate store folder fuzz_web remote same shootout peers

pare=$build/pare
oracle=$build/bench/oracle_marks
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/pare-bench.XXXXXX")
export XDG_CACHE_HOME=$work/cache # workers keep nothing from one run of this to the next
started=() # processes of ours, which end with us
end_started() {
    local pid
    for pid in ${started[@]+"${started[@]}"}; do kill "$pid" 2> /dev/null || true; done
    wait 2> /dev/null || true
    started=()
}
trap 'end_started; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# The same lines as bench/report.h: WHAT FIGURE [AIM], then whether CONDITION holds.
figure() { printf '  %-48s %14s\n' "$1" "$2"; }
aim() { # WHAT FIGURE AIM CONDITION (in awk)
    local verdict=MISSED
    if awk "BEGIN { exit !($4) }"; then verdict=ok; fi
    printf '  %-40s %12s   %-15s %s\n' "$1" "$2" "$3" "$verdict"
}

# Reduces $work/input with the test "oracle SLEEP_MS MARKS"; statistics in $work/stats.
reduce() { # SLEEP_MS MARKS OPTION ...
    local test="$oracle $1 $2"
    shift 2
    "$pare" reduce "$test" "$work/input" -o "$work/output" --no-journal -q \
        --stats "$work/stats" "$@"
}
stat_of() { jq -r "$1" "$work/stats"; }

# 100 MB of lines of about 60 bytes, of which three hold a mark.
make_big_text() {
    awk 'BEGIN {
        srand(3); n = 1640000
        for (k = 0; k < 3; k++) marked[int(rand() * n)] = 1
        for (i = 0; i < n; i++)
            printf "%07d  value_%06d = table[%06d] + call(x%06d)  // %s\n",
                   i, rand() * 1e6, rand() * 1e6, rand() * 1e6, i in marked ? "#" : "plain"
    }' >"$work/input"
}

measure_big_text() { # TITLE OPTION ...
    local title=$1 size peak limit tests
    size=$(stat -c %s "$work/input")
    shift
    reduce 0 3 "$@"
    peak=$(stat_of .peak_rss_bytes)
    tests=$(stat_of .tests_run)
    limit=$((size * 13 / 10 + 50000000))
    aim "$title: peak memory" "$((peak / 1000000)) MB" "<= $((limit / 1000000)) MB" "$peak <= $limit"
    aim "$title: tests" "$tests" "< 200" "$tests < 200"
    figure "  bytes left, seconds" "$(stat_of '"\(.bytes_out), \(.wall_s * 10 | round / 10)"')"
}

part_bigtext() {
    make_big_text
    printf 'A text of %d MB of which 3 lines matter, static test\n' \
        $(($(stat -c %s "$work/input") / 1000000))
    measure_big_text "default"
    measure_big_text "-u line" -u line
}

# 512 lines of which 64 are needed, scattered.
make_lines() {
    awk 'BEGIN {
        srand(64)
        for (left = 64; left;) { i = int(rand() * 512); left -= !(i in needed); needed[i] = 1 }
        for (i = 0; i < 512; i++) printf "unit %03d %s\n", i, i in needed ? "#" : "."
    }' >"$work/input"
}

measure_speculation() { # ALGORITHM
    local jobs wall alone up
    for jobs in 1 16 64; do
        reduce 20 64 -a "$1" -u line -j "$jobs"
        wall=$(stat_of .wall_s)
        [ "$jobs" -gt 1 ] || alone=$wall
        up=$(awk "BEGIN { printf \"%.1f\", $alone / $wall }")
        figure "$1 -j$jobs: seconds (tests, cancelled)" \
            "$(stat_of '"\(.wall_s * 100 | round / 100) (\(.tests_run), \(.cancelled))"')"
        case $jobs in
        16) figure "$1 -j16: speed-up" "${up}x" ;;
        64) aim "$1 -j64: speed-up" "${up}x" ">= 6x" "$up >= 6" ;;
        esac
    done
}

part_speculation() {
    make_lines
    echo "Speculation, real processes that sleep 20 ms, 512 lines of which 64 are needed"
    measure_speculation adaptive
    measure_speculation lithium
}

part_million() { "$build/bench/bench_million"; }
part_overhead() { "$build/bench/bench_overhead"; }
part_makespan() { "$build/bench/bench_makespan"; }
part_canonical() {
    echo "Canonical results: different inputs with one bug, 200 of each"
    "$build/bench/bench_canonical"
}
part_spawn() { "$build/bench/bench_spawn" "$oracle" "$pare" "$work"; }
part_walls() { "$build/bench/bench_walls" "$oracle" "$work"; }
part_fuzz_web() {
    echo "The pages of a campaign: 100,000 failing tests of 200 signatures"
    "$build/bench/bench_fuzz_web" "$pare" "$work"
}
part_generate() {
    local here
    here=$(dirname "$0")
    "$build/bench/bench_generate" "${PARE_SHARED:-$here/../../shared}/grammars-v4" \
        "$here/generate.py"
}
# 2,000 files of 60 lines in 40 folders, of which three hold a needle; the test looks at those.
make_folder() {
    local k
    mkdir "$work/folder"
    awk -v root="$work/folder" 'BEGIN {
        srand(5)
        for (k = 0; k < 40; k++) system("mkdir " root "/f" k)
        for (i = 0; i < 2000; i++) {
            name = root "/f" i % 40 "/" i ".c"
            for (l = 0; l < 60; l++) printf "int name_%d_%d = %d;\n", i, l, rand() * 1e6 > name
            close(name)
        } }'
    for k in 77 950 1801; do
        echo "int needle_$k;" >>"$work/folder/f$((k % 40))/$k.c"
    done
    printf '#!/bin/sh\ncd "$1" && grep -qs needle f37/77.c && grep -qs needle f30/950.c &&
        grep -qs needle f1/1801.c\n' >"$work/folder.sh"
    chmod +x "$work/folder.sh"
}

part_folder() {
    make_folder
    echo "A folder of 2,000 files, 2 MB, of which three matter"
    "$pare" reduce -q --no-journal --stats "$work/stats" -o "$work/folder.min" \
        "$work/folder.sh" "$work/folder"
    local tests
    tests=$(stat_of .tests_run)
    aim "tests" "$tests" "< 400" "$tests < 400"
    figure "files left, bytes" "$(stat_of '"\(.files_out), \(.bytes_out)"')"
    figure "processor time of pare per test, ms" "$(stat_of '.cpu_s * 1e5 / .tests_run | round / 100')"
    figure "seconds, peak memory in MB" \
        "$(stat_of '"\(.wall_s * 10 | round / 10), \(.peak_rss_bytes / 1e6 | round)"')"
    rm -rf "$work/folder" "$work/folder.min"
}

# --- many machines --------------------------------------------------------------------------

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
url=
monitor=
# A server of our own on loopback, and workers of so many slots.
start_cluster() { # SLOTS...
    local port k=0 slots
    port=$(free_port)
    monitor=$(free_port)
    url=nats://127.0.0.1:$port
    nats-server --addr 127.0.0.1 --port "$port" --http_port "$monitor" --jetstream \
        --store_dir "$work/store.$port" > "$work/server.log" 2>&1 &
    started+=($!)
    while "$pare" worker "$url" --status 2>&1 | grep -q 'no server answers'; do
        kill -0 "${started[0]}" || return 1
    done
    for slots; do
        k=$((k + 1))
        "$pare" worker "$url" --name "worker$k" -j "$slots" --sandbox "$sandbox" \
            > "$work/worker$k.log" 2>&1 &
        started+=($!)
    done
    while [ "$("$pare" worker "$url" --status 2> /dev/null | grep -c '^worker')" -lt "$k" ]; do
        kill -0 "${started[@]}" || return 1
    done
}

# What the server has received and sent since it started, of all connections.
server_bytes() {
    exec 3<> "/dev/tcp/127.0.0.1/$monitor"
    printf 'GET /varz HTTP/1.0\r\n\r\n' >&3
    sed '1,/^\r$/d' <&3 | jq -r '"\(.in_bytes) \(.out_bytes)"'
    exec 3>&-
}

# 1,000 lines of 100 bytes, of which 400 are needed: of the first thousand candidates none is small.
make_wide_lines() {
    awk 'BEGIN {
        srand(400)
        for (left = 400; left;) { i = int(rand() * 1000); left -= !(i in needed); needed[i] = 1 }
        for (i = 0; i < 1000; i++) {
            line = sprintf("unit %04d %s ", i, i in needed ? "#" : ".")
            while (length(line) < 99) line = line sprintf("%x", int(rand() * 1e6))
            print substr(line, 1, 99)
        } }' > "$work/input"
}

# All that goes through the server, for each outcome of a worker: the test's program, which is linked statically,
# to the server and to the first of four workers, who keeps it for the others; the input to all; jobs, also those
# that were cancelled, bests, acknowledgements, what is told to other runs, what workers say each second.
measure_remote_cost() {
    local home_cpu remote_cpu in out in_before out_before tests kilobytes
    reduce 20 400 -a ddmin -u line -j1 --deterministic --max-tests 1000
    cp "$work/output" "$work/output.home"
    home_cpu=$(stat_of '.cpu_s * 1e6 / .tests_run | round / 1000')
    figure "at home, -j1: seconds (tests)" "$(stat_of '"\(.wall_s * 10 | round / 10) (\(.tests_run))"')"
    figure "  processor time of pare per test, ms" "$home_cpu"
    read -r in_before out_before < <(server_bytes)
    reduce 20 400 -a ddmin -u line -j1 --max-tests 1000 --workers "$url"
    read -r in out < <(server_bytes)
    cmp "$work/output" "$work/output.home" || echo "  NOT the same bytes as at home"
    remote_cpu=$(stat_of '.cpu_s * 1e6 / .tests_run | round / 1000')
    tests=$(stat_of .workers.tests_away)
    in=$((in - in_before)) out=$((out - out_before))
    figure "with 4 slots elsewhere: seconds (tests, of workers)" \
        "$(stat_of '"\(.wall_s * 10 | round / 10) (\(.tests_run), \(.workers.tests_away))"')"
    aim "  processor time of pare per test, ms" "$remote_cpu" "< 1" "$remote_cpu < 1"
    figure "  of that at home" "$(awk "BEGIN { printf \"%.2f\", $remote_cpu / $home_cpu }")x"
    kilobytes=$(awk "BEGIN { printf \"%.2f\", ($in + $out) / 1000 / $tests }")
    aim "  through the server per test, kB" "$kilobytes" "< 3" "$kilobytes < 3"
    figure "    in, out, kB" \
        "$(awk "BEGIN { printf \"%.2f, %.2f\", $in / 1000 / $tests, $out / 1000 / $tests }")"
    figure "    of it the coordinator's, both ways, kB" \
        "$(stat_of '.workers | .traffic_bytes / .tests_away | round / 1000')"
}

# 64 slots in all: one here, the others with three workers.
measure_remote_makespan() { # SLEEP_MS
    local home ratio
    reduce "$1" 64 -a adaptive -u line -j64 --deterministic --sandbox "$sandbox" --no-cache
    home=$(stat_of .wall_s)
    figure "tests of $1 ms, -j64 at home: seconds (tests)" \
        "$(stat_of '"\(.wall_s * 100 | round / 100) (\(.tests_run))"')"
    reduce "$1" 64 -a adaptive -u line -j1 --sandbox "$sandbox" --no-cache --workers "$url"
    ratio=$(stat_of "$home / .wall_s * 100 | round / 100")
    figure "  1 slot at home, 63 elsewhere" \
        "$(stat_of '"\(.wall_s * 100 | round / 100) (\(.tests_run))"')"
    aim "  makespan at home, of it" "$ratio" ">= 0.85" "$ratio >= 0.85"
}

part_remote() {
    local ms
    echo "Tests on workers: a nats-server and workers on this machine"
    if ! command -v nats-server > /dev/null; then
        echo "  not measured: no nats-server (apt-get install nats-server)"
        return 0
    fi
    if ! "$pare" worker nats://127.0.0.1:1 --status 2>&1 | grep -q 'no server answers'; then
        echo "  not measured: no libnats (apt-get install libnats-dev, and build again)"
        return 0
    fi
    sandbox=full
    make_wide_lines
    reduce 0 400 --max-tests 1 --sandbox full 2> /dev/null || sandbox=off
    start_cluster 1 1 1 1
    ms=$("$build/bench/bench_remote" "$url")
    figure "to a worker and back, ms: median, 95 of 100" "${ms/ /, }"
    measure_remote_cost
    end_started
    make_lines
    start_cluster 21 21 21
    measure_remote_makespan 100
    measure_remote_makespan 500
    end_started
}

part_runner() {
    local afl=$build/helpers/afl_server
    if AFL_QUIET=1 afl-clang-fast -O2 -o "$work/subject_afl" "$(dirname "$0")/subject_afl.c" \
        > /dev/null 2>&1; then
        afl=$work/subject_afl
    else
        echo "  no afl-clang-fast (apt-get install afl++): its target is one that speaks as it does"
    fi
    PARE_LIBEXEC=$build "$build/bench/bench_runner" "$build/bench/subject_dynamic" "$afl" \
        "$build/bench/subject_harness.so"
}
part_text() {
    echo "The text layer, 100 MB"
    "$build/bench/bench_text" | sed 's/^/  /'
}

# The grammars and cases of a shared folder beside the repository, where there is one.
shared=${PARE_SHARED:-$(dirname "$0")/../../shared}

part_tree() {
    echo "Edits of a tree of 100,000 nodes, processor time"
    "$build/bench/bench_tree"
}

part_deep() {
    echo "What is long and what is deep, by our parser"
    "$build/bench/bench_deep"
}

part_parse() {
    echo "Parsing by ANTLR grammars"
    if [ -d "$shared/grammars-v4" ]; then
        "$build/bench/bench_parse" "$shared/grammars-v4"
    else
        echo "  not measured: no $shared/grammars-v4"
    fi
}

part_store() {
    echo "The store of a campaign"
    [ -x "$build/bench/bench_store" ] || { echo "  this build has no campaigns"; return 0; }
    "$build/bench/bench_store" "$work" | sed 1d
}

part_seeds() {
    echo "What the seeds report of trees, as claimed and here"
    if [ -d "$shared/corpus" ] && [ -d "$shared/grammars-v4" ]; then
        "$build/bench/bench_seeds" "$shared"
    else
        "$build/bench/bench_seeds"
    fi
}

part_formats() {
    echo "Generated formats without a language: what is left, of the smallest known"
    "$build/bench/bench_formats"
}

part_tree_sitter() {
    echo "tree-sitter, with our own tree"
    PARE_DATA=${PARE_DATA:-$build/bench/data} "$build/bench/bench_tree_sitter"
}

# --- the default on real failures -----------------------------------------------------------

source_dir=$(cd "$(dirname "$0")/.." && pwd)
results=$(dirname "$build")

# Cases of a shared folder; the input of w6 is made.
need_cases() {
    export PARE_DATA=$results/data
    "$source_dir/bench/languages.sh" "$pare" "$PARE_DATA"
    if [ ! -d "$shared/corpus" ]; then
        echo "  there is no $shared/corpus, so none of its cases is run"
        return 1
    fi
    mkdir -p "$results/workloads/w6"
    [ -e "$results/workloads/w6/input.txt" ] ||
        "$shared/workloads/w6/make-input.py" "$results/workloads/w6/input.txt"
}

part_same() {
    echo "The default, -j1 and -j8, on the corpus and the workloads"
    need_cases || return 0
    "$source_dir/bench/check_default.sh" "$pare" "$shared" | sed 's/^/  /' || true
}

part_shootout() {
    local suite
    echo "Algorithms side by side: generated cases, choices, corpus, workloads"
    need_cases || true
    mkdir -p "$results/shootout"
    for suite in generated choices corpus workloads; do
        (cd "$source_dir" && PARE="$pare" "$pare" shootout "$suite" -o "$results/shootout/$suite") ||
            echo "  $suite: not every run has a result that fails again"
    done
}

part_peers() {
    echo "Other reducers on the same cases"
    need_cases || true
    "$source_dir/bench/peers/run.sh" -o "$results/peers" ${PEERS_ARGS:-} "$build"
}

[ -x "$pare" ] && [ -x "$oracle" ] || {
    echo "$0: no pare and no benchmarks in $build" >&2
    exit 1
}
echo "pare benchmarks: $(nproc) cores, load $(cut -d' ' -f1-3 /proc/loadavg), $(uname -sr)"
for part; do
    echo
    "part_$part"
done
