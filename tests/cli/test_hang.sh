#!/usr/bin/env bash
# Hangs: a limit too near to ordinary runs, results that are only slow, first runs that take
# long or never end.
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

printf '%s\n' 1 2 3 4 HANG 6 > in
cat > near.sh << 'EOF'
#!/bin/sh
sleep 1.2
grep -q HANG "$1" && exec sleep 1000
exit 0
EOF
# Hangs with four lines and more, is slow with fewer.
cat > slip.sh << 'EOF'
#!/bin/sh
grep -q HANG "$1" || exit 0
[ "$(wc -l < "$1")" -ge 4 ] && exec sleep 1000
exec sleep 2
EOF
cat > honest.sh << 'EOF'
#!/bin/sh
grep -q HANG "$1" && exec sleep 1000
exit 0
EOF
chmod +x ./*.sh

# All of it is waiting, so what takes longest waits beside the rest, in folders of its own.
# begin NAME COMMAND...: runs it there; ended_with NAME CODE: waits, and goes to that folder.
begin() {
    mkdir "$1"
    cp in "$1"
    (cd "$1" && run "${@:2}" && echo "$code" > code) &
    pids[$1]=$!
}
ended_with() {
    wait "${pids[$1]}"
    cd "$here/$1" && [ "$(cat code)" -eq "$2" ]
}
declare -A pids

# A first run that takes long.
cat > first.sh << EOF
#!/bin/sh
[ -e $here/been ] || { : > $here/been; sleep 3.6; }
grep -q HANG "\$1"
EOF
chmod +x first.sh
slips=(-u line in -o y -j 8 -- ../slip.sh @@)
begin near "$PARE" reduce -q --no-journal --hang 2 in -- ../near.sh @@
begin hangs "$PARE" reduce -q --no-journal --hang 1 -j 8 -u line in -o y -- ../honest.sh @@
begin slips "$PARE" reduce --no-journal --hang 1 "${slips[@]}"
begin certain "$PARE" reduce -q --no-journal --flaky off --hang 1 "${slips[@]}"
begin late "$PARE" reduce --no-journal ../first.sh in -o y
begin never "$PARE" reduce --no-journal --timeout 11 in -o z -- ../honest.sh @@

claim "ordinary runs near the limit" ended_with near 1
claim "are told in one sentence" says 'ordinary runs of the program take up to'
claim "with the limit to use" grep -Eq 'too close to --hang [0-9.]*: use --hang [1-9][0-9]*$' err
claim "and nothing is written" [ ! -e in.min ]
cd "$here"
for time in first second; do
    claim "what says nothing is refused the $time time" exits 1 "$PARE" reduce -q true in
    claim "and leaves nothing, the $time time" [ "$(echo in.min*)" = 'in.min*' ]
done

claim "a hang" ended_with hangs 0
claim "is reduced" [ "$(cat y)" = HANG ]

claim "a result that is only slow" ended_with slips 0
claim "is given up" grep -q 'the result ends after [0-9.]* s, so it does not hang: going back to' out
claim "for one that hangs" [ "$(wc -l < y)" -eq 4 ]
claim "whatever looks for chance" ended_with certain 0
claim "also then" [ "$(wc -l < y)" -eq 4 ]

cd "$here"
printf '%s\n' HANG 2 > slow
claim "an input that is only slow" exits 1 "$PARE" reduce -q --no-journal --hang 1 slow -- ./slip.sh @@
claim "does not hang" says 'so it is slow and does not hang'
claim "and the right command is named" grep -qF "timeout 1 PROGRAM \"\$1\"; test \$? = 124' slow" err

claim "a slow first run" ended_with late 0
claim "is told of" grep -q 'the first run has not ended after 3 s' out
claim "without further ado" test "$(grep -c 'first run' out)" -eq 1

# ... or for ever.
claim "one that never ends" ended_with never 1
claim "is told of as well" grep -q 'the first run has not ended after 3 s' out
claim "with what to do" grep -Eq 'has not ended after 10 s and will be stopped after 11 s: .*--hang TIME.*--timeout TIME' out
claim "and ends with it" grep -q 'write pare reduce in --hang 10 -- ../honest.sh @@, otherwise .* --timeout 55' err
claim "no result" [ ! -e z ]
cd "$here"
claim "so does a test" exits 1 "$PARE" reduce -q --no-journal --timeout 1 'exec sleep 1000; $1' in -o z
claim "that never ends" grep -q 'the test did not end within 1 s on the input itself: .* --timeout 5' err
all_claimed
