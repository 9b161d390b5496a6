#!/bin/bash
# What goes wrong between machines and on them, in the middle of a run: nets that are cut, a coordinator
# that is killed, a worker whose disk is full or whose programs are replaced.  Each is told in one
# sentence, the reduction goes on with what is left, and comes to the bytes and steps of one slot at home.
#
# A net is cut by a proxy of the test's (support/partition.py).  The test starts a server of its own on
# loopback; it is skipped without nats-server or libnats.  PARE_TEST_LONG=1 leaves nets cut for 30 s.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
. "$PARE_SOURCE_DIR/tests/cli/cluster.sh"

cut_s=0
if [ "${PARE_TEST_LONG:-0}" != 0 ]; then cut_s=30; fi

# At home the test stops before the run whose number is in $PARE_TEST_GATE, until that is raised: so a
# run is in the middle of its work for as long as something is to happen to it, whatever the load.
# Workers do not have the variable.  A test takes a moment: of shorter ones none is tried ahead.
cat > case.sh <<'END'
#!/bin/sh
if [ "${PARE_TEST_GATE:-}" ]; then
    echo >> "$PARE_TEST_GATE.runs"
    until [ "$(wc -l < "$PARE_TEST_GATE.runs")" -lt "$(cat "$PARE_TEST_GATE")" ]; do sleep 0.1; done
fi
sleep 0.05
grep -q alpha "$1" && grep -q omega "$1" || exit 1
grep -q "{ x }" "$1" && exit 0
! grep -q "y;" "$1"
END
chmod +x case.sh
awk 'BEGIN { srand(3); for (i = 0; i < 300; i++) print "line " i (rand() < .5 ? " { x }" : " y;") (i == 120 ? " alpha" : "") (i == 250 ? " omega" : "") }' > in.txt

# gate N   Lets N - 1 runs at home through; by a rename, so that none reads half a number.
gate() { echo "$1" > gate.new; mv gate.new gate; }
is_at_gate() { [ "$(wc -l < gate.runs)" -ge "$(cat gate)" ]; }
open_gate() { gate 1000000; }
# stepwise COMMAND...   Whether it holds.  If not the reduction goes a step on: at its gate it has an end of
# what it can try ahead, and its workers may have nothing left to run.
stepwise() {
    "$@" && return
    sleep 0.3
    gate $(($(cat gate) + 1))
    return 1
}

# start_reduction NAME URL OPTION...   Sets $reduction.  It stops in the middle, at its gate.
start_reduction() {
    gate 12
    rm -f gate.runs
    refresh
    PARE_TEST_GATE=$here/gate "$PARE" reduce --color never --no-journal -j1 -o "out.$1" \
        --trace "trace.$1" --timeout 250 --workers "$2" --with "$here/fresh" "${@:3}" "${test:-./case.sh}" "${input:-in.txt}" \
        > "told.$1" 2> "said.$1" < /dev/null &
    reduction=$!
    pids+=("$reduction")
}
tells() { cat "told.$1" "said.$1" | grep -qE "$2"; }
tells_once() { [ "$(cat "told.$1" "said.$1" | grep -cE "$2")" = 1 ]; }
tells_not() { ! tells "$@"; }
ran_more_than() { [ "$(ran "$1")" -gt "$2" ]; }
is_in_state() { "$PARE" worker "$url" --status | grep -qE "^$1 .* $2"; }

# start_proxy NAME   Sets $proxied, the URL of the server by way of a proxy, whose net cut_net NAME cuts.
start_proxy() {
    local by
    by=$(free_port)
    python3 "$PARE_SOURCE_DIR/tests/cli/support/partition.py" "$by" "$port" "$here/cut.$1" 2> "proxy.$1" &
    pids+=("$!")
    until_true [ -e "cut.$1.ready" ] || return 1
    proxied=nats://127.0.0.1:$by
}
cut_net() { touch "cut.$1"; }
mend_net() { rm -f "cut.$1"; }
# Whatever became of the last reduction, it does not stand in the way of the next.
end_reduction() {
    open_gate
    rm -f cut.coordinator cut.worker
    kill -KILL "$reduction" 2> /dev/null || true
    wait "$reduction" 2> /dev/null || true
}

claim "a server starts" start_server --jetstream --store_dir store
claim "at home it reduces" reduce home --deterministic ./case.sh in.txt
claim "a worker starts" start_worker near -j2
workers=("$worker")
claim "a worker takes part in a reduction" reduce near --workers "$url" --with "$here/fresh" ./case.sh in.txt
if grep -q 'worker near is not used' said.near told.near; then
    echo "the full sandbox cannot be had here: workers run without it"
    sandbox=off
    kill "$worker"; wait "$worker" || true
    claim "a worker starts without a sandbox" start_worker near -j2
    workers=("$worker")
fi

# --- the net between the coordinator and the server is cut -----------------------------------------

coordinator_is_cut_off() {
    local at
    at=$(ran near)
    start_reduction cut "$proxied"
    until_true ran_more_than near "$at" && until_true is_at_gate || return 1
    cut_net coordinator
    until_true tells cut 'is away: tests run on this machine until it is back' || return 1
    # It goes on at home.
    gate 30
    until_true is_at_gate || return 1
    sleep "$cut_s"
    at=$(ran near)
    mend_net coordinator
    until_true tells cut 'is back' || return 1
    until_true stepwise ran_more_than near "$at" || return 1
    open_gate
    wait "$reduction"
}
claim "a proxy starts" start_proxy coordinator
claim "a coordinator that is cut off goes on, and so does its worker afterwards" coordinator_is_cut_off
end_reduction
claim "one sentence tells of it" tells_once cut 'is away'
claim "one tells of its end" tells_once cut 'nats://[^ ]* is back'
claim "none tells of the worker" tells_not cut 'worker near'
claim "to the same bytes" cmp -s out.home out.cut
claim "by the same steps" same_trace trace.home trace.cut
# --- the net between one worker and the server is cut ----------------------------------------------

# The other goes on; what the first has is run by others, and counts once.
worker_is_cut_off() {
    local at
    at=$(ran far)
    start_reduction far "$url"
    until_true ran_more_than far "$at" && until_true is_at_gate || return 1
    cut_net worker
    until_true tells far 'worker far is gone; its tests go to others' || return 1
    gate 20
    until_true is_at_gate || return 1
    sleep "$cut_s"
    mend_net worker
    until_true tells far 'worker far is back' || return 1
    open_gate
    wait "$reduction"
}
claim "a proxy starts" start_proxy worker
start_far() {
    local url=$proxied
    start_worker far -j2
}
claim "a worker starts by way of it" start_far
workers+=("$worker")
claim "a worker is cut off, the others go on, and it is back" worker_is_cut_off
end_reduction
claim "one sentence tells of it" tells_once far 'worker far is gone'
claim "one tells of its end" tells_once far 'worker far is back'
claim "to the same bytes" cmp -s out.home out.far
claim "by the same steps" same_trace trace.home trace.far

# --- a coordinator that is killed --------------------------------------------------------------------

# The server says to its workers that nobody hears them, so they do not wait until it has been silent
# for long, and are free for others.
coordinator_dies() {
    local at n
    at=$(ran near)
    n=$(grep -c 'is silent' worker.near)
    start_reduction dead "$url"
    until_true ran_more_than near "$at" && until_true is_at_gate || return 1
    kill -KILL "$reduction"
    wait "$reduction" 2> /dev/null || true
    open_gate
    until_true grep -q 'is abandoned: its coordinator is gone' worker.near || return 1
    [ "$(grep -c 'is silent' worker.near)" = "$n" ]
}
claim "a coordinator is killed, and its worker leaves" coordinator_dies
end_reduction

# --- a worker whose programs are replaced ------------------------------------------------------------

# What it says from then on is of another program, here one with which everything fails.
mkdir bin_here bin_there
printf '#!/bin/sh\ngrep -q alpha "$1" && grep -q omega "$1"\n' > bin_here/needle
cp bin_here/needle bin_there/needle
chmod +x bin_*/needle
sed -e 's/^grep -q alpha.*/needle "$1" || exit 1/' case.sh > calls.sh
chmod +x calls.sh
with_path() { PATH=$here/$1:$PATH "${@:2}"; }
sooner_or_later() { # NAME WORKER COMMAND...   Does something to the worker in the middle of a reduction.
    local at
    at=$(ran "$2")
    PATH=$here/bin_here:$PATH start_reduction "$1" "$url"
    until_true ran_more_than "$2" "$at" && until_true is_at_gate || return 1
    "${@:3}" || return 1
    gate 40
    until_true tells "$1" "worker $2 is no longer used" || return 1
    open_gate
    wait "$reduction"
}
replace() { # By a rename, as a package manager does it.
    printf '#!/bin/sh\nexit 0\n' > bin_there/new
    chmod +x bin_there/new
    mv bin_there/new bin_there/needle
}
end_workers() { kill "${workers[@]}"; wait "${workers[@]}" || true; }
claim "the workers end" end_workers
claim "at home it reduces" with_path bin_here reduce calls --deterministic ./calls.sh in.txt
claim "a worker with the same program starts" with_path bin_there start_worker same -j2 --visible "$here/bin_there"
test=$here/calls.sh
claim "its program is replaced in the middle" sooner_or_later replaced same replace
end_reduction
claim "one sentence says why it is not used" tells_once replaced 'worker same is no longer used: an empty input fails there'
claim "to the same bytes" cmp -s out.calls out.replaced
claim "by the same steps" same_trace trace.calls trace.replaced

# --- a worker whose disk is full ------------------------------------------------------------------

# start_small NAME SIZE OPTION...   A worker in a mount name space where the disks that it writes to are
# small: $worker.
start_small() {
    unshare "${as_root[@]}" --mount bash -c "mount -t tmpfs -o size=$2 none /dev/shm &&
        mount -t tmpfs -o size=$2 none $here/small &&
        TMPDIR=$here/small exec \"\$@\"" start "$PARE" worker "$url" --name "$1" --sandbox "$sandbox" \
        -j2 --visible "$here/bin_here" > "worker.$1" 2>&1 &
    worker=$!
    pids+=("$worker")
    until_true knows "$1"
}
# Whatever is freed is taken at once, as by somebody else's program that writes and writes.
fill() {
    while sleep 0.02; do
        dd if=/dev/zero bs=4k count=4096 >> "/proc/$worker/root/dev/shm/full" || true
        dd if=/dev/zero bs=4k count=4096 >> "/proc/$worker/root$here/small/full" || true
    done 2> /dev/null &
    pids+=("$!")
    until_true stepwise grep -qE 'has changed|is refused: .*No space left' worker.small
}
mkdir small
as_root=()
if [ "$(id -u)" != 0 ]; then as_root=(--map-root-user); fi
if unshare "${as_root[@]}" --mount mount -t tmpfs none "$here/small" 2> /dev/null; then
    head -c 100000 /dev/urandom > large
    # It fails to write, and ends as if the failure were not there.
    sed -e 's/^needle/head -c 2000000 \/dev\/zero > scratch || exit 1; rm scratch\n&/' calls.sh > writes.sh
    chmod +x writes.sh
    test=$here/writes.sh
    claim "a worker with a full disk starts" with_path bin_here start_small full 16k
    claim "it reduces" with_path bin_here reduce full --workers "$url" --with "$here/large" ./calls.sh in.txt
    claim "one sentence names the worker" tells_once full 'worker full is not used: cannot write .*: No space left on device'
    claim "to the same bytes" cmp -s out.calls out.full
    claim "a worker with a small disk starts" with_path bin_here start_small small 8m
    claim "its disk fills up in the middle" sooner_or_later small small fill
    end_reduction
    claim "one sentence names the worker" tells_once small 'worker small is no longer used: (.*No space left on device|.*the disk of /dev/shm/.* is full there)'
    claim "to the same bytes" cmp -s out.calls out.small
    claim "by the same steps" same_trace trace.calls trace.small
else
    echo "no mount name spaces here: no worker has a full disk"
fi

# --- machines that differ ----------------------------------------------------------------------------

# On the worker what lacks "omega" fails as well, which neither the input nor an empty file shows.  At home
# the run waits at its gate until the worker has run some tests, so what it says is believed at first.
kill "$worker" 2> /dev/null || true
cat > odd.sh <<'END'
#!/bin/sh
if [ "${PARE_TEST_ODD:-}" ]; then exec grep -q alpha "$1"; fi
if [ "${PARE_TEST_GATE:-}" ]; then
    echo >> "$PARE_TEST_GATE.runs"
    until [ "$(wc -l < "$PARE_TEST_GATE.runs")" -lt "$(cat "$PARE_TEST_GATE")" ]; do sleep 0.1; done
fi
sleep 0.05
grep -q alpha "$1" && grep -q omega "$1"
END
chmod +x odd.sh
differ() {
    local at
    at=$(ran odd)
    test=./odd.sh input=odd.txt start_reduction odd "$url"
    until_true stepwise ran_more_than odd "$((at + 6))"
    open_gate
    wait "$reduction"
}
awk 'NR % 6 == 1 || /alpha|omega/' in.txt > odd.txt
claim "a reduction at home" reduce odd_home --deterministic ./odd.sh odd.txt
export PARE_TEST_ODD=1
claim "a worker starts on which other candidates fail" start_worker odd -j2
unset PARE_TEST_ODD
claim "it takes part, and the reduction ends" differ
claim "with what fails at home" ./odd.sh out.odd
claim "as small as without it" [ "$(wc -c < out.odd)" -le "$(wc -c < out.odd_home)" ]
claim "the worker is named: it is not chance" tells_once odd 'worker odd is no longer used: a candidate that always passes here always fails there: the machines differ'
claim "nothing is said of chance" tells_not odd 'comes by chance:'
end_reduction
all_claimed
