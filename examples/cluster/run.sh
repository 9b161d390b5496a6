#!/bin/bash
# A cluster on one machine: a NATS server and three workers, each worker as if it were a machine of its
# own.  One command starts it, runs what is given, and ends it:
#
#     examples/cluster/run.sh pare reduce ./test.sh crash.c
#
# `--workers URL` and `--credentials FILE` are added to a `pare reduce`; for anything else they are in
# $PARE_CLUSTER_URL and $PARE_CLUSTER_CREDENTIALS.  Without words it serves on loopback until Ctrl-C, and
# prints the command to type in another terminal.
#
# Where it is permitted (root, or user name spaces) each worker is in a network name space, joined with
# the server by a bridge; CLUSTER_DELAY=20ms and CLUSTER_LOSS=1% then make that network a slow one
# (tc netem).  Otherwise all are on loopback, which is said.
#
# CLUSTER_WORKERS=3  CLUSTER_SLOTS=2  CLUSTER_LOOPBACK=1 (no name spaces)  PARE=pare
set -eu

PARE=${PARE:-pare}
n_workers=${CLUSTER_WORKERS:-3}
slots=${CLUSTER_SLOTS:-2}
pids=()
folder=

die() {
    echo "cluster: $*" >&2
    exit 3
}

# Name spaces for the server and all workers live inside one that belongs to us: whatever is made in it
# goes with the last process, and nothing of the machine's own network is touched.
if [ -z "${CLUSTER_INSIDE:-}" ]; then
    command -v nats-server > /dev/null || die "nats-server is missing: apt-get install nats-server"
    command -v "$PARE" > /dev/null || die "$PARE is not there: set PARE to the program"
    PARE=$(command -v "$PARE")
    case $PARE in /*) ;; *) PARE=$PWD/$PARE ;; esac
    export PARE
    [ $# -gt 0 ] || CLUSTER_LOOPBACK=1
    user=
    [ "$(id -u)" = 0 ] || user=--map-root-user
    probe='ip link set lo up && ip link add type veth && ip netns list'
    if [ -z "${CLUSTER_LOOPBACK:-}" ] && unshare $user --net --mount sh -c "$probe" > /dev/null 2>&1; then
        CLUSTER_INSIDE=net exec unshare $user --net --mount "$BASH" "$0" "$@"
    fi
    [ -n "${CLUSTER_LOOPBACK:-}" ] || echo "cluster: no network name spaces here: all are on loopback" >&2
    CLUSTER_INSIDE=loopback exec "$BASH" "$0" "$@"
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/pare-cluster-XXXXXX")
end_all() {
    local pid
    for pid in ${pids[@]+"${pids[@]}"}; do kill "$pid" 2> /dev/null || true; done
    wait 2> /dev/null || true
    rm -rf "$folder"
}
trap end_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Whoever can reach the server has to know this.
credentials=$folder/credentials
(umask 077; printf 'pare:%s\n' "$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')" > "$credentials")

port=${CLUSTER_PORT:-}
[ -n "$port" ] || port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
address=127.0.0.1
# In a process of its own, which becomes the command: so it is the command that is ended.
inside() { shift; exec "$@"; } # WORKER COMMAND...
if [ "$CLUSTER_INSIDE" = net ]; then
    # Each worker K has 10.213.0.(K+1), at one end of a pair; the other ends meet in a bridge.
    mount -t tmpfs -o mode=755 tmpfs /run
    address=10.213.0.1
    ip link set lo up
    ip link add cluster type bridge
    ip addr add "$address/24" dev cluster
    ip link set cluster up
    for k in $(seq "$n_workers"); do
        ip netns add "machine$k"
        ip link add "to$k" type veth peer name eth0 netns "machine$k"
        ip link set "to$k" master cluster up
        ip -n "machine$k" link set lo up
        ip -n "machine$k" addr add "10.213.0.$((k + 1))/24" dev eth0
        ip -n "machine$k" link set eth0 up
        if [ -n "${CLUSTER_DELAY:-}${CLUSTER_LOSS:-}" ]; then
            tc -n "machine$k" qdisc add dev eth0 root netem \
                ${CLUSTER_DELAY:+delay "$CLUSTER_DELAY"} ${CLUSTER_LOSS:+loss "$CLUSTER_LOSS"} ||
                die "tc netem is not permitted: leave out CLUSTER_DELAY and CLUSTER_LOSS"
        fi
    done
    inside() { local k=$1; shift; exec ip netns exec "machine$k" "$@"; }
fi
url=nats://$address:$port

# In a file, so that the password is not among the words of a process.
cat > "$folder/server.conf" <<END
listen: "$address:$port"
jetstream { store_dir: "$folder/store" }
authorization { user: pare, password: "$(cut -d: -f2 "$credentials")" }
END
nats-server --config "$folder/server.conf" > "$folder/server.log" 2>&1 &
server=$!
pids+=("$server")
status() { "$PARE" worker "$url" --credentials "$credentials" --status 2>&1; }
while status | grep -q 'no server answers'; do
    kill -0 "$server" 2> /dev/null || die "the server did not start: $(tail -1 "$folder/server.log")"
done

for k in $(seq "$n_workers"); do
    inside "$k" "$PARE" worker "$url" --credentials "$credentials" --name "machine$k" -j "$slots" \
        ${CLUSTER_SANDBOX:+--sandbox "$CLUSTER_SANDBOX"} > "$folder/machine$k.log" 2>&1 &
    pids+=($!)
done
until [ "$(status | grep -c '^machine')" = "$n_workers" ]; do
    for pid in "${pids[@]}"; do
        kill -0 "$pid" 2> /dev/null || die "a worker did not start: $(cat "$folder"/machine*.log | tail -1)"
    done
done

if [ $# = 0 ]; then
    status
    echo "cluster: $n_workers workers of $slots slots; in another terminal:" >&2
    echo "    pare reduce --workers $url --credentials $credentials TEST INPUT" >&2
    echo "cluster: Ctrl-C ends it" >&2
    wait "$server"
    exit
fi
export PARE_CLUSTER_URL=$url PARE_CLUSTER_CREDENTIALS=$credentials
code=0
if [ "${1##*/}" = pare ] && [ "${2:-}" = reduce ]; then
    shift 2
    "$PARE" reduce --workers "$url" --credentials "$credentials" "$@" || code=$?
else
    "$@" || code=$?
fi
exit "$code"
