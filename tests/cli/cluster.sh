# A cluster of its own for a test: servers on loopback, workers, and their end.  Sourced by
# tests/cli/test_remote*.sh and test_shared_outcomes.sh after claims.sh.
#
# A test is skipped without nats-server or libnats.  All that is started is ended with the test.

if ! command -v nats-server > /dev/null; then
    echo "skipped: nats-server is not there (apt-get install nats-server)"
    exit 77
fi
if ! "$PARE" worker nats://127.0.0.1:1 --status 2>&1 | grep -q 'no server answers'; then
    echo "skipped: there is no libnats (apt-get install libnats-dev, and build again)"
    exit 77
fi

# What a test sees of this machine is told by the full sandbox; where there is none, it is left out.
sandbox=full
pids=()
end_all() {
    local pid
    for pid in "${pids[@]}"; do kill -KILL "$pid" 2> /dev/null || true; done
    wait 2> /dev/null || true
    rm -rf "$here"
}
trap end_all EXIT

# until_true COMMAND...   Waits for a condition, four minutes; false, and said, when it does not come.  Less
# and less often: to look is to start pare, which keeps those from working who are waited for.
until_true() {
    local end=$((SECONDS + 240)) tries=0
    until "$@" > /dev/null 2>&1; do
        if [ "$SECONDS" -ge "$end" ]; then
            echo "did not come within four minutes: $*" >&2
            return 1
        fi
        tries=$((tries + 1))
        if [ "$tries" -lt 4 ]; then sleep 0.1; else sleep 0.4; fi
    done
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
answers() { ! "$PARE" worker "$1" --status 2>&1 | grep -q 'no server answers'; }

# start_server OPTION...   Sets $port, $url and $server.
start_server() {
    port=$(free_port)
    url=nats://127.0.0.1:$port
    nats-server --addr 127.0.0.1 --port "$port" "$@" > "server.$port" 2>&1 &
    server=$!
    pids+=("$server")
    until_true answers "$url"
}

# start_worker NAME [OPTION...]   Sets $worker.
start_worker() {
    "$PARE" worker "$url" --name "$1" --sandbox "$sandbox" "${@:2}" > "worker.$1" 2>&1 &
    worker=$!
    pids+=("$worker")
    until_true knows "$1"
}
knows() { "$PARE" worker "$url" --status | grep -q "^$1 "; }

# The tests that a worker has run so far.
ran() { "$PARE" worker "$url" --status | awk -v name="$1" '$1 == name { n = $4 } END { print n + 0 }'; }

plain() { jq -c '[.n, .digest, .outcome, .accepted, .bytes]' "$1"; }
same_trace() { cmp <(plain "$1") <(plain "$2"); }
reduce() { # NAME OPTION...
    run "$PARE" reduce --no-journal --color never -j1 -o "out.$1" --trace "trace.$1" "${@:2}"
    cp out "told.$1"; cp err "said.$1"
    [ "$code" -eq 0 ]
}

# Sets what the outcomes of a test are shared by to something new, where --with "$here/fresh" is given:
# otherwise one run answers the next, and workers have nothing to do.
refresh() { n_fresh=$((${n_fresh:-0} + 1)); echo "$n_fresh" > "$here/fresh"; }
refresh
