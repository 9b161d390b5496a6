#!/bin/bash
# Workers over NATS JetStream: the same bytes and steps as one slot at home, also when workers come,
# go and are killed; what is said of servers and workers that do not do.
#
# The test starts servers of its own on loopback and ends them; it is skipped without nats-server or
# libnats.  PARE_TEST_LONG=1 tries more cases.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
. "$PARE_SOURCE_DIR/tests/cli/cluster.sh"

# --- the same as at home -------------------------------------------------------------------------

# The script names a file by its path and one beside itself; both travel.
mkdir tools
echo 'grep -q omega "$1"' > tools/second.sh
printf 'alpha\n' > "$here/tools/word"
cat > tools/test.sh <<END
#!/bin/sh
sleep 0.02 # here and below: or all tests have run at home before a worker on a busy machine gets one
grep -q "\$(cat $here/tools/word)" "\$1" && sh "\$(dirname "\$0")/second.sh" "\$1"
END
chmod +x tools/test.sh
awk 'BEGIN { srand(3); for (i = 0; i < 300; i++) print "line " i (rand() < .5 ? " { x }" : " y;") (i == 120 ? " alpha" : "") (i == 250 ? " omega" : "") }' > in.txt

export ONLY_THERE=1 # which workers have from here on, and a reduced environment (below) has not
claim "a server starts" start_server --jetstream --store_dir store
claim "no worker is told of" exits 1 "$PARE" worker "$url" --status
claim "at home it reduces" reduce home --deterministic tools/test.sh in.txt
claim "without workers it reduces at home" reduce nobody --workers "$url" tools/test.sh in.txt
claim "to the same" cmp -s out.home out.nobody
claim "which is told, with the command that starts one" grep -q "no worker is at $url yet: tests run on this machine; start one: pare worker $url" told.nobody said.nobody
claim "once" [ "$(cat told.nobody said.nobody | grep -c 'no worker is at')" = 1 ]
# At home its tests stop before the twelfth until the worker has run one.
cat > late.sh <<END
#!/bin/sh
if [ "\${PARE_TEST_LATE:-}" ]; then
    echo >> "\$PARE_TEST_LATE.runs"
    until [ "\$(wc -l < "\$PARE_TEST_LATE.runs")" -lt 12 ] || [ -e "\$PARE_TEST_LATE" ]; do sleep 0.1; done
fi
sleep 0.05
exec $here/tools/test.sh "\$1"
END
chmod +x late.sh
start_a_late_one() {
    PARE_TEST_LATE=$here/late "$PARE" reduce --color never --no-journal -j1 -o out.late --trace trace.late --timeout 250 \
        --workers "$url" --with tools/second.sh --with "$here/tools/test.sh" ./late.sh in.txt > told.late 2> said.late < /dev/null &
    local pid=$!
    pids+=("$pid")
    until_true grep -q 'no worker is at' told.late said.late || return 1
    sandbox=off start_worker late -j2 && until_true ran_late || return 1
    touch late
    wait "$pid"
}
ran_late() { [ "$(ran late)" -gt 0 ]; }
claim "a worker that is started later takes part" start_a_late_one
claim "to the same" cmp -s out.home out.late
kill "$worker"; wait "$worker" || true
claim "a worker starts" start_worker one -j2
claim "with a worker it reduces" reduce one --workers "$url" --with "$here/fresh" tools/test.sh in.txt
if grep -q 'worker one is not used' said.one told.one; then
    echo "the full sandbox cannot be had here: workers run without it"
    sandbox=off
    kill "$worker"; wait "$worker" || true
    refresh
    claim "a worker starts without a sandbox" start_worker one -j2
    claim "with a worker it reduces" reduce one --workers "$url" --with "$here/fresh" tools/test.sh in.txt
fi
first=$worker
claim "to the same bytes" cmp -s out.home out.one
claim "by the same steps" same_trace trace.home trace.one
claim "the worker ran tests of it" [ "$(ran one)" -gt 0 ]

# A program without a script: what is learnt of its failure travels.
cat > crash.sh <<'END'
#!/bin/sh
sleep 0.05
if grep -q alpha "$1"; then echo "crash.sh:1: fatal: alpha is here" >&2; exit 3; fi
if grep -q omega "$1"; then echo "crash.sh:2: fatal: another failure" >&2; exit 4; fi
END
chmod +x crash.sh
before=$(ran one)
claim "a program reduces at home" reduce program_home --deterministic in.txt -- ./crash.sh @@
seq 3000 > large
claim "and with a worker" reduce program --workers "$url" --with "$here/fresh" --with "$here/large" in.txt -- ./crash.sh @@
claim "which keeps a large file by what is in it" cmp -s large "$XDG_CACHE_HOME/pare/worker/$(sha512sum large | cut -c1-64)"
claim "to the same bytes" cmp -s out.program_home out.program
claim "by the same steps" same_trace trace.program_home trace.program
claim "the worker took part" [ "$(ran one)" -gt "$before" ]

# A folder: what it is called travels with the test, contents and all else in the candidates.
mkdir -p folder/sub/deep folder/empty
seq 1 40 > folder/sub/deep/numbers.txt
echo 'alpha is here' > folder/sub/words.txt
for k in $(seq 12); do seq "$k" $((k + 20)) > "folder/other.$k"; done
printf '#!/bin/sh\ngrep -qx 17 sub/deep/numbers.txt\n' > folder/check
chmod +x folder/check
ln -s sub/words.txt folder/link
cat > in_folder.sh <<'END'
#!/bin/sh
sleep 0.02
cd "$1" && [ -L link ] && grep -q alpha link && [ -x check ] && ./check
END
chmod +x in_folder.sh
before=$(ran one)
claim "a folder reduces at home" reduce folder_home --deterministic ./in_folder.sh folder
claim "and with a worker" reduce folder --workers "$url" --with "$here/fresh" ./in_folder.sh folder
claim "to the same bytes" diff -r out.folder_home out.folder
claim "by the same steps" same_trace trace.folder_home trace.folder
claim "the worker took part" [ "$(ran one)" -gt "$before" ]
claim "to three entries" [ "$(cd out.folder && find . ! -type d | LC_ALL=C sort | tr '\n' ' ')" = "./check ./link ./sub/words.txt " ]

# Many bests, each of which later candidates are told by: whatever is stored anew, no text at the server
# is made of itself, and every job can be made on a worker.
cat > marks.sh <<'END'
#!/bin/sh
sleep 0.01
[ "$(grep -c '#' "$1")" -ge 90 ]
END
chmod +x marks.sh
awk 'BEGIN { for (i = 0; i < 270; i++) print "unit " i (i % 3 ? "" : " #") }' > marks.txt
before=$(ran one)
no_text_of_itself() { ! grep -q "refer to each other" worker.*; }
claim "many steps at home" reduce marks_home --deterministic -a adaptive -u line ./marks.sh marks.txt
claim "and with a worker" reduce marks --workers "$url" -a adaptive -u line --with "$here/fresh" ./marks.sh marks.txt
claim "to the same bytes" cmp -s out.marks_home out.marks
claim "by the same steps" same_trace trace.marks_home trace.marks
claim "the worker took part" [ "$(ran one)" -gt "$before" ]
claim "no text was made of itself" no_text_of_itself

# --- tests that are not a script -------------------------------------------------------------------

# A worker of the user's has a process of its own in each slot there; a generator travels with the test of
# what it makes; of a command line that is reduced each word goes where its place is, and names the file
# that has travelled with it.
cat > told.sh <<'END'
#!/bin/sh
while read -r size path; do
    sleep 0.02
    if grep -q alpha "$path" && [ "$(grep -c x "$path")" -ge 6 ]; then echo FAIL; else echo PASS; fi
done
END
cat > generator.sh <<'END'
#!/bin/sh
exec od -An -v -tu1 -w1
END
cat > made.sh <<'END'
#!/bin/sh
sleep 0.02
[ "$(awk '{ n += $1 } END { print n + 0 }' "$1")" -ge 300 ]
END
cat > words.sh <<'END'
#!/bin/sh
sleep 0.02
case " $* " in *" --level=3"*" --from "*) ;; *) exit 0 ;; esac
for last; do from=$before; before=$last; done
[ -s "$from" ] && grep -q "$(cat "$from")" "$last" && exit 7
exit 0
END
cat > needs.sh <<'END'
#!/bin/sh
sleep 0.1
[ "${ONLY_THERE:-}" ] && exit 9
[ "${WANTED:-}" = "a b" ] && grep -q alpha "$1" && exit 7
exit 0
END
chmod +x told.sh generator.sh made.sh words.sh needs.sh
echo omega > wanted
awk 'BEGIN { for (i = 0; i < 60; i++) print "line " i (i % 4 ? "" : " x") (i == 33 ? " alpha omega" : "") }' > short.txt
seq 1 40 | tr '\n' z > choices
told() { reduce "$@" -a ddmin -u line --worker ./told.sh short.txt; }
made() { reduce "$@" --generator ./generator.sh --choices choices -- ./made.sh; }
words() { reduce "$@" --reduce-args -a ddmin -u line short.txt --exit 7 -- ./words.sh -v --level=35 --more -n 3 --from wanted @@; }
# What is set at home is set there, too, as long as the candidate has it, and nothing else that may go.
variables() {
    (unset ONLY_THERE && WANTED="a b" UNWANTED=1 reduce "$@" --reduce-env -a ddmin -u line short.txt --exit 7 -- ./needs.sh @@)
}
kinds="told made words variables"
for kind in $kinds; do claim "$kind: at home" "$kind" "$kind.home" --deterministic; done
claim "the words are those that are needed" grep -qE 'words.sh --level=3 --from [^ ]*/wanted @@' told.words.home
comes_to_the_same() { # KIND WORKERS
    local before after
    refresh
    before=$(ran_by_all)
    "$1" "$1.$2" --workers "$url" --with "$here/fresh" || return 1
    after=$(ran_by_all)
    cmp "out.$1.home" "out.$1.$2" && same_trace "trace.$1.home" "trace.$1.$2" && [ "$after" -gt "$before" ]
}
ran_by_all() { "$PARE" worker "$url" --status | awk '$5 == "tests" { n += $4 } END { print n + 0 }'; }
for kind in $kinds; do claim "$kind: with a worker the same, with tests of its" comes_to_the_same "$kind" 1; done
# Two more, whose machines have the wrong time: no outcome depends on what time it is.
wrong_clock() { # SECONDS COMMAND...
    if [ "${PARE_SANITIZE:-}" ]; then # which has to be loaded first itself
        "${@:2}"
    else
        LD_PRELOAD=$PARE_HELPERS/clock_library.so PARE_CLOCK_OFF_S=$1 "${@:2}"
    fi
}
is_wrong() { [ $(($(wrong_clock 3600 date +%s) - $(date +%s))) -ge 3500 ]; }
if [ -z "${PARE_SANITIZE:-}" ]; then claim "a clock can be wrong" is_wrong; fi
claim "a worker starts whose clock is an hour fast" wrong_clock 3600 start_worker more -j1
more=$worker
claim "and one whose clock is an hour slow" wrong_clock -3600 start_worker still_more -j1
for kind in $kinds; do claim "$kind: with three workers the same" comes_to_the_same "$kind" 3; done
kill "$more" "$worker"; wait "$more" "$worker" || true

# --- workers that are killed ---------------------------------------------------------------------

# Slow enough that one is at a test when it is killed.
printf '#!/bin/sh\nsleep 0.05\nexec %s "$1"\n' "$here/tools/test.sh" > slow.sh
chmod +x slow.sh
claim "another worker starts" start_worker two -j2
second=$worker
killed_in_the_middle() {
    local at
    refresh
    at=$(ran two)
    "$PARE" reduce -q --no-journal -j1 -o out.killed --trace trace.killed --timeout 60 --workers "$url" \
        --with tools/second.sh --with "$here/fresh" ./slow.sh in.txt > out 2> err < /dev/null &
    local pid=$!
    until_true more_than "$at" || return 1
    kill -KILL "$second"
    wait "$pid"
}
more_than() { [ "$(ran two)" -gt "$1" ]; }
claim "a worker is killed in the middle" killed_in_the_middle
claim "to the same bytes" cmp -s out.home out.killed
claim "by the same steps" same_trace trace.home trace.killed

# --- a server that is started anew -------------------------------------------------------------------

start_reduction() { # NAME OPTION...
    "$PARE" reduce --color never -j1 -o "out.$1" --trace "trace.$1" --timeout 60 --workers "$url" \
        --with tools/second.sh --with "$here/fresh" "${@:2}" ./slow.sh in.txt > "told.$1" 2> "said.$1" < /dev/null &
    reduction=$!
}
ran_more_than() { [ "$(ran one)" -gt "$1" ]; }
server_dies_in_the_middle() {
    local at
    refresh
    at=$(ran one)
    start_reduction server --no-journal
    until_true ran_more_than "$at" || return 1
    kill -KILL "$server"
    wait "$server" || true
    nats-server --addr 127.0.0.1 --port "$port" --jetstream --store_dir store > server.anew 2>&1 &
    server=$!
    pids+=("$server")
    wait "$reduction"
}
claim "a server is killed in the middle and started anew" server_dies_in_the_middle
claim "to the same bytes" cmp -s out.home out.server
claim "by the same steps" same_trace trace.home trace.server
claim "the worker is there again" until_true knows one
claim "it said at its start that it waits" grep -q '^one waits for runs with [0-9]* slots*; Ctrl-C ends it$' worker.one
claim "that the server was gone, once, whatever runs it served" [ "$(grep -c "^$url is gone: waiting until it is back" worker.one)" = 1 ]
claim "and that it is there again" until_true grep -q "^$url is back$" worker.one

# --- a server that loses what is queued --------------------------------------------------------------

# Without the queue no job would come to a worker any more, and nobody would say so.  At home the
# twelfth test waits until that has happened: the run is in the middle then, whatever the load.
cat > gated.sh <<END
#!/bin/sh
if [ "\${PARE_TEST_GATE:-}" ]; then
    echo >> "\$PARE_TEST_GATE.runs"
    waits=50 # five seconds: the last test of a phase has no successor that a worker could try
    until [ "\$(wc -l < "\$PARE_TEST_GATE.runs")" -lt 12 ] || [ -e "\$PARE_TEST_GATE" ] || [ \$waits = 0 ]; do
        sleep 0.1
        waits=\$((waits - 1))
    done
fi
exec $here/slow.sh "\$1"
END
chmod +x gated.sh
jobs_are_lost_in_the_middle() {
    local at ended=0
    at=$(ran one)
    PARE_TEST_GATE=$here/gate "$PARE" reduce --color never --no-journal -j1 \
        -o out.lost --trace trace.lost --timeout 60 --workers "$url" --with "$here/tools/test.sh" \
        --with tools/second.sh ./gated.sh in.txt > told.lost 2> said.lost < /dev/null &
    reduction=$!
    until_true ran_more_than "$at" || ended=1
    until_true is_at_gate || ended=1
    python3 "$PARE_SOURCE_DIR/tests/cli/support/lose_jobs.py" "$port" || ended=1
    touch gate
    wait "$reduction" && [ "$ended" = 0 ]
}
is_at_gate() { [ "$(wc -l < gate.runs)" -ge 12 ]; }
claim "a server loses its jobs in the middle" jobs_are_lost_in_the_middle
claim "the user is told" grep -q 'has lost tests, which are run again' told.lost said.lost
claim "to the same bytes" cmp -s out.home out.lost
claim "by the same steps" same_trace trace.home trace.lost

# --- a coordinator that is killed --------------------------------------------------------------------

coordinator_dies_in_the_middle() {
    local at
    refresh
    at=$(ran one)
    start_reduction resumed
    until_true ran_more_than "$((at + 5))" || return 1
    kill -KILL "$reduction"
    wait "$reduction" || true
    start_reduction resumed
    wait "$reduction"
}
claim "a coordinator is killed, and the same command goes on" coordinator_dies_in_the_middle
claim "to the same bytes" cmp -s out.home out.resumed

# --- a worker of another version ---------------------------------------------------------------------

# It answers the first call with a message of a version that is not there yet.
cat > stranger.py <<'END'
import re, socket, sys
server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
server.sendall(b"CONNECT {\"verbose\":false}\r\nSUB pare.main.call 1\r\nPING\r\n")
got = b""
while data := server.recv(65536):
    if b"PING\r\n" in data:
        server.sendall(b"PONG\r\n")
    got += data
    for inbox in re.findall(rb"_INBOX\.pare[0-9a-f]{16}\.h", got):
        server.sendall(b"PUB " + inbox + b" 2\r\n\x63\x05\r\n")
    if b"PONG\r\n" in got:
        open("stranger.ready", "w").close()
END
says() { cat "told.$1" "said.$1" | grep -q "$2"; }
python3 stranger.py "$port" 2> stranger.log &
pids+=($!)
claim "a worker of another version starts" until_true [ -e stranger.ready ]
refresh
claim "it reduces" reduce stranger --workers "$url" --with "$here/fresh" tools/test.sh in.txt
claim "to the same bytes" cmp -s out.home out.stranger
claim "the worker is told of" says stranger 'a worker of another version is not used (protocol 99, ours is'

# --- a worker on which the input does not fail -----------------------------------------------------

cat > only_here.sh <<'END'
#!/bin/sh
[ "${PARE_WORKER_LACKS:-}" = 1 ] && exit 7
grep -q alpha "$1"
END
chmod +x only_here.sh
export PARE_WORKER_LACKS=1
claim "a worker that lacks something starts" start_worker lacking -j2
unset PARE_WORKER_LACKS
claim "it reduces" reduce lacking --workers "$url" ./only_here.sh in.txt
claim "to one word" [ "$(cat out.lacking)" = alpha ]
claim "the worker is named, with why" grep -q 'worker lacking is not used: the input does not fail there: exit code 7' told.lacking said.lacking

# "! compiler $1" fails on everything where there is no compiler.
cat > inverted.sh <<'END'
#!/bin/sh
[ "${PARE_WORKER_LACKS:-}" = 1 ] && exit 0
grep -q alpha "$1"
END
chmod +x inverted.sh
claim "it reduces" reduce inverted --workers "$url" ./inverted.sh in.txt
claim "to what fails at home" [ "$(cat out.inverted)" = alpha ]
claim "the worker is named" grep -q 'worker lacking is not used: an empty input fails there, too' told.inverted said.inverted

# One with another program of the same name.
mkdir bin_here bin_there
printf '#!/bin/sh\n[ "$1" = --version ] && echo "needle 1.0 of ours" && exit\nexec grep -q alpha "$1"\n' > bin_here/needle
printf '#!/bin/sh\n[ "$1" = --version ] && echo "needle 2.1 of another vendor" && exit\nexit 9\n' > bin_there/needle
chmod +x bin_*/needle
printf '#!/bin/sh\nneedle "$1"\n' > calls.sh
chmod +x calls.sh
with_path() { PATH=$here/$1:$PATH "${@:2}"; }
claim "a worker with another program starts" with_path bin_there start_worker another --visible "$here/bin_there"
claim "it reduces" with_path bin_here reduce another --workers "$url" ./calls.sh in.txt
claim "the worker is named, with the program" grep -q 'worker another is not used: .*needle is .*bin_there/needle there, .*bin_here/needle here' told.another said.another
claim "and the digests of both" grep -qE 'digest [0-9a-f]{8} there, [0-9a-f]{8} here' told.another said.another
if [ "$sandbox" = full ]; then
    claim "and what it says of its version" grep -q "there 'needle 2.1 of another vendor'" told.another said.another
    claim "and ours of its own" grep -q "; needle says 'needle 1.0 of ours' here" told.another said.another
fi

# --- what cannot be ---------------------------------------------------------------------------------

refused() { # SENTENCE OPTION...
    run "$PARE" reduce -q --no-journal -o out.refused "${@:2}" tools/test.sh in.txt
    [ "$code" -ne 0 ] && [ "$(wc -l < err)" = 1 ] && grep -q -- "$1" err
}
claim "no server" refused 'no server answers at nats://127.0.0.1:1: start one' --workers nats://127.0.0.1:1
claim "no URL" refused 'a server is nats://HOST' --workers 127.0.0.1
claim "another machine without credentials" refused 'give --credentials FILE' --workers nats://192.0.2.1
claim "nothing for workers without them" refused "needs '--workers'" --insecure
claim "a worker refuses as well" exits 2 "$PARE" worker nats://192.0.2.1
# A thread would need more memory than there may be; sanitizers need more themselves.
out_of_memory() { (ulimit -s 16000000 && ulimit -v 8000000 && "$PARE" worker "$url") > out 2>&1; [ $? = 3 ] && [ "$(wc -l < out)" = 1 ] && grep -q 'raise the limits' out; }
if [ -z "${PARE_SANITIZE:-}" ] && (ulimit -s 16000000) 2> /dev/null; then claim "no memory for a worker" out_of_memory; fi
claim "no server for a worker" exits 3 "$PARE" worker nats://127.0.0.1:1
if [ "$first" ]; then kill "$first"; wait "$first" || true; fi
kill "$server"; wait "$server" || true

claim "a server without JetStream starts" start_server
claim "no JetStream" refused 'has no JetStream: start it with' --workers "$url"
kill "$server"; wait "$server" || true

head -c 4000 /dev/urandom > noise # which no packing makes small
echo 'max_payload: 1000' > small.conf
claim "a server for small messages starts" start_server --jetstream --store_dir store1 --config small.conf
claim "small messages" refused 'set max_payload in its configuration' --workers "$url" --with "$here/noise"
kill "$server"; wait "$server" || true

port=$(free_port)
url=nats://127.0.0.1:$port
nats-server --addr 127.0.0.1 --port "$port" --jetstream --store_dir store2 --user u --pass p > server 2>&1 &
server=$!
pids+=("$server")
printf 'u:p\n' > right; printf 'u:q\n' > wrong; : > empty
lets_in() { "$PARE" worker "$url" --credentials right --status 2>&1 | grep -q 'no worker answers'; }
claim "a server with a password lets in who knows it" until_true lets_in
claim "wrong credentials" refused 'refuses these credentials' --workers "$url" --credentials wrong
claim "no credentials" refused 'refuses these credentials' --workers "$url"
claim "an empty file" refused 'contains no credentials' --workers "$url" --credentials empty
claim "right credentials" reduce right --workers "$url" --credentials right tools/test.sh in.txt
claim "to the same bytes" cmp -s out.home out.right
all_claimed
