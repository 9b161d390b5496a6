#!/bin/bash
# --strategy: the example takes the steps of -a ddmin on recorded inputs, whatever the jobs; a text of
# its own; going on after a kill; what is said of mistakes; nothing is left.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

cp "$PARE_SOURCE_DIR/examples/strategies/ddmin.py" .
worker="python3 needs.py x"
plain() { jq -c 'del(.ms, .source)' "$1"; }
reduce() { # NAME OPTION...
    run "$PARE" reduce -q --no-journal --timeout 250 -o "out.$1" --trace "trace.$1" "${@:2}"
    [ "$code" -eq 0 ]
}
same_steps() { cmp -s <(plain "trace.$1") <(plain "trace.$2"); }

# Recorded inputs of ddmin: every character of the predicate's word is needed.
cat > needs.py << 'EOF'
import sys
needed = sys.argv[1]
for line in sys.stdin:
    text = open(line.rstrip("\n").split(" ", 1)[1]).read()
    print("FAIL" if all(c in text for c in needed) else "PASS", flush=True)
EOF
compare() { # NEEDED
    claim "ours needs '$1'" reduce ours -a ddmin -u char --worker "python3 needs.py '$1'" in.txt
    for jobs in 1 8; do
        claim "the example needs '$1', -j$jobs" reduce "own$jobs" -j$jobs -u char \
            --strategy 'python3 ddmin.py' --worker "python3 needs.py '$1'" in.txt
        claim "in the same steps" same_steps ours "own$jobs"
        claim "to the same bytes" cmp -s out.ours "out.own$jobs"
    done
}
printf 'The quick brown fox jumps over the lazy dog' > in.txt
compare qz
records=${PARE_SHARED:-$PARE_SOURCE_DIR/../shared}/golden/list/seed001_ddmin.jsonl
if [ -f "$records" ]; then
    stride=1200
    [ -z "${PARE_TEST_LONG:-}" ] || stride=50
    jq -r --argjson stride $stride -n '[inputs | select(.predicate.all)] | to_entries[] |
        select(.key % $stride == 0) | [.value.input, .value.predicate.all] | map(@base64) | join(" ")' \
        "$records" > cases
    claim "there are records" [ -s cases ]
    while read -r input needed; do
        base64 -d <<< "$input" > in.txt
        compare "$(base64 -d <<< "$needed")"
    done < cases
else
    echo "no $records: its inputs are not compared"
fi

# Lines, tokens, characters: a process for each; the statistics name them.
{ seq 1 60; echo 'see x here'; seq 61 90; } > lines.txt
claim "all units" reduce all --strategy 'python3 ddmin.py' --stats stats --worker "$worker" lines.txt
claim "to the byte" [ "$(cat out.all)" = x ]
claim "by name" [ "$(jq -r '[.passes[].name] | join(" ")' stats)" = "own/line own/token own/char" ]

# A text of its own.
cat > text.sh << 'EOF'
read -r units
grep x input > mine
echo TEXT mine
read -r outcome
[ "$outcome" = FAIL ] && wc -l < units > "$1"
echo DONE
EOF
claim "a text" reduce text -u line --strategy "sh $PWD/text.sh $PWD/told" --worker "$worker" lines.txt
claim "is the result" [ "$(cat out.text)" = 'see x here' ]
claim "and units are told" [ "$(cat told)" -eq 91 ]

# What is said of mistakes.
wrong() { # WHAT SAYS SCRIPT
    printf '%s\n' "$3" > wrong.sh
    claim "$1 ends with 3" exits 3 "$PARE" reduce --no-journal -u line -o out.wrong \
        --strategy "sh $PWD/wrong.sh" --worker "$worker" lines.txt
    claim "$1 is told: $2" grep -qF -- "$2" err
    claim "$1 keeps the best" [ -s out.wrong ]
}
wrong "an end" "ended without DONE, with exit code 7: no idea" 'read a; echo no idea >&2; exit 7'
wrong "nonsense" "the strategy said 'HELLO': a proposal is KEEP" 'read a; echo HELLO; read b'
wrong "a word for a number" "after KEEP come numbers" 'read a; echo KEEP all; read b'
wrong "a number too large" "of 91 units: ranges, counted from 0" 'read a; echo KEEP 91; read b'
wrong "two lines" "one line is due" 'read a; printf "KEEP 1\nKEEP 2\n"; read b'
wrong "a missing text" "the strategy's text 'nowhere'" 'read a; echo TEXT nowhere; read b'
claim "no such command" exits 3 "$PARE" reduce -o out.none --strategy nosuch --worker "$worker" lines.txt
claim "is told before anything is tested" [ ! -e out.none ]
claim "beside an algorithm" exits 2 "$PARE" reduce -a ddmin --strategy 'python3 ddmin.py' \
    --worker "$worker" lines.txt
claim "with brackets" exits 2 "$PARE" reduce -u bracket --strategy 'python3 ddmin.py' \
    --worker "$worker" lines.txt

# One that never answers is ended with the run.
echo 'read a; echo $$ > '"$PWD"'/pid; exec sleep 1000' > silent.sh
claim "silence" exits 0 "$PARE" reduce --no-journal -u line -o out.silent --max-time 1 \
    --strategy "sh $PWD/silent.sh" --worker "$worker" lines.txt
claim "is ended" [ ! -d "/proc/$(cat pid)" ]

# It goes on after a kill, from the journal.
cat > slow.sh << 'EOF'
#!/bin/sh
echo . >> "$RUNS"
[ "$(wc -l < "$RUNS")" -ne 8 ] || kill -9 "$(cat "$PARE_PID")"
grep -q x "$1"
EOF
chmod +x slow.sh
export RUNS=$PWD/runs PARE_PID=$PWD/pare.pid
cat > go.sh << EOF
echo \$\$ > "$PARE_PID"
exec "$PARE" reduce -q -j1 --timeout 250 --flaky off -u line -o out.killed --trace trace.killed --strategy 'python3 ddmin.py' \\
    ./slow.sh lines.txt
EOF
run sh go.sh || true
claim "it was killed" [ "$code" -ne 0 ]
claim "and goes on" exits 0 sh go.sh
claim "to the same bytes" [ "$(cat out.killed)" = 'see x here' ]
claim "without repeating" [ "$(wc -l < runs)" -le "$(($(wc -l < trace.killed) + 8))" ]
all_claimed
