#!/bin/bash
# One worker serves several runs at once: two reductions of different inputs by different tests, and a
# campaign beside a reduction, share its slots; each comes to the same bytes and steps as at home.  A run
# whose coordinator is killed, or whose process on the worker is, harms no other.
#
# At home the tests of a run wait at a gate ($PARE_TEST_GATE, which workers do not have in their
# environment): so workers get tests whatever the load, and what happens meanwhile happens in the middle.
# The test starts a server of its own on loopback; it is skipped without nats-server or libnats.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
. "$PARE_SOURCE_DIR/tests/cli/cluster.sh"

# Two tests that name a file beside them, of the same name and with other words in it.  Of tests shorter
# than these none is tried ahead on a busy machine, and a worker has nothing to do.
make_test() { # NAME WORD
    mkdir "$1"
    echo "$2" > "$1/word"
    cat > "$1/test.sh" <<'END'
#!/bin/sh
if [ "${PARE_TEST_GATE:-}" ]; then
    echo >> "$PARE_TEST_GATE.runs"
    waits=50 # five seconds: the last test of a phase has no successor that a worker could try
    until [ "$(wc -l < "$PARE_TEST_GATE.runs")" -lt 12 ] || [ -e "$PARE_TEST_GATE" ] || [ $waits = 0 ]; do
        sleep 0.1
        waits=$((waits - 1))
    done
fi
sleep 0.05
grep -q "$(cat "$(dirname "$0")/word")" "$1" && grep -q omega "$1"
END
    chmod +x "$1/test.sh"
}
make_test a alpha
make_test b beta
awk 'BEGIN { for (i = 0; i < 300; i++) print "line " i (i == 120 ? " alpha" : "") (i == 250 ? " omega" : "") }' > a.txt
awk 'BEGIN { for (i = 0; i < 200; i++) print "unit " i " of b" (i == 30 ? " omega" : "") (i == 160 ? " beta" : "") }' > b.txt

start_reduction() { # NAME a|b   Sets $reduction.
    refresh
    rm -f "gate.$1" "gate.$1.runs"
    PARE_TEST_GATE=$here/gate.$1 "$PARE" reduce --color never --no-journal -j1 -o "out.$1" \
        --trace "trace.$1" --timeout 250 --workers "$url" --with "$here/$2/word" --with "$here/fresh" \
        "$2/test.sh" "$2.txt" > "told.$1" 2> "said.$1" < /dev/null &
    reduction=$!
    pids+=("$reduction")
}
end_reduction() { # NAME PID
    touch "gate.$1"
    wait "$2"
}
is_at_gate() { [ "$(wc -l < "gate.$1.runs")" -ge 12 ]; }

# The runs of the worker that have tested something, and its runs with a share of N slots.
n_at_work() { "$PARE" worker "$url" --status | awk '$1 == "run" && $5 > 0 { n++ } END { print n + 0 }'; }
n_with_share() { "$PARE" worker "$url" --status | awk -v n="$1" '$1 == "run" && $4 ~ "/" n "$" { k++ } END { print k + 0 }'; }
is() { [ "$("${@:2}")" = "$1" ]; }

claim "a server starts" start_server --jetstream --store_dir store
claim "one input at home" reduce a_home --deterministic a/test.sh a.txt
claim "another at home" reduce b_home --deterministic b/test.sh b.txt
claim "a worker of two slots starts" start_worker one -j2
claim "it takes part" reduce probe --workers "$url" --with "$here/fresh" a/test.sh a.txt
if grep -q 'worker one is not used' said.probe told.probe; then
    echo "the full sandbox cannot be had here: workers run without it"
    sandbox=off
    kill "$worker"; wait "$worker" || true
    claim "a worker starts without a sandbox" start_worker one -j2
fi

# --- two reductions --------------------------------------------------------------------------------

start_two() {
    start_reduction first a
    first=$reduction
    until_true is 1 n_at_work && until_true is_at_gate first || return 1
    start_reduction second b
    second=$reduction
    until_true is 2 n_at_work && until_true is_at_gate second
}
claim "two reductions of other inputs and tests have tests on it at once" start_two
claim "each with one of its slots" until_true is 2 n_with_share 1
claim "one ends" end_reduction second "$second"
claim "its slot goes to the other" until_true is 1 n_with_share 2
claim "which ends, too" end_reduction first "$first"
claim "the one to its bytes" cmp -s out.a_home out.first
claim "by its steps" same_trace trace.a_home trace.first
claim "the other to its own" cmp -s out.b_home out.second
claim "by its own steps" same_trace trace.b_home trace.second
claim "no run is left" until_true is 0 n_with_share 2

# --- one of them is killed -------------------------------------------------------------------------

one_is_killed() {
    start_two || return 1
    kill -KILL "$second"
    wait "$second" 2> /dev/null || true
    touch gate.second
    until_true grep -q 'is abandoned: its coordinator is gone' worker.one && until_true is 1 n_with_share 2
}
claim "the coordinator of one is killed, and its slot is free for the other" one_is_killed
claim "which goes on" end_reduction first "$first"
claim "to the same bytes" cmp -s out.a_home out.first
claim "by the same steps" same_trace trace.a_home trace.first

# The process of a run is a child of the worker's.
processes() { tr ' ' '\n' < "/proc/$worker/task/$worker/children" | sed '/^$/d'; }
its_process_dies() {
    start_two || return 1
    local pid n
    n=$(n_at_work)
    for pid in $(processes); do kill -KILL "$pid"; done
    until_true is "$n" n_with_share 1
}
claim "the processes of both runs are killed, and both are served again" its_process_dies
claim "one goes on" end_reduction first "$first"
claim "and so does the other" end_reduction second "$second"
claim "the one to its bytes" cmp -s out.a_home out.first
claim "by its steps" same_trace trace.a_home trace.first
claim "the other to its own" cmp -s out.b_home out.second
claim "by its own steps" same_trace trace.b_home trace.second

# --- a campaign beside a reduction -------------------------------------------------------------------

if "$PARE" fuzz list --store none 2>&1 | grep -q "without campaigns"; then
    echo "this pare has no campaigns: none is tried"
else
    cat > prog.sh <<'END'
#!/bin/sh
if [ "${PARE_TEST_GATE:-}" ] && [ "$(wc -c < "$1")" -gt 1 ]; then
    until [ -e "$PARE_TEST_GATE" ]; do sleep 0.05; done
fi
case $(cat "$1") in *'['*null*) kill -SEGV $$ ;; esac
END
    chmod +x prog.sh
    mkdir in
    for i in $(seq 10 21); do
        echo "[1, 2, $i, null, \"some more text\"]" > "in/n$i.json"
        echo "[$i, 2, 3]" > "in/ok$i.json"
    done
    campaign() { # NAME
        printf '[campaign]\njobs = 1\n[target prog]\ncommand = %s/prog.sh @@\nsandbox = off\ntimeout = 200\n[source files]\nkind = folder\nfiles = in/*\n' "$here" > "$1.ini"
    }
    found() { "$PARE" fuzz list --store "$1.pare.db" --json | jq -c 'sort_by(.signature) | .[] | [.state, .signature, .count, .reduced_bytes]'; }
    same_findings() { [ "$(found "$1")" ] && cmp <(found "$1") <(found "$2"); }
    beside() {
        local pid
        start_reduction first a
        first=$reduction
        until_true is 1 n_at_work && until_true is_at_gate first || return 1
        PARE_TEST_GATE=$here/gate.campaign timeout 250 "$PARE" fuzz run away.ini --workers "$url" --finish > out 2> err < /dev/null &
        pid=$!
        until_true is 2 n_at_work || return 1
        touch gate.campaign
        wait "$pid"
    }
    campaign home
    campaign away
    claim "a campaign at home" exits 0 "$PARE" fuzz run home.ini --finish
    claim "one with the worker, while it serves a reduction" beside
    claim "to the same findings" same_findings home away
    claim "the reduction ends" end_reduction first "$first"
    claim "to the same bytes" cmp -s out.a_home out.first
    claim "by the same steps" same_trace trace.a_home trace.first
fi

# --- no more runs than slots -------------------------------------------------------------------------

kill "$worker"; wait "$worker" || true
claim "a worker of one slot starts" start_worker small -j1
one_slot() {
    start_reduction first a
    first=$reduction
    until_true is 1 n_at_work && until_true is_at_gate first || return 1
    reduce second --workers "$url" --with "$here/fresh" b/test.sh b.txt || return 1
    is 1 n_at_work && end_reduction first "$first"
}
claim "it is at one run at a time, and the other goes on at home" one_slot
claim "the one to its bytes" cmp -s out.a_home out.first
claim "by its steps" same_trace trace.a_home trace.first
claim "the other to its own" cmp -s out.b_home out.second
claim "by its own steps" same_trace trace.b_home trace.second
all_claimed
