#!/bin/bash
# --worker: the examples of docs/guide/worker.md; the same bytes and trace as by a script, also when
# workers are killed at random; nothing is left when pare is; what is said of mistakes.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

plain() { jq -c 'del(.ms)' "$1"; }
same_trace() { cmp -s <(plain "$1") <(plain "$2"); }
# Traces are compared, so the time limit is given: one that is learned may be too short on a busy machine.
reduce() { # NAME OPTION...
    run "$PARE" reduce -q --no-journal --timeout 250 -j2 -o "out.$1" --trace "trace.$1" --stats "stats.$1" \
        "${@:2}"
    [ "$code" -eq 0 ]
}

# The examples, as they stand.
example() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/d;p}" "$PARE_SOURCE_DIR/docs/guide/worker.md"; }
example python > worker.py
example c > worker.c
claim "there is a Python example" [ -s worker.py ]
claim "there is a C example" cc -w -o worker worker.c
echo '{"rows": [1, 2, {"size": 12, "rate": 1e999, "name": "x"}], "more": [true, null, "y"]}' > in.json
claim "Python reduces" reduce python --worker 'python3 worker.py' in.json
claim "to the number alone" [ "$(cat out.python)" = 1e999 ]
claim "the statistics name it" [ "$(jq -r .runner stats.python)" = worker ]
{ seq 1 60; echo 7x; seq 61 90; } > in.txt
claim "C reduces" reduce c --worker ./worker in.txt
claim "to the crash" [ "$(cat out.c)" = 7x ]

# The same as a script, whatever happens to the workers.
worker=$PARE_HELPERS/line_worker
{ seq 1 9 | tr 1-9 b; echo x; seq 1 300 | tr -d '1' ; } > big.txt
algorithm=(-a ddmin -u line)
claim "a script reduces" reduce script "${algorithm[@]}" 'grep -q x' big.txt
claim "a worker reduces" reduce worker "${algorithm[@]}" --worker "$worker" big.txt
claim "to the same bytes" cmp -s out.script out.worker
claim "by the same trace" same_trace trace.script trace.worker

# Children of a process that are its workers.
workers_of() {
    local pid
    for pid in $(cat "/proc/$1/task/$1/children" 2> /dev/null); do
        if grep -qzxF "$worker" "/proc/$pid/cmdline" 2> /dev/null; then echo "$pid"; fi
    done
}
# 20 of the candidate's bytes are needed.
awk 'BEGIN { for (i = 0; i < 200; i++) print i % 10 ? "b" i % 7 + 2 : "x" }' > many.txt
printf '#!/bin/sh\n[ "$(tr -cd x < "$1" | wc -c)" -ge 20 ]\n' > count.sh
chmod +x count.sh
claim "a script that needs 20 bytes" reduce many "${algorithm[@]}" \
    ./count.sh many.txt
# Three rounds, and more while a busy machine has left no time for kills.
round=0 total=0
while [ $round -lt 3 ] || { [ "$total" -le 3 ] && [ $round -lt 15 ]; }; do
    round=$((round + 1))
    "$PARE" reduce -q --no-journal --timeout 250 -j2 -o out.killed --trace trace.killed "${algorithm[@]}" \
        --worker "$worker 20" many.txt > out 2> err < /dev/null &
    pid=$!
    n_kills=0
    while ! ended "$pid"; do
        for victim in $(workers_of "$pid"); do
            [ $((RANDOM % 2)) -eq 0 ] || continue
            if kill -9 "$victim" 2> /dev/null; then n_kills=$((n_kills + 1)); fi
        done
    done
    code=0
    wait "$pid" || code=$?
    total=$((total + n_kills))
    claim "killed $n_kills times it goes on ($round)" [ "$code" -eq 0 ]
    claim "to the same bytes ($round)" cmp -s out.many out.killed
    claim "by the same trace ($round)" same_trace trace.many trace.killed
done
claim "workers were killed indeed" [ "$total" -gt 3 ]

# When pare is ended, so are they.
is_left() { grep -aqzs -e "^PARE_TEST=$1-" /proc/[0-9]*/environ; }
gone() { ! is_left "$1"; }
{ cat big.txt; echo h; } > hang.txt
for signal in KILL INT; do
    "$PARE" reduce -q --no-journal --timeout 60 -o y --worker "$worker" hang.txt > /dev/null 2>&1 &
    pid=$!
    claim "a worker is there" await is_left "$pid"
    kill -"$signal" "$pid"
    wait "$pid" 2> /dev/null || true
    claim "SIG$signal leaves nothing" await gone "$pid"
done

# Folders and several files: the sum of the sizes, and where they are.
cat > look.sh <<'T'
while read -r size path; do
    if [ "$size" -eq "$(find "$path" -type f -exec cat {} + | wc -c)" ] &&
        grep -rq needle "$path"; then echo FAIL; else echo PASS; fi
done
T
mkdir -p 'a folder/sub'
echo needle > 'a folder/sub/one'
seq 1 50 > 'a folder/two'
claim "a folder reduces" reduce folder --worker 'sh look.sh' 'a folder'
claim "to the file that matters" [ "$(cd out.folder && find . -type f)" = ./sub/one ]
cp 'a folder/sub/one' 'a folder/two' .
claim "several files do" reduce several --worker 'sh look.sh' one two
claim "to the one that matters" [ "$(cd out.several && ls)" = one ]
claim "a name with blanks is one" cp big.txt 'big file.txt'
claim "and reduces" reduce blank --worker "$worker" 'big file.txt'
claim "to the failure" [ "$(cat out.blank)" = x ]

# What is said.
echo 'while read -r n p; do grep -q x "$p" || exit 3; echo FAIL; done' > dies.sh
{ seq 10 18; echo x; seq 20 28; } > small.txt
claim "candidates without the failure end it" exits 0 "$PARE" reduce --no-journal -o y --stats s \
    --worker 'sh dies.sh' small.txt
claim "which is said once" [ "$(cat out err | grep -c 'the worker ended on a candidate (exit code 3)')" -eq 1 ]
claim "and in the statistics" grep -q 'ended on a candidate' <<< "$(jq -r .runner_reason s)"
claim "the result is the failure" [ "$(cat y)" = x ]
claim "no answer is an error" exits 3 "$PARE" reduce -q --no-journal -o y --worker 'sh -c "echo hi"' big.txt
claim "that is quoted" says "the worker answered 'hi' instead of one line"
claim "an end at the start is one" exits 3 "$PARE" reduce -q --no-journal -o y --worker "$worker deaf" big.txt
claim "that says what it printed" says "(exit code 7): started"
claim "what does not fail is refused" exits 1 "$PARE" reduce --no-journal -o y --worker "$worker" in.json
claim "with advice" grep -q 'it has to answer FAIL' err
refuses() { exits 2 "$PARE" reduce --no-journal -o y "${@:2}" && says "$1"; }
claim "no input" refuses "INPUT is missing" --worker "$worker"
claim "an input that is a test" refuses "there is no TEST" --worker "$worker" ./none.sh in.txt
claim "a program" refuses "leave out '--'" --worker "$worker" in.txt -- true
claim "a runner" refuses "leave out --runner" --worker "$worker" --runner spawn big.txt
claim "an empty one" refuses "not an empty word" --worker "" big.txt

# The page about a run shows it, and how to ask it about the result.
claim "a report" exits 0 "$PARE" reduce -q --no-journal -o z.txt --report r.html --worker "$worker" big.txt
claim "names the worker" grep -q 'This worker answers FAIL for it' r.html
claim "and asks it" grep -q 'wc -c' r.html
all_claimed
